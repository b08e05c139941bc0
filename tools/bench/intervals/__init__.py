"""How often the intervals hold: on simulated people, of whom the truth is known.

To add a table: one function in a file of its own that is given a :class:`table.Run` and returns a
:class:`table.Table`, and one line in :data:`command.TABLES`.
"""
