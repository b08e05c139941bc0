"""Simulated year with each scheduler, by memories fitted to the user."""
