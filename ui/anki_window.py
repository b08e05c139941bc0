"""What differs from one version of Anki to another where windows open or pip runs. No NumPy, no import of Anki.

* Which search the browser shows is known to the browser alone, under a name of its own.
* From 26 on, Anki has put the system's certificates under all of Python's ``ssl``.
"""

from __future__ import annotations

from typing import Any


def searched_for(browser: Any) -> str:
    """The last search; where this Anki does not tell, what is typed into the browser, searched for or not."""
    return str(getattr(browser, "_lastSearchTxt", None) or browser.current_search())


def trusts_what_the_system_trusts(ssl_context: type) -> bool:
    """Whether that has been seen to, from ``ssl.SSLContext``. pip would do it again, without end."""
    return ssl_context.__module__ != "ssl"
