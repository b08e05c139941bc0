"""Turn predictions into the report: scores, comparisons, the verdict and the facts behind the headline."""
