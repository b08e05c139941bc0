"""The metrics, each with its formula, its source and what a perfect model would score."""
