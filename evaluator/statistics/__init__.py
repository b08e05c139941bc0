"""Statistical inference from one user's reviews."""
