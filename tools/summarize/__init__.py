"""``python3 tools summarize``: means over many collections, comparisons of all pairs of algorithms, and figures.

The results are read as lines (:mod:`~tools.summarize.result_lines`), joined on the collection
(:mod:`~tools.summarize.joined_results`), and summarized as one frozen :class:`~tools.summarize.summary.Summary`. Text,
CSV files, JSON and figures are made from that.
"""
