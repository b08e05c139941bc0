"""Every sentence that the dialog and the terminal share, made of :mod:`evaluator.strings`."""

from __future__ import annotations

from functools import reduce
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import strings
from .errors import EvaluatorError, NothingToCompare
from .interval import CANNOT_TELL, MARGIN, MIN_GROUPS, WORSE
from .names import BEGINNING, END, cut, harmless
from .report import AlgorithmResult, Comparison, Report, Scope, Verdict
from .scope import WHOLE_COLLECTION

#: Why rows of the review log went the way they did, by :attr:`FunnelStep.step`.
FUNNEL = strings.FUNNEL

MINUS = "\N{MINUS SIGN}"

# --- how texts are put together ---------------------------------------------------------------------------------------


def paragraph(sentences: Iterable[str]) -> str:
    """One after the other."""
    said = [sentence for sentence in sentences if sentence]
    return reduce(lambda first, second: strings.SENTENCES.format(first=first, second=second), said) if said else ""


def listed(items: Iterable[str]) -> str:
    """A, B, C."""
    return strings.COMMA.join(items)


def all_of(items: Sequence[str]) -> str:
    """A, B and C."""
    return _with_last(strings.AND, items)


def any_of(items: Sequence[str]) -> str:
    """A, B or C."""
    return _with_last(strings.OR, items)


def _with_last(pattern: str, items: Sequence[str]) -> str:
    return pattern.format(others=listed(items[:-1]), last=items[-1]) if len(items) > 1 else listed(items)


def percent(share: float, digits: int = 2) -> str:
    """Of 0.1234: 12.34 %."""
    return strings.PERCENT.format(number=f"{100 * share:.{digits}f}")


def signed(value: float) -> str:
    """With four digits, and a minus sign that is as long as a plus."""
    return f"{'' if value >= 0 else MINUS}{abs(value):.4f}"


# --- errors -----------------------------------------------------------------------------------------------------------


def error_sentence(error: EvaluatorError) -> str:
    """What the person reads: what is wrong, with the numbers, and what to do."""
    facts = {name: _shown(fact, whole=name not in _GIVEN) for name, fact in error.facts.items()}
    detail = facts.get("detail")
    if isinstance(detail, str):
        facts["detail"] = cut(detail, _DETAIL_BEGINNING, _DETAIL_END)
    if error.code in strings.ERRORS:
        sentence = strings.ERRORS[error.code].format(**facts)
    else:
        sentence = _COMPOSED[error.code](**facts)
    if isinstance(error, NothingToCompare) and error.choice != WHOLE_COLLECTION:
        about = scope_words(error.choice.kind, error.choice.name)
        return strings.ABOUT.format(about=about, sentence=sentence)
    return sentence


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
    ways = [strings.FUNNEL_COUNT.format(rows=count, what=FUNNEL[step].short) for step, count in funnel]
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


# --- what is evaluated ------------------------------------------------------------------------------------------------


def scope_words(kind: str, name: str) -> str:
    """Whose reviews are evaluated, see :class:`evaluator.scope.ScopeChoice`: "Deck Spanish with subdecks"."""
    return strings.SCOPES[kind].format(name=harmless(name, whole=False))


def covered_sentence(report: Report) -> str:
    """What the second comparison is about, where predictions from elsewhere lack some of the reviews."""
    if report.on_covered is None:
        return ""
    return strings.ON_COVERED.format(
        reviews=strings.REVIEWS(report.on_covered.scope.reviews),
        all=report.scope.reviews,
        names=listed(one.algorithm for one in report.uncovered),
    )


def choice_sentences(scope: Scope) -> Tuple[str, ...]:
    """What was chosen otherwise than usual, or is otherwise; empty where nothing is."""
    return (
        *((strings.CHOSEN_SINCE.format(since=scope.since),) if scope.since else ()),
        *(() if scope.same_day else (strings.CHOSEN_NO_SAME_DAY,)),
        *(() if scope.outlier_filter else (strings.CHOSEN_NO_FILTER,)),
        *((strings.RENUMBERED.format(rows=scope.renumbered_buttons),) if scope.renumbered_buttons else ()),
    )


