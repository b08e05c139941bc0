"""Starting weights for the networks of the catalogue, learned from simulated learners alone.

``population`` draws learners (:mod:`tools.pretrain.learners`) and deals their cards to batches; ``plans`` says which
networks there are and how long each learns; ``recurrent`` takes gradients from the project's own engine, ``encoder``
from :mod:`tools.pretrain.reverse`; ``adam`` follows them; ``weights_file`` writes what comes out.

Same seed, same files (on one kind of processor: elsewhere sums of floating-point numbers may round differently).
"""
