"""Commands for those who develop SRS Evaluator."""
