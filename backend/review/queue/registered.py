"""What rooms above this one know of pairs. They register readers in their AppConfig.ready(), as gauges are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet


@dataclass(frozen=True)
class ModelVote:
    """What one model says of a pair; both are None where it gave no score."""

    model: str
    vote: bool | None
    score: float | None


ConsensusRows = Callable[[], QuerySet[Any]]
ModelVotes = Callable[[Collection[int]], Mapping[int, list[ModelVote]]]
_consensus: list[ConsensusRows] = []
_model_votes: list[ModelVotes] = []


def register_consensus(rows: ConsensusRows) -> None:
    """Let `rows()` be the table with the consensus of pairs: it has the columns `candidate` and `label`."""
    _consensus[:] = [rows]


def register_model_votes(reader: ModelVotes) -> None:
    """Let `reader` be asked what models say of some pairs."""
    _model_votes[:] = [reader]


def consensus_rows() -> QuerySet[Any] | None:
    """The table with the consensus of pairs; None on a site without it."""
    return _consensus[0]() if _consensus else None


def read_consensus(pairs: Collection[int]) -> dict[int, str]:
    """The consensus of those pairs that have one, by candidate id."""
    rows = consensus_rows()
    return (
        {}
        if rows is None
        else dict(rows.filter(candidate__in=pairs).exclude(label="").values_list("candidate", "label"))
    )


def read_model_votes(pairs: Collection[int]) -> dict[int, list[ModelVote]]:
    return {pair: votes for reader in _model_votes for pair, votes in reader(pairs).items()}
