"""How fast the fitting is: against Anki's own optimiser on the same reviews, and for any set of algorithms.

What is timed runs in processes of its own (``worker``), one per contestant, so that each one's peak memory is its own
and neither's threads or garbage are in the other's time.
"""
