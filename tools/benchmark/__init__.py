"""``python3 tools benchmark``: evaluate many collections with many algorithms, on one machine or many.

A collection is one task (:mod:`~tools.benchmark.work`), which is done by a process on this or another machine
(:mod:`~tools.benchmark.executors`). Its results are appended to the file of results as soon as it ends
(:mod:`~tools.benchmark.results`), so that a run can be stopped and resumed at any moment.
"""
