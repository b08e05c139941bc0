"""From predictions to the rows of the report: scores, comparisons, and the evidence for what follows."""
