"""Starting weights for the networks of the catalogue, learned from simulated learners alone.

Same seed, same files (on one kind of processor: elsewhere sums of floating-point numbers may round differently).
"""
