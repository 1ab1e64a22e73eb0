"""Foreign judgments whose pairs are known become rows: assignments on slots of their own, some HITs a transaction.

A file that is stopped half-way keeps what its batches stored; read again it goes on with what is missing, for what is
there is looked up behind the locks of each batch.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone

from backend.annotation.allocation import settle
from backend.annotation.locks import lock_annotator_states, lock_hits
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Judgment, Slot
from backend.annotation.selectors import unnamed_voters
from backend.common.labels import Label
from backend.methods.assignment import order_seed
from backend.methods.foreign.labels import alike
from backend.methods.foreign.unnamed import MOST_VOTES
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.services import lock_project

ROWS = 2000  # judgments a transaction, and what a statement names at most; a HIT is not divided
SHOWN = 80  # characters of a name
HitAndUser = tuple[int, int]  # (HIT, user)


class Voter(NamedTuple):
    """Who said it, as the file names them; `is_unnamed` where a vote was dealt to them."""

    name: str
    is_unnamed: bool


class Found(NamedTuple):
    """A judgment whose pair is known."""

    where: str
    voter: Voter
    label: str
    hit_id: int
    candidate_id: int


class Stored(NamedTuple):
    """How many of a batch are new; of those that were there the label of before; the votes without names of pairs that
    have other such votes, of which none is taken; and the new ones of pairs that would have too many."""

    n_new: int
    there: list[tuple[Found, str]]
    other: list[Found]
    crowded: list[Found]


def store_found(*, project: Project, found: Sequence[Found]) -> Iterator[Stored]:
    """Store them, a batch of HITs after the other, each in a transaction of its own."""
    users = _users(project, {each.voter for each in found})
    for batch in _batches(found):
        yield _store(project, users, batch)


def _batches(found: Sequence[Found]) -> Iterator[list[Found]]:
    """Whole HITs, by id, until there are enough judgments."""
    batch: list[Found] = []
    for each in sorted(found, key=lambda each: each.hit_id):
        if len(batch) >= ROWS and batch[-1].hit_id != each.hit_id:
            yield batch
            batch = []
        batch.append(each)
    if batch:
        yield batch


@transaction.atomic
def _store(project: Project, users: Mapping[Voter, int], batch: Sequence[Found]) -> Stored:
    """Lock the project, the annotator states and the HITs, in the common order, and store one batch."""
    lock_project(project)
    _lock_states(project, {users[each.voter]: each.voter.is_unnamed for each in batch})
    hits = sorted({each.hit_id for each in batch})
    lock_hits(hits)
    voted = _voted_before(project, batch)
    again = [each for each in batch if each.voter.is_unnamed and each.candidate_id in voted]
    batch = [each for each in batch if not each.voter.is_unnamed or each.candidate_id not in voted]
    before, n_judged = _labels_before(project, batch, users)
    crowded = _crowded([each for each in batch if (users[each.voter], each.candidate_id) not in before], n_judged)
    assignments: dict[HitAndUser, list[Found]] = defaultdict(list)
    for each in batch:
        if (users[each.voter], each.candidate_id) not in before and each not in crowded:
            assignments[each.hit_id, users[each.voter]].append(each)
    _store_assignments(project, assignments)
    settle(project=project, roots={hit for hit, _ in assignments}, anew=True)
    there = [(each, before.get((users[each.voter], each.candidate_id), "")) for each in batch]
    there += [(each, each.label) for each in again if voted[each.candidate_id]]
    other = [each for each in again if not voted[each.candidate_id]]
    n_new = sum(map(len, assignments.values()))
    return Stored(n_new, [(each, label) for each, label in there if label], other, list(crowded))


def _crowded(new: Sequence[Found], n_judged: Mapping[int, int]) -> dict[Found, None]:
    """Those by people with names, in order, whose pairs would have too many judgments: every two of them are
    compared."""
    named = [each for each in new if not each.voter.is_unnamed]
    n_named = Counter(each.candidate_id for each in named)
    return {each: None for each in named if n_judged[each.candidate_id] + n_named[each.candidate_id] > MOST_VOTES}


def _voted_before(project: Project, batch: Sequence[Found]) -> dict[int, bool]:
    """Of the pairs that had votes without names before, whether these are the same, whoever they were dealt to: that
    hangs on what a file calls the pair. Of others nobody knows which of them changed, and both together would be votes
    that no file holds."""
    told: dict[int, Counter[str]] = defaultdict(Counter)
    for each in batch:
        if each.voter.is_unnamed:
            told[each.candidate_id][each.label] += 1
    there: dict[int, Counter[str]] = defaultdict(Counter)
    said = Judgment.objects.filter(candidate__in=told, annotator__in=unnamed_voters(project=project)).order_by()
    for pair, label in said.values_list("candidate", "label") if told else ():
        there[pair][label] += 1
    return {pair: votes == told[pair] for pair, votes in there.items()}


def _labels_before(
    project: Project, batch: Sequence[Found], users: Mapping[Voter, int]
) -> tuple[dict[tuple[int, int], str], Counter[int]]:
    """By user and pair the first word of those of the batch who judged a pair of it before, and by pair how many people
    did at all. Votes without names are nobody's."""
    theirs = {users[each.voter] for each in batch}
    said = Judgment.objects.filter(candidate__in={each.candidate_id for each in batch}, supersedes=None).order_by()
    said = said.exclude(annotator__in=unnamed_voters(project=project))
    labels, n_judged = dict[tuple[int, int], str](), Counter[int]()
    for user, pair, label in said.values_list("annotator", "candidate", "label").iterator(chunk_size=ROWS):
        n_judged[pair] += 1
        if user in theirs:
            labels[user, pair] = label
    return labels, n_judged


