"""Measurements: speed against Anki's own optimizer, the window in a real Anki, and claims about simulated users."""
