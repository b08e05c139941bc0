"""Attacks on the commands: damaged files, odd options, and ends at any moment.

Each case has a name of its kind, a seed and a number (``csv-1-42``), from which all of it follows. By hand, as
Hypothesis makes values, but neither damages sound files nor ends a process at any moment.
"""
