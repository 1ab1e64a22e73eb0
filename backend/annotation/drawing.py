"""What one person sees of a HIT: which of its pairs, which hidden controls, and in which order, all from one seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce

from backend.annotation.controls.drawing import DrawnControl, draw_controls
from backend.annotation.models import Hit, HitItem, Label, Slot
from backend.annotation.selectors import counted_judgments
from backend.annotation.showing import PICTURE, ShownItem, read_items
from backend.catalogue.models import Image, Query
from backend.common.compiled import Ask, CompiledRows
from backend.common.counting import count_of
from backend.methods.assignment import controls_on_top, order_seed, shuffle_order
from backend.people.models import User
from backend.projects.models import Project

OPTIONS = tuple(Label.values)
COLUMNS = (
    "candidate", "candidate__text", "hit__part", "hit__image", "hit__image__digest",
    *(f"hit__image__{name}" for name in PICTURE), "hit__query", "hit__query__text", "n_free", "n_votes",
)  # fmt: skip


def _open_pairs(hit: Ask, n_votes: Any) -> QuerySet[HitItem, tuple[Any, ...]]:
    """With how many places of the HIT are free, on every row."""
    free = Slot.objects.filter(hit=hit, assignment=None)
    items = HitItem.objects.filter(hit=hit, is_open=True).order_by("position")
    return items.annotate(n_free=count_of(free, "hit"), n_votes=n_votes).values_list(*COLUMNS)


def _votes(project: Any) -> Coalesce:
    return count_of(counted_judgments(project=project).filter(candidate=OuterRef("candidate")), "candidate")


OPEN_PAIRS = CompiledRows(lambda ask: _open_pairs(ask("hit"), Value(0)))
JUDGED_PAIRS = CompiledRows(lambda ask: _open_pairs(ask("hit"), _votes(ask("project"))))


@dataclass(frozen=True)
class Drawn:
    """A page before anybody holds it. `shown` and `items` are in the order of positions, from 1; `gave_way` are the
    pairs that gave way to controls."""

    hit: Hit
    seed: int
    shown: list[int]
    items: list[ShownItem]
    options: list[str]
    controls: list[DrawnControl]
    accepted: dict[str, list[str]]
    gave_way: list[int]


def draw_page(*, hit_id: int, project: Project, annotator: User) -> Drawn | None:
    """The HIT's open pairs and some controls, in this person's order; None where no pair of it is open any more.

    Of few pairs one is left to others where a control comes, so that a page is as long with it as without. Where too
    few others could come for it there is no control.
    """
    rows = _read_pairs(hit_id, project)
    if not rows:
        return None
    hit = _hit_of(hit_id, project, rows[0])
    # The secret, because a person knows all the rest, and this code: they could work out where the controls stand.
    seed = order_seed(settings.SECRET_KEY, project.slug, hit.subject, hit.part, annotator.username)
    rate, n_to_come = project.control_rate, _n_to_come(project, rows)
    controls = draw_controls(hit=hit, annotator=annotator, n_items=len(rows), n_to_come=n_to_come, rate=rate, seed=seed)
    gave_way: list[int] = []
    if controls and not controls_on_top(len(rows), rate=rate):
        rows, gave_way = _without(len(controls), rows, seed)
    return _in_order(hit, seed, rows, controls, gave_way=gave_way, options=_options(project, seed))


def _read_pairs(hit_id: int, project: Project) -> list[dict[str, Any]]:
    """The votes on each are counted where the page is so short that a control takes the place of a pair; of a project
    whose pages are longer that is known only once its pairs are."""
    is_short = _is_short(project, project.captions_per_hit)
    found = [] if is_short else OPEN_PAIRS.rows(hit=hit_id)
    if is_short or (found and _is_short(project, len(found))):
        found = JUDGED_PAIRS.rows(hit=hit_id, project=project.pk)
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def _is_short(project: Project, n_pairs: int) -> bool:
    return project.control_rate > 0 and not controls_on_top(n_pairs, rate=project.control_rate)


def _n_to_come(project: Project, rows: list[dict[str, Any]]) -> int:
    """How many others the pair with the fewest votes may still want when this page is judged."""
    return max(int(rows[0]["n_free"]), project.most_votes - 1 - min(int(row["n_votes"]) for row in rows))


def _hit_of(hit_id: int, project: Project, row: dict[str, Any]) -> Hit:
    """The HIT out of a row's columns, without asking again."""
    hit = Hit(pk=hit_id, project=project, part=row["hit__part"])
    if row["hit__image"] is not None:
        picture = {name: row[f"hit__image__{name}"] for name in PICTURE}
        hit.image = Image(pk=row["hit__image"], digest=row["hit__image__digest"], **picture)
    if row["hit__query"] is not None:
        hit.query = Query(pk=row["hit__query"], text=row["hit__query__text"])
    return hit


def _without(n: int, rows: list[dict[str, Any]], seed: int) -> tuple[list[dict[str, Any]], list[int]]:
    """The rows but `n` of them, and the pairs of these."""
    order = shuffle_order(len(rows), seed=order_seed(seed, "left to others"))
    return [rows[index] for index in sorted(order[n:])], [rows[index]["candidate"] for index in order[:n]]


def _in_order(
    hit: Hit,
    seed: int,
    rows: list[dict[str, Any]],
    controls: list[DrawnControl],
    *,
    gave_way: list[int],
    options: list[str],
) -> Drawn:
    pairs = [row["candidate"] for row in rows] + [control.candidate_id for control in controls]
    shown = [pairs[index] for index in shuffle_order(len(pairs), seed=seed)]
    accepted = {control.candidate_id: list(control.accepted) for control in controls}
    return Drawn(
        hit=hit,
        seed=seed,
        shown=shown,
        items=_items(hit, rows, controls, shown),
        options=options,
        controls=controls,
        accepted={str(at): accepted[pair] for at, pair in enumerate(shown, start=1) if pair in accepted},
        gave_way=gave_way,
    )


def _items(hit: Hit, rows: list[dict[str, Any]], controls: list[DrawnControl], shown: list[int]) -> list[ShownItem]:
    if hit.query_id:
        found = read_items(shown, has_images=True)
    else:
        texts = {row["candidate"]: row["candidate__text"] for row in rows}
        texts |= {control.candidate_id: control.text for control in controls}
        found = {candidate_id: ShownItem(text=text) for candidate_id, text in texts.items()}
    return [found[candidate_id] for candidate_id in shown]


def _options(project: Project, seed: int) -> list[str]:
    if not project.shuffles_options:
        return list(OPTIONS)
    return [OPTIONS[index] for index in shuffle_order(len(OPTIONS), seed=order_seed(seed, "options"))]
