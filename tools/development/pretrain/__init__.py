"""Starting weights for the networks of the catalog, learned from simulated learners alone.

``population`` draws learners, has them study (:mod:`tools.simulate`), and deals their cards to batches; ``plans`` says
which networks there are and how long each learns; ``objectives`` has what each is to make small, with its gradient;
``adam`` follows that; ``weights_file`` writes what comes out.

Same seed, same files (on one kind of processor: elsewhere sums of floating-point numbers may round differently).
"""
