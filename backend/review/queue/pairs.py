"""Reasons that the votes and the decision on a pair give, and the tallies of pairs that the queue shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from backend.annotation.models import HitItem, Slot
from backend.annotation.selectors import IS_AHEAD, counted_judgments
from backend.common.counting import in_one
from backend.methods.aggregation import summarise
from backend.methods.consensus import Votes, majority
from backend.methods.review_order import is_low, is_tied
from backend.projects.models import Membership, Project
from backend.projects.selectors import REVIEWING_ROLES
from backend.review.models import PairTally, ReasonCode, ReviewReason, ReviewSettings, SecondLook, Verdict
from backend.review.queue.cases import by_label
from backend.review.queue.reasons import Changes, Found, apply_reasons
from backend.review.queue.rules import get_settings, is_drawn

OF_PAIRS = (ReasonCode.TIE, ReasonCode.LOW_AGREEMENT, ReasonCode.DISPUTED, ReasonCode.SECOND_LOOK)


def find_of_pairs(project: Project, rules: ReviewSettings, pairs: Collection[int], changes: Changes) -> None:
    """Ties, low agreement and disputes of these pairs; what is not true any more is gone."""
    if not pairs:
        return
    rows = _count_votes(project, pairs)
    verdicts = _read_verdicts(pairs)
    looks = _read_looks(verdicts)
    unfilled = _read_unfilled(project, pairs)
    tallies: list[PairTally] = []
    wanted: dict[int, Found] = {}
    for pair in pairs:
        votes, newest, last_at = rows.get(pair, (Votes(), 0, None))
        verdict = verdicts.get(pair)
        tally = _tally(project, pair, votes, verdict, last_at, is_filled=pair not in unfilled)
        if verdict is not None or tally.is_tie or tally.is_low:
            tallies.append(tally)
        changes.entropies[pair] = tally.entropy
        if (found := _reason_of(rules, tally, newest, last_at, verdict, looks.get(pair))) is not None:
            wanted[pair] = found
    changes.found += wanted.values()
    changes.gone |= _untrue(pairs, wanted, verdicts)
    _keep_tallies(pairs, tallies)


def refresh_pairs(*, project: Project, pairs: Collection[int]) -> None:
    """Bring the votes and the reasons of some pairs up to date, after a decision on them."""
    changes = Changes()
    with transaction.atomic():
        find_of_pairs(project, get_settings(project=project), set(pairs), changes)
        apply_reasons(project=project, found=changes.found, gone=changes.gone, entropies=changes.entropies)


def _count_votes(project: Project, pairs: Collection[int]) -> dict[int, tuple[Votes, int, datetime | None]]:
    """The votes that count on each pair, the newest of them and when it was made."""
    rows = counted_judgments(project=project).filter(candidate__in=in_one(pairs)).order_by().values_list("candidate")
    told = rows.annotate(**by_label()).annotate(newest=Max("pk"), last_at=Max("created_at"))
    return {pair: (Votes(*n), newest, last_at) for pair, *n, newest, last_at in told}


def _read_verdicts(pairs: Collection[int]) -> dict[int, Verdict]:
    newest = {row.candidate_id: row for row in Verdict.objects.filter(candidate__in=in_one(pairs)).order_by("pk")}
    return {pair: verdict for pair, verdict in newest.items() if verdict.label}


def _read_looks(verdicts: dict[int, Verdict]) -> dict[int, SecondLook]:
    """The newest second look at each of these verdicts."""
    looks = SecondLook.objects.filter(verdict__in=verdicts.values(), decision__undone_at=None).order_by("pk")
    return {look.verdict.candidate_id: look for look in looks.select_related("verdict")}


def _read_unfilled(project: Project, pairs: Collection[int]) -> set[int]:
    """Those that somebody will still be asked about."""
    items = HitItem.objects.filter(candidate__in=in_one(pairs), control=None).order_by()
    of_hit = defaultdict[int, list[int]](list)
    for hit, pair in items.values_list("hit", "candidate"):
        of_hit[hit].append(pair)
    ahead = Slot.objects.filter(IS_AHEAD, project=project, hit__in=in_one(of_hit)).order_by()
    return {pair for hit in ahead.values_list("hit", flat=True) for pair in of_hit[hit]}


def _tally(
    project: Project, pair: int, votes: Votes, verdict: Verdict | None, last_at: datetime | None, *, is_filled: bool
) -> PairTally:
    is_open = is_filled and verdict is None
    most = majority(votes)
    changes = [at for at in (last_at, verdict.created_at if verdict else None) if at is not None]
    return PairTally(
        candidate_id=pair,
        project=project,
        n_good=votes.good,
        n_bad=votes.bad,
        n_unsure=votes.unsure,
        entropy=_entropy_of(votes),
        verdict=verdict.label if verdict else "",
        is_tie=is_open and is_tied(votes),
        is_low=is_open and is_low(votes),
        is_against=verdict is not None and most is not None and most != verdict.label,
        changed_at=max(changes, default=None) or timezone.now(),
    )


@lru_cache(maxsize=10_000)  # a million pairs have a few hundred different votes
def _entropy_of(votes: Votes) -> float:
    return round(summarise(votes).entropy or 0.0, 6)


def _reason_of(
    rules: ReviewSettings, tally: PairTally, newest: int, last_at: datetime | None, verdict: Verdict | None,
    look: SecondLook | None,
) -> Found | None:  # fmt: skip
    pair, entropy = tally.candidate_id, {"entropy": tally.entropy}
    if verdict is not None:
        if look is not None and look.label != verdict.label:
            return Found(ReasonCode.DISPUTED, pair=pair, source=f"look:{look.pk}", params={"by": "second_look"})
        # A head annotator who decided in the queue against the votes has seen them, unless they came later.
        is_new = last_at is not None and (verdict.decision_id is None or last_at > verdict.created_at)
        if tally.is_against and is_new:
            source = f"verdict:{verdict.pk}:{newest}"
            return Found(ReasonCode.DISPUTED, pair=pair, source=source, params={"by": "majority"})
        return None
    if tally.is_tie and rules.ties:
        return Found(ReasonCode.TIE, pair=pair, source=f"judgment:{newest}", params=entropy)
    if tally.is_low and rules.low_agreement:
        return Found(ReasonCode.LOW_AGREEMENT, pair=pair, source=f"judgment:{newest}", params=entropy)
    return None


def _untrue(pairs: Collection[int], wanted: dict[int, Found], verdicts: dict[int, Verdict]) -> set[int]:
    rows = ReviewReason.objects.filter(case__candidate__in=in_one(pairs), code__in=OF_PAIRS, closed_at=None)
    gone = set[int]()
    for pk, pair, code, source in rows.values_list("pk", "case__candidate", "code", "source"):
        if code == ReasonCode.SECOND_LOOK:
            verdict = verdicts.get(pair)
            is_true = verdict is not None and source == f"verdict:{verdict.pk}"
        else:
            found = wanted.get(pair)
            is_true = found is not None and (found.code, found.source) == (code, source)
        if not is_true:
            gone.add(pk)
    return gone


def _keep_tallies(pairs: Collection[int], tallies: Sequence[PairTally]) -> None:
    kept = {tally.candidate_id for tally in tallies}
    PairTally.objects.filter(candidate__in=in_one(set(pairs) - kept)).delete()
    names = ("n_good", "n_bad", "n_unsure", "entropy", "verdict", "is_tie", "is_low", "is_against", "changed_at")
    PairTally.objects.bulk_create(tallies, update_conflicts=True, unique_fields=["candidate"], update_fields=names)


def find_second_looks(project: Project, rules: ReviewSettings, decided: Collection[int], changes: Changes) -> None:
    """A share of the decisions, where another head annotator is there to look."""
    if not rules.second_look_percent:
        return
    reviewers = set(Membership.objects.filter(project=project, role__in=REVIEWING_ROLES).values_list("user", flat=True))
    for pair, verdict in _read_verdicts(decided).items():
        if reviewers - {verdict.decided_by_id} and is_drawn(
            project, "second look", verdict.pk, rules.second_look_percent
        ):
            source = f"verdict:{verdict.pk}"
            changes.found.append(
                Found(ReasonCode.SECOND_LOOK, pair=pair, source=source, withheld_from=verdict.decided_by_id)
            )
