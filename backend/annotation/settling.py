"""How many places a HIT needs: which of its pairs want more judgments, places added for them, free ones taken away.

Fixed overlap: a pair wants judgments until `overlap` of them count. Adaptive overlap (the project has a `confidence`):
beyond that the Bayesian stop rule asks for one more at a time, up to `max_overlap`, from how each annotator did on
hidden controls. A HIT's later places show only the pairs that are still open, which may also be some that gave way to a
control on the pages before.

The stop rule stops once for a pair: a submit asks it of what the page shows and of what is open. What it believes of
people moves with every control they meet, and only who settles a HIT as a whole (below) asks it of all pairs anew.

Two who settle the same HIT come one after the other, by a lock on its row; the second sees what the first has done.
Settings are read behind that lock: whoever changed them may have settled the HIT by the new ones before.
Policies, verdicts on people and changed settings settle all HITs they touch. With adaptive overlap a submit settles its
HIT when it filled the last place, and with a fixed one too where there are controls; else only if it brought less than
its place was counted for, some of the HIT's pairs or judgments that do not count, or if some pairs of the HIT want more
than others, as where only those were judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q

from backend.annotation.hit_state import HitState, Pair, Places, Votes, read_full_hit, read_hits
from backend.annotation.holding import hold_hits, hold_idle_hits
from backend.annotation.models import Assignment, AssignmentStatus, Hit, HitItem, Slot, Standing, StandingState
from backend.common.compiled import CompiledRows, CompiledUpdate
from backend.common.counting import ListLength
from backend.common.plain_insert import insert_plainly
from backend.methods.aggregation import decide
from backend.methods.assignment import controls_on_top
from backend.projects.models import Project

BATCH = 500
MARKED = CompiledUpdate(lambda ask: (HitItem.objects.filter(pk=ask("pk")), {"is_open": ask("is_open")}))
# Submitted pages of a HIT that do not show all of its pairs, as those of judgments made elsewhere, or may not, as those
# of when there were controls, which took the places of pairs: one tells enough.
SHORT_PAGES = CompiledRows(
    lambda ask: (
        Assignment.objects.filter(hit=ask("hit"), status=AssignmentStatus.SUBMITTED)
        .annotate(n_shown=ListLength("shown"))
        .filter(Q(n_shown__lt=ask("n_pairs")) | ~Q(controls={}))
        .order_by()
        .values_list("pk")[:1]
    )
)


@dataclass
class Changes:
    """What a batch comes to, written at the end."""

    opened: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    added: list[Slot] = field(default_factory=list)
    surplus: list[tuple[tuple[int, ...], int]] = field(default_factory=list)  # free places of a HIT; how many go


@transaction.atomic
def settle_hits(*, project: Project, hits: Iterable[int]) -> None:
    """Give each of the HITs the places it needs, as the project's settings and what counts now want it.

    Repeating it changes nothing.
    """
    ids = sorted(set(hits))
    for first in range(0, len(ids), BATCH):
        batch = ids[first : first + BATCH]
        hold_hits(batch)
        _settle(_as_it_is(project), read_hits(project, batch))


def settle_project(*, project: Project) -> None:
    """Settle every HIT, each batch in a transaction of its own: what a changed overlap or confidence asks for."""
    last, hits = 0, Hit.objects.filter(project=project).order_by("pk").values_list("pk", flat=True)
    while batch := list(hits.filter(pk__gt=last)[:BATCH]):
        settle_hits(project=project, hits=batch)
        last = batch[-1]


@transaction.atomic
def decide_pair(*, project: Project, candidate_id: int, is_decided: bool) -> None:
    """Ask for no more judgments of a pair, since a word above all votes stands on it, or ask again for what it wants.

    Call it in the transaction that says or takes back that word. A pair that is in no HIT is left alone.
    """
    hits = list(HitItem.objects.filter(candidate=candidate_id, hit__project=project).values_list("hit", flat=True))
    hold_hits(hits)
    HitItem.objects.filter(candidate=candidate_id).update(is_decided=is_decided)
    settle_hits(project=project, hits=hits)


def settle_freed(*, project: Project, hits: Collection[int]) -> None:
    """Called where places of these HITs fell free. Pages that others submitted meanwhile may have brought what the
    pairs want, as after a lower overlap, a lifted exclusion or an import: then these places go, or somebody would be
    asked for more, or, where everybody has met the HIT, waited for for ever.

    A HIT that somebody else holds at this moment is left alone.
    """
    if held := hold_idle_hits(hits):
        _settle(_as_it_is(project), read_hits(project, held), said_of=())


def settle_when_full(*, assignment: Assignment, standing: Standing) -> None:
    """Called inside the transaction that has just filled a place of the HIT, and holds it.

    Where the overlap is fixed and there are no controls, a whole page that counts brings what its place was counted
    for: no statement then. Where there are, every page takes as many, so that the time tells none that holds one; with
    an adaptive overlap the pairs are read only once the HIT is full.
    """
    project, hit_id, counts = assignment.project, assignment.hit_id, standing.state != StandingState.EXCLUDED
    brings_all = counts and (project.confidence is not None or _is_of_all(assignment))
    if brings_all and not _settles_full_hits(project):
        return
    if brings_all and project.confidence is not None:
        _settle(project, read_full_hit(project, hit_id), said_of=assignment.shown)
        return
    state = read_hits(project, [hit_id])
    if not brings_all or state[hit_id].places.is_full:
        _settle(project, state, said_of=assignment.shown)


def settle_revised(*, assignment: Assignment, standing: Standing, candidate_id: int) -> None:
    """Called inside the transaction in which somebody changed their mind of a pair: the stop rule is asked of it anew,
    however many places of its HIT are open."""
    hold_hits([assignment.hit_id])
    project = assignment.project = _as_it_is(assignment.project)
    if project.confidence is None:
        settle_when_full(assignment=assignment, standing=standing)
        return
    _settle(project, read_hits(project, [assignment.hit_id]), said_of=[candidate_id])


def _as_it_is(project: Project) -> Project:
    """With the settings in force, once the HITs are held: who changes them after that settles these after us."""
    return Project.objects.get(pk=project.pk)


def _settles_full_hits(project: Project) -> bool:
    """Whether a HIT is looked at again whenever all of its places are submitted."""
    return project.confidence is not None or project.control_rate > 0


def _is_of_all(assignment: Assignment) -> bool:
    """Whether every pair of the HIT was open when its page was drawn, and wants as many as the others: those that gave
    way to a control have their turn when the HIT is full. `selectors.get_assignment` has counted along the way."""
    n_shown, n_controls, rate = len(assignment.shown), len(assignment.controls), assignment.project.control_rate
    n_pairs = getattr(assignment, "n_pairs", None)
    if n_pairs is None:
        n_pairs = HitItem.objects.filter(hit=assignment.hit_id).count()
    on_top = n_controls if controls_on_top(n_shown, rate=rate) or not rate else 0
    if n_shown - on_top < n_pairs:
        return False
    return rate > 0 or n_pairs == 1 or not SHORT_PAGES.rows(hit=assignment.hit_id, n_pairs=n_pairs)


def _settle(project: Project, hits: dict[int, HitState], *, said_of: Collection[int] | None = None) -> None:
    """The caller holds the HITs' rows, and has read their state since. `said_of` are the pairs that something was said
    of just now, where nothing else has happened.

    The others among the finished ones stay so: the stop rule stops once. What it believes of people moves with every
    control, and a pair that opened again for it would find those gone who have had its HIT.
    """
    changes = Changes()
    for hit_id, hit in hits.items():
        missing = {pair: _n_missing(project, pair, said_of) for pair in hit.pairs}
        _note_items(missing, changes)
        more = hit.places.n_more(missing, comes_again=hit.is_uneven or _settles_full_hits(project))
        _note_places(project, hit_id, hit.places, more, changes)
    _write(changes)


def _stays_closed(project: Project, pair: Pair, said_of: Collection[int] | None) -> bool:
    if said_of is None or pair.is_open or pair.candidate_id in said_of:
        return False
    return sum(map(len, pair.votes.values())) >= project.overlap


def _n_missing(project: Project, pair: Pair, said_of: Collection[int] | None) -> int:
    """What is decided above all votes waits for none."""
    return 0 if pair.is_decided or _stays_closed(project, pair, said_of) else n_missing(project, pair.votes)


def n_missing(project: Project, votes: Votes) -> int:
    """How many more judgments a pair wants, `votes` being those that count."""
    n_votes = sum(map(len, votes.values()))
    if n_votes < project.overlap:
        return project.overlap - n_votes
    if project.confidence is None or n_votes >= project.max_overlap:
        return 0
    found = decide(votes, confidence=project.confidence, max_votes=project.max_overlap)  # type: ignore[arg-type]  # labels
    return int(found.stop == "ask_another")


def _note_items(missing: dict[Pair, int], changes: Changes) -> None:
    for pair, n in missing.items():
        if pair.is_open != bool(n):
            (changes.opened if n else changes.closed).append(pair.item_id)


def _note_places(project: Project, hit_id: int, places: Places, more: int, changes: Changes) -> None:
    """Below zero, free places go, the highest numbers first; what is held is left."""
    changes.added += [
        Slot(project=project, hit_id=hit_id, number=places.last + n, priority=places.priority)
        for n in range(1, more + 1)
    ]  # fmt: skip
    if more < 0:
        changes.surplus.append((places.free, -more))


def _write(changes: Changes) -> None:
    _mark(changes.opened, is_open=True)
    _mark(changes.closed, is_open=False)
    if changes.surplus:
        _drop(changes.surplus)
    for first in range(0, len(changes.added), BATCH):
        insert_plainly(changes.added[first : first + BATCH])


def _drop(surplus: Sequence[tuple[tuple[int, ...], int]]) -> None:
    """Who is just taking one of them is waited for, as they wait for nobody: what they took is theirs, and a lower one
    goes."""
    going = _hold_free([place for free, n in surplus for place in free[-n:]])
    for free, n in surplus:
        if n_left := len(set(free[-n:]) - going):
            going |= _hold_free(free[:-n], most=n_left)
    Slot.objects.filter(pk__in=going).delete()


def _hold_free(places: Sequence[int], *, most: int | None = None) -> set[int]:
    free = Slot.objects.filter(pk__in=places, assignment=None).order_by("-number").select_for_update()
    return set(free.values_list("pk", flat=True)[:most])


def _mark(items: Sequence[int], *, is_open: bool) -> None:
    if len(items) == 1:  # of a HIT of one pair, which submits settle one by one
        MARKED.run(pk=items[0], is_open=is_open)
    elif items:
        HitItem.objects.filter(pk__in=items).update(is_open=is_open)
