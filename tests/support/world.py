"""Rows for a test, made in the database at once: images, captions, HITs, controls, people and their judgments.

`make_world(project, images=4, captions=3, controls=10)` makes a project to work in. The methods of `World` make one
row, or a few. All defaults are here: a test names only the fields that it is about.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from backend.annotation.models import AnnotatorState, Assignment, Hit, HitItem, Judgment, Slot
from backend.candidates.models import Candidate, candidate_key
from backend.catalogue.models import Image, Query
from backend.methods.quality import grade
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.qualification.models import Control

SIZES = {"width": 640, "height": 480, "n_bytes": 1, "format": "JPEG", "licence": "CC0-1.0", "perceptual_hash": "0" * 16}


def new_image(project: Project, key: str, **fields: Any) -> Image:
    """An image that is not saved. Its digest comes from the project and the key; it has no files."""
    digest = hashlib.sha256(f"{project.slug}/{key}".encode()).hexdigest()
    files = {"original": f"{key}.jpg", "small": f"{key}-s.webp", "large": f"{key}-l.webp"}
    return Image(project=project, key=key, **{"digest": digest, **SIZES, **files, **fields})


def new_caption(image: Image, text: str, /, **fields: Any) -> Candidate:
    """A kept caption that is not saved; a new one has no cleaned text, and a dropped one is too short."""
    status = fields.get("status", "kept")
    cleaned = {"text": "" if status == "new" else text, "drop_rule": "too_short" if status == "dropped" else ""}
    fields = {"raw_text": text, "source": "human", "status": status, **cleaned, **fields}
    key = candidate_key(digest=image.digest, source=fields["source"], raw_text=fields["raw_text"])
    return Candidate(project_id=image.project_id, image=image, **{"key": key, **fields})


@dataclass
class World:
    """A project, with its HITs, their pairs, and its controls in the order in which they were made here."""

    project: Project
    hits: list[Hit] = field(default_factory=list)
    pairs: list[Candidate] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)

    def person(self, name: str, role: str = Role.ANNOTATOR) -> User:
        return self.people(name, role=role)[0]

    def people(self, *names: str, role: str = Role.ANNOTATOR) -> list[User]:
        """New members of the project."""
        users = [User.objects.create_user(name, f"{name}@example.org", "correct horse battery") for name in names]
        Membership.objects.bulk_create(Membership(project=self.project, user=user, role=role) for user in users)
        return users

    def image(self, key: str, **fields: Any) -> Image:
        return self.images(key, **fields)[0]

    def images(self, *keys: str, **fields: Any) -> list[Image]:
        """Images by their keys, all with these fields."""
        rows = [new_image(self.project, key, **fields) for key in keys]
        return Image.objects.bulk_create(rows, batch_size=1000)

    def photos(self, n: int, **fields: Any) -> list[Image]:
        """Adds n images: photo-0.jpg, photo-1.jpg and so on."""
        first = self.project.images.count()
        return self.images(*(f"photo-{at}.jpg" for at in range(first, first + n)), **fields)

    def caption(self, image: Image, text: str, /, **fields: Any) -> Candidate:
        return self.captions(image, text, **fields)[0]

    def captions(self, image: Image, *texts: str, **fields: Any) -> list[Candidate]:
        """Captions of one image, all with these fields."""
        return Candidate.objects.bulk_create(new_caption(image, text, **fields) for text in texts)

    def query(self, text: str, images: Sequence[Image] = (), **fields: Any) -> tuple[Query, list[Candidate]]:
        """A query, and its pair with each of these images."""
        query = Query.objects.create(project=self.project, text=text, **fields)
        pairs = (new_caption(image, text, query=query, source="query") for image in images)
        return query, Candidate.objects.bulk_create(pairs)

    def hit(self, subject: Image | Query, pairs: Sequence[Candidate] = (), **fields: Any) -> Hit:
        """A HIT of these pairs, with as many places as the project's overlap."""
        return self.hits_of([(subject, pairs)], **fields)[0]

    def hits_of(self, content: Iterable[tuple[Image | Query, Sequence[Candidate]]], **fields: Any) -> list[Hit]:
        """One HIT for each subject, with its pairs and its places."""
        asked = [(subject, list(pairs)) for subject, pairs in content]
        hits = Hit.objects.bulk_create(
            Hit(project=self.project, **{"image" if isinstance(subject, Image) else "query": subject}, **fields)
            for subject, _ in asked
        )
        HitItem.objects.bulk_create(
            HitItem(hit=hit, candidate=pair, position=position)
            for hit, (_, pairs) in zip(hits, asked, strict=True)
            for position, pair in enumerate(pairs, start=1)
        )
        slots = [(hit, n) for hit in hits for n in range(1, self.project.overlap + 1)]
        Slot.objects.bulk_create(Slot(project=self.project, hit=hit, root=hit, number=n) for hit, n in slots)
        self.hits += hits
        self.pairs += [pair for _, pairs in asked for pair in pairs]
        return hits

    def add_hits(self, n_hits: int, n_items: int) -> list[Hit]:
        """Adds HITs: a new image with new captions in each."""
        images = self.photos(n_hits)
        texts = [f"caption {n}" for n in range(n_items)]
        made = Candidate.objects.bulk_create(new_caption(image, text) for image in images for text in texts)
        return self.hits_of((image, made[at * n_items : (at + 1) * n_items]) for at, image in enumerate(images))

    def control(self, pair: Candidate, *accepted: str, **fields: Any) -> Control:
        """A control of this pair, for which these labels are right, or good. Its items in HITs become controls."""
        made = Control.objects.create(
            project=self.project, candidate=pair, accepted=list(accepted or ("good",)), **fields
        )
        HitItem.objects.filter(candidate=pair).update(control=made)
        Judgment.objects.filter(candidate=pair).update(control=made)
        self.controls.append(made)
        return made

    def add_controls(self, n: int, *accepted: str) -> list[Control]:
        """Controls that all stand on one new image."""
        first = len(self.controls)
        image = self.image(f"control-{first}")
        pairs = self.captions(image, *(f"control {first + at}" for at in range(n)))
        return [self.control(pair, *accepted) for pair in pairs]

    def turn(self, person: User, hit: Hit | int, **fields: Any) -> Assignment:
        """The person's turn at a HIT (or at the HIT of this number here), leased for an hour. It takes no place."""
        now = timezone.now()
        times = {"leased_at": now, "expires_at": now + timedelta(hours=1)}
        given = {"seed": 1, "shown": [], **times, **fields}
        made = self._hit(hit)
        return Assignment.objects.create(
            project=self.project, hit=made, root_id=made.first_id, annotator=person, **given
        )

    def judge(
        self, person: User, hit: Hit | int, labels: Sequence[str | None], *, controls: Mapping[int, str] | None = None,
        status: str = "submitted", ms: Sequence[int | None] = (),
    ) -> Assignment:  # fmt: skip
        """A turn that is over, with `labels` of the HIT's pairs in their order, then of the controls by their number.

        None is no judgment. It takes no place, and the person's annotator state does not change: `submit` does both.
        """
        met = dict(controls or {})
        items = HitItem.objects.filter(hit=self._hit(hit), control=None).select_related("candidate")
        pairs = [item.candidate for item in items.order_by("position")]
        known = set(Judgment.objects.filter(annotator=person).values_list("candidate", flat=True))
        shown = pairs + [self.controls[number].candidate for number in met]
        control_at = {len(pairs) + n: self.controls[number] for n, number in enumerate(met, start=1)}
        assignment = self.turn(
            person, hit, status=status, shown=[pair.pk for pair in shown], options=["good", "bad", "unsure"],
            submitted_at=timezone.now(),
        )  # fmt: skip
        Judgment.objects.bulk_create(
            Judgment(
                assignment=assignment, candidate=pair, annotator=person, label=label, position=n,
                control=control_at.get(n),
                outcome=grade(label, control_at[n].accepted) if n in control_at and pair.pk not in known else "",
                ms=ms[n - 1] if n <= len(ms) else None,
            )
            for n, (pair, label) in enumerate(zip(shown, [*labels, *met.values()], strict=True), start=1) if label
        )  # fmt: skip
        return assignment

    def submit(self, person: User, hit: Hit | int, labels: Sequence[str | None], **more: Any) -> Assignment:
        """`judge`, and the turn takes a place, and its controls are graded."""
        assignment = self.judge(person, hit, labels, **more)
        if assignment.status == "submitted":
            places = Slot.objects.filter(hit=assignment.hit)
            free = places.filter(assignment=None).first()
            of_hit = {"hit": assignment.hit, "root_id": assignment.root_id, "number": 1 + places.count()}
            place = free or Slot(project=self.project, **of_hit)
            place.assignment = assignment
            place.save()
        annotator_state, _ = AnnotatorState.objects.get_or_create(project=self.project, user=person)
        for number, label in (more.get("controls") or {}).items():
            outcome = grade(label, self.controls[number].accepted)
            annotator_state.n_graded += outcome != "unsure"
            annotator_state.n_failed += outcome == "failed"
        annotator_state.save()
        self.count(assignment)
        return assignment

    def count(self, assignment: Assignment) -> None:
        """Add the assignment and its answers to the counters of its annotator."""
        state, _ = AnnotatorState.objects.get_or_create(project=self.project, user=assignment.annotator)
        state.n_submitted += 1
        state.n_judgments += assignment.judgments.count()
        state.save()

    def change_mind(self, judgment: Judgment, label: str, **fields: Any) -> Judgment:
        """A judgment that takes the place of this one."""
        names = ("assignment", "candidate", "annotator", "position", "control")
        same = {name: getattr(judgment, name) for name in names}
        mine = AnnotatorState.objects.filter(project=self.project, user=judgment.annotator)
        mine.update(n_revised=F("n_revised") + 1)
        return Judgment.objects.create(**{**same, "supersedes": judgment, "label": label, **fields})

    def _hit(self, hit: Hit | int) -> Hit:
        return self.hits[hit] if isinstance(hit, int) else hit


def make_world(project: Project, *, images: int = 0, captions: int = 3, controls: int = 0) -> World:
    """Adds HITs of new images with their captions, and controls that accept good."""
    world = World(project)
    world.add_hits(images, captions)
    if controls:
        world.add_controls(controls)
    return world
