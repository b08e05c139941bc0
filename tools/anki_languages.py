"""The languages that Anki speaks, as it writes them."""

from __future__ import annotations

import argparse


def known(name: str) -> str:
    """Check the name of a language, for a command's option; in any spelling that Anki takes: de, de_DE, pt-BR.

    Raises:
        argparse.ArgumentTypeError: Anki does not speak it.
    """
    disk_code(name)
    return name


def disk_code(name: str) -> str:
    """Anki's file code of a language: "de", "pt_BR". Raises as :func:`known`."""
    from anki.lang import lang_to_disk_lang, langs

    codes = {lang_to_disk_lang(code) for _, code in langs}
    if lang_to_disk_lang(name) not in codes:
        raise argparse.ArgumentTypeError(f"Anki does not speak {name!r}; it speaks {', '.join(sorted(codes))}")
    return str(lang_to_disk_lang(name)).replace("-", "_")
