"""Intervals of Cohen's kappa, the mean and of every two, drawn from the judgments in the tables, images in clusters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from backend.annotation.models import Judgment
from backend.methods.agreement import UNSURE_READINGS, co_ratings, mean_kappa_figure, reading_of
from backend.methods.agreement.kept_tables import EDITED, NOBODY, TWO_WIDTH, item_width, unpack, week_of
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments
from backend.projects.models import Project
from backend.review import selectors
from backend.review.folding import LABEL_PLACE, only_named, places_of
from backend.review.models import AgreementTable, Scope
from backend.review.pair_draws import draw_pairs

FEW_JUDGMENTS = 3000
FEW_ANNOTATORS = 10
AGAIN_AFTER = timedelta(minutes=10)
MUCH_MORE = 2  # times as many judgments as an interval was drawn of
CHUNK = 20_000
MANNER = 3 << 40  # a part of every token: where figures or intervals are worked out another way, add as much again
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Loaded:
    """The judgments in the tables by people who are named, row by row, of each pair the number of its image or query,
    its source and newest week, and whom the numbers of annotators stand for.

    `edited` names the rows that would edit something, by kind.
    """

    judgments: Judgments
    people: Ints
    clusters: Ints
    sources: NDArray[Any]
    weeks: Ints
    edited: dict[str, Ints]


def token_of(table: AgreementTable, overall: AgreementTable) -> int:
    """Names the state of a slice: slices of edits are read together with that of all pairs, both only ever grow."""
    return MANNER + table.version + (overall.version if table.scope == Scope.EDIT else 0)


def draw_few(*, overall: AgreementTable, tables: Sequence[AgreementTable]) -> None:
    """Draw what is out of date, where the project's judgments are few enough for a request to wait for it."""
    stale = [table for table in tables if table.pk and not is_of_now(table, overall)]
    if stale and _is_small(overall):
        _draw_all(stale, overall, load(project=overall.project))


def draw_stale(*, project: Project, is_quiet: bool = False) -> int:
    """Draw every slice that changed since; unless the project `is_quiet`, those drawn a moment ago are left for later.
    Returns how many there were."""
    overall = selectors.get_overall(project=project)
    stale = [
        table
        for table in AgreementTable.objects.filter(project=project).defer("pair_draws")
        if not is_of_now(table, overall) and (is_quiet or _is_due(table))
    ]
    if stale:
        _draw_all(stale, overall, load(project=project))
    return len(stale)


def _is_due(table: AgreementTable) -> bool:
    """Not drawn a moment ago, or of so few judgments then that it says nothing of those of now."""
    if table.drawn_at is None or timezone.now() - table.drawn_at > AGAIN_AFTER:
        return True
    return count_judgments(table) > MUCH_MORE * table.draws_judgments


def _is_small(overall: AgreementTable) -> bool:
    twos = unpack(overall.twos, width=TWO_WIDTH)
    return count_judgments(overall) <= FEW_JUDGMENTS and len(np.unique(twos[:, :2])) <= FEW_ANNOTATORS


def count_judgments(table: AgreementTable) -> int:
    """How many judgments the sums of a slice are of."""
    items = unpack(table.items, width=item_width(table.scope))
    return int(items[:, 1:-1].sum(axis=1) @ items[:, -1])


def is_of_now(table: AgreementTable, overall: AgreementTable) -> bool:
    """Whether the kept intervals are of the very judgments that the sums of a slice are of. No figure stands beside an
    interval of others."""
    return table.draws_version == token_of(table, overall)


def draws_of(table: AgreementTable, overall: AgreementTable) -> dict[str, Any] | None:
    """Of how many judgments the intervals of a slice are, and when they were drawn; None where there are none of the
    judgments of now."""
    if not table.draws or not is_of_now(table, overall):
        return None
    return {"n_judgments": table.draws_judgments, "drawn_at": table.drawn_at}


def _draw_all(tables: Iterable[AgreementTable], overall: AgreementTable, loaded: Loaded) -> None:
    for table in tables:
        table.draws, table.draws_version = draw(table, loaded), token_of(table, overall)
        table.drawn_at, table.draws_judgments = timezone.now(), int(_rows_of(table, loaded).sum())
        changed = ["draws", "draws_version", "drawn_at", "draws_judgments"]
        if table.scope == Scope.OVERALL:
            table.pair_draws = draw_pairs(loaded.judgments, people=loaded.people, clusters=loaded.clusters)
            changed.append("pair_draws")
        table.save(update_fields=changed)


