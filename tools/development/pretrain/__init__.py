"""Training of starting weights for the networks of the catalog, with simulated learners only.

:mod:`.simulated_people` simulates learners and deals their cards to batches. :mod:`.plans` has the plan of each
network, and the optimizer Adam. :mod:`.objectives` has the objectives with their gradients.
:mod:`.command` writes the files.

The same seed gives the same files on the same kind of processor. On another one, sums may be rounded differently.
"""
