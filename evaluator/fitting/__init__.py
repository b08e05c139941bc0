"""Training and prediction, by one method for all algorithms."""
