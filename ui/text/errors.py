"""What a person reads where something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, Mapping, Sequence, Tuple, Union

from ..science import BEGINNING, END, WHOLE_COLLECTION, EvaluatorError, cut, harmless
from . import strings
from .wording import any_of, listed, paragraph, scope_words

if TYPE_CHECKING:
    from evaluator.report import Failure


def error_sentence(error: Union[EvaluatorError, Failure]) -> str:
    """What the person reads: what is wrong, with the numbers, and what to do."""
    given = dict(error.facts)
    choice = given.pop("choice", WHOLE_COLLECTION)
    facts = {name: _shown(fact, whole=name not in _GIVEN) for name, fact in given.items()}
    detail = facts.get("detail")
    if isinstance(detail, str):
        facts["detail"] = cut(detail, _DETAIL_BEGINNING, _DETAIL_END)
    sentence = (_COMPOSED.get(error.code) or strings.ERRORS[error.code].format)(**facts)
    if choice == WHOLE_COLLECTION:
        return sentence
    return strings.ABOUT.format(about=scope_words(choice.kind, choice.name), sentence=sentence)


#: Facts that are what somebody has written, and so may be of any length.
_GIVEN = ("name", "search", "value", "suggestions", "known", "found")
#: Of what another program says of it, a sentence repeats so many signs from its beginning, and so many from its end.
_DETAIL_BEGINNING, _DETAIL_END = 300, 100


class _Quoted(str):
    """Stands between quotation marks where a sentence asks for it, letter by letter."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f'"{self}"' if "'" in self else f"'{self}'"


class _Literal(str):
    """Shown without quotes, as the values of other types are."""

    __slots__ = ()
    __repr__ = str.__str__


def _shown(fact: object, *, whole: bool) -> object:
    """A fact without what would do harm; unless ``whole``, its middle left out where it is long."""
    if isinstance(fact, str):
        return _Quoted(harmless(fact, whole=whole))
    if isinstance(fact, (list, tuple)) and all(isinstance(one, str) for one in fact):
        return [_shown(one, whole=whole) for one in fact]
    long = not whole and len(repr(fact)) > BEGINNING + END
    return _Literal(harmless(repr(fact), whole=False)) if long else fact


def _bad_option(option: str, value: object, allowed: str, known: Sequence[str] = ()) -> str:
    if allowed in strings.ALLOWED:
        allowed = strings.ALLOWED[allowed].format(groups=listed(known))
    return strings.ERRORS["bad_option"].format(option=option, value=value, allowed=allowed)


def _missing_columns(path: object, missing: Sequence[str], found: Sequence[str]) -> str:
    names = _first_of(found)
    return strings.MISSING_COLUMNS(
        len(missing), path=path, missing=listed(missing), found=names or strings.FOUND_NOTHING
    )


def _unknown_algorithm(name: str, suggestions: Sequence[str], known: Sequence[str]) -> str:
    meant = strings.DID_YOU_MEAN.format(names=any_of(suggestions))
    others = meant if suggestions else strings.KNOWN.format(names=listed(known))
    return paragraph([strings.UNKNOWN_ALGORITHM.format(name=name), others])


def _unknown_name(what: str, name: str, suggestions: Sequence[str], known: Sequence[str]) -> str:
    meant = strings.DID_YOU_MEAN.format(names=any_of([repr(one) for one in suggestions]))
    return paragraph([strings.UNKNOWN_NAMES[what].format(name=name), meant if suggestions else _there_are(known)])


#: So many names are given where a name is not known.
_MOST_NAMES = 16


def _there_are(known: Sequence[str]) -> str:
    if not known:
        return strings.KNOWN_NONE
    return strings.KNOWN_NAMES(len(known), names=_first_of([repr(name) for name in known]))


def _first_of(names: Sequence[str]) -> str:
    """The first of the names, and how many more there are."""
    more = len(names) - _MOST_NAMES
    shown = listed(names[:_MOST_NAMES])
    return strings.AND_MORE.format(names=shown, count=more) if more > 0 else shown


def _bad_search(search: str, detail: str) -> str:
    line = " ".join(detail.split())
    ended = line if line.endswith((".", "!", "?", "。")) else strings.ENDED.format(sentence=line)
    return strings.BAD_SEARCH.format(search=search, detail=ended)


def _no_parameters(presets: int) -> str:
    return strings.NO_PARAMETERS.format(presets=presets) if presets else strings.NO_PRESETS


def _reviews_uncovered(reviews: int, uncovered: int, first: int) -> str:
    scored = strings.SCORED_REVIEWS(reviews)
    if uncovered == reviews:
        return strings.UNCOVERED_ALL.format(reviews=scored)
    return strings.UNCOVERED.format(uncovered=uncovered, reviews=scored, first=first)


def _nothing_in_scope(cards: int) -> str:
    return strings.NOTHING_IN_SCOPE(cards) if cards else strings.NO_CARDS_IN_SCOPE


def _all_filtered(rows: int, funnel: Sequence[Tuple[str, int]]) -> str:
    ways = [strings.FUNNEL_COUNT.format(rows=count, what=strings.FUNNEL[step].short) for step, count in funnel]
    said = strings.ALL_FILTERED.format(rows=strings.ROWS(rows), ways=strings.SEMICOLON.join(ways))
    return paragraph([said, _without_the_filter(dict(funnel))])


def _without_the_filter(left_out: Mapping[str, int]) -> str:
    """What to do where all that could be scored belongs to cards that the outlier filter leaves out."""
    reviews = left_out.get("outlier", 0) + left_out.get("after_outlier", 0)
    return strings.WITHOUT_THE_FILTER.format(reviews=strings.REVIEWS(reviews)) if reviews else ""


def _too_few_reviews(reviews: int, needed: int, folds: int) -> str:
    return strings.TOO_FEW_REVIEWS.format(reviews=strings.REVIEWS(reviews), needed=needed, folds=strings.FOLDS(folds))


def _one_outcome(reviews: int, outcome: int) -> str:
    return (strings.ALL_REMEMBERED if outcome else strings.ALL_FORGOTTEN).format(reviews=reviews)


def _megabytes(size: int) -> int:
    """Rounded up."""
    return -(-size // 1_000_000)


#: Those whose sentence is more than a text that is filled in.
_COMPOSED: Dict[str, Callable[..., str]] = {
    "arithmetic": "{detail}".format,
    "bad_option": _bad_option,
    "no_result": strings.NO_RESULT.format,
    "missing_columns": _missing_columns,
    "too_large": lambda path, found, most: strings.TOO_LARGE.format(
        path=path, found=_megabytes(found), most=_megabytes(most)
    ),
    "no_room": lambda path, folder, free: strings.NO_ROOM.format(path=path, folder=folder, free=free // 1_000_000),
    "unknown_algorithm": _unknown_algorithm,
    "unknown_name": _unknown_name,
    "unknown_setting": lambda **facts: _unknown_name("setting", **facts),
    "bad_search": _bad_search,
    "decks_unknown": lambda what: strings.DECKS_UNKNOWN[what],
    "no_parameters": _no_parameters,
    "reviews_uncovered": _reviews_uncovered,
    "nothing_in_scope": _nothing_in_scope,
    "all_filtered": _all_filtered,
    "too_few_reviews": _too_few_reviews,
    "one_outcome": _one_outcome,
}
