from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
import pytest
from made_logs import learner

from evaluator.algorithms import CATALOG
from evaluator.data.revlog import Preset, Snapshot
from evaluator.data.selection import select
from evaluator.evaluation import evaluate, prepare
from evaluator.fitting.fit import Fitted
from evaluator.interval import TOO_FEW, ConfidenceInterval
from evaluator.metrics.scores import logit
from evaluator.options import Options
from evaluator.report import Accuracy, Failure, RecallNear, Report, to_dict
from evaluator.scope import SAME_DAY_TABLE, ScopeChoice
from evaluator.scoring.accuracy import CALIBRATED, _code, _lacking
from evaluator.scoring.evidence import Evidence
from evaluator.scoring.report_builder import ReportBuilder
from tools.simulate import Learner, simulate

from .test_scheduler_in_use import FORGETFUL, PUBLISHED, at, person, snapshot

KNOWN = {**CATALOG, CALIBRATED: replace(CATALOG["Anki-SM-2"], name=CALIBRATED)}


@functools.cache
def trained() -> Any:
    """Return what FSRS-6 predicts of the user's scored reviews, retrained before each fold."""
    return evaluate(person(), Options(("FSRS-6", "AVG"))).predictions.predicted["FSRS-6"]


def shifted(logits: float) -> Any:
    return 1 / (1 + np.exp(-logit(trained()) - logits))


def reports(whole: Snapshot, names: Sequence[str], failed: Sequence[str] = (), **predicted: Any) -> List[Report]:
    """The report after each row, whose predictions are FSRS-6's or ``predicted`` (names with underscores)."""
    data, funnel = prepare(whole, Options())
    evidence = Evidence.of(whole, Options(tuple(n for n in names if n in CATALOG)), data)
    tally = ReportBuilder(evidence, funnel.steps(), names)
    result = []
    for name in names:
        key = name.replace("-", "_").replace(" ", "_")
        if name in failed:
            tally.fail(KNOWN[name], Failure("arithmetic", {"detail": ""}))
        else:
            usual = shifted(1.0) if "SM" in name else trained()
            row = Fitted.without_parameters(predicted.get(key, usual[-len(evidence.tested) :]), 5)
            tally.add(KNOWN[name], replace(row, in_sample=name == "Your parameters"))
        result.append(tally.evaluation().report)
    return result


ROWS = ("Anki-SM-2", "FSRS-6 default", "FSRS-6", "Your parameters", CALIBRATED)


def accuracy(whole: Snapshot, names: Sequence[str] = ROWS, failed: Sequence[str] = (), **predicted: Any) -> Accuracy:
    found = reports(whole, names, failed, **predicted)[-1].accuracy
    assert found is not None
    return found


def on(*parameters: Sequence[float], changed: Optional[int] = None, desired: Sequence[float] = ()) -> Snapshot:
    """FSRS is on, with presets of these parameters and desired retentions."""
    whole = snapshot(True, *parameters, changed=changed)
    presets = whole.presets or ()
    requested = desired or [0.9] * len(presets)
    return replace(
        whole, presets=tuple(replace(item, desired_retention=r) for item, r in zip(presets, requested, strict=True))
    )


LATE, EARLY = at(0.99), at(0.3)


