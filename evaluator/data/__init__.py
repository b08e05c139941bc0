"""The stored review log and the table of reviews built from it."""
