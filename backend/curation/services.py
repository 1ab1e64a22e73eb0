"""Votes become labels, and good captions become the few that are shown. Both can be done again at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import transaction

from backend.curation.models import Consensus, Selection, SelectionItem, SelectionStatus
from backend.curation.selectors import Pool
from backend.methods.consensus import Votes, majority
from backend.methods.selection import Chosen
from backend.runs.models import Run

VOTES = ("run", "label", "n_good", "n_bad", "n_unsure", "counted_until")
CHOICE = ("run", "status", "method", "mean_similarity", "n_good")


@transaction.atomic
def record_consensus(
    *, run: Run, pairs: Sequence[int], votes: Mapping[int, Votes], quorum: Mapping[int, int], until: int
) -> Counter[str]:
    """Give each pair the label its votes make, in place of an earlier one. A pair nobody judged has no consensus.

    `quorum` says how many votes each pair needs, `until` is the newest judgment that was counted. Returns how many
    came out good, bad, unsure, tied, too_few_votes or not_judged.
    """
    rows = [_consensus(pair, votes[pair], quorum[pair]) for pair in pairs if pair in votes]
    for row in rows:
        row.run, row.counted_until = run, until
    Consensus.objects.filter(candidate_id__in=[pair for pair in pairs if pair not in votes]).delete()
    Consensus.objects.bulk_create(rows, update_conflicts=True, unique_fields=["candidate"], update_fields=VOTES)
    outcomes = Counter(_outcome(row, votes[row.candidate_id], quorum[row.candidate_id]) for row in rows)
    outcomes["not_judged"] = len(pairs) - len(rows)
    return outcomes


def _consensus(pair: int, votes: Votes, min_votes: int) -> Consensus:
    label = majority(votes, min_votes=min_votes) or ""
    return Consensus(candidate_id=pair, label=label, n_good=votes.good, n_bad=votes.bad, n_unsure=votes.unsure)


def _outcome(row: Consensus, votes: Votes, min_votes: int) -> str:
    return row.label or ("too_few_votes" if votes.total < min_votes else "tied")


@transaction.atomic
def record_selections(*, run: Run, chosen: Sequence[tuple[Pool, Chosen | None]]) -> Counter[str]:
    """Keep what was chosen from each pool, in place of an earlier choice; None means that the pool was short.

    Returns how many images came out selected and short_pool.
    """
    rows = [_selection(run, pool, choice) for pool, choice in chosen]
    Selection.objects.bulk_create(rows, update_conflicts=True, unique_fields=["image"], update_fields=CHOICE)
    kept = dict(Selection.objects.filter(image_id__in=[row.image_id for row in rows]).values_list("image_id", "pk"))
    SelectionItem.objects.filter(selection_id__in=kept.values()).delete()
    SelectionItem.objects.bulk_create(
        item for pool, choice in chosen if choice for item in _items(kept[pool.image_id], pool, choice)
    )
    return Counter(str(row.status) for row in rows)


def _selection(run: Run, pool: Pool, choice: Chosen | None) -> Selection:
    row = Selection(image_id=pool.image_id, run=run, status=SelectionStatus.SHORT_POOL, n_good=len(pool.keys))
    if choice:
        row.status, row.method = SelectionStatus.SELECTED, choice.method
        row.mean_similarity = choice.mean_similarity
    return row


def _items(selection_id: int, pool: Pool, choice: Chosen) -> list[SelectionItem]:
    ids = dict(zip(pool.keys, pool.candidate_ids, strict=True))
    return [
        SelectionItem(selection_id=selection_id, candidate_id=ids[key], position=position)
        for position, key in enumerate(choice.ids, start=1)
    ]