class TestForm:
    @pytest.mark.parametrize(("fsrs", "form"), [(True, "target"), (False, "rivals"), (None, "rivals")])
    def test_the_headline_depends_on_whether_fsrs_is_on(self, fsrs: Optional[bool], form: str) -> None:
        (*_, report) = reports(snapshot(fsrs, FORGETFUL, changed=LATE), ROWS)
        assert report.scope.fsrs is fsrs
        assert report.accuracy is not None
        assert (report.accuracy.form, report.accuracy.algorithm) == (form, "FSRS-6")
        assert report.accuracy.against_sm2 is not None
        assert report.accuracy.against_calibrated is not None
        assert report.accuracy.against_calibrated.baseline == CALIBRATED

    def test_the_same_day_table_compares(self) -> None:
        whole = replace(simulate(Learner(days=40)).snapshot, fsrs=True)
        report = evaluate(whole, Options(("FSRS-6 default", "SM-2"), table=SAME_DAY_TABLE)).report
        assert report.accuracy is not None
        assert (report.accuracy.form, report.accuracy.source) == ("rivals", "default")

    def test_a_deck_has_the_same_form(self) -> None:
        part = select(on(FORGETFUL, FORGETFUL, changed=LATE), ScopeChoice("preset", "A"))
        assert accuracy(part).form == "target"

    def test_average_if_too_few_are_near(self) -> None:
        result = accuracy(on(FORGETFUL, changed=LATE, desired=[0.99]))
        assert (result.form, result.desired_retention) == ("average", 0.99)
        assert result.recall is not None
        assert result.recall.reviews == len(trained())

    def test_too_few_reviews_have_no_headline_number(self) -> None:
        whole = learner(cards=30, reviews=4)
        whole = replace(whole, fsrs=True)
        found = evaluate(whole, Options(("FSRS-6", "Anki-SM-2"), folds=2)).report.accuracy
        assert found is not None
        assert (found.form, found.code, found.retrained, found.rank) == ("too_few", None, None, None)
        assert found.needed_reviews is not None

    @pytest.mark.parametrize(
        ("names", "failed", "algorithm"),
        [
            (("Anki-SM-2", "FSRS-5", "FSRS-6"), ("FSRS-6",), "FSRS-5"),
            (("Anki-SM-2", "FSRS-6 default"), (), "FSRS-6 default"),
            (("Anki-SM-2", "AVG", "FSRS-6"), ("FSRS-6",), None),
        ],
    )
    def test_the_next_suitable_row_replaces_a_failed_one(
        self, names: Sequence[str], failed: Sequence[str], algorithm: Optional[str]
    ) -> None:
        (*_, report) = reports(on(FORGETFUL, changed=LATE), names, failed)
        assert report.accuracy is not None
        assert report.accuracy.algorithm == algorithm
        assert report.accuracy.form == ("target" if algorithm == "FSRS-5" else "rivals")
        assert report.verdict.algorithm == (algorithm or "Anki-SM-2")

    def test_accuracy_waits_for_its_rows(self) -> None:
        names = ("AVG", "FSRS-6", "Anki-SM-2", CALIBRATED, "FSRS-7")
        result = [report.accuracy for report in reports(on(FORGETFUL, changed=LATE), names)]
        assert [item is not None for item in result] == [False, False, False, True, True]
        off = [report.accuracy for report in reports(snapshot(False, ()), names)]
        assert [item is not None for item in off] == [False, False, False, True, True]


