"""What Anki's own buttons are called, and where they are, for sentences that tell the user what to do there.

Anki 24.11 has no button for all presets in its Deck Options, but an entry in the menu next to "Save". In no supported
version do the preferences have the scheduler. A collection on scheduler 1 or 2 has a button above the list of decks.
"""

from __future__ import annotations

from typing import Dict

from ..text import _, pgettext

#: Codes of advice that is followed in the Deck Options.
IN_DECK_OPTIONS = (
    *("optimize", "optimize_if_you_like", "desired_retention"),
    *("turn_on", "turn_on_and_optimize", "choose"),
)


def anki_words(version: str = "") -> Dict[str, str]:
    """Return Anki's names by the fields of our sentences. Those of buttons are in quotation marks.

    Args:
        version: of Anki, as ``anki.buildinfo.version`` has it; empty: the newest.
    """
    is_oldest = version.startswith("24.")
    optimize = pgettext("Anki", "Optimize") if is_oldest else pgettext("Anki", "Optimize Current Preset")
    # Translators: A button of Anki's, and where it is.
    in_menu = _("“{button}” in the menu next to “{save}”")
    quoted = _("“{button}”")
    return {
        "deck_options": pgettext("Anki", "Deck Options"),
        "optimize": quoted.format(button=optimize),
        "optimize_all": (in_menu if is_oldest else quoted).format(
            button=pgettext("Anki", "Optimize All Presets"), save=pgettext("Anki", "Save")
        ),
        "update": quoted.format(button=pgettext("Anki", "Update")),
    }
