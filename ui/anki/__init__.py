"""Everything that touches Anki: the collection, the settings, the libraries, the optimizer, the language, the error
report.

Anki's own modules are imported within functions only, so that the tools can use all of it.
"""
