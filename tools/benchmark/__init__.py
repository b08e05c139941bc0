"""``python3 tools benchmark``: evaluate many collections with many algorithms, on one machine or many.

A collection is one task (:mod:`~tools.benchmark.work`), which is done by a process on this machine
(:mod:`tools.processes`) or another one (:mod:`~tools.benchmark.cluster`). Its results are appended to the file of
results as soon as it ends (:mod:`~tools.benchmark.results_file`), so that a run can be stopped and resumed at any
moment.
"""