def _users(project: Project, voters: Collection[Voter]) -> dict[Voter, int]:
    """The user of each voter, who cannot sign in. A missing user is made.

    A name that an earlier file spells in another way (`Ann`, `ann`) gets the user of that file.
    """
    names = {_name(project, each): each for each in voters}
    known = _known_people(project)
    users: dict[Voter, int] = {}
    for part in _parts(sorted(names)):
        theirs = User.objects.filter(username__in=part).order_by().values_list("username", "pk")
        there = dict(theirs)
        for name in part:
            voter = names[name]
            if name not in there and not voter.is_unnamed and (person := known.get(alike(voter.name))):
                users[voter] = person
        new = [
            User(username=name, display_name=names[name].name[:SHOWN], is_active=False, password=make_password(None))
            for name in part
            if name not in there and names[name] not in users
        ]
        User.objects.bulk_create(new, ignore_conflicts=True)
        users |= {names[name]: pk for name, pk in (theirs.all() if new else there.items())}
    return users


def _known_people(project: Project) -> dict[str, int]:
    """Users that earlier files name, by the common form of all spellings; without names that were cut."""
    people = AnnotatorState.objects.filter(project=project, is_foreign=True, is_unnamed=False).order_by("-user_id")
    names = people.values_list("user__display_name", "user_id")
    return {alike(name): user for name, user in names if len(name) < SHOWN}


def _lock_states(project: Project, users: Mapping[int, bool]) -> None:
    """Make and lock the annotator states of these users. `users` says for each whether they are unnamed."""
    new = [
        AnnotatorState(project=project, user_id=user, is_unnamed=users[user], is_foreign=True) for user in sorted(users)
    ]  # fmt: skip
    AnnotatorState.objects.bulk_create(new, ignore_conflicts=True, batch_size=ROWS)
    lock_annotator_states(project, users)


def _store_assignments(project: Project, said: Mapping[HitAndUser, Sequence[Found]]) -> None:
    """What each person said of each HIT, added to their assignment at it."""
    there = _assignments_before(said)
    now = timezone.now()
    new = {key: _assignment(project, key, judged[0].voter, now) for key, judged in said.items() if key not in there}
    judgments = [each for key, judged in said.items() for each in _added(new.get(key) or there[key], judged)]
    Assignment.objects.bulk_update([there[key] for key in said if key in there], ["shown"], batch_size=ROWS)
    Assignment.objects.bulk_create(new.values(), batch_size=ROWS)
    Slot.objects.bulk_create(_slots(project, new), batch_size=ROWS)
    Judgment.objects.bulk_create(judgments, batch_size=ROWS)
    _count_work(project, new, judgments)


def _assignments_before(keys: Collection[HitAndUser]) -> dict[HitAndUser, Assignment]:
    hits, users = ({key[part] for key in keys} for part in (0, 1))
    assignments = Assignment.objects.filter(root__in=hits, annotator__in=users).order_by()
    return {(assignment.hit_id, assignment.annotator_id): assignment for assignment in assignments}


def _assignment(project: Project, key: HitAndUser, voter: Voter, now: datetime) -> Assignment:
    hit, user = key
    return Assignment(
        project=project, hit_id=hit, root_id=hit, annotator_id=user, status=AssignmentStatus.SUBMITTED, shown=[],
        seed=order_seed("foreign", project.slug, hit, _name(project, voter)),
        leased_at=now, expires_at=now, submitted_at=now,
    )  # fmt: skip


def _added(assignment: Assignment, judged: Sequence[Found]) -> list[Judgment]:
    """The judgments, behind those that the assignment holds already."""
    first = len(assignment.shown) + 1
    assignment.shown = [*assignment.shown, *(each.candidate_id for each in judged)]
    return [
        Judgment(
            assignment=assignment,
            candidate_id=each.candidate_id,
            annotator_id=assignment.annotator_id,
            label=Label(each.label),
            position=position,
        )
        for position, each in enumerate(judged, start=first)
    ]


def _slots(project: Project, new: Mapping[HitAndUser, Assignment]) -> list[Slot]:
    """A slot for each new assignment, beside those that the HIT has."""
    slots = Slot.objects.filter(hit__in={hit for hit, _ in new}).order_by().values("hit")
    last = Counter(dict(slots.annotate(last=Max("number")).values_list("hit", "last")))
    made = []
    for (hit, _), assignment in new.items():
        last[hit] += 1
        made.append(Slot(project=project, hit_id=hit, root_id=hit, number=last[hit], assignment=assignment))
    return made


def _count_work(project: Project, new: Collection[HitAndUser], judgments: Sequence[Judgment]) -> None:
    assignments, answers = Counter(user for _, user in new), Counter(judgment.annotator_id for judgment in judgments)
    by_counts = defaultdict[tuple[int, int], list[int]](list)
    for user, n in answers.items():
        by_counts[assignments[user], n].append(user)
    for (n_assignments, n), users in by_counts.items():
        more = {"n_submitted": F("n_submitted") + n_assignments, "n_judgments": F("n_judgments") + n}
        AnnotatorState.objects.filter(project=project, user__in=users).update(**more)


def _name(project: Project, voter: Voter) -> str:
    """The username of who stands for the voter: one in this project, another in the next."""
    told = "\n".join((project.slug, voter.name))
    kind = "unnamed" if voter.is_unnamed else "foreign"
    return f"{kind}-{hashlib.sha256(told.encode()).hexdigest()[:20]}"


def _parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[first : first + ROWS] for first in range(0, len(names), ROWS))
