"""Everything that touches Anki: collection, settings, libraries, optimizer, language, error report and log.

Anki's own modules are imported within functions only, so that the tools can use all of it.
"""
