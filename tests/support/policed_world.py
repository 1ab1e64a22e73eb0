"""A project whose people judged pairs and met hidden controls, written at once: what a quality policy looks at."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone

from backend.annotation.models import (
    Assignment,
    AssignmentStatus,
    Control,
    ControlMeeting,
    Hit,
    HitItem,
    Judgment,
    QualityPolicy,
    Slot,
    Standing,
)
from backend.annotation.quality.policies import create_policy
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.methods.quality import grade
from backend.people.models import User
from backend.projects.models import Membership, Project, Role

EXCLUDE = {"collector": "control_failures", "condition": {"threshold": 0.7, "min_n": 2}, "action": "exclude"}
SIZES = {"width": 640, "height": 480, "n_bytes": 1, "format": "JPEG", "licence": "CC0-1.0", "perceptual_hash": "0" * 16}


@dataclass
class World:
    """HITs with as many places as the project's overlap, their pairs, and hidden controls by their number."""

    project: Project
    hits: list[Hit] = field(default_factory=list)
    pairs: list[list[Candidate]] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)

    def candidate(self, image: Image, text: str) -> Candidate:
        key = hashlib.sha256(f"{image.digest} {text}".encode()).hexdigest()[:32]
        told = {"raw_text": text, "text": text, "source": "human", "status": "kept"}
        return Candidate.objects.create(project=self.project, image=image, key=key, **told)

    def image(self, name: str) -> Image:
        digest = hashlib.sha256(f"{self.project.slug} {name}".encode()).hexdigest()
        files = {"original": f"{name}.jpg", "small": f"{name}-s", "large": f"{name}-l"}
        return Image.objects.create(project=self.project, key=name, digest=digest, **SIZES, **files)

    def add_hits(self, n_hits: int, n_items: int) -> None:
        for at in range(len(self.hits), len(self.hits) + n_hits):
            image = self.image(f"photo-{at}")
            hit = Hit.objects.create(project=self.project, image=image)
            pairs = [self.candidate(image, f"caption {at} {n}") for n in range(n_items)]
            HitItem.objects.bulk_create(HitItem(hit=hit, candidate=one, position=n) for n, one in enumerate(pairs, 1))
            places = range(1, self.project.overlap + 1)
            Slot.objects.bulk_create(Slot(project=self.project, hit=hit, number=n) for n in places)
            self.hits.append(hit)
            self.pairs.append(pairs)

    def add_controls(self, n: int, accepted: str = "good") -> None:
        image = self.image(f"control-{len(self.controls)}")
        for at in range(n):
            pair = self.candidate(image, f"control {len(self.controls)} {at}")
            self.controls.append(Control.objects.create(project=self.project, candidate=pair, accepted=[accepted]))

    def submit(
        self, user: User, at: int, labels: Sequence[str], *, controls: Mapping[int, str] | None = None,
        status: str = AssignmentStatus.SUBMITTED, ms: Sequence[int | None] = (),
    ) -> Assignment:  # fmt: skip
        """`labels` of the HIT's pairs in the order shown, then what was said of the controls, by their place."""
        met = dict(controls or {})
        shown = self.pairs[at] + [self.controls[number].candidate for number in met]
        said = [*labels, *met.values()]
        now = timezone.now()
        first = len(labels) + 1
        assignment = Assignment.objects.create(
            project=self.project, hit=self.hits[at], annotator=user, status=status, seed=at,
            shown=[pair.pk for pair in shown], options=["good", "bad", "unsure"], submitted_at=now,
            controls={str(first + n): self.controls[number].accepted for n, number in enumerate(met)},
            leased_at=now, expires_at=now + timedelta(hours=1),
        )  # fmt: skip
        Judgment.objects.bulk_create(
            Judgment(
                assignment=assignment, candidate=pair, annotator=user, label=label, position=n,
                ms=ms[n - 1] if n <= len(ms) else None,
            )
            for n, (pair, label) in enumerate(zip(shown, said, strict=True), start=1)
        )  # fmt: skip
        self._take_place(assignment, at)
        self._grade(assignment, user, met)
        return assignment

    def _take_place(self, assignment: Assignment, at: int) -> None:
        if assignment.status == AssignmentStatus.SUBMITTED:
            free = Slot.objects.filter(hit=self.hits[at], assignment=None).first()
            if free is None:
                free = Slot(project=self.project, hit=self.hits[at], number=1 + self.hits[at].slots.count())
            free.assignment = assignment
            free.save()

    def _grade(self, assignment: Assignment, user: User, met: Mapping[int, str]) -> None:
        standing, _ = Standing.objects.get_or_create(project=self.project, user=user)
        for number, label in met.items():
            control = self.controls[number]
            outcome = grade(label, control.accepted)  # type: ignore[arg-type]
            ControlMeeting.objects.create(control=control, annotator=user, assignment=assignment, outcome=outcome)
            standing.n_graded += outcome != "unsure"
            standing.n_failed += outcome == "failed"
        standing.n_submitted += 1
        standing.save()


def add_person(project: Project, name: str, role: Role = Role.ANNOTATOR) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", "correct horse battery")
    Membership.objects.create(project=project, user=user, role=role)
    return user


def policy_of(project: Project, *rules: dict[str, Any]) -> QualityPolicy:
    return create_policy(project=project, rules=list(rules), created_by=None)


def rule(collector: str, action: str, **condition: Any) -> dict[str, Any]:
    return {"collector": collector, "condition": condition, "action": action}


def fail_controls(world: World, user: User, *, failed: int, graded: int, at: int = 0) -> None:
    said = dict(enumerate(["bad"] * failed + ["good"] * (graded - failed)))
    world.submit(user, at, ["good"] * 3, controls=said)


def skip(world: World, user: User, at: int) -> None:
    now = timezone.now()
    told = {"seed": 0, "shown": [], "leased_at": now, "expires_at": now, "status": AssignmentStatus.SKIPPED}
    Assignment.objects.create(project=world.project, hit=world.hits[at], annotator=user, **told)


def state_of(user: User) -> str:
    return Standing.objects.get(user=user).state


def counted(project: Project) -> set[int]:
    return set(counted_judgments(project=project).values_list("pk", flat=True))
