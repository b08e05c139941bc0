"""Measured: speed beside Anki's own optimiser, the window in a real Anki, and what is said of simulated people."""
