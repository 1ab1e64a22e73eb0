"""The judgments of a project in arrays, read in one pass: figures are worked out from these and from nothing else."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date
from itertools import islice
from typing import Any

import numpy as np
from django.db.models import TextField
from django.db.models.functions import Cast, TruncDate
from numpy.typing import NDArray

from backend.annotation.models import DONE, Assignment, ControlOutcome
from backend.annotation.selectors import current_judgments, is_counted, unnamed_voters
from backend.candidates.models import Candidate
from backend.common.counting import in_one
from backend.methods.consensus import LABELS
from backend.methods.edits import KINDS
from backend.projects.models import Project

CHUNK = 20_000
NONE = "[]"
PLACE = {str(label): place for place, label in enumerate(LABELS)}
OUTCOMES = {"": 0, ControlOutcome.PASSED: 1, ControlOutcome.FAILED: 2, ControlOutcome.UNSURE: 3}
PASSED, FAILED = 1, 2
COLUMNS = (
    "pk", "candidate_id", "annotator_id", "turn", "label", "position", "ms", "day", "outcome", "control_id",
    "counts", "said",
)  # fmt: skip
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Rows:
    """Every submitted judgment that no later one replaces, in the order of their ids.

    `annotators`, `items` and `turns` (n,) are places in `people`, `pairs` and `options`; `days` are ordinals, `ms` is
    -1 where no time was sent, `outcomes` are those of OUTCOMES. `clusters` and `sources` are by pair. Of each
    assignment, `options` has the labels in the order of its buttons, empty where that is not known.
    `edited` has the rows that would edit something, by kind.
    """

    people: Ints
    pairs: Ints
    clusters: Ints
    sources: NDArray[Any]
    annotators: Ints
    items: Ints
    turns: Ints
    labels: Ints
    positions: Ints
    ms: Ints
    days: Ints
    outcomes: Ints
    is_control: Bools
    is_counted: Bools
    is_named: Bools
    options: list[tuple[int, ...]]
    edited: dict[str, Ints]

    def __len__(self) -> int:
        return len(self.items)


def read_rows(*, project: Project) -> Rows:
    """All rows of a project in memory that grows with their number alone: about 100 bytes each."""
    found = current_judgments(project=project).filter(assignment__status__in=DONE).order_by()
    day, said = TruncDate("created_at", tzinfo=UTC), Cast("edits", TextField())
    turn = Cast("assignment_id", TextField())  # a text is hashed in a quarter of the time of a UUID
    told = found.annotate(turn=turn, day=day, counts=is_counted(project=project), said=said).values_list(*COLUMNS)
    turn_of: dict[str, int] = {}
    edited = defaultdict[str, list[int]](list)
    numbers = [np.empty((0, 11), dtype=np.int64)]
    for n_chunk, rows in enumerate(_chunks(told.iterator(chunk_size=CHUNK))):
        numbers.append(np.array([_numbers(row, turn_of) for row in rows], dtype=np.int64))
        for at, row in enumerate(rows, start=n_chunk * CHUNK):
            if row[-1] != NONE:
                for kind in {edit["kind"] for edit in json.loads(row[-1])}.intersection(KINDS):
                    edited[kind].append(at)
    whole = np.concatenate(numbers)
    order = np.argsort(whole[:, 0])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return _in_arrays(
        project, whole[order], turn_of, {kind: np.sort(place[rows]) for kind, rows in sorted(edited.items())}
    )


def _chunks(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _numbers(row: tuple[Any, ...], turn_of: dict[str, int]) -> tuple[Any, ...]:
    pk, pair, person, turn, label, position, ms, day, outcome, control, counts, _ = row
    at = turn_of.setdefault(turn, len(turn_of))
    return (
        pk, pair, person, at, PLACE[label], position, -1 if ms is None else ms, day.toordinal(), OUTCOMES[outcome],
        control is not None, counts,
    )  # fmt: skip


def _in_arrays(project: Project, numbers: Ints, turn_of: dict[str, int], edited: dict[str, Ints]) -> Rows:
    _, pairs, people, turns, labels, positions, ms, days, outcomes, is_control, counts = numbers.T
    names, annotators = np.unique(people, return_inverse=True)
    judged, items = np.unique(pairs, return_inverse=True)
    clusters, sources = _facts(judged)
    unnamed = np.array(unnamed_voters(project=project), dtype=np.int64)
    return Rows(
        names, judged, clusters, sources, annotators, items, turns, labels, positions, ms, days, outcomes,
        is_control == 1, counts == 1, ~np.isin(people, unnamed), _options(project, turn_of), edited,
    )  # fmt: skip


def _options(project: Project, turn_of: dict[str, int]) -> list[tuple[int, ...]]:
    """The order of the buttons of every assignment, by its place."""
    done = Assignment.objects.filter(project=project, status__in=DONE).order_by()
    told = done.annotate(turn=Cast("pk", TextField()), said=Cast("options", TextField())).values_list("turn", "said")
    found: list[tuple[int, ...]] = [()] * len(turn_of)
    known: dict[str, tuple[int, ...]] = {}  # one for each of the few orders
    for pk, said in told.iterator(chunk_size=CHUNK):
        if (at := turn_of.get(pk)) is not None:
            if said not in known:
                known[said] = tuple(PLACE[label] for label in json.loads(said))
            found[at] = known[said]
    return found


def _facts(pairs: Ints) -> tuple[Ints, NDArray[Any]]:
    """The cluster of each pair (rising ids), which its query makes where it has one and else its image, and its source.
    Clusters are numbers that are the same in every database."""
    clusters, sources = np.zeros(len(pairs), dtype=np.int64), np.full(len(pairs), "", dtype=object)
    for start in range(0, len(pairs), CHUNK):
        facts = Candidate.objects.filter(pk__in=in_one(pairs[start : start + CHUNK].tolist())).order_by("pk")
        told = list(facts.values_list("source", "image__digest", "query__text"))
        clusters[start : start + len(told)] = [cluster_of(digest, query) for _, digest, query in told]
        sources[start : start + len(told)] = [source for source, _, _ in told]
    return clusters, sources


def cluster_of(digest: str, query: str | None) -> int:
    """64 bits of the query's or the image's digest, the first of them as the sign."""
    digits = (hashlib.sha256(query.encode()).hexdigest() if query else digest)[:16]
    return int.from_bytes(bytes.fromhex(digits), signed=True)


def day_name(day: int) -> str:
    """A day's ordinal as 2026-11-26."""
    return date.fromordinal(day).isoformat()