def draw(table: AgreementTable, loaded: Loaded) -> list[dict[str, Any]]:
    """The interval of the mean kappa of a slice, one for each reading and weights."""
    all_of, kept = loaded.judgments, _rows_of(table, loaded)
    is_edit = table.scope == Scope.EDIT
    labels = _would_edit(table.value, loaded) if is_edit else all_of.labels
    readings = (reading_of(EDITED),) if is_edit else UNSURE_READINGS
    n_labels = len(EDITED) if is_edit else len(LABELS)
    rated = co_ratings(
        Judgments(
            all_of.items[kept], all_of.annotators[kept], labels[kept], all_of.n_items, all_of.n_annotators, n_labels
        )
    )
    figures = (
        mean_kappa_figure(rated, reading, weights, clusters=loaded.clusters)
        for reading in readings
        for weights in weights_of(reading)
    )
    return [
        {"measure": figure.measure, "reading": figure.reading, "interval": asdict(figure.interval)}
        for figure in figures
        if figure.interval
    ]


def _rows_of(table: AgreementTable, loaded: Loaded) -> NDArray[np.bool_]:
    items = loaded.judgments.items
    if table.scope == Scope.SOURCE:
        return np.asarray((loaded.sources == table.value)[items])
    if table.scope == Scope.WEEK:
        return np.asarray((loaded.weeks == int(table.value.replace("-W", "")))[items])
    return np.ones(len(items), dtype=bool)


def _would_edit(kind: str, loaded: Loaded) -> Ints:
    labels = np.zeros(len(loaded.judgments), dtype=np.int64)
    labels[loaded.edited.get(kind, np.empty(0, dtype=np.int64))] = 1
    return labels


def load(*, project: Project) -> Loaded:
    """Every judgment of the project that the tables of two annotators hold."""
    tallied = Judgment.objects.filter(candidate__project=project, is_tallied=True).order_by()
    columns = tallied.values_list("candidate_id", "annotator_id", "label", "created_at", "edits")
    numbers, edited = [np.empty((0, 4), dtype=np.int64)], defaultdict[str, list[int]](list)
    for n_chunk, rows in enumerate(_chunks(columns.iterator(chunk_size=CHUNK))):
        numbers.append(
            np.array([(pair, person, LABEL_PLACE[label], week_of(made)) for pair, person, label, made, _ in rows])
        )
        for at, row in enumerate(rows, start=n_chunk * CHUNK):
            for kind in {edit["kind"] for edit in row[-1]}:
                edited[kind].append(at)
    rows_of_all = np.concatenate(numbers)
    rows_of_all[:, 1] = only_named(project, rows_of_all[:, 1])
    return _in_arrays(rows_of_all, {kind: np.array(rows) for kind, rows in edited.items()})


def _chunks(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    rows = iter(rows)
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _in_arrays(numbers: Ints, edited: dict[str, Ints]) -> Loaded:
    """Rows (pair, annotator or NOBODY, label, week). Weeks of pairs are those of all their votes, as in the tables."""
    pairs, items = np.unique(numbers[:, 0], return_inverse=True)
    newest = np.zeros(len(pairs), dtype=np.int64)
    np.maximum.at(newest, items, numbers[:, 3])
    places = _places_of(pairs)
    named = numbers[:, 1] != NOBODY
    people, annotators = np.unique(numbers[named, 1], return_inverse=True)
    judgments = Judgments(items[named], annotators, numbers[named, 2], len(pairs), len(people), len(LABELS))
    row = np.cumsum(named) - 1
    edited = {kind: row[rows[named[rows]]] for kind, rows in edited.items()}
    clusters = np.array([number for number, _ in places], dtype=np.int64)
    return Loaded(judgments, people, clusters, np.array([source for _, source in places]), newest, edited)


def _places_of(pairs: Ints) -> list[tuple[int, str]]:
    found: dict[int, tuple[int, str]] = {}
    for start in range(0, len(pairs), CHUNK):
        found |= places_of(pairs[start : start + CHUNK].tolist())
    return [found[pair] for pair in pairs.tolist()]
