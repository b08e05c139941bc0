"""One way of fitting for every algorithm."""