def scope_sentences(scope: Scope) -> Tuple[str, ...]:
    """Whose reviews were scored, how many, and how."""
    return (
        strings.SCOPE.format(scope=scope_words(scope.kind, scope.name)),
        strings.SCORED.format(
            reviews=strings.REVIEWS(scope.reviews),
            cards=strings.CARDS(scope.cards),
            days=strings.DAYS(scope.days),
            first=scope.first_day,
            last=scope.last_day,
            recalled=percent(scope.recalled, 1),
        ),
        strings.TRAINED_ON_EARLIER.format(folds=strings.FOLDS(scope.folds)),
        *choice_sentences(scope),
        _day_begins(scope),
    )


def _day_begins(scope: Scope) -> str:
    if scope.day_cutoff_assumed:
        return strings.DAY_ASSUMED.format(hour=scope.rollover_hour)
    if scope.utc_offset_minutes is None:
        minutes = scope.day_cutoff % 86_400 // 60
        return strings.DAY_UTC.format(hour=minutes // 60, minute=minutes % 60)
    hours, minutes = divmod(abs(scope.utc_offset_minutes), 60)
    sign = MINUS if scope.utc_offset_minutes < 0 else "+"
    return strings.DAY_LOCAL.format(hour=scope.rollover_hour, offset=f"{sign}{hours:02d}:{minutes:02d}")


# --- the verdict ------------------------------------------------------------------------------------------------------


def verdict_sentences(verdict: Verdict, untrained: Optional[str] = None) -> Tuple[str, ...]:
    """The verdict in plain words: the answer, the evidence, and what else stands out.

    ``untrained`` is the algorithm as it was published, which shows what training was worth.
    """
    if verdict.code == "no_pair":
        second = "FSRS-6" if verdict.algorithm in (None, "SM-2") else "SM-2"
        return (strings.NO_PAIR.format(second=second),)
    if verdict.code == "unfinished":
        unfinished = strings.UNFINISHED.format(algorithm=verdict.algorithm, baseline=verdict.baseline)
        return (unfinished, strings.UNFINISHED_TABLE)
    first, *others = verdict.comparisons
    known = [strings.IN_SAMPLE.format(algorithm=name) for name in verdict.in_sample]
    answer = _filled(strings.ANSWERS[first.code], first)
    return (answer, _evidence(verdict, first), *known, *_asides(others, untrained))


def detectable(c: Comparison) -> str:
    """The smallest difference that could have been shown, to two digits; it is an estimate."""
    return f"{c.smallest_detectable or 0.0:.2g}"


def by_how_much(c: Comparison) -> str:
    """The size of a difference, and its interval."""
    return strings.BY_HOW_MUCH.format(difference=abs(c.difference.known), interval=_interval(c))


def _filled(text: str, c: Comparison) -> str:
    """A text about a comparison."""
    return text.format(
        algorithm=c.algorithm,
        baseline=c.baseline,
        margin=MARGIN,
        detectable=detectable(c),
        by_how_much=by_how_much(c),
    )


def _evidence(verdict: Verdict, c: Comparison) -> str:
    basis = verdict.basis
    reviews = strings.REVIEWS(basis.reviews)
    difference = c.difference.known
    said = (strings.LOSS_LOWER if difference <= 0 else strings.LOSS_HIGHER).format(
        reviews=reviews if verdict.in_sample else strings.UNSEEN.format(reviews=reviews),
        algorithm=c.algorithm,
        difference=abs(difference),
    )
    if c.difference.ends is None:
        cards, days = strings.CARDS(basis.cards), strings.DAYS(basis.days)
        return strings.EVIDENCE_TOO_FEW.format(said=said, cards=cards, days=days, least=MIN_GROUPS)
    text = strings.EVIDENCE_OF_CHANCE if c.code == CANNOT_TELL else strings.EVIDENCE
    return text.format(said=said, interval=_interval(c))


def _interval(c: Comparison) -> str:
    """The 95 % interval of the difference, counted in its own direction."""
    difference = c.difference.known
    low, high = c.difference.ends or (difference, difference)
    if difference <= 0:
        low, high = -high, -low
    return strings.INTERVAL.format(low=signed(low), high=signed(high))


def _asides(others: List[Comparison], untrained: Optional[str]) -> List[str]:
    """What else a person would want to know at once; nothing that chance could have made."""
    said = []
    for c in others:
        if c.baseline == "AVG" and c.code == WORSE:
            said.append(_filled(strings.WORSE_THAN_AVERAGE, c))
        elif c.baseline == untrained and c.code in strings.TRAINING:
            said.append(_filled(strings.TRAINING[c.code], c))
    return said


# --- the star ---------------------------------------------------------------------------------------------------------

#: What a star means that marks no more than the row in bold.
LOWEST = strings.STAR_LOWEST


def star_meaning(report: Report) -> str:
    """What the star before some names in the table says, without an end mark; empty where none has one."""
    if report.best_set is not None:
        return strings.STAR_BEST
    starred = _lowest_unseen(report)
    if starred is None:
        return ""
    return LOWEST if starred == report.best else strings.STAR_LOWEST_UNSEEN


def has_star(report: Report, algorithm: str) -> bool:
    """Whether the table marks this row; never what is in-sample."""
    return algorithm == _lowest_unseen(report) if report.best_set is None else algorithm in report.best_set


def _lowest_unseen(report: Report) -> Optional[str]:
    """The algorithm with the lowest log loss of those that had not seen the reviews; None where there is none."""
    return next((row.algorithm for row in report.results if not row.error and not row.in_sample), None)


def star_order_sentence(report: Report) -> str:
    """Why a row with a star stands below one without it; empty where none does, or what the star means says it."""
    if report.best_set is None:
        return ""
    stars = [has_star(report, result.algorithm) for result in report.results if not result.error]
    return "" if sorted(stars, reverse=True) == stars else strings.STAR_ORDER


# --- an algorithm's numbers -------------------------------------------------------------------------------------------


def chance_sentence(result: AlgorithmResult, metric: str = "rmse_bins") -> str:
    """How much of its RMSE (bins), of either definition, chance alone would make; empty where that is not known."""
    value, floor, excess = (result.value(f"{metric}{part}") for part in ("", "_floor", "_excess"))
    if value is None or floor is None or excess is None:
        return ""
    facts: Dict[str, Any] = {"metric": strings.METRICS[metric].label, "value": percent(value), "floor": percent(floor)}
    if not excess:
        return strings.CHANCE_ALONE.format(**facts)
    return strings.CHANCE_AND_MORE.format(**facts, excess=percent(excess))


def parts_sentence(result: AlgorithmResult) -> str:
    """What its log loss is made of; empty where that is not known."""
    parts = result.log_loss_parts
    if parts is None:
        return ""
    return strings.PARTS.format(
        score=parts.score,
        uncertainty=parts.uncertainty,
        discrimination=parts.discrimination,
        miscalibration=max(parts.miscalibration, 0.0),
    )


def skill_sentence(result: AlgorithmResult) -> str:
    """How it does against two guesses that anyone could make, but not against itself; empty where that is not known."""
    average, by_interval = result.value("skill_average"), result.value("skill_interval_average")
    if average is None or by_interval is None:
        return ""
    text = strings.SKILL_OF_AVERAGE if result.algorithm == "AVG" else strings.SKILL
    return text.format(average=_relative(average), interval=_relative(by_interval))


def _relative(skill: float) -> str:
    return (strings.LOWER_BY if skill >= 0 else strings.HIGHER_BY).format(share=percent(abs(skill), 1))


def bias_sentence(result: AlgorithmResult) -> str:
    """What its calibration line shows; empty where there is none, or no interval."""
    line = result.calibration_line
    level, slope = (None, None) if line is None else (line.in_the_large.side(), line.slope.side(1))
    if level is None or slope is None:
        return ""
    height = {-1: "too_high", 0: "right", 1: "too_low"}[level]
    spread = {-1: "too_sure", 0: "right", 1: "too_timid"}[slope]
    return strings.BIAS[spread].format(height=strings.BIAS_HEIGHTS[height])
