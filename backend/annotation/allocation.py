"""How many slots HITs need (settle), which slot an annotator gets (take), and slots whose lease ended (take back).

docs/annotation-engine.md has the steps. A slot ahead is free, or leased. No pair is asked too often, because the newest
HIT of a root has as many slots ahead as every one of its pairs needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.db.models.fields.tuple_lookups import TupleGreaterThan
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone

from backend.annotation.control_items import add_followup
from backend.annotation.locks import lock_hits, lock_idle_hits
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Hit, HitItem, Slot
from backend.annotation.selectors import IS_AHEAD, counted_judgments
from backend.common.compiled import Compiled, Given
from backend.methods.aggregation import annotator_skill, decide
from backend.people.models import User
from backend.projects.models import Project

BATCH = 500
EVEN = annotator_skill(0, 0)  # of an annotator without a graded control
SkilledVotes = dict[str, list[float]]  # label: how likely each who said so is right


@transaction.atomic(savepoint=False)
def settle(*, project: Project, roots: Iterable[int], anew: bool = False) -> None:
    """Give each root the slots and the follow-up HIT that it needs. Repeating it changes nothing.

    Called where a HIT is full or a slot fell free, and, `anew`, where votes or settings changed: then the stop rule is
    asked about every pair, else about those of the newest HIT. The settings are read behind the lock.
    """
    ids = sorted(set(roots))
    for first in range(0, len(ids), BATCH):
        batch = ids[first : first + BATCH]
        lock_hits(batch)
        _settle(Project.objects.get(pk=project.pk), batch, anew=anew)


SLOT_AHEAD = Compiled(lambda given: Slot.objects.filter(IS_AHEAD, hit=given("hit")).values_list("pk", flat=True)[:1])


def settle_if_full(assignment: Assignment) -> None:
    """Settle the root of an assignment that was submitted in this transaction, if its HIT has no slot ahead."""
    lock_hits([assignment.root_id])
    if not SLOT_AHEAD.rows(hit=assignment.hit_id):
        _settle(Project.objects.get(pk=assignment.project_id), [assignment.root_id], anew=False)


def n_missing(project: Project, votes: SkilledVotes, *, asked: int = 0, is_open: bool = True) -> int:
    """How many more judgments a pair needs, `votes` being those that count. A head annotator may ask for `asked`.

    The stop rule is not asked about a pair that it has finished, `is_open` being False.
    """
    n_votes = sum(map(len, votes.values()))
    least = max(project.overlap, asked)
    if n_votes < least:
        return least - n_votes
    if not is_open or project.confidence is None or n_votes >= project.max_overlap:
        return 0
    found = decide(votes, confidence=project.confidence, max_votes=project.max_overlap)  # type: ignore[arg-type]  # labels
    return int(found.stop == "ask_another")


@transaction.atomic
def mark_pairs(
    *, project: Project, decided: Mapping[int, bool] | None = None, asked: Mapping[int, int] | None = None
) -> None:
    """Note which pairs are `decided` by a head annotator, who asks for no more judgments of them, and for which others
    are `asked` until this number of judgments counts; 0 leaves it to the settings.

    Call it in the transaction that stores why. The caller holds no slot. A pair that is in no HIT is left alone.
    """
    marks = {"is_decided": decided or {}, "asked": asked or {}}
    items = HitItem.objects.filter(candidate__in={*marks["is_decided"], *marks["asked"]}, control=None)
    items = items.filter(hit__project=project)
    roots = {hit.first_id for hit in Hit.objects.filter(items__in=items)}
    lock_hits(roots)
    for name, values in marks.items():
        for value in set(values.values()):
            items.filter(candidate__in=[pair for pair, mark in values.items() if mark == value]).update(**{name: value})
    settle(project=project, roots=roots, anew=True)


def _settle(project: Project, roots: Sequence[int], *, anew: bool) -> None:
    hits = list(
        Hit.objects.filter(Q(pk__in=roots) | Q(root__in=roots)).select_related("image", "query").order_by("round")
    )
    # Wait for annotators who take a slot at this moment; afterwards what is read stays true.
    list(Slot.objects.filter(hit__in=hits, assignment=None).order_by("pk").select_for_update().values_list("pk"))
    items = HitItem.objects.filter(control=None).order_by("position")
    slots = Slot.objects.select_related("assignment").only("hit", "number", "priority", "assignment__status")
    prefetch_related_objects(hits, Prefetch("items", items), Prefetch("slots", slots.order_by("number")))
    by_root: dict[int, list[Hit]] = defaultdict(list)
    for hit in hits:
        if hit.items.all():  # else it has controls alone
            by_root[hit.first_id].append(hit)
    votes = read_votes(project, roots)
    added: list[Slot] = []
    surplus: list[int] = []
    for hits_of_root in by_root.values():
        _settle_root(project, hits_of_root, votes, added, surplus, anew=anew)
    Slot.objects.filter(pk__in=surplus).delete()
    Slot.objects.bulk_create(added, batch_size=1000)


def _settle_root(
    project: Project,
    hits: list[Hit],
    votes: Mapping[int, SkilledVotes],
    added: list[Slot],
    surplus: list[int],
    *,
    anew: bool,
) -> None:
    """Makes or deletes the follow-up HIT, and notes the slots of the newest HIT that are missing or surplus."""
    newest = hits[-1]
    waiting = {item.candidate_id for item in newest.items.all()}
    missing = {
        item.candidate_id: n_missing(
            project, votes[item.candidate_id], asked=item.asked, is_open=anew or item.candidate_id in waiting
        )
        for item in hits[0].items.all()  # has all pairs of the root, and what head annotators decided
        if not item.is_decided
    }
    doubtful = [pair for pair, n in missing.items() if n]
    if newest.root_id and waiting != set(doubtful) and not newest.assignments.exists():
        newest.delete()  # nobody began it, and it does not hold what is doubtful now
        newest = hits[-2]
    slots = list(newest.slots.all())
    free = [slot.pk for slot in slots if slot.assignment is None]
    n_leased = sum(
        slot.assignment is not None and slot.assignment.status != AssignmentStatus.SUBMITTED for slot in slots
    )
    n_free = max(0, min(missing.get(item.candidate_id, 0) for item in newest.items.all()) - n_leased)
    surplus += free[n_free:]
    last, priority = (slots[-1].number, slots[-1].priority) if slots else (0, 0)
    of_hit = {"project": project, "hit": newest, "root_id": newest.first_id, "priority": priority}
    added += [Slot(number=last + n, **of_hit) for n in range(1, 1 + n_free - len(free))]
    if doubtful and not n_free and not n_leased:
        numbers = range(last + 1, last + 1 + min(missing[pair] for pair in doubtful))
        add_followup(project=project, after=newest, pairs=doubtful, numbers=numbers, priority=priority)


def read_votes(project: Project, roots: Sequence[int]) -> defaultdict[int, SkilledVotes]:
    """What counts on each pair, by label, each vote as the skill of its annotator; even odds without a control."""
    votes: defaultdict[int, SkilledVotes] = defaultdict(lambda: defaultdict(list))
    counted = counted_judgments(project=project).filter(assignment__root__in=roots).order_by()
    graded = AnnotatorState.objects.filter(project=project, user=OuterRef("annotator"))
    numbers = (Subquery(graded.values(name)) for name in ("n_graded", "n_failed"))
    for pair, label, n, n_failed in counted.values_list("candidate", "label", *numbers):
        votes[pair][label].append(annotator_skill(n - n_failed, n) if n else EVEN)
    return votes


class _RowGreaterThan(TupleGreaterThan):
    """(a, b) > (c, d) as SQL writes it, also for SQLite, where Django writes it with OR, which no index answers.

    Of the indexes of PostgreSQL, only `slot_free` answers it in order. With a = c AND b > d, the index by HIT does too,
    and walks over the slots of every project.
    """

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        return GreaterThan.as_sql(self, compiler, connection)


def _free_slot(given: type[Given]) -> QuerySet[Slot]:
    """The first free slot of a root that the annotator never had, with its HIT, in one statement.

    PostgreSQL looks in three places, and in a later one only if the earlier ones have none: slots of a higher priority
    than the slot that the annotator submitted last, those behind it, and all. Each place is a subquery in the order of
    the index `slot_free`, and is read before the join. With LIMIT over a join PostgreSQL may walk over all HITs.
    """
    done = Assignment.objects.filter(
        annotator=given("annotator"), project=given("project"), status=AssignmentStatus.SUBMITTED
    )
    last = Slot.objects.filter(assignment=Subquery(done.order_by("-submitted_at").values("pk")[:1])).order_by()
    priority, number, hit = (Subquery(last.values(name)) for name in ("priority", "number", "hit"))

    def first(where: Q) -> Subquery:
        had = Assignment.objects.filter(root=OuterRef("root"), annotator=given("annotator"))
        free = Slot.objects.filter(where, ~Exists(had), project=given("project"), assignment=None)
        free = free.order_by("-priority", "number", "hit_id").select_for_update(skip_locked=True)
        return Subquery(free.values("pk")[:1])

    raised = first(Q(priority__gt=priority))
    behind = first(Q(_RowGreaterThan((F("number"), F("hit")), (number, hit)), priority=priority))
    found = Slot.objects.filter(pk=Coalesce(raised, behind, first(Q())))
    return found.order_by().select_related("hit__image", "hit__query")


FREE_SLOT = Compiled(_free_slot)


def take_slot(*, project: Project, annotator: User) -> Slot | None:
    """The first free slot of a root that this annotator never had, locked, with its HIT; None without one.

    The order is that of the index `slot_free`: higher priority, lower number, older HIT. The search begins behind the
    slot that the annotator submitted last, so it does not walk over all that they had before; raised priorities come
    first, and what fell free behind them comes at the end.
    """
    return FREE_SLOT.first(project=project.pk, annotator=annotator.pk)


def take_slot_of(assignment: Assignment) -> bool:
    """Give a free slot of its HIT to the assignment; whether there was one."""
    free = Slot.objects.filter(hit=assignment.hit_id, assignment=None).order_by("number")
    slot = free.select_for_update(skip_locked=True).first()
    return slot is not None and bool(Slot.objects.filter(pk=slot.pk, assignment=None).update(assignment=assignment))


def take_back(*, project: Project, others_than: User) -> bool:
    """Take back the slots of other annotators whose lease ended; whether there were any.

    Called only when nothing else is free: until then a late answer still finds its slot. HITs that somebody is settling
    or submitting at this moment are left alone.
    """
    run_out = Assignment.objects.filter(project=project, status=AssignmentStatus.LEASED, expires_at__lte=timezone.now())
    run_out = run_out.exclude(annotator=others_than).order_by("pk")
    roots = lock_idle_hits(run_out.order_by().values_list("root", flat=True))
    if not roots:
        return False
    gone = list(
        run_out.filter(root__in=roots).select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True)
    )
    Assignment.objects.filter(pk__in=gone).update(status=AssignmentStatus.EXPIRED)
    Slot.objects.filter(assignment__in=gone).update(assignment=None)
    settle(project=project, roots=roots)
    return bool(gone)
