"""Measured: speed beside Anki's own optimizer, the window in a real Anki, and what is said of simulated people."""
