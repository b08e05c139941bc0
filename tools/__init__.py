"""The headless twin of the add-on: ``python3 tools <command>``, see :mod:`tools.commands`."""
