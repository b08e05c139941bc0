"""Output of the commands: terminal, tables, progress and files."""
