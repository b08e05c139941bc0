"""Labels of the choices before an evaluation, such as algorithms, cards and start date."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Collection, Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Tuple

from ..science import ScopeChoice
from ..text import Counted, _, strings
from ..text.phrases import first_of, paragraph, scope_words, uses_words
from ..text.sanitize import sanitize_text

if TYPE_CHECKING:
    from evaluator.algorithms.algorithm import Algorithm
    from evaluator.report import Report

CHOOSE = _("Algorithms: {choice}")
#: Maximum number of clipped parameters that a sentence lists.
_MAX_PARAMETERS = 3


@dataclass(frozen=True)
class Catalog:
    """The algorithms that the user can choose, in order, and named groups of them.

    :func:`ui.engine.catalog` creates the catalog, because that requires NumPy.
    """

    entries: Tuple[Algorithm, ...]
    groups: Mapping[str, Tuple[str, ...]]

    def families(self) -> List[Tuple[str, List[Algorithm]]]:
        """Return each family with its algorithms, in the order in which families first appear."""
        families: Dict[str, List[Algorithm]] = {}
        for entry in self.entries:
            families.setdefault(entry.family, []).append(entry)
        return list(families.items())

    def describe(self, entry: Algorithm) -> str:
        """Describe an algorithm in one line, and say whether it is chosen by default."""
        if not entry.is_runnable:
            return strings.WHOLE_DAY_ONLY
        # Translators: {group} is a choice of algorithms, "Default".
        is_default = _("In “{group}”.").format(group=strings.ALGORITHM_GROUPS["default"].name)
        text = parameters_and_inputs(entry.trained, entry.trained_count, entry.input_codes())
        return paragraph(text, is_default if entry.name in self.groups["default"] else "")

    def expand(self, chosen: Iterable[str]) -> FrozenSet[str]:
        """Return the names of the chosen algorithms. Unknown names are skipped.

        Args:
            chosen: names of algorithms and of groups. The case of letters does not matter.
        """
        names_by_key: Dict[str, Tuple[str, ...]] = {entry.name.lower(): (entry.name,) for entry in self.entries}
        names_by_key.update(self.groups)
        return frozenset(name for chosen_name in chosen for name in names_by_key.get(chosen_name.strip().lower(), ()))

    def group_of(self, chosen: Collection[str]) -> Optional[str]:
        """Return the name of the group with exactly these algorithms, or None if there is no such group."""
        return next((group for group, names in self.groups.items() if set(names) == set(chosen)), None)

    def to_config(self, chosen: Collection[str]) -> List[str]:
        """Return the choice as it is saved in the configuration.

        A group is saved by its name, so that algorithms added to the group later are chosen too.
        """
        group = self.group_of(chosen)
        return [group] if group else [entry.name for entry in self.entries if entry.name in chosen]


def algorithms_button(names: Sequence[str], catalog: Optional[Catalog]) -> str:
    """Return the label of the button that opens the list of algorithms.

    Args:
        names: names of the chosen algorithms and groups.
        catalog: all algorithms, or None until they are loaded.
    """
    if catalog is None or not (chosen := catalog.expand(names)):
        return _("Algorithms…")
    group = catalog.group_of(chosen)
    # Translators: Algorithms; stands for {choice} in "Algorithms: {choice}".
    count_text = Counted("{count} chosen", "{count} chosen")(len(chosen))
    return CHOOSE.format(choice=strings.ALGORITHM_GROUPS[group].name if group else count_text)


def parameters_and_inputs(trained: bool, count: int, uses: Iterable[str]) -> str:
    """Describe the trained parameters and the inputs of an algorithm in one line.

    Args:
        trained: whether the algorithm has trained parameters.
        count: number of trained parameters.
        uses: codes of inputs.
    """
    parameters = _("Not trained")
    if trained:
        parameters = Counted("{count} trained parameter", "{count} trained parameters")(count)
    # Translators: {parameters} is such as "21 trained parameters", {uses} such as "intervals, ratings".
    return _("{parameters}. Uses {uses}.").format(parameters=parameters, uses=uses_words(uses))


def clipped_sentences(pasted: Iterable[Algorithm]) -> List[str]:
    """Say of each pasted set with clipped parameters how many are clipped, which, and to what."""
    text = _("{name}: {count} of {total} out of bounds and clipped: {parameters}.")
    return [
        text.format(
            name=item.name,
            count=len(item.clipped),
            total=len(item.parameters),
            parameters=first_of(["w{} ({:g} -> {:g})".format(*values) for values in item.clipped], _MAX_PARAMETERS),
        )
        for item in pasted
        if item.clipped
    ]


def scope_button(choice: ScopeChoice) -> str:
    """Return the label of the button for the scope. For a deck, it is just the name."""
    return sanitize_text(choice.name) if choice.kind == "deck" else scope_words(choice.kind, choice.name)


def since_button(since: Optional[dt.date]) -> str:
    """Return the label of the button for the start date."""
    return _("All dates") if since is None else _("Since {date}").format(date=since)


def rows_line(report: Report) -> str:
    """Say how many rows of the review log are in the scope, and how many of them are tested."""
    rows = sum(step.rows for step in report.funnel if step.step != "outside_scope")
    # The scope of the report has fewer reviews if a preset is selected.
    count = sum(step.rows for step in report.funnel if step.use == "scored")
    return _("{read}, {scored}.").format(
        read=Counted("{count:,} row read", "{count:,} rows read")(rows),
        scored=Counted("{count:,} tested", "{count:,} tested")(count),
    )
