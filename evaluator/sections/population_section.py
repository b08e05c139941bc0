"""The user's FSRS-5, trained as in the public benchmark, ranked among its published results for other people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ..fitting.fit import fit_and_predict
from ..metrics import METRICS
from ..progress import Progress
from ..report import PeerGroup
from ..scoring.context import ScoredPredictions
from ..scoring.evidence import Evidence
from ..statistics.published_results import TRAINED, peer_group, percentile_rank
from .section import Section


@dataclass(frozen=True)
class PeerComparison:
    """The user's FSRS-5 among the published results for people with a similar number of reviews."""

    algorithm: str  #: the algorithm that was run, for the user and for the others
    reviews: int  #: the user's scored reviews
    others: PeerGroup  #: the peer group that the published results are from
    better_by_skill: float  #: share of the peer group for whom it gains less over guessing the average
    better_by_auc: float  #: share of the peer group with a lower AUC


def compute(evidence: Evidence, progress: Progress) -> Optional[PeerComparison]:
    """Rank the user's FSRS-5 by its skill and its AUC, or return None if one of these is not known.

    The algorithm is run here if it has not been run.
    """
    fitted = evidence.fitted.get(TRAINED)
    if fitted is None:
        fitted = fit_and_predict(evidence.algorithm(TRAINED), evidence.data, progress=progress)
    scored = ScoredPredictions(fitted.predicted, evidence.scoring)
    n_reviews = len(fitted.predicted)
    skill, auc = (METRICS[key].compute(scored) for key in ("skill_average", "auc"))
    if skill is None or auc is None:
        return None
    return PeerComparison(
        algorithm=TRAINED,
        reviews=n_reviews,
        others=peer_group(n_reviews)[0],
        better_by_skill=percentile_rank("skill_average", skill, n_reviews),
        better_by_auc=percentile_rank("auc", auc, n_reviews),
    )


SECTION = Section(Optional[PeerComparison], compute, whole_day_only=True)
