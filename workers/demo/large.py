"""A large project without a run: months of work in two minutes, by statements that write many rows at once.

It is for measuring and for looking at full pages. Equal sizes and seeds give equal rows, but for ids, and for days:
the work ends today. Everything is written in one transaction: a seeding that is killed leaves no row.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Any
from uuid import UUID

import numpy as np
from django.contrib.auth.hashers import make_password
from django.core.validators import validate_slug
from django.db import connection, transaction
from django.db.models import JSONField, Model
from django.utils import timezone
from numpy.typing import NDArray
from PIL import Image as Picture

from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Hit, HitItem, Judgment, Lens, Slot
from backend.candidates.models import HUMAN, OTHER_IMAGE, Candidate, CandidateStatus, candidate_key
from backend.catalogue.models import Image
from backend.catalogue.storage import keep_file, original_name, thumbnail_name
from backend.common.errors import Conflict, InvalidInput
from backend.common.labels import Label
from backend.feedback.models import FeedbackTemplate, Remark, RemarkAnswer, RemarkItem, RemarkReply
from backend.people.models import RightsAction, RightsRecord, User
from backend.projects.models import Membership, Project, Role
from backend.projects.services import create_project
from backend.qualification.models import Control, ControlOrigin
from backend.review.models import Verdict

PER_HIT, OVERLAP, HEADS, PICTURES = 10, 5, 2, 12
HITS_PER_CONTROL = 5  # so one item of 51 is a control
DECIDED, REVISED, HARD = 0.03, 0.004, 0.15  # shares of pairs, of answers, of pairs
EDITED, COMMENTED, GENERIC, LENS, IDLE = 0.05, 0.02, 0.02, 0.3, 0.004  # shares of answers
MOST_REMARKS, MOST_ENTRIES = 600, 500
MOST_JUDGMENTS = 20_000_000
LABELS = (Label.GOOD, Label.BAD, Label.UNSURE)
LENSES = tuple(Lens.values)
SOURCES = (HUMAN, "web", OTHER_IMAGE, "corpus")
COLOURS = ("red", "blue", "green", "white", "black", "yellow", "brown", "grey")
THINGS = ("boat", "dog", "lamp", "door", "horse", "bench", "bicycle", "kite", "tower", "cup", "bird", "train")
DEEDS = ("stands", "waits", "rests", "shines", "leans", "sleeps", "turns", "drifts")
PLACES = (
    "near the old pier.", "under a bridge.", "at the end of the street.", "in the morning fog.", "beside a wall.",
    "on a quiet beach.", "in front of the station.", "by an open window.", "between two trees.", "after the rain.",
)  # fmt: skip
COMMENTS = (
    "The colour is hard to see.",
    "Is this meant as a metaphor?",
    "The caption names another place.",
    "Too dark.",
)
REMARKS = ("Look at the background, too.", "A figurative caption can be good.", "Count again, please.", "Well seen.")
REPLIES = ("Thank you, I see it now.", "I think that the caption is figurative.")
REASONS = ("wrong object", "wrong count", "figurative", "too general")
N_TEXTS = len(COLOURS) * len(THINGS) * len(DEEDS) * len(PLACES)
STRIDE = 601  # prime, so that an image gets no text twice
DAY_MS = 86_400_000
AT_ONCE = 10_000  # rows of a statement on SQLite
Numbers = NDArray[Any]
Say = Callable[[str], object]


class NotEmpty(Conflict):
    """This database holds other projects. Name the new project with --project-slug."""

    code = "not_empty"


class SlugTaken(Conflict):
    """There is a project with this slug. Choose another --project-slug."""

    code = "slug_taken"


@dataclass(frozen=True)
class Size:
    """How large the project is. Raises InvalidInput for sizes that cannot be."""

    judgments: int = 1_000_000
    images: int = 5_000
    annotators: int = 50
    days: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        if not (1 <= self.judgments <= MOST_JUDGMENTS and 1 <= self.images <= self.judgments and self.days >= 1):
            raise InvalidInput(
                "Ask for at least 1 image and 1 day, and for 1 to {most} answers, at least 1 for each image.",
                code="unfit_size",
                params={"most": MOST_JUDGMENTS},
            )
        if self.annotators < 2:
            raise InvalidInput("Ask for at least 2 annotators.", code="unfit_size")
        if self.n_captions * self.n_parts > N_TEXTS:
            raise InvalidInput("Ask for more images: one image would get too many captions.", code="unfit_size")

    @property
    def overlap(self) -> int:
        return min(OVERLAP, self.annotators)

    @property
    def n_captions(self) -> int:
        return min(PER_HIT, -(-self.judgments // (self.overlap * self.images)))

    @property
    def n_hits(self) -> int:
        return -(-self.judgments // (self.overlap * self.n_captions))

    @property
    def n_parts(self) -> int:
        return -(-self.n_hits // self.images)


@dataclass(frozen=True)
class People:
    curator: User
    heads: list[int]
    annotators: list[int]


def write_rows(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of these columns; columns that are not named get the default of their field. JSON is given as text.

    By COPY on PostgreSQL, else by an insert for each row.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields}
    rest = {
        name: json.dumps(field.get_default()) if isinstance(field, JSONField) else field.get_default()
        for name, field in fields.items()
        if name not in names and not field.primary_key and not (field.has_db_default() and not field.has_default())
    }
    ready = [fields[name] for name in (*names, *rest)]
    columns = ", ".join(connection.ops.quote_name(field.column or "") for field in ready)
    table, values = connection.ops.quote_name(model._meta.db_table), tuple(rest.values())
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row((*row, *values))
            return
        statement = f"INSERT INTO {table} ({columns}) VALUES ({', '.join(['%s'] * len(ready))})"  # noqa: S608  # own names
        todo = iter(rows)
        while some := list(islice(todo, AT_ONCE)):
            told = ((*row, *values) for row in some)
            cursor.executemany(statement, [list(map(_as_stored, ready, row)) for row in told])


def _as_stored(field: Any, value: Any) -> Any:
    return value if isinstance(field, JSONField) else field.get_db_prep_save(value, connection)


@transaction.atomic
def seed_large(*, size: Size, slug: str = "", password: str = "", say: Say = lambda text: None) -> Project:
    """Make the project with all of its work; `password` is that of its curator and heads, none without.

    Raises NotEmpty where no slug is named and there are other projects, and SlugTaken.
    """
    if not slug and Project.objects.exists():
        raise NotEmpty()
    slug = slug or "large"
    validate_slug(slug)
    if Project.objects.filter(slug=slug).exists():
        raise SlugTaken()
    dice = np.random.default_rng(size.seed)
    people = _make_people(slug, size, password)
    project = create_project(
        created_by=people.curator, name=f"Large project {slug}"[:120], slug=slug, overlap=size.overlap,
        captions_per_hit=PER_HIT, guidelines="Answer good if the caption fits the image.",
    )  # fmt: skip
    _make_members(project, people)
    work = _Work(project, people, size, dice, _first_day(size))
    for name, step in work.steps.items():
        say(name)
        step()
    return project


def _first_day(size: Size) -> datetime:
    return timezone.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=size.days)


def _make_people(slug: str, size: Size, password: str) -> People:
    known, nobody = make_password(password or None), make_password(None)
    heads = [f"{slug}-head-{n}" for n in range(1, HEADS + 1)]
    names = [f"{slug}-annotator-{n:03}" for n in range(1, size.annotators + 1)]
    taken = User.objects.filter(username__in=[f"{slug}-curator", *heads, *names]).values_list("username", flat=True)
    if taken:
        raise Conflict(
            "There is an account with the name {name}. Choose another --project-slug.",
            code="names_taken",
            params={"name": taken[0]},
        )
    curator = User.objects.create(username=f"{slug}-curator", password=known, is_staff=True)
    rows = [User(username=name, password=known) for name in heads] + [User(username=n, password=nobody) for n in names]
    made = [user.pk for user in User.objects.bulk_create(rows)]
    return People(curator, made[:HEADS], made[HEADS:])


def _make_members(project: Project, people: People) -> None:
    roles = {Role.HEAD_ANNOTATOR: people.heads, Role.ANNOTATOR: people.annotators}
    Membership.objects.bulk_create(
        Membership(project=project, user_id=user, role=role) for role, users in roles.items() for user in users
    )


def _text(place: int) -> tuple[str, str, str]:
    """One of the N_TEXTS captions, its colour and its thing."""
    place, colour = divmod(place, len(COLOURS))
    place, thing = divmod(place, len(THINGS))
    where, deed = divmod(place, len(DEEDS))
    return (
        f"A {COLOURS[colour]} {THINGS[thing]} {DEEDS[deed]} {PLACES[where % len(PLACES)]}",
        COLOURS[colour],
        THINGS[thing],
    )


class _Work:
    """The rows of the project, table by table, from arrays that were drawn before."""

    def __init__(self, project: Project, people: People, size: Size, dice: np.random.Generator, began: datetime):
        self.project, self.people, self.size, self.dice, self.began = project, people, size, dice, began
        n_hits, n_items = size.n_hits, size.n_captions
        self.truth = dice.choice(3, size=(n_hits, n_items), p=[0.6, 0.35, 0.05])
        self.is_hard = dice.random((n_hits, n_items)) < HARD
        self.is_decided = dice.random((n_hits, n_items)) < DECIDED
        self.has_control = np.arange(n_hits) % HITS_PER_CONTROL == 0

    @cached_property
    def steps(self) -> dict[str, Callable[[], None]]:
        return {
            "images": self.write_images,
            "captions": self.write_captions,
            "test questions": self.write_controls,
            "tasks": self.write_hits,
            "assignments": self.write_assignments,
            "answers": self.write_judgments,
            "changed answers": self.write_revisions,
            "decisions": self.write_verdicts,
            "feedback": self.write_remarks,
            "counters of annotators": self.write_states,
            "history": self.write_history,
        }

    def write_images(self) -> None:
        """Many images share a few pictures, so that pages show something and the disk stays empty."""
        files = [_keep_picture(n) for n in range(PICTURES)]
        self.digests = [
            hashlib.sha256(f"{self.project.slug}/{n}".encode()).hexdigest() for n in range(self.size.images)
        ]
        names = ("project_id", "digest", "key", "perceptual_hash", "width", "height", "format", "n_bytes", "original",
                 "small", "large", "licence", "created_at")  # fmt: skip
        write_rows(
            Image, names,
            ((self.project.pk, digest, f"photo-{n:06}.webp", digest[:16], 640, 480, "WEBP", files[n % PICTURES][3],
              *files[n % PICTURES][:3], "CC0-1.0", self.began) for n, digest in enumerate(self.digests)),
        )  # fmt: skip
        self.images = _ids(Image, self.project)

    def write_captions(self) -> None:
        """A row of `pairs` for each HIT: HIT h shows a share of the captions of image h % images."""
        size = self.size
        offsets = self.dice.integers(N_TEXTS, size=size.images)
        at = np.arange(size.n_hits)
        within = (at // size.images)[:, None] * size.n_captions + np.arange(size.n_captions)[None, :]
        self.places = (offsets[at % size.images][:, None] + within * STRIDE) % N_TEXTS
        self._write_candidates(
            (hit % size.images, place, SOURCES[(hit + n) % len(SOURCES)], "")
            for hit, row in enumerate(self.places.tolist())
            for n, place in enumerate(row)
        )
        self.pairs = np.array(_ids(Candidate, self.project)).reshape(size.n_hits, size.n_captions)

    def _write_candidates(self, rows: Iterable[tuple[int, int, str, str]]) -> None:
        names = ("project_id", "image_id", "key", "raw_text", "text", "source", "source_ref", "status", "created_at")
        texts = [_text(place)[0] for place in range(N_TEXTS)]

        def told() -> Iterator[tuple[Any, ...]]:
            for image, place, source, ref in rows:
                text = texts[place]
                key = candidate_key(digest=self.digests[image], source=source + ref, raw_text=text)
                yield (self.project.pk, self.images[image], key, text, text, source, ref, CandidateStatus.KEPT.value,
                       self.began)  # fmt: skip

        write_rows(Candidate, names, told())

    def write_controls(self) -> None:
        """One caption of another image for each HIT that has a control; nearly all are bad."""
        hits = np.flatnonzero(self.has_control)
        last = int(self.pairs.max())
        n_images = self.size.images
        places = self.dice.integers(N_TEXTS, size=len(hits)).tolist()
        self._write_candidates(
            (int(hit) % n_images, place, OTHER_IMAGE, f"control-{hit}") for hit, place in zip(hits, places, strict=True)
        )
        made = Candidate.objects.filter(project=self.project, pk__gt=last).order_by("pk").values_list("pk", flat=True)
        pairs = list(made)
        self.control_truth = (self.dice.random(len(hits)) < 0.9).astype(int)  # 1 is bad
        names = ("project_id", "candidate_id", "accepted", "origin", "created_by_id", "created_at")
        write_rows(
            Control, names,
            ((self.project.pk, pair, json.dumps([LABELS[truth]]), ControlOrigin.PERSON.value, self.people.curator.pk,
              self.began) for pair, truth in zip(pairs, self.control_truth.tolist(), strict=True)),
        )  # fmt: skip
        controls = _ids(Control, self.project)
        self.controls = dict(
            zip(hits.tolist(), zip(pairs, controls, self.control_truth.tolist(), strict=True), strict=True)
        )

    def write_hits(self) -> None:
        n_images = self.size.images
        write_rows(
            Hit, ("project_id", "image_id", "part", "created_at"),
            ((self.project.pk, self.images[hit % n_images], hit // n_images, self.began)
             for hit in range(self.size.n_hits)),
        )  # fmt: skip
        self.hits = _ids(Hit, self.project)

        def items() -> Iterator[tuple[Any, ...]]:
            decided = self.is_decided.tolist()
            for at, (hit, pairs) in enumerate(zip(self.hits, self.pairs.tolist(), strict=True)):
                for position, pair in enumerate(pairs, start=1):
                    yield hit, pair, position, None, decided[at][position - 1]
                if at in self.controls:
                    yield hit, self.controls[at][0], len(pairs) + 1, self.controls[at][1], False

        write_rows(HitItem, ("hit_id", "candidate_id", "position", "control_id", "is_decided"), items())

    def write_assignments(self) -> None:
        """Who had which HIT, in the order of submitting. An annotator works on each day for an hour or two."""
        size, dice = self.size, self.dice
        n_people = size.annotators
        chosen = dice.random((size.n_hits, n_people)).argpartition(size.overlap - 1, axis=1)[:, : size.overlap]
        hit, who = np.repeat(np.arange(size.n_hits), size.overlap), chosen.ravel()
        n_items = size.n_captions + 1  # the last one is the control, where the HIT has one
        pace = dice.uniform(3_000, 9_000, size=n_people)
        pace[self._hasty] = 600
        ms = dice.lognormal(0, 0.5, size=(len(hit), n_items)) * pace[who][:, None]
        ms += (dice.random(ms.shape) < IDLE) * dice.uniform(60_000, 600_000, size=ms.shape)
        ms[~self.has_control[hit], -1] = 0
        order = dice.random(ms.shape)
        order[~self.has_control[hit], -1] = 2
        took = ms.sum(axis=1)
        ends = np.empty(len(hit))
        for person in range(n_people):
            mine = np.flatnonzero(who == person)
            day = np.arange(len(mine)) // max(1, -(-len(mine) // size.days))
            spent = took[mine] + 4_000
            for each in np.unique(day):
                at = day == each
                # Whoever would work for longer than the day works faster: no answer is of tomorrow.
                lasts = spent[at].cumsum()
                lasts *= min(1, 0.6 * DAY_MS / lasts[-1])
                ends[mine[at]] = each * DAY_MS + (7 + person % 3) * 3_600_000 + lasts
        by_time = np.argsort(ends, kind="stable")
        self.hit, self.who, self.ms = hit[by_time], who[by_time], ms[by_time]
        self.shown = order[by_time].argsort(axis=1)
        self.ends = [self.began + timedelta(milliseconds=float(each)) for each in ends[by_time]]
        self.names = [_uuid(f"{self.project.slug}/{size.seed}/{n}") for n in range(len(self.ends))]
        numbers = np.empty(len(hit), dtype=int)
        seen: dict[int, int] = {}
        for at, each in enumerate(self.hit.tolist()):
            numbers[at] = seen[each] = seen.get(each, 0) + 1
        names = ("id", "project_id", "hit_id", "root_id", "annotator_id", "status", "seed", "shown", "options",
                 "leased_at", "expires_at", "submitted_at", "idempotency_key", "created_at")  # fmt: skip
        options = json.dumps(LABELS)
        seeds = dice.integers(2**31, size=len(hit)).tolist()

        def rows() -> Iterator[tuple[Any, ...]]:
            begins = (
                end - timedelta(milliseconds=float(each)) for end, each in zip(self.ends, took[by_time], strict=True)
            )
            for at, (name, begun, end) in enumerate(zip(self.names, begins, self.ends, strict=True)):
                hit, person = self.hits[self.hit[at]], self.people.annotators[self.who[at]]
                yield (name, self.project.pk, hit, hit, person, AssignmentStatus.SUBMITTED.value, seeds[at],
                       json.dumps(self._shown_pairs(at)), options, begun, begun + timedelta(minutes=30), end,
                       name.hex, begun)  # fmt: skip

        write_rows(Assignment, names, rows())
        write_rows(
            Slot, ("project_id", "hit_id", "root_id", "number", "assignment_id"),
            ((self.project.pk, self.hits[hit], self.hits[hit], number, name)
             for hit, number, name in zip(self.hit.tolist(), numbers.tolist(), self.names, strict=True)),
        )  # fmt: skip

    @property
    def _hasty(self) -> list[int]:
        """Two of many annotators do not look: one answers good always, one anything, both fast."""
        return [self.size.annotators - 1, self.size.annotators - 2] if self.size.annotators >= 10 else []

    def _shown_pairs(self, at: int) -> list[int]:
        hit = int(self.hit[at])
        pairs = self.pairs[hit].tolist()
        if hit in self.controls:
            pairs.append(self.controls[hit][0])
        return [pairs[place] for place in self.shown[at].tolist() if place < len(pairs)]

    def write_judgments(self) -> None:
        size, dice = self.size, self.dice
        shape = self.ms.shape
        truth = np.zeros(shape, dtype=int)
        truth[:, :-1] = self.truth[self.hit]
        of_hit = np.zeros(size.n_hits, dtype=int)
        of_hit[self.has_control] = self.control_truth
        truth[:, -1] = of_hit[self.hit]
        skill = dice.uniform(0.72, 0.97, size=size.annotators)
        right = np.repeat(skill[self.who][:, None], shape[1], axis=1)
        right[:, :-1] *= np.where(self.is_hard[self.hit], 0.7, 1)
        said = np.where(dice.random(shape) < right, truth, dice.choice(3, size=shape, p=[0.45, 0.45, 0.1]))
        if self._hasty:
            always_good, anything = (self.who == person for person in self._hasty)
            said[always_good] = 0
            said[anything] = dice.choice(3, size=(int(anything.sum()), shape[1]))
        self.said, self.told_truth = said, truth
        events = dice.random((4, *shape))
        self.is_known_wrong = (said != truth)[:, :-1]
        names = ("assignment_id", "candidate_id", "annotator_id", "control_id", "outcome", "label", "position", "edits",
                 "lens", "comment", "is_generic", "ms", "created_at")  # fmt: skip
        write_rows(Judgment, names, self._judgments(events))

    def _judgments(self, events: Numbers) -> Iterator[tuple[Any, ...]]:
        """One row for each answer, page by page in the order in which the person saw them."""
        n_items = self.size.n_captions
        for at, (name, end) in enumerate(zip(self.names, self.ends, strict=True)):
            hit, person = int(self.hit[at]), self.people.annotators[self.who[at]]
            said, ms, pairs = self.said[at].tolist(), self.ms[at].tolist(), self.pairs[hit].tolist()
            edited, commented, generic, lens = events[:, at].tolist()
            control = self.controls.get(hit)
            position = 0
            for place in self.shown[at].tolist():
                if place == n_items and control is None:
                    continue
                position += 1
                label = LABELS[said[place]].value
                if place == n_items and control is not None:
                    outcome = "unsure" if said[place] == 2 else "passed" if said[place] == control[2] else "failed"
                    yield (name, control[0], person, control[1], outcome, label, position, "[]", "", "", False,
                           int(ms[place]), end)  # fmt: skip
                    continue
                edits = self._edit(hit, place, edited[place]) if edited[place] < EDITED and said[place] == 0 else "[]"
                said_lens = (
                    LENSES[int(lens[place] / LENS * len(LENSES))] if lens[place] < LENS and not said[place] else ""
                )
                comment = COMMENTS[int(commented[place] * 1e6) % len(COMMENTS)] if commented[place] < COMMENTED else ""
                yield (name, pairs[place], person, None, "", label, position, edits, said_lens, comment,
                       generic[place] < GENERIC, int(ms[place]), end)  # fmt: skip

    def _edit(self, hit: int, place: int, draw: float) -> str:
        text, colour, thing = _text(int(self.places[hit, place]))
        kind, before, others = ("color", colour, COLOURS) if draw < EDITED / 2 else ("object_name", thing, THINGS)
        after = others[(others.index(before) + 1) % len(others)]
        start = text.index(before)
        edit = {"start": start, "end": start + len(before), "kind": kind, "before": before, "after": after}
        return json.dumps([edit])

    def _draw_answers(self, share: float, among: Numbers, most: int) -> list[tuple[int, int, int]]:
        """(assignment, place, id) of some answers to pairs, drawn among those that are marked."""
        where = np.argwhere(among)
        n = min(most, int(len(where) * share)) or min(1, len(where))
        drawn = where[self.dice.choice(len(where), size=n, replace=False)].tolist() if n else []
        pairs = {at: (self.names[at], self.pairs[self.hit[at]].tolist()) for at, _ in drawn}
        ids: dict[tuple[UUID, int], int] = {}
        names = [name for name, _ in pairs.values()]
        for first in range(0, len(names), 500):
            found = Judgment.objects.filter(assignment__in=names[first : first + 500], supersedes=None)
            ids |= {(name, pair): pk for name, pair, pk in found.values_list("assignment", "candidate", "pk")}
        return [(at, place, ids[pairs[at][0], pairs[at][1][place]]) for at, place in drawn]

    def write_revisions(self) -> None:
        """Some people see their mistake and answer again."""
        drawn = self._draw_answers(REVISED, np.ones_like(self.is_known_wrong), self.size.judgments)
        self.n_revised = np.bincount([self.who[at] for at, _, _ in drawn], minlength=self.size.annotators)
        names = ("assignment_id", "candidate_id", "annotator_id", "label", "position", "ms", "supersedes_id",
                 "created_at")  # fmt: skip
        write_rows(
            Judgment, names,
            ((self.names[at], int(self.pairs[self.hit[at], place]), self.people.annotators[self.who[at]],
              LABELS[self.truth[self.hit[at], place]].value, int(self._position(at, place)), 2_000, judgment,
              self.ends[at] + timedelta(minutes=7)) for at, place, judgment in sorted(drawn)),
        )  # fmt: skip

    def _position(self, at: int, place: int) -> int:
        return self._shown_pairs(at).index(int(self.pairs[self.hit[at], place])) + 1

    def write_verdicts(self) -> None:
        """Heads decide in the order of the HITs, after the last answer to them."""
        last = dict(zip(self.hit.tolist(), self.ends, strict=True))

        def rows() -> Iterator[tuple[Any, ...]]:
            for n, (hit, place) in enumerate(np.argwhere(self.is_decided).tolist()):
                label = LABELS[self.truth[hit, place]].value
                head, reason = self.people.heads[n % HEADS], REASONS[n % len(REASONS)]
                yield int(self.pairs[hit, place]), label, reason, head, last[hit] + timedelta(hours=1)

        write_rows(Verdict, ("candidate_id", "label", "reason", "decided_by_id", "created_at"), rows())

    def write_remarks(self) -> None:
        """Feedback on wrong answers: some is not seen yet, some is acknowledged, and a quarter has a reply."""
        drawn = sorted(self._draw_answers(0.05, self.is_known_wrong, MOST_REMARKS))
        templates = list(FeedbackTemplate.objects.filter(project=self.project).values_list("pk", flat=True))

        def rows() -> Iterator[tuple[Any, ...]]:
            for n, (at, _, _) in enumerate(drawn):
                sent = self.ends[at] + timedelta(hours=2)
                is_seen, is_talk, is_read = n % 8 != 7, n % 4 == 0, n % 4 == 1
                answer = RemarkAnswer.TALK if is_talk else RemarkAnswer.ACKNOWLEDGE if is_read else ""
                yield (self.project.pk, self.people.annotators[self.who[at]], self.people.heads[n % HEADS],
                       REMARKS[n % len(REMARKS)], templates[n % len(templates)] if templates else None, str(answer),
                       self._after(sent, 3) if is_seen else None, self._after(sent, 4) if is_read else None,
                       self._after(sent, 5) if is_talk else None, not is_seen, is_talk, sent)  # fmt: skip

        names = ("project_id", "annotator_id", "written_by_id", "text", "template_id", "answer", "seen_at",
                 "acknowledged_at", "answered_at", "is_unread", "awaits_reply", "created_at")  # fmt: skip
        write_rows(Remark, names, rows())
        remarks = list(Remark.objects.filter(project=self.project).order_by("pk"))
        write_rows(
            RemarkItem, ("remark_id", "position", "judgment_id", "label"),
            ((each.pk, 1, judgment, LABELS[self.truth[self.hit[at], place]].value)
             for each, (at, place, judgment) in zip(remarks, drawn, strict=True)),
        )  # fmt: skip
        write_rows(
            RemarkReply, ("remark_id", "author_id", "text", "created_at"),
            ((each.pk, each.annotator_id, REPLIES[n % len(REPLIES)], each.answered_at)
             for n, each in enumerate(remarks) if each.answered_at),
        )  # fmt: skip

    def _after(self, moment: datetime, hours: int) -> datetime:
        return min(timezone.now(), moment + timedelta(hours=hours))

    def write_states(self) -> None:
        """The counters as submitting would have left them."""
        n_items = np.where(self.has_control[self.hit], self.size.n_captions + 1, self.size.n_captions)
        graded = self.has_control[self.hit] & (self.said[:, -1] != 2)
        failed = graded & (self.said[:, -1] != self.told_truth[:, -1])
        names = ("project_id", "user_id", "n_submitted", "n_judgments", "n_revised", "n_graded", "n_failed", "today",
                 "n_today", "ms_today", "created_at")  # fmt: skip

        def rows() -> Iterator[tuple[Any, ...]]:
            for person, user in enumerate(self.people.annotators):
                mine = np.flatnonzero(self.who == person)
                if not len(mine):
                    continue
                today = self.ends[mine[-1]].date()
                of_today = [at for at in mine.tolist() if self.ends[at].date() == today]
                yield (self.project.pk, user, len(mine), int(n_items[mine].sum()), int(self.n_revised[person]),
                       int(graded[mine].sum()), int(failed[mine].sum()), today, len(of_today),
                       int(self.ms[of_today].sum()), self.began)  # fmt: skip

        write_rows(AnnotatorState, names, rows())

    def write_history(self) -> None:
        """Changes of settings, spread over the days."""
        n = min(MOST_ENTRIES, self.size.judgments)
        step = timedelta(days=self.size.days) / n
        write_rows(
            RightsRecord, ("action", "project_id", "project_slug", "actor_id", "before", "after", "created_at"),
            ((RightsAction.SETTINGS_CHANGED.value, self.project.pk, self.project.slug, self.people.curator.pk,
              json.dumps({"lease_minutes": 30 + at % 7}), json.dumps({"lease_minutes": 30 + (at + 1) % 7}),
              self.began + step * at) for at in range(n)),
        )  # fmt: skip


def _uuid(name: str) -> UUID:
    return UUID(bytes=hashlib.sha256(name.encode()).digest()[:16], version=4)


def _ids(model: Any, project: Project) -> list[int]:
    return list(model.objects.filter(project=project).order_by("pk").values_list("pk", flat=True))


def _keep_picture(n: int) -> tuple[str, str, str, int]:
    """The names of a drawn picture and of its thumbnails, and its bytes."""
    across = np.linspace(0, 255, 640)[None, :, None] * np.array([(n % 3) / 2, (n % 4) / 3, (n % 5) / 4])
    down = np.linspace(0, 120, 480)[:, None, None]
    file = io.BytesIO()
    Picture.fromarray(((across + down) % 256).astype(np.uint8)).save(file, "WEBP")
    data = file.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    names = (original_name(digest, "WEBP"), thumbnail_name(digest, "small"), thumbnail_name(digest, "large"))
    for name in names:
        keep_file(name, data)
    return *names, len(data)
