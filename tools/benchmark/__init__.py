"""``python3 tools benchmark``: many collections through many algorithms, on one machine or many.

A collection is one piece of work (``work``), done by processes here or anywhere (``executors``); what it finds is
appended to the results as it comes (``results``), so that a run can be stopped and taken up again at any moment.
"""
