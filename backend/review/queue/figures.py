"""How the reviewed work of each annotator came out, and how far head annotators agree with each other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count, OuterRef, Q, Subquery

from backend.annotation.models import Judgment
from backend.annotation.selectors import is_counted
from backend.common.counting import in_one
from backend.methods.agreement import UNSURE_READINGS, co_ratings, pair_figures
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments
from backend.methods.quality import Share, share_of
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import Action, CaseDecision, PairTally, SecondLook

Confusion = list[list[int]]


@dataclass(frozen=True)
class PersonPages:
    """The reviewed assignments of one annotator. Only the first decision on each counts, and it never changes.

    `approved`: accepted without a correction. `rejected`: returned. `confusion`: rows are the annotator's answers,
    columns those of the head annotators, in the order good, bad, unsure.
    """

    annotator: User
    n_reviewed: int
    first_pass_approved: Share | None
    rejected: Share | None
    agreement_with_head: Share | None
    confusion: Confusion


@dataclass(frozen=True)
class HeadPair:
    """Cohen's kappa of two head annotators over the pairs that both judged; `cells` rows are of the first."""

    first: User
    second: User
    value: float | None
    reason: str | None
    n_items: int
    interval: dict[str, Any] | None
    cells: Confusion


@dataclass(frozen=True)
class HeadsAgreement:
    """How second looks came out."""

    n_second_looks: int
    agree: Share | None
    pairs: list[HeadPair]


def summarise_pages(*, project: Project) -> list[PersonPages]:
    """Of each annotator whose work a head annotator has seen, by username. Three statements."""
    first = CaseDecision.objects.filter(case__project=project, is_first=True, undone_at=None).order_by()
    counted = first.values("case__annotator").annotate(
        n=Count("pk"),
        n_approved=Count("pk", filter=Q(action=Action.ACCEPT_PAGE)),
        n_rejected=Count("pk", filter=Q(action=Action.REWORK)),
    )
    pages = {row["case__annotator"]: row for row in counted}
    confusions = _with_head(project)
    people = User.objects.filter(pk__in={*pages, *confusions}).order_by("username")
    return [_person(person, dict(pages.get(person.pk, {})), confusions[person.pk]) for person in people]


def _person(person: User, pages: dict[str, Any], confusion: Confusion) -> PersonPages:
    n, n_compared = pages.get("n", 0), sum(map(sum, confusion))
    return PersonPages(
        annotator=person,
        n_reviewed=n,
        first_pass_approved=share_of(pages.get("n_approved", 0), n),
        rejected=share_of(pages.get("n_rejected", 0), n),
        agreement_with_head=share_of(sum(confusion[at][at] for at in range(len(LABELS))), n_compared),
        confusion=confusion,
    )


def _with_head(project: Project) -> dict[int, Confusion]:
    """The answers that count against the verdicts that stand, by annotator."""
    decided = PairTally.objects.filter(project=project).exclude(verdict="")
    verdict = Subquery(decided.filter(candidate=OuterRef("candidate")).values("verdict"))
    # By ids, and without a join of the pairs: else PostgreSQL reads all pairs or all answers.
    pairs = in_one(decided.values_list("candidate", flat=True))
    rows = Judgment.objects.filter(is_counted(project=project), superseded_by=None, candidate__in=pairs).order_by()
    counted = rows.annotate(verdict=verdict).values_list("annotator", "label", "verdict").annotate(n=Count("pk"))
    found: dict[int, Confusion] = defaultdict(_no_cells)
    for person, label, decision, n in counted:
        found[person][LABELS.index(label)][LABELS.index(decision)] = n
    return found


def _no_cells() -> Confusion:
    return [[0] * len(LABELS) for _ in LABELS]


def compare_heads(*, project: Project) -> HeadsAgreement:
    """Every two head annotators over the pairs that one decided and the other looked at again."""
    looks = SecondLook.objects.filter(verdict__candidate__project=project, decision__undone_at=None).order_by("pk")
    names = ("verdict__candidate", "verdict__candidate__image", "verdict__decided_by", "verdict__label")
    told = list(looks.values_list(*names, "decided_by", "label"))
    said: dict[tuple[int, int], str] = {}
    for pair, _, first, first_label, second, second_label in told:
        said[pair, first], said[pair, second] = first_label, second_label
    n_agreed = sum(first == second for _, _, _, first, _, second in told)
    images = {pair: image for pair, image, *_ in told}
    return HeadsAgreement(len(told), share_of(n_agreed, len(told)), _kappas(said, images))


def _kappas(said: dict[tuple[int, int], str], images: dict[int, int]) -> list[HeadPair]:
    pairs, people = (sorted({key[at] for key in said}) for at in (0, 1))
    if not said:
        return []
    place_of = {pair: at for at, pair in enumerate(pairs)}
    judged = Judgments(
        items=np.array([place_of[pair] for pair, _ in said], dtype=np.int64),
        annotators=np.array([people.index(person) for _, person in said], dtype=np.int64),
        labels=np.array([LABELS.index(label) for label in said.values()], dtype=np.int64),
        n_items=len(pairs),
        n_annotators=len(people),
        n_labels=len(LABELS),
    )
    clusters = [images[pair] for pair in pairs]
    figures = pair_figures(co_ratings(judged), UNSURE_READINGS[0], "nominal", clusters=clusters)
    named = User.objects.in_bulk(people)
    return [
        HeadPair(
            named[people[one.first]],
            named[people[one.second]],
            one.figure.value,
            one.figure.reason,
            one.figure.n_items,
            one.figure.to_json()["interval"] if one.figure.value is not None else None,
            _cells(said, people[one.first], people[one.second]),
        )
        for one in figures
        if one.figure.n_items
    ]


def _cells(said: dict[tuple[int, int], str], first: int, second: int) -> Confusion:
    cells = _no_cells()
    for (pair, person), label in said.items():
        if person == first and (other := said.get((pair, second))):
            cells[LABELS.index(label)][LABELS.index(other)] += 1
    return cells
