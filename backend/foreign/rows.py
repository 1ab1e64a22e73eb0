"""Foreign judgments whose pairs are known become rows: assignments on slots of their own, some HITs a transaction.

A file that is stopped half-way keeps what its batches stored; read again it goes on with what is missing, for what is
there is looked up behind the locks of each batch.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from backend.annotation.allocation import settle
from backend.annotation.locks import lock_annotator_states, lock_hits
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Judgment, Slot
from backend.annotation.selectors import unnamed_voters
from backend.methods.assignment import order_seed
from backend.methods.foreign.labels import alike
from backend.methods.foreign.told import Why
from backend.methods.foreign.unnamed import MOST_VOTES, TOO_MANY
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.services import lock_project

ROWS = 2000  # judgments a transaction, and what a statement names at most; a HIT is not divided
SHOWN = 80  # characters of a name
OTHER_VOTES = Why("row_other_votes", "Other votes for this pair were imported before. Connote kept them.")
HitAndUser = tuple[int, int]  # (HIT, user)


class Voter(NamedTuple):
    """The person as the file names them; `is_unnamed` if a vote without a name was given to them."""

    name: str
    is_unnamed: bool


class FoundJudgment(NamedTuple):
    """A judgment whose pair is known."""

    where: str
    voter: Voter
    label: str
    hit_id: int
    candidate_id: int


class StoredBatch(NamedTuple):
    """How many of a batch are new, how many were there, and those refused with the reason."""

    n_new: int
    n_there: int
    refused: list[tuple[FoundJudgment, Why]]


def store_found(*, project: Project, found: Sequence[FoundJudgment]) -> Iterator[StoredBatch]:
    """Store them, a batch of HITs after the other, each in a transaction of its own."""
    users = _users(project, {each.voter for each in found})
    batch: list[FoundJudgment] = []
    for each in sorted(found, key=lambda each: each.hit_id):
        if len(batch) >= ROWS and batch[-1].hit_id != each.hit_id:
            yield _store(project, users, batch)
            batch = []
        batch.append(each)
    if batch:
        yield _store(project, users, batch)


@transaction.atomic
def _store(project: Project, users: Mapping[Voter, int], batch: Sequence[FoundJudgment]) -> StoredBatch:
    """Lock the project, the annotator states and the HITs, in the common order, and store one batch."""
    lock_project(project)
    states = _lock_states(project, {users[each.voter]: each.voter.is_unnamed for each in batch})
    lock_hits(sorted({each.hit_id for each in batch}))
    votes_before, labels_before, n_judged = _said_before(project, batch)
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for each in batch:
        if each.voter.is_unnamed:
            votes[each.candidate_id][each.label] += 1
        else:  # with those that are new
            n_judged[each.candidate_id] += (users[each.voter], each.candidate_id) not in labels_before
    assignments: dict[HitAndUser, list[FoundJudgment]] = defaultdict(list)
    n_there, refused = 0, list[tuple[FoundJudgment, Why]]()
    for each in batch:
        user, pair = users[each.voter], each.candidate_id
        if each.voter.is_unnamed and pair in votes_before:
            is_there = votes_before[pair] == votes[pair]
            n_there += is_there
            refused += [] if is_there else [(each, OTHER_VOTES)]  # nobody knows which of the votes changed
        elif (label := labels_before.get((user, pair))) == each.label:
            n_there += 1
        elif label:
            why = Why("row_said_otherwise", f"It was imported before as {label}. Connote kept that answer.")
            refused.append((each, why))
        elif not each.voter.is_unnamed and n_judged[pair] > MOST_VOTES:  # every two of them are compared
            refused.append((each, TOO_MANY))
        else:
            assignments[each.hit_id, user].append(each)
    _store_assignments(project, states, assignments)
    settle(project=project, roots={hit for hit, _ in assignments}, anew=True)
    return StoredBatch(len(batch) - n_there - len(refused), n_there, refused)


def _said_before(
    project: Project, batch: Sequence[FoundJudgment]
) -> tuple[dict[int, Counter[str]], dict[tuple[int, int], str], Counter[int]]:
    """What was said before of the pairs of the batch: by pair the votes without names, by user and pair the first
    answer of everybody else, and by pair how many of these there are."""
    unnamed = set(unnamed_voters(project=project))
    said = Judgment.objects.filter(candidate__in={each.candidate_id for each in batch}, supersedes=None).order_by()
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    labels, n_judged = dict[tuple[int, int], str](), Counter[int]()
    for user, pair, label in said.values_list("annotator", "candidate", "label").iterator(chunk_size=ROWS):
        if user in unnamed:
            votes[pair][label] += 1
        else:
            labels[user, pair] = label
            n_judged[pair] += 1
    return votes, labels, n_judged


def _users(project: Project, voters: Collection[Voter]) -> dict[Voter, int]:
    """The user of each voter, who cannot sign in. A missing user is made."""
    names = {voter: _name(project, voter) for voter in sorted(voters)}
    there = User.objects.in_bulk(list(names.values()), field_name="username")
    new = {
        name: User(username=name, display_name=voter.name[:SHOWN], is_active=False, password=make_password(None))
        for voter, name in names.items()
        if name not in there
    }
    User.objects.bulk_create(new.values(), batch_size=ROWS, ignore_conflicts=True)
    there |= User.objects.in_bulk(list(new), field_name="username") if new else {}
    return {voter: there[name].pk for voter, name in names.items()}


def _lock_states(project: Project, users: Mapping[int, bool]) -> dict[int, AnnotatorState]:
    """Make and lock the annotator states of these users. `users` says for each whether they are unnamed."""
    new = [
        AnnotatorState(project=project, user_id=user, is_unnamed=users[user], is_foreign=True) for user in sorted(users)
    ]  # fmt: skip
    AnnotatorState.objects.bulk_create(new, ignore_conflicts=True, batch_size=ROWS)
    return {state.user_id: state for state in lock_annotator_states(project, users)}


def _store_assignments(
    project: Project, states: Mapping[int, AnnotatorState], said: Mapping[HitAndUser, Sequence[FoundJudgment]]
) -> None:
    """What each person said of each HIT, added to their assignment at it."""
    hits, users = ({key[part] for key in said} for part in (0, 1))
    before = Assignment.objects.filter(root__in=hits, annotator__in=users).order_by()
    there = {(assignment.hit_id, assignment.annotator_id): assignment for assignment in before}
    new, judgments, now = dict[HitAndUser, Assignment](), list[Judgment](), timezone.now()
    for (hit, user), judged in said.items():
        assignment = there.get((hit, user))
        if assignment is None:
            assignment = new[hit, user] = Assignment(
                project=project, hit_id=hit, root_id=hit, annotator_id=user, status=AssignmentStatus.SUBMITTED,
                seed=order_seed("foreign", project.slug, hit, _name(project, judged[0].voter)), shown=[],
                leased_at=now, expires_at=now, submitted_at=now,
            )  # fmt: skip
        judgments += [
            Judgment(
                assignment=assignment, candidate_id=each.candidate_id, annotator_id=user, label=each.label,
                position=position,
            )
            for position, each in enumerate(judged, start=len(assignment.shown) + 1)
        ]  # fmt: skip
        assignment.shown = [*assignment.shown, *(each.candidate_id for each in judged)]
        states[user].n_submitted += (hit, user) in new
        states[user].n_judgments += len(judged)
    Assignment.objects.bulk_update([there[key] for key in said if key in there], ["shown"], batch_size=ROWS)
    Assignment.objects.bulk_create(new.values(), batch_size=ROWS)
    Slot.objects.bulk_create(_slots(project, new), batch_size=ROWS)
    Judgment.objects.bulk_create(judgments, batch_size=ROWS)
    counted = [states[user] for user in sorted(users)]
    AnnotatorState.objects.bulk_update(counted, ["n_submitted", "n_judgments"], batch_size=ROWS)


def _slots(project: Project, new: Mapping[HitAndUser, Assignment]) -> list[Slot]:
    """A slot for each new assignment, beside those that the HIT has."""
    slots = Slot.objects.filter(hit__in={hit for hit, _ in new}).order_by().values("hit")
    last = Counter(dict(slots.annotate(last=Max("number")).values_list("hit", "last")))
    made = []
    for (hit, _), assignment in new.items():
        last[hit] += 1
        made.append(Slot(project=project, hit_id=hit, root_id=hit, number=last[hit], assignment=assignment))
    return made


def _name(project: Project, voter: Voter) -> str:
    """The username of the voter: one in this project, another in the next, the same for all spellings of a name."""
    told = "\n".join((project.slug, alike(voter.name)))
    kind = "unnamed" if voter.is_unnamed else "foreign"
    return f"{kind}-{hashlib.sha256(told.encode()).hexdigest()[:20]}"
