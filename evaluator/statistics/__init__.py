"""Inference for one user's reviews."""
