"""Sentences for errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Callable, Dict, Sequence, Tuple, Union

from ..science import WHOLE_COLLECTION, EvaluatorError
from . import Counted, _, pgettext, strings
from .phrases import add_period, any_of, first_of, list_of, of_100, paragraph, scope_words, size_words, with_semicolons
from .sanitize import elide_middle, sanitize_text

if TYPE_CHECKING:
    from evaluator.report import Failure, ProbabilityBetter

#: Sentences by the code of the error, with the names of its facts in braces. The functions in :data:`_COMPOSED` write
#: those of other codes.
ERRORS = {
    "file_missing": _("There is no file at {path}. Check the path and try again."),
    "not_a_collection": _(
        "{path} is not an Anki collection. Give a .anki2, .colpkg or .apkg file, or a review log as .csv or .csv.gz. "
        "For a data set of Parquet files, run “python3 tools benchmark”."
    ),
    "damaged_file": _(
        "{path} is damaged and cannot be read ({detail}). Use a backup; Tools > Check Database in Anki can also "
        "repair a collection."
    ),
    "empty_file": _("{path} is empty (0 bytes). Copy, download or export it again."),
    "sql_in_collection": _(
        "{path} contains SQL that would run while it is read, so it is not read: {detail}. Use a backup, or export all "
        "decks from Anki as .apkg, with scheduling information."
    ),
    "package_too_large": _(
        "{path} has {kilobytes:,} KB, but its collection would have more than {most:,} MB, so it is not unpacked. Run "
        "Tools > Check Database in Anki, which removes empty pages, and export it again."
    ),
    "made_by_older_anki": _(
        "{path} was made by a version of Anki that is too old. Open it once in Anki 2.0, which updates it, and try "
        "again."
    ),
    "made_by_newer_anki": _("{path} was made by a newer version of Anki. Update SRS Evaluator to read it."),
    "temporary_folder_full": _(
        "The folder for temporary files, {folder}, is full or cannot be written to. Free some space there, or name "
        "another folder in TMPDIR."
    ),
    "unreadable_text": _("{path} cannot be read: {detail}. Correct it, or export it again."),
    "unreadable_csv": _("{path} cannot be read as CSV: {detail}. Correct it, or export it again."),
    "too_many_rows": _(
        "The table {table} has {rows:,} rows, but at most {most:,} are read, which is 27 years of 1,000 reviews a"
        " day. Use a backup, or Tools > Check Database in Anki."
    ),
    "too_much_memory": _(
        "{path} has {rows:,} rows, which need {gigabytes:.1f} GB of memory, but a file below 50 MB may take at most "
        "1 GB. Export it again, or unpack it first if it is compressed."
    ),
    "collection_in_use": _("{path} is open in another program. Close Anki and try again."),
    "collection_closed": _("The collection was closed. Open a profile and run the evaluation again."),
    "bad_cell": _(
        "{path}, line {line}: {column} should be an integer of at most 18 digits but is '{value}'. Correct that "
        "line and try again."
    ),
    "bad_column": _("{path}: {column} should be an integer, but is not in any of the {rows:,} rows ('{value}')."),
    "bad_option": _("{option} cannot be {value}. Allowed: {allowed}."),
    "nothing_since": _(
        "There are no reviews to test on or after {since}. The last one is from {last}: choose an earlier start date."
    ),
    "search_too_deep": _(
        "The search '{search}' has brackets nested {depth:,} deep, but at most {most} are allowed. Shorten it."
    ),
    "search_impossible": _("Only a collection or a package can be searched: a CSV review log does not hold the cards."),
    "parts_overlap": _(
        "The searches '{one}' and '{other}' overlap (cards: {cards:,}), but a card may match only one. Add "
        "-({one}) to the second."
    ),
    "no_parameters": _("The source has no presets, so your parameters are unknown."),
    "reviews_uncovered": _(
        "The file has no prediction for {uncovered:,} of the {reviews:,} tested reviews (first missing id: {first})."
    ),
    # Translators: After a scope and a colon.
    "nothing_in_scope": _("there are no reviews yet (cards: {cards:,})."),
    "part_empty": _("The search '{search}' finds no cards. Correct it, or leave it out."),
    "part_follows_answers": _(
        "The search '{search}' depends on your answers, which biases the comparison. Use another one, such "
        "as note:Cloze or tag:verb."
    ),
    "seconds_unknown": _("This needs exact times, but the source has whole days only."),
    "odd_parameters": _(
        "The FSRS parameters of the preset '{preset}' cannot be used (number: {count}): FSRS-4.5, FSRS-5 and FSRS-6 "
        "have 17, 19 and 21. Optimize that preset in Anki, or update SRS Evaluator."
    ),
    "parameter_count": _(
        "'{name}' has the wrong number of parameters: {count}. FSRS-7 has 34, FSRS-6 21, FSRS-5 19 and FSRS-4.5 17. "
        "Copy all of them."
    ),
    "not_a_parameter": _(
        "'{name}' cannot be used: '{value}' is not a number that FSRS allows. Separate numbers by commas or spaces, as "
        "in Anki: 0.212, 1.2931."
    ),
    "decimal_comma": _("Write decimals with a point: 0.3, not 0,3."),
    "sets_on_one_line": _("Write each set on a line of its own."),
    "name_taken": _("A row cannot be named '{name}'. Choose a name that no other row or group of rows has."),
    "whole_day_only": strings.WHOLE_DAY_ONLY,
    "optimizer_missing": _("Anki's own optimizer is not installed here."),
    "optimizer_failed": _("Anki's own optimizer failed: {detail}"),
    "optimizer_result_unusable": _(
        "This version cannot use the parameters that Anki's optimizer returned (number: {count}). Update SRS Evaluator."
    ),
    "bad_predictions": _("{path} cannot be used as predictions: {detail}."),
    "empty_revlog": _(
        "There are no reviews: the review log is empty. Study some cards on several days, then come back."
    ),
    "arithmetic": "{detail}",
    "mistake": "{detail}",
}
#: Sentences for the right number of parameters, of which some are not finite, by the code of the error.
NOT_FINITE = {
    "odd_parameters": _(
        "The preset '{preset}' has {count} FSRS parameters, which cannot be used: some are not finite "
        "numbers, before or after conversion to FSRS-6. Optimize that preset in Anki."
    ),
    "optimizer_result_unusable": _(
        "Anki's optimizer returned {count} parameters, which cannot be used: some are not finite numbers, "
        "before or after conversion to FSRS-6."
    ),
}
#: Sentences on unknown names, by the kind of name.
UNKNOWN_NAMES = {
    "deck": _("There is no deck '{name}'."),
    "preset": _("There is no preset '{name}'."),
    "section": _("There is no section '{name}'."),
    "algorithm": _("There is no algorithm '{name}'."),
}
#: Sentences on sources without the deck or preset of each card.
DECKS_UNKNOWN = {
    "deck": _("Each card's deck is unknown. Evaluate a collection, or add --cards to a review log."),
    "preset": _("Each card's preset is unknown. Evaluate a collection instead of a review log."),
}
#: Descriptions of the allowed values of an option, by code.
ALLOWED = {
    "folds": _("an integer from 2 to 100"),
    "algorithms": _("names, or one of {groups}"),
    "baseline": _("the name of one algorithm"),
    # Translators: localOffset and crt are Anki's names.
    "clock": _("minutes of at most one day (localOffset), seconds since 1970 (crt). Its clock is wrong: use a backup"),
    "table": _("whole-day or same-day"),
    "table_without_same_day": _("whole-day if --no-same-day is given"),
}


def error_sentence(error: Union[EvaluatorError, Failure]) -> str:
    """Return what is wrong and what the user can do, in one or more sentences.

    Two facts may be on any error: "choice", the scope that it is about, and "others", other people's results.
    """
    raw_facts = dict(error.facts)
    choice = raw_facts.pop("choice", WHOLE_COLLECTION)
    peers = raw_facts.pop("others", None)
    facts = {name: _sanitize_fact(fact, whole=name not in _WRITTEN_BY_USERS) for name, fact in raw_facts.items()}
    detail = facts.get("detail")
    if isinstance(detail, str):
        facts["detail"] = elide_middle(detail, _DETAIL_BEGINNING, _DETAIL_END)
    # FSRS-4.5, FSRS-5 and FSRS-6 have these numbers of parameters.
    sentences = NOT_FINITE if error.code in NOT_FINITE and facts["count"] in (17, 19, 21) else ERRORS
    sentence = (_COMPOSED.get(error.code) or sentences[error.code].format)(**facts)
    if peers is not None:
        sentence = paragraph(sentence, _peer_sentence(peers))
    if choice == WHOLE_COLLECTION:
        return sentence
    # Translators: What a sentence is about, and the sentence.
    return _("{about}: {sentence}").format(about=scope_words(choice.kind, choice.name), sentence=sentence)


#: Maximum number of names in a list.
_MAX_NAMES = 18
#: Names of facts that users have written. These may be long, so their middle is left out.
_WRITTEN_BY_USERS = ("name", "preset", "search", "one", "other", "value", "suggestions", "known", "found")
#: Maximum length of the beginning of another program's message in a sentence.
_DETAIL_BEGINNING = 300
#: Maximum length of its end.
_DETAIL_END = 100


def _sanitize_fact(fact: object, *, whole: bool) -> object:
    """Return a fact without harmful characters, and without its middle if it is long, unless ``whole`` is true.

    Numbers stay numbers, because sentences format them.
    """
    if isinstance(fact, str):
        return sanitize_text(fact, whole=whole)
    if isinstance(fact, (list, tuple)) and all(isinstance(name, str) for name in fact):
        return [sanitize_text(name, whole=whole) for name in fact]
    text = sanitize_text(repr(fact), whole=whole)
    return fact if text == repr(fact) else text


def _bad_option(option: str, value: object, allowed: str, known: Sequence[str] = ()) -> str:
    if allowed in ALLOWED:
        allowed = ALLOWED[allowed].format(groups=list_of(known))
    quoted = f"'{value}'" if isinstance(value, str) else value
    return ERRORS["bad_option"].format(option=option, value=quoted, allowed=allowed)


def _missing_columns(path: object, missing: Sequence[str], found: Sequence[str]) -> str:
    sentence = _("{path} lacks columns: {missing}. Its first line has: {found}.").format(
        path=path, missing=list_of(missing), found=first_of(found, _MAX_NAMES) or _("nothing")
    )
    # Only review logs have this column.
    return paragraph(sentence, _log_formats()) if "cid" in missing else sentence


def _bad_column(value: str, **facts: object) -> str:
    cause = _("A spreadsheet has rounded these numbers: export the file again, and do not save it in a spreadsheet.")
    is_rounded = re.fullmatch(r"\d[.,]\d+[Ee]\+?\d+", value)
    return paragraph(ERRORS["bad_column"].format(value=value, **facts), cause if is_rounded else "", _log_formats())


def _log_formats() -> str:
    """Return a sentence on the CSV files that are read as review logs."""
    return _(
        "These review logs are read as CSV: {formats}. Times are in milliseconds since 1970 or as in {time}, and "
        "ratings from 1 ({again}) to 4 ({easy})."
    ).format(
        formats=with_semicolons(f"{name} ({', '.join(columns)})" for name, columns in _LOG_FORMATS.items()),
        time="2024-05-01 10:00:00",
        again=pgettext("Anki", "Again"),
        easy=pgettext("Anki", "Easy"),
    )


#: Columns of the review logs that are read as CSV, by the program or data set that they come from.
_LOG_FORMATS = {
    "Anki": ("id", "cid", "ease", "ivl", "lastIvl", "factor", "time", "type"),
    "fsrs-optimizer": ("card_id", "review_time", "review_rating"),
    "py-fsrs": ("card_id", "review_datetime", "rating"),
    "ts-fsrs": ("card_id", "review", "rating"),
    "FSRS-Anki-20k": ("card_id", "review_th", "elapsed_days", "rating"),
}


def _unknown_name(what: str, name: str, suggestions: Sequence[str], known: Sequence[str]) -> str:
    hint = _("There are none.")
    if suggestions:
        hint = _("Did you mean {names}?").format(names=any_of([f"'{suggestion}'" for suggestion in suggestions]))
    elif known:
        hint = _("Available: {names}.").format(names=first_of([f"'{other}'" for other in known], _MAX_NAMES))
    return paragraph(UNKNOWN_NAMES[what].format(name=name), hint)


def _newer_parameters(version: int, preset: str) -> str:
    text = _("This Anki stores parameters of {fsrs} (preset: {preset}), which are unknown here. Update SRS Evaluator.")
    return text.format(fsrs=f"FSRS-{version}" if version else _("a newer version of FSRS"), preset=preset)


def _bad_search(search: str, detail: str, understood: bool = False) -> str:
    text = _("Anki's database refuses the search '{search}' ({detail}). Shorten it, or correct its numbers.")
    if not understood:
        text = _("Anki cannot search for '{search}': {detail}")
        detail = " ".join(detail.split())
        detail = detail if detail.endswith((".", "!", "?", "。")) else add_period(detail)
    return text.format(search=search, detail=detail)


def _all_filtered(rows: int, funnel: Sequence[Tuple[str, int]]) -> str:
    text = _(
        "The review log has {rows}, but nothing can be tested: {ways}. A review can be tested if its card was learned "
        "in this collection and seen on an earlier day (or earlier that day, if same-day reviews are predicted too)."
    ).format(rows=Counted("{count:,} row", "{count:,} rows")(rows), ways=_row_counts(funnel))
    left_out = dict(funnel)
    outliers = left_out.get("outlier", 0) + left_out.get("after_outlier", 0)
    without_filter = _(
        "Without the outlier filter, {reviews} could be tested. It leaves out all if there are few cards: study on "
        "some more days, or turn it off (“outlier_filter” in the configuration, or --no-outlier-filter)."
    )
    learning = _(
        "If a backup or another export has the missing learning steps, evaluate that. Otherwise study some new cards "
        "on several days, then come back."
    )
    return paragraph(
        text,
        without_filter.format(reviews=strings.REVIEWS(outliers)) if outliers else "",
        learning if "never_learned" in left_out else "",
    )


def _row_counts(funnel: Sequence[Tuple[str, int]]) -> str:
    """List what the rows of the review log are, each with the number of such rows."""
    # Translators: What some rows are, and their number.
    counts = (_("{what} ({rows:,})").format(rows=count, what=strings.ROW_OUTCOMES[step].name) for step, count in funnel)
    return with_semicolons(counts)


def _no_later_day(
    reviews: int, cards: int, days: int, needed: int, same_day: int, funnel: Sequence[Tuple[str, int]]
) -> str:
    one_day = Counted("There is only one review.", "All {count:,} reviews were done on one day.")
    same_day_reviews = Counted(
        "{count:,} of the reviews is a same-day review. It can be predicted too.",
        "{count:,} of the reviews are same-day reviews. These can be predicted too.",
    )
    several_days = _("There are {reviews} of {cards} on {days}, but no card was seen on more than one of these days.")
    several_days = several_days.format(
        reviews=strings.REVIEWS(reviews), cards=strings.CARDS(cards), days=strings.DAYS(days)
    )
    requirement = _(
        "FSRS and SM-2 predict what you still know on a later day: cards must come up again, which takes at least "
        "{needed} of study."
    ).format(needed=strings.DAYS(needed))
    return paragraph(
        one_day(reviews) if days == 1 else several_days,
        requirement,
        same_day_reviews(same_day) if same_day else "",
        _("The rest of the review log does not count: {ways}.").format(ways=_row_counts(funnel)) if funnel else "",
    )


def _too_few_reviews(reviews: int, needed: int, folds: int) -> str:
    return _(
        "{reviews} can be tested, but at least {needed} are needed to train and test on {folds}. Study on some more "
        "days, or include earlier reviews."
    ).format(reviews=strings.REVIEWS(reviews), needed=needed, folds=strings.FOLDS(folds))


def _one_outcome(reviews: int, outcome: int) -> str:
    text = _(
        "In all {reviews:,} tested reviews you pressed {again}, so there is nothing to predict until you remember "
        "something."
    )
    if outcome:
        text = _(
            "In {reviews:,} tested reviews you never pressed {again}, so there is nothing to predict yet. If you press "
            "{hard} when you forget, press {again} instead: all other buttons count as remembered."
        )
    return text.format(reviews=reviews, again=pgettext("Anki", "Again"), hard=pgettext("Anki", "Hard"))


def _peer_sentence(chance: ProbabilityBetter) -> str:
    peers = chance.others
    return _(
        "For now, rely on other people's results: for {count} of 100 people with {size} tested reviews, "
        "FSRS predicted memory better than Anki's SM-2."
    ).format(size=size_words(peers.at_least, peers.below), count=of_100(chance.better_for / peers.collections))


def _parts_overlap(one: str, other: str, cards: int) -> str:
    text = _("The search '{one}' is given twice. Give it once.") if one == other else ERRORS["parts_overlap"]
    return text.format(one=one, other=other, cards=cards)


#: Functions that write the sentence, by the code of the error. They take the facts of the error.
_COMPOSED: Dict[str, Callable[..., str]] = {
    "parts_overlap": _parts_overlap,
    "bad_option": _bad_option,
    "missing_columns": _missing_columns,
    "bad_column": _bad_column,
    "unknown_name": _unknown_name,
    "bad_search": _bad_search,
    "newer_parameters": _newer_parameters,
    "decks_unknown": lambda what: DECKS_UNKNOWN[what],
    "all_filtered": _all_filtered,
    "no_later_day": _no_later_day,
    "too_few_reviews": _too_few_reviews,
    "one_outcome": _one_outcome,
}
