"""Many collections in one table: means with intervals, pairwise comparisons with their evidence, and figures.

Results come in as lines (``lines``), are joined on the collection (``results``), and go out as one frozen
:class:`~tools.summarize.summary.Summary`, which the text, the CSV files, the JSON and the figures all read.
"""