class TestWhosePredictions:
    def test_own_parameters_are_tested_on_unseen_reviews(self) -> None:
        result = accuracy(on(FORGETFUL, changed=EARLY), Your_parameters=shifted(-0.2))
        assert (result.form, result.algorithm, result.source, result.rank) == ("target", "Your parameters", "own", None)
        assert result.recall is not None
        predicted = shifted(-0.2)
        reviews = evaluate(person(), Options(("AVG", "SM-2"))).predictions
        in_presets = np.isin(reviews.card_id, person().cards.card_id)  # type: ignore[union-attr]
        unseen = in_presets & (reviews.review_id > EARLY * 1000)
        near = unseen & (np.abs(logit(predicted) - np.log(9)) <= 0.25)
        assert result.recall.reviews == near.sum()
        assert 0 < near.sum() < unseen.sum() < len(unseen)
        whole = accuracy(on(FORGETFUL, changed=LATE), Your_parameters=shifted(-0.2))
        assert result.against_sm2 is not None
        assert whole.against_sm2 is not None
        assert result.against_sm2.algorithm == "Your parameters"
        assert result.against_sm2.difference != whole.against_sm2.difference

    @pytest.mark.parametrize("changed", [LATE, None])
    def test_retrained_fsrs_is_judged_if_too_few_reviews_are_unseen(self, changed: Optional[int]) -> None:
        result = accuracy(on(FORGETFUL, changed=changed))
        assert (result.algorithm, result.source) == ("FSRS-6", "retrained")
        assert result.rank is not None
        assert result.rank.algorithm == "FSRS-5 recency"

    def test_default_parameters_are_tested_as_default(self) -> None:
        for parameters in ((), PUBLISHED):
            result = accuracy(on(parameters, changed=LATE))
            assert (result.algorithm, result.source) == ("FSRS-6 default", "default")
            assert result.rank is not None
            assert result.rank.algorithm == "FSRS-5 default"
        without = accuracy(on(()), failed=("FSRS-6 default", "Your parameters"))
        assert (without.algorithm, without.source) == ("FSRS-6", "retrained")

    @pytest.mark.parametrize(("versions", "algorithm"), [((7, 7), "FSRS-7"), ((6, 7), "FSRS-6"), ((6, 6), "FSRS-6")])
    def test_version_of_the_presets_decides_the_row(self, versions: Tuple[int, int], algorithm: str) -> None:
        whole = on(FORGETFUL, FORGETFUL, changed=LATE)
        presets = tuple(
            replace(item, fsrs_version=version, parameters=(1.0,) * 34 if version == 7 else FORGETFUL)
            for item, version in zip(whole.presets or (), versions, strict=True)
        )
        names = ("Anki-SM-2", "FSRS-6", "FSRS-7")
        assert accuracy(replace(whole, presets=presets), names).algorithm == algorithm
        assert accuracy(replace(whole, presets=presets), names[:2]).algorithm == "FSRS-6"

    @pytest.mark.parametrize(
        ("versions", "parameters", "row"),
        [
            ((7, 7), (), ("Your parameters", "default")),
            ((6, 7), (), ("FSRS-6", "retrained")),
            ((6, 6), (), ("FSRS-6 default", "default")),
            ((6, 7), FORGETFUL, ("FSRS-6", "retrained")),
            ((6, 6), FORGETFUL, ("Your parameters", "own")),
        ],
    )
    def test_default_and_own_parameters_are_chosen_by_version(
        self, versions: Tuple[int, int], parameters: Sequence[float], row: Tuple[str, str]
    ) -> None:
        whole = on(parameters, parameters, changed=EARLY)
        presets = tuple(
            replace(item, fsrs_version=version, parameters=item.parameters if version == 6 else ())
            for item, version in zip(whole.presets or (), versions, strict=True)
        )
        result = accuracy(replace(whole, presets=presets))
        assert (result.algorithm, result.source) == row

    def test_fsrs_6_default_does_not_represent_fsrs_7(self) -> None:
        whole = on(())
        presets = tuple(replace(item, fsrs_version=7) for item in whole.presets or ())
        result = accuracy(replace(whole, presets=presets), failed=("Your parameters",))
        assert (result.algorithm, result.source) == ("FSRS-6", "retrained")

    def test_newer_fsrs_in_a_preset_leaves_fsrs_6(self) -> None:
        whole = on(FORGETFUL)
        presets = (Preset(0, "A", (1.0,) * 35, newer_fsrs=8),)
        assert accuracy(replace(whole, presets=presets), failed=("Your parameters",)).algorithm == "FSRS-6"

    def test_no_rank_below_1000_reviews(self) -> None:
        part = select(on(*[FORGETFUL] * 3, changed=LATE), ScopeChoice("preset", "A"))
        assert accuracy(part).rank is not None
        few = Options(("FSRS-6", "Anki-SM-2"), folds=2)
        report = evaluate(replace(simulate(Learner(days=60)).snapshot, fsrs=True, presets=()), few).report
        assert report.scope.reviews < 1000
        assert report.result("FSRS-6").population
        assert report.accuracy is not None
        assert report.accuracy.rank is None


