"""The add-on's command line: ``python3 tools <command>``, see :mod:`tools.commands`."""
