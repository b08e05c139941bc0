"""The work that a scheduler makes: its intervals, and the years that they lead to."""
