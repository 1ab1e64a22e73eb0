"""How many slots HITs need (settle), which slot an annotator gets (take), and slots whose lease ended (take back).

A pair needs judgments until `overlap` of them count. With a `confidence` the stop rule then asks for one more at a
time, up to `max_overlap`, from the votes and from how each annotator did on controls.

The newest HIT of a root has as many slots ahead as every one of its pairs needs; a slot ahead is free, or leased. Where
that is none, the pairs of the root that still need judgments become a follow-up HIT. So no pair is asked too often,
and the stop rule, once it has finished a pair, asks for it again only where votes or settings changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from backend.annotation.control_items import add_followup
from backend.annotation.locks import lock_hits, lock_idle_hits
from backend.annotation.models import DONE, AnnotatorState, Assignment, AssignmentStatus, Hit, HitItem, Slot
from backend.annotation.selectors import IS_AHEAD, counted_judgments
from backend.methods.aggregation import annotator_skill, decide
from backend.people.models import User
from backend.projects.models import Project

BATCH = 500
EVEN = annotator_skill(0, 0)  # of an annotator without a graded control
SkilledVotes = dict[str, list[float]]  # label: how likely each who said so is right


@dataclass
class _State:
    """A HIT with its pairs and with what is free and leased; submitted slots are only counted."""

    hit: Hit
    pairs: list[int] = field(default_factory=list)
    free: list[Slot] = field(default_factory=list)
    n_leased: int = 0
    last_number: int = 0
    priority: int = 0


@transaction.atomic
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


def n_missing(project: Project, votes: SkilledVotes, *, asked: int = 0) -> int:
    """How many more judgments a pair needs, `votes` being those that count. A head annotator `asked` for so many."""
    n_votes = sum(map(len, votes.values()))
    least = max(project.overlap, asked)
    if n_votes < least:
        return least - n_votes
    if project.confidence is None or n_votes >= project.max_overlap:
        return 0
    found = decide(votes, confidence=project.confidence, max_votes=project.max_overlap)  # type: ignore[arg-type]  # labels
    return int(found.stop == "ask_another")


def decide_pair(*, project: Project, candidate_id: int, is_decided: bool) -> None:
    """`decide_pairs` of one pair."""
    decide_pairs(project=project, decided={candidate_id: is_decided})


@transaction.atomic
def decide_pairs(*, project: Project, decided: Mapping[int, bool]) -> None:
    """Ask for no more judgments of pairs, as a head annotator decided on them, or ask again for what they need.

    Call it in the transaction that stores the decisions. A pair that is in no HIT is left alone.
    """
    items = HitItem.objects.filter(candidate__in=decided, hit__project=project, control=None)
    roots = {hit.first_id for hit in Hit.objects.filter(items__in=items)}
    lock_hits(sorted(roots))
    for is_decided in (True, False):
        pairs = [pair for pair, is_so in decided.items() if is_so is is_decided]
        items.filter(candidate__in=pairs).update(is_decided=is_decided)
    settle(project=project, roots=roots, anew=True)


@transaction.atomic
def ask_for(*, project: Project, wanted: Mapping[int, int]) -> None:
    """Ask other annotators about pairs until each has so many judgments that count; 0 leaves it to the settings.

    Call it in the transaction that stores who asked. The caller holds no slot.
    """
    items = HitItem.objects.filter(candidate__in=wanted, hit__project=project, control=None)
    roots = {hit.first_id for hit in Hit.objects.filter(items__in=items)}
    lock_hits(sorted(roots))
    for candidate_id, n in wanted.items():
        items.filter(candidate=candidate_id).update(asked=n)
    settle(project=project, roots=roots, anew=True)


def _settle(project: Project, roots: Sequence[int], *, anew: bool) -> None:
    hits = Hit.objects.filter(Q(pk__in=roots) | Q(root__in=roots)).select_related("image", "query").order_by("round")
    states, decided, asked_for = _read_states(list(hits))
    votes = read_votes(project, roots)
    added: list[Slot] = []
    surplus: list[int] = []
    for states_of_root in states.values():
        pairs = {pair for state in states_of_root for pair in state.pairs}
        asked = pairs if anew else set(states_of_root[-1].pairs)
        missing = {
            pair: n_missing(project, votes[pair], asked=asked_for[pair])
            if pair in asked
            else max(0, max(project.overlap, asked_for[pair]) - sum(map(len, votes[pair].values())))
            for pair in pairs - decided
        }
        _settle_root(project, states_of_root, missing, added, surplus)
    Slot.objects.filter(pk__in=surplus).delete()
    Slot.objects.bulk_create(added, batch_size=1000)


def _settle_root(
    project: Project, states: list[_State], missing: dict[int, int], added: list[Slot], surplus: list[int]
) -> None:
    """Makes or deletes the follow-up HIT, and notes the slots of the newest HIT that are missing or surplus."""
    doubtful = [pair for pair in states[0].pairs if missing.get(pair)]
    newest = states[-1]
    if newest.hit.root_id and set(newest.pairs) != set(doubtful) and not newest.hit.assignments.exists():
        newest.hit.delete()  # nobody began it, and it does not hold what is doubtful now
        newest = states[-2]
    ahead = min(missing.get(pair, 0) for pair in newest.pairs)
    n_free = max(0, ahead - newest.n_leased)
    surplus += [slot.pk for slot in newest.free[n_free:]]
    of_hit = {"project": project, "hit": newest.hit, "root_id": newest.hit.first_id, "priority": newest.priority}
    added += [Slot(number=newest.last_number + n, **of_hit) for n in range(1, 1 + n_free - len(newest.free))]
    if doubtful and not n_free and not newest.n_leased:
        add_followup(
            project=project,
            after=newest.hit,
            pairs=doubtful,
            numbers=range(newest.last_number + 1, newest.last_number + 1 + min(missing[pair] for pair in doubtful)),
            priority=newest.priority,
        )


def _read_states(hits: Sequence[Hit]) -> tuple[dict[int, list[_State]], set[int], dict[int, int]]:
    """By root its HITs from the oldest to the newest, without those of controls alone; pairs that are decided; and how
    many judgments head annotators asked for."""
    # Wait for annotators who take a slot at this moment; afterwards what is read stays true.
    list(Slot.objects.filter(hit__in=hits, assignment=None).order_by("pk").select_for_update().values_list("pk"))
    states = {hit.pk: _State(hit) for hit in hits}
    decided, asked = set[int](), defaultdict[int, int](int)
    items = HitItem.objects.filter(hit__in=states, control=None).order_by("position")
    for hit_id, pair, is_decided, n_asked in items.values_list("hit", "candidate", "is_decided", "asked"):
        states[hit_id].pairs.append(pair)
        decided.update([pair] if is_decided else [])
        asked[pair] = max(asked[pair], n_asked)
    slots = Slot.objects.filter(hit__in=hits).select_related("assignment").order_by("number")
    for slot in slots.only("hit", "number", "priority", "assignment__status"):
        state = states[slot.hit_id]
        state.last_number, state.priority = slot.number, slot.priority
        if slot.assignment is None:
            state.free.append(slot)
        elif slot.assignment.status != AssignmentStatus.SUBMITTED:
            state.n_leased += 1
    by_root: dict[int, list[_State]] = defaultdict(list)
    for state in states.values():
        if state.pairs:
            by_root[state.hit.first_id].append(state)
    return by_root, decided, asked


def read_votes(project: Project, roots: Sequence[int]) -> defaultdict[int, SkilledVotes]:
    """What counts on each pair, by label, each vote as the skill of its annotator; even odds without a control."""
    skills: dict[int, float] = {}
    if project.confidence is not None:
        graded = AnnotatorState.objects.filter(project=project, n_graded__gt=0).values_list(
            "user", "n_graded", "n_failed"
        )
        skills = {user: annotator_skill(n - n_failed, n) for user, n, n_failed in graded}
    votes: defaultdict[int, SkilledVotes] = defaultdict(lambda: defaultdict(list))
    counted = counted_judgments(project=project).filter(assignment__root__in=roots).order_by()
    for pair, label, annotator in counted.values_list("candidate", "label", "annotator"):
        votes[pair][label].append(skills.get(annotator, EVEN))
    return votes


def settle_if_full(*, project: Project, hit_id: int, root_id: int) -> None:
    """Called in the transaction that has just submitted on the HIT: settle it where that filled its last slot."""
    lock_hits([root_id])
    if not Slot.objects.filter(IS_AHEAD, hit=hit_id).exists():
        settle(project=project, roots=[root_id])


def take_slot(*, project: Project, annotator: User) -> Slot | None:
    """The first free slot of a root that this annotator never had, locked; None without one.

    The order is that of the index `slot_free`: higher priority, lower number, older HIT. The search begins behind the
    slot that the annotator submitted last, so it does not walk over all that they had before; raised priorities come
    first, and what fell free behind them comes at the end.
    """
    had = Assignment.objects.filter(root=OuterRef("root"), annotator=annotator)
    free = Slot.objects.filter(~Exists(had), project=project, assignment=None)
    free = free.order_by("-priority", "number", "hit").select_for_update(skip_locked=True, of=("self",))
    for part in _search_order(project, annotator):
        if (found := free.filter(part)[:1].first()) is not None:
            return found
    return None


def _search_order(project: Project, annotator: User) -> list[Q]:
    done = Assignment.objects.filter(annotator=annotator, project=project, status__in=DONE, slot__isnull=False)
    last = done.order_by("-submitted_at").values_list("slot__priority", "slot__number", "hit").first()
    if last is None:
        return [Q()]
    priority, number, hit = last
    return [
        Q(priority__gt=priority),
        Q(priority=priority, number=number, hit__gt=hit),
        Q(priority=priority, number__gt=number),
        Q(),
    ]


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
