"""Votes become labels, and good captions become the few that are shown. Both can be done again at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db import transaction

from backend.common.labels import Label
from backend.curation.models import Consensus, Method, Selection, SelectionItem, SelectionStatus
from backend.curation.selectors import Pool
from backend.methods.aggregation import summarise
from backend.methods.consensus import Votes, majority
from backend.methods.selection import Choice, image_seed, rank_of
from backend.review.models import Verdict
from backend.runs.models import Run

VOTES = (
    "run", "label", "n_good", "n_bad", "n_unsure", "counted_until",
    "method", "verdict", "posterior", "entropy", "category", "category_by_majority",
)  # fmt: skip
DECIMALS = 6  # of what is kept of a posterior and an entropy
summary_of = lru_cache(maxsize=10_000)(summarise)  # a million pairs have a few hundred different votes; only read
CHOICE = (
    "run", "status", "variant", "method", "mean_similarity", "n_good", "n_wanted", "n_clusters", "stability", "places",
    "negative",
)  # fmt: skip


@dataclass(frozen=True)
class Ballot:
    """What there is to say of one pair: its votes, how many it needs, what a method makes of them (None under the
    majority), and the verdict above all."""

    votes: Votes
    quorum: int = 1
    posterior: Mapping[Label, float] | None = None
    verdict: Verdict | None = None

    @property
    def label(self) -> str:
        """The verdict; else, with enough votes, the likeliest label or that of most; empty where two are level."""
        if self.verdict:
            return self.verdict.label
        if self.posterior is None or self.votes.total < max(1, self.quorum):
            return majority(self.votes, min_votes=self.quorum) or ""
        best = max(self.posterior.values())
        winners = [label for label, share in self.posterior.items() if share == best]
        return winners[0] if len(winners) == 1 else ""


@transaction.atomic
def record_consensus(
    *, run: Run, pairs: Sequence[int], ballots: Mapping[int, Ballot], until: int, method: Method = Method.MAJORITY
) -> Counter[str]:
    """Give each pair the label of its ballot, in place of an earlier one. A pair without votes or verdict has none.

    `until` is the newest judgment that was counted. Returns how many came out good, bad, unsure, tied, too_few_votes or
    not_judged.
    """
    rows = [_consensus(pair, ballots[pair], method) for pair in pairs if pair in ballots]
    for row in rows:
        row.run, row.counted_until = run, until
    Consensus.objects.filter(candidate_id__in=[pair for pair in pairs if pair not in ballots]).delete()
    Consensus.objects.bulk_create(rows, update_conflicts=True, unique_fields=["candidate"], update_fields=VOTES)
    outcomes = Counter(_outcome(row, ballots[row.candidate_id]) for row in rows)
    outcomes["not_judged"] = len(pairs) - len(rows)
    return outcomes


def _consensus(pair: int, ballot: Ballot, method: Method) -> Consensus:
    summary = summary_of(ballot.votes)
    return Consensus(
        candidate_id=pair,
        label=ballot.label,
        n_good=ballot.votes.good,
        n_bad=ballot.votes.bad,
        n_unsure=ballot.votes.unsure,
        method=method,
        verdict=ballot.verdict,
        posterior=ballot.posterior,
        entropy=None if summary.entropy is None else round(summary.entropy, DECIMALS),
        category=summary.category or "",
        category_by_majority=summary.category_by_majority or "",
    )


def _outcome(row: Consensus, ballot: Ballot) -> str:
    return row.label or ("too_few_votes" if ballot.votes.total < ballot.quorum else "tied")


@transaction.atomic
def record_selections(*, run: Run, made: Sequence[tuple[Pool, Choice | None]], k: int, variant: str) -> Counter[str]:
    """Keep what was chosen from each pool, in place of an earlier choice; None means that the pool was short.

    Returns how many images came out selected and short_pool.
    """
    rows = [_selection(run, pool, choice, k, variant) for pool, choice in made]
    Selection.objects.bulk_create(rows, update_conflicts=True, unique_fields=["image"], update_fields=CHOICE)
    kept = dict(Selection.objects.filter(image_id__in=[row.image_id for row in rows]).values_list("image_id", "pk"))
    SelectionItem.objects.filter(selection_id__in=kept.values()).delete()
    SelectionItem.objects.bulk_create(
        item for pool, choice in made if choice for item in _items(kept[pool.image_id], pool, choice)
    )
    return Counter(str(row.status) for row in rows)


def _selection(run: Run, pool: Pool, choice: Choice | None, k: int, variant: str) -> Selection:
    row = Selection(image_id=pool.image_id, run=run, status=SelectionStatus.SHORT_POOL, variant=variant)
    row.n_good, row.n_wanted, row.negative_id = pool.n_eligible, k, _negative(run.seed, pool)
    if choice:
        row.status, row.method = SelectionStatus.SELECTED, choice.chosen.method
        row.mean_similarity = choice.chosen.mean_similarity
        row.n_clusters, row.stability = choice.n_clusters, choice.stability
        row.places = [
            [candidate_id, place.x, place.y, place.cluster, place.is_cut]
            for candidate_id, key in zip(pool.candidate_ids, pool.keys, strict=True)
            for place in (choice.places[key],)
        ]
    return row


def _negative(seed: int, pool: Pool) -> int | None:
    """One of the captions that people rejected, at random; None where they rejected none."""
    ranked = ((rank_of(image_seed(seed, pool.digest), key), pk) for pk, key in pool.rejected)
    return min(ranked, default=(b"", None))[1]


def _items(selection_id: int, pool: Pool, choice: Choice) -> list[SelectionItem]:
    ids = dict(zip(pool.keys, pool.candidate_ids, strict=True))
    return [
        SelectionItem(
            selection_id=selection_id,
            candidate_id=ids[key],
            position=position,
            cluster=choice.places[key].cluster,
            is_pinned=key in pool.pinned,
        )
        for position, key in enumerate(choice.chosen.ids, start=1)
    ]
