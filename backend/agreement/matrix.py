"""How far every two annotators agree, each of them with all others, and what they confuse most, from one snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any

import numpy as np

from backend.agreement.figures import BOOTSTRAP, MOST_PAIRS, Read
from backend.agreement.models import Part
from backend.agreement.selectors import View, list_parts
from backend.agreement.services import look
from backend.common.errors import NotFound
from backend.methods.agreement import cluster_order
from backend.methods.consensus import LABELS
from backend.methods.quality import Share, share_of
from backend.people.models import User
from backend.projects.models import Project

MOST_PEOPLE = 50  # in one matrix: their pairs are 1,225
MOST_OTHERS = 300  # beside one annotator
MOST_CONFUSIONS = 50


@dataclass(frozen=True)
class Kappa:
    """Of two annotators, by id, the smaller first. `interval` is None without a value."""

    first: int
    second: int
    value: float | None
    reason: str | None
    n_items: int
    interval: dict[str, Any] | None


@dataclass(frozen=True)
class AnnotatorMean:
    """One annotator's mean kappa with the others, weighed by how many pairs both judged; `n_items` adds those up, and
    `n_others` counts the annotators with a kappa. `interval` is None without a mean."""

    id: int
    username: str
    display_name: str
    mean: float | None
    reason: str | None
    n_others: int
    n_items: int
    prevalence: dict[str, float]
    interval: dict[str, Any] | None


@dataclass(frozen=True)
class Matrix:
    """The means of the annotators shown, of `n_annotators` in all, the kappas of their pairs, and the order in which
    those who agree stand side by side."""

    as_of: datetime | None
    is_stale: bool
    n_annotators: int
    annotators: list[AnnotatorMean]
    pairs: list[Kappa]
    order: list[int]


@dataclass(frozen=True)
class Confusion:
    """On `share.k` of the `share.n` pairs that both judged, one gave the first label and the other the second."""

    first: User
    second: User
    first_label: str
    second_label: str
    share: Share


class Tables:
    """What every two annotators said and their kappas, of one snapshot."""

    def __init__(self, view: View, read: Read = "value") -> None:
        told = view.get(Part.TABLES) or {"n_all": 0, "first": [], "second": [], "cells": []}
        self.pairs = list(zip(told["first"], told["second"], strict=True))
        self.cells: list[list[int]] = told["cells"]
        self.is_cut = told["n_all"] > MOST_PAIRS
        self._rows = view.get(Part.KAPPAS, read) or []
        self._place = {pair: at for at, pair in enumerate(self.pairs)}

    def kappa(self, first: int, second: int) -> Kappa:
        """That of two annotators, with the reason where there is none."""
        first, second = sorted((first, second))
        at = self._place.get((first, second))
        if at is None:
            return Kappa(first, second, None, "beyond_largest" if self.is_cut else "nothing_shared", 0, None)
        value, reason, n_items, *drawn = self._rows[at]
        return Kappa(first, second, value, reason, n_items, _interval(drawn) if drawn else None)

    def confusion(self, first: int, second: int) -> list[list[int]] | None:
        """Labels of the first by labels of the second; None where the two share nothing."""
        at = self._place.get((min(first, second), max(first, second)))
        if at is None:
            return None
        table = np.array(self.cells[at]).reshape(len(LABELS), len(LABELS))
        return (table if first < second else table.T).tolist()

    def pairs_of(self, annotator: int) -> list[tuple[int, int]]:
        """The pairs of one annotator, those who judged most in common first."""
        mine = [(-sum(cells), pair) for pair, cells in zip(self.pairs, self.cells, strict=True) if annotator in pair]
        return [pair for _, pair in sorted(mine)]

    def busiest(self, n: int) -> list[int]:
        """The annotators who judged most in common with others, at most n, by id."""
        in_common: dict[int, int] = {}
        for pair, cells in zip(self.pairs, self.cells, strict=True):
            for user in pair:
                in_common[user] = in_common.get(user, 0) + sum(cells)
        return sorted(sorted(in_common, key=lambda user: (-in_common[user], user))[:n])


def _interval(drawn: Sequence[Any]) -> dict[str, Any]:
    low, high, undefined, n_groups, reason = drawn
    return {
        "low": low, "high": high, "level": BOOTSTRAP.level, "n_replicates": BOOTSTRAP.n_replicates,
        "undefined_share": undefined, "n_groups": n_groups, "seed": BOOTSTRAP.seed, "reason": reason,
        "method": "bootstrap",
    }  # fmt: skip


def read_matrix(*, project: Project, read: Read, annotator: int | None = None) -> Matrix:
    """Every two of the MOST_PEOPLE with most pairs in common, or one annotator with the MOST_OTHERS that share most.
    Raises NotFound where nobody else judged what that annotator did."""
    wanted = ((Part.TABLES, ""), (Part.KAPPAS, read), (Part.MEANS, read))
    view = look(project=project, parts=list_parts(*wanted, project=project))
    tables = Tables(view, read)
    if annotator is None:
        people = tables.busiest(MOST_PEOPLE)
        pairs = list(combinations(people, 2))
    else:
        pairs = tables.pairs_of(annotator)[:MOST_OTHERS]
        if not pairs:
            raise NotFound("No other annotator answered the same pairs yet.", code="no_shared_answers")
        people = sorted({user for pair in pairs for user in pair})
    kappas = [tables.kappa(*pair) for pair in pairs]
    means, names = view.get(Part.MEANS, read) or [], User.objects.in_bulk(people)
    shown = [_mean(each, names) for each in means if each["id"] in names]
    return Matrix(view.as_of, view.is_stale, len(means), shown, kappas, _order(people, kappas))


def _order(people: Sequence[int], kappas: Sequence[Kappa]) -> list[int]:
    place = {user: at for at, user in enumerate(people)}
    table = np.full((len(people), len(people)), np.nan)
    for kappa in kappas:
        if kappa.value is not None:
            ends = place[kappa.first], place[kappa.second]
            table[ends] = table[ends[::-1]] = kappa.value
    return [people[at] for at in cluster_order(table)]


def _mean(told: Mapping[str, Any], names: Mapping[int, User]) -> AnnotatorMean:
    user = names[told["id"]]
    return AnnotatorMean(
        user.pk, user.username, user.shown_name,
        *(told[name] for name in ("mean", "reason", "n_others", "n_items", "prevalence", "interval")),
    )  # fmt: skip


def read_confusions(*, project: Project, annotator: int | None = None) -> tuple[View, list[Confusion]]:
    """The MOST_CONFUSIONS most frequent different answers of two annotators to one pair, of all or of one annotator."""
    view = look(project=project, parts=list_parts((Part.TABLES, ""), project=project))
    tables = Tables(view)
    told = np.array(tables.cells, dtype=np.int64).reshape(-1, len(LABELS), len(LABELS))
    if annotator is not None:
        told[[annotator not in pair for pair in tables.pairs]] = 0
    told[:, range(len(LABELS)), range(len(LABELS))] = 0
    most = np.argsort(-told, axis=None, kind="stable")[:MOST_CONFUSIONS]
    places = np.column_stack(np.unravel_index(most, told.shape)).tolist()
    names = User.objects.in_bulk({user for at, _, _ in places for user in tables.pairs[at]})
    found = []
    for at, one, other in places:
        first, second = tables.pairs[at]
        share = share_of(int(told[at, one, other]), sum(tables.cells[at]))
        if share and share.k:
            found.append(Confusion(names[first], names[second], LABELS[one], LABELS[other], share))
    return view, found