class TestNumbers:
    def test_desired_retention_with_the_most_reviews_is_checked(self) -> None:
        whole = on(FORGETFUL, FORGETFUL, FORGETFUL, changed=LATE, desired=[0.9, 0.85, 0.85])
        result = accuracy(whole)
        assert result.desired_retention == 0.85
        assert result.share == pytest.approx(2 / 3, abs=0.1)
        assert result.recall is not None
        assert result.recall.predicted == pytest.approx(0.85, abs=0.02)

    @pytest.mark.parametrize(
        ("recalled", "half", "code"),
        [
            (0.881, 0.01, "as_predicted"),
            (0.879, 0.01, "lower"),
            (0.879, 0.03, "as_predicted"),
            (0.921, 0.01, "higher"),
            (0.919, 0.01, "as_predicted"),
        ],
    )
    def test_codes_need_two_points_and_more_than_chance(self, recalled: float, half: float, code: str) -> None:
        assert (
            _code(RecallNear(500, 0.9, ConfidenceInterval(recalled, recalled - half, recalled + half, half / 2)))
            == code
        )

    def test_as_predicted_is_not_compared_with_optimizing(self) -> None:
        result = accuracy(on(FORGETFUL, changed=LATE))
        assert (result.code, result.retrained, result.closer, result.suggested_retention) == (
            *("as_predicted", None, None, None),
        )

    def test_optimizing_is_closer(self) -> None:
        result = accuracy(on(()), FSRS_6_default=shifted(0.5))
        assert (result.code, result.closer, result.suggested_retention) == ("lower", True, None)
        assert result.retrained is not None
        assert result.retrained.recalled.estimate == pytest.approx(result.retrained.predicted, abs=0.01)

    def test_optimizing_does_not_help(self) -> None:
        """The desired retention at which the calibration line gives what is aimed for: logit(0.9) + 0.5 or - 0.5."""
        for shift, code, suggested in ((0.5, "lower", 0.94), (-0.5, "higher", 0.85)):
            result = accuracy(on(FORGETFUL, changed=LATE), FSRS_6=shifted(shift))
            assert (result.code, result.closer) == (code, False)
            assert result.retrained == result.recall
            assert result.suggested_retention == pytest.approx(suggested, abs=0.0101)

    @pytest.mark.parametrize("unsure", [0.35, 0.2])
    def test_suggestion_never_contradicts_the_code(self, unsure: float) -> None:
        """Near 90% less is remembered, but the line through all predictions gives 86%, or 90% itself."""
        low, middle = np.quantile(trained(), [unsure, 0.5])
        predicted = np.where(trained() < low, shifted(-1.0), np.where(trained() < middle, 0.9, 0.86))
        result = accuracy(on(FORGETFUL, changed=LATE), FSRS_6=predicted)
        assert (result.code, result.closer, result.suggested_retention) == ("lower", False, None)

    @pytest.mark.parametrize(("desired", "given"), [([0.9], True), ([0.9, 0.8], False)])
    def test_suggestion_needs_a_single_desired_retention(self, desired: List[float], given: bool) -> None:
        result = accuracy(on(*[FORGETFUL] * len(desired), changed=LATE, desired=desired), FSRS_6=shifted(0.5))
        assert result.closer is False
        assert (result.suggested_retention is not None) is given

    def test_suggestions_are_accepted_by_anki(self) -> None:
        assert accuracy(on(FORGETFUL, changed=LATE, desired=[0.98]), FSRS_6=shifted(2.0)).suggested_retention is None

    def test_missing_reviews_and_days_are_estimated(self) -> None:
        whole = person()
        data, _funnel = prepare(whole, Options())
        evidence = Evidence.of(whole, Options(), data)
        n, day = len(evidence.tested), evidence.tested.day
        needed, days = _lacking(evidence, RecallNear(n, 0.9, ConfidenceInterval(0.9, 0.84, 0.96, 0.03)))
        assert needed == pytest.approx(4 * n, abs=1)
        pace = (day > day[-1] - 28).sum() / 28 * 5 / 6
        assert days == pytest.approx(3 * n / pace, abs=2)
        assert _lacking(evidence, RecallNear(n, 0.9, ConfidenceInterval(0.9, reason=TOO_FEW))) == (None, None)


def test_every_field_is_in_the_json() -> None:
    (*_, report) = reports(on(FORGETFUL, changed=LATE), ROWS)
    tree: Dict[str, Any] = to_dict(report)["accuracy"]
    assert tree["recall"]["recalled"].keys() >= {"estimate", "low", "high"}
    assert tree.keys() == Accuracy.__dataclass_fields__.keys()
