"""What the tables say of agreement: figures slice by slice, and every two annotators.

Figures of the sums are worked out when somebody asks and kept with the table until its sums change. The interval of
Cohen's mean kappa needs to know which pairs lie in one cluster, which sums over pairs of annotators do not tell: it is
drawn from the judgments (drawing.py), at once where they are few and by a worker where they are many.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from backend.methods.agreement import (
    UNSURE_READINGS,
    CountTable,
    Figure,
    PairTable,
    Reading,
    agreement_over_items,
    mean_kappa_of_table,
    reading_of,
)
from backend.methods.agreement.kept_tables import (
    EDITED,
    TWO_WIDTH,
    count_table_of,
    item_width,
    pair_table_of,
    unpack,
    with_unedited_items,
    with_unedited_twos,
)
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.consensus import LABELS
from backend.projects.models import Project
from backend.review import drawing, folding, selectors
from backend.review.models import AgreementState, AgreementTable, Scope

FOLDED_AT_ONCE = 2000
FOLDING_SECONDS = 5  # that a reader waits at most, so that the first look after an import sees all of it
FOLDED_BY_READERS = 20_000  # judgments: in larger projects readers leave what is new to upkeep.py while it keeps up
FEW_NEW = 1000  # but not an import
KEEPS_UP = timedelta(minutes=1)
OF_EDITS = (reading_of(EDITED),)


@dataclass(frozen=True)
class SliceAgreement:
    """The figures of one slice, plain values; `draws` says of how many judgments Cohen's intervals are, and when."""

    value: str
    n_judgments: int
    n_pairs: int
    figures: list[dict[str, Any]]
    draws: dict[str, Any] | None


@dataclass(frozen=True)
class Agreement:
    """As of `as_of`, with `n_waiting` judgments still to be counted (selectors.MOST_WAITING at most)."""

    scope: Scope
    as_of: datetime | None
    n_waiting: int
    slices: list[SliceAgreement]


def read_agreement(*, project: Project, scope: Scope) -> Agreement:
    """The figures of every slice of a scope, after folding for a moment; those of what is folded are exact."""
    as_of, n_waiting = catch_up(project=project)
    overall = selectors.get_overall(project=project)
    tables = [overall] if scope == Scope.OVERALL else selectors.list_tables(project=project, scope=scope)
    drawing.draw_few(overall=overall, tables=tables)
    found = [_slice(table, overall) for table in tables]
    return Agreement(scope, as_of, n_waiting, [one for one in found if one.n_judgments or scope == Scope.OVERALL])


def catch_up(*, project: Project) -> tuple[datetime | None, int]:
    """Fold what waits, for some seconds. When the tables were last folded, and how many judgments still wait."""
    n_waiting = selectors.count_waiting(project=project, most=FEW_NEW + 1)
    if n_waiting:
        if n_waiting > FEW_NEW or _is_for_readers(project):
            _fold_for_a_moment(project)
        n_waiting = selectors.count_waiting(project=project)
    state = AgreementState.objects.filter(project=project).first()
    return state.folded_at if state else None, n_waiting


def _is_for_readers(project: Project) -> bool:
    """Whether a reader should fold: the project is small, or nobody else does it."""
    lately = AgreementState.objects.filter(project=project, folded_at__gt=timezone.now() - KEEPS_UP)
    if not lately.exists():
        return True
    return drawing.count_judgments(selectors.get_overall(project=project)) < FOLDED_BY_READERS


def _fold_for_a_moment(project: Project) -> None:
    until = time.monotonic() + FOLDING_SECONDS
    while folding.fold(project=project, most=FOLDED_AT_ONCE) and time.monotonic() < until:
        pass


def renew_figures(*, project: Project) -> int:
    """Work out the figures of every slice whose sums changed. Returns how many there were."""
    overall = selectors.get_overall(project=project)
    tables = AgreementTable.objects.filter(project=project).defer("pair_draws")
    stale = [table for table in tables if table.figures_version != drawing.token_of(table, overall)]
    for table in stale:
        _keep_figures(table, overall)
    return len(stale)


def _slice(table: AgreementTable, overall: AgreementTable) -> SliceAgreement:
    if table.figures_version != drawing.token_of(table, overall) or not table.figures:
        _keep_figures(table, overall)
    draws = table.draws if drawing.is_of_now(table, overall) else []
    intervals = {(drawn["measure"], drawn["reading"]): drawn["interval"] for drawn in draws}
    figures = [
        figure | {"interval": figure["interval"] or (figure["value"] is not None and kept) or None}
        for figure in table.figures
        for kept in [intervals.get((figure["measure"], figure["reading"]))]
    ]
    n_pairs = int(unpack(table.items, width=item_width(table.scope))[:, -1].sum())
    draws_of = drawing.draws_of(table, overall)
    return SliceAgreement(table.value, drawing.count_judgments(table), n_pairs, figures, draws_of)


def _keep_figures(table: AgreementTable, overall: AgreementTable) -> None:
    """Work the figures out, and keep them while the sums stand."""
    table.figures = [figure.to_json() for figure in figures_of(table, overall)]
    table.figures_version = drawing.token_of(table, overall)
    same = AgreementTable.objects.filter(pk=table.pk, version=table.version)
    same.update(figures=table.figures, figures_version=table.figures_version)


def figures_of(table: AgreementTable, overall: AgreementTable) -> tuple[Figure, ...]:
    """Cohen's mean kappa, Fleiss and Krippendorff under every reading."""
    items, twos, readings = read_tables(table, overall)
    n_twice = items.n_judged_twice()
    means = (
        mean_kappa_of_table(twos, reading, weights, n_items=items.n_comparable(reading), n_judged_twice=n_twice)
        for reading in readings
        for weights in weights_of(reading)
    )
    return (*means, *agreement_over_items(items, readings=readings))


def read_tables(table: AgreementTable, overall: AgreementTable) -> tuple[CountTable, PairTable, Sequence[Reading]]:
    """The two tables of a slice and how their labels are read; those of edits filled in from all pairs."""
    items, twos = unpack(table.items, width=item_width(table.scope)), unpack(table.twos, width=TWO_WIDTH)
    if table.scope != Scope.EDIT:
        return count_table_of(items), pair_table_of(twos, k=len(LABELS)), UNSURE_READINGS
    all_items = unpack(overall.items, width=item_width(Scope.OVERALL))
    all_twos = unpack(overall.twos, width=TWO_WIDTH)
    return with_unedited_items(items, all_items), with_unedited_twos(twos, all_twos), OF_EDITS
