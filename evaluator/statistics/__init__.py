"""What the numbers can bear: inference for one person's reviews."""
