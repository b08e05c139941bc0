"""``python3 tools bench workload``: whether the year ahead is what it is said to be, of people whose memory is known.

A person (``person``) is simulated and evaluated; ``truth`` simulates the same year with the true memory; ``figures``
counts over all people; ``command`` keeps what was found of each in a file, so that a stopped run goes on.
"""
