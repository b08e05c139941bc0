"""Measurements of the speed, and of the claims of the first screen and the workload about simulated users."""
