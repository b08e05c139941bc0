"""Make the report from predictions: scores, comparisons, the verdict and the facts behind the headline."""
