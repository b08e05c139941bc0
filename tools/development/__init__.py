"""Commands for the developers of SRS Evaluator."""
