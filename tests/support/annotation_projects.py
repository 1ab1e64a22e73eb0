"""Projects for load: any number of HITs in seconds, with everything of the annotation engine switched on.

A caption ends in a number that says what is right (`right_label`), so that a client can answer like a person who is
nearly always right, and hidden controls and the adaptive overlap have something to work on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from multiplied import JSON, multiply

OVERLAP, MAX_OVERLAP, CONFIDENCE, CONTROL_RATE = 3, 5, 0.9, 0.1
CAPTION = "'A dog crosses the wet street before the light has changed, number ' || "
RIGHT = "CASE ({number}) % 3 WHEN 0 THEN 'bad' ELSE 'good' END"
CONTROLS_FROM = 9_000_000  # their numbers, divisible by 3 as the rule of `right_label` wants it


def right_label(text: str) -> str:
    """What is right of a caption that this file made."""
    return "bad" if int(text.rpartition(" ")[2]) % 3 == 0 else "good"


@dataclass(frozen=True)
class Made:
    """A project and what opens it: one token per annotator."""

    slug: str
    tokens: list[str]


def make_project(slug: str, *, n_hits: int, n_captions: int = 1, n_annotators: int, answered: int = 0) -> Made:
    """A project of `n_hits` HITs, of which everyone has `answered` judgments already, by people who have left."""
    from backend.projects.models import Membership, Project

    boss = _person("boss")
    project = Project.objects.create(
        slug=slug, name=slug, created_by=boss, overlap=OVERLAP, captions_per_hit=n_captions, confidence=CONFIDENCE,
        max_overlap=MAX_OVERLAP, control_rate=CONTROL_RATE, shuffles_options=True, guidelines="Look, then read.",
    )  # fmt: skip
    Membership.objects.create(project=project, user=boss, role="curator")
    tokens = [_annotator(project, n) for n in range(n_annotators)]
    _switch_everything_on(project, boss)
    images = _make_images(project, n_hits)
    captions = _make_captions(project, images, n_hits, n_captions)
    hits = _make_hits(project, images, captions, n_hits, n_captions)
    _make_controls(project, images, n_hits, n_captions)
    _deal(project)
    for number in range(1, answered + 1):
        _answer(project, number, hits=hits, captions=captions, n_hits=n_hits, n_captions=n_captions)
    _analyse()
    return Made(slug, tokens)


def _person(name: str) -> Any:
    from backend.people.models import User

    return User.objects.get_or_create(username=name, defaults={"is_staff": name == "boss"})[0]


def _annotator(project: Any, number: int) -> str:
    """A person who has read the guidelines and passed the quiz. Returns their token."""
    from django.utils import timezone

    from backend.annotation.models import AnnotatorState
    from backend.people.services import create_token
    from backend.projects.models import Membership
    from backend.qualification.models import QualificationState
    from backend.qualification.selectors import guidelines_digest

    person = _person(f"annotator-{number}")
    Membership.objects.create(project=project, user=person, role="annotator")
    read = {"guidelines_read": project.version, "guidelines_digest": guidelines_digest(project)}
    AnnotatorState.objects.create(project=project, user=person)
    QualificationState.objects.create(project=project, user=person, quiz_passed_at=timezone.now(), **read)
    return create_token(user=person, name=project.slug)[1]


def _switch_everything_on(project: Any, boss: Any) -> None:
    from django.utils import timezone

    from backend.methods.quality.rules import default_rules
    from backend.qualification.models import Qualification
    from backend.quality.models import QualityPolicy

    Qualification.objects.create(project=project, asks_guidelines=True, n_questions=5, valid_days=60)
    rules, now = [rule.as_json() for rule in default_rules()], timezone.now()
    QualityPolicy.objects.create(project=project, version=1, rules=rules, created_by=boss, in_force_since=now)


def _make_images(project: Any, n: int) -> int:
    from backend.catalogue.models import Image

    one = Image.objects.create(
        project=project, key="template", digest="template", perceptual_hash="0" * 16, width=1024, height=768,
        format="JPEG", n_bytes=1, licence="CC0-1.0",
    )  # fmt: skip
    digest = f"md5('{project.slug}' || g) || md5(g || '{project.slug}')"
    names = {part: f"'{part}/' || ({digest}) || '.jpg'" for part in ("original", "small", "large")}
    return multiply(one, n, key="'image-' || g", digest=digest, **names)


def _make_captions(project: Any, images: int, n_hits: int, n_captions: int) -> int:
    one = _caption(project, images, source="human")
    place = f"{images} + g / {n_captions}"
    text = CAPTION + "g"
    return multiply(one, n_hits * n_captions, image_id=place, key="md5('c' || g)", text=text, raw_text=text)


def _caption(project: Any, image: int, **more: Any) -> Any:
    from backend.candidates.models import Candidate

    return Candidate.objects.create(project=project, image_id=image, key="template", status="kept", **more)


def _make_hits(project: Any, images: int, captions: int, n_hits: int, n_captions: int) -> int:
    from backend.annotation.models import Hit, HitItem, Slot

    hits = multiply(Hit.objects.create(project=project, image_id=images), n_hits, image_id=f"{images} + g")
    item = HitItem.objects.create(hit_id=hits, candidate_id=captions, position=0)
    places = {"hit_id": f"{hits} + g / {n_captions}", "position": f"g % {n_captions} + 1"}
    multiply(item, n_hits * n_captions, candidate_id=f"{captions} + g + 0", **places)
    slot = Slot.objects.create(project=project, hit_id=hits, root_id=hits, number=0)
    hit = f"{hits} + g % {n_hits}"
    multiply(slot, n_hits * OVERLAP, hit_id=hit, root_id=hit, number=f"g / {n_hits} + 1")
    return hits


def _deal(project: Any) -> None:
    """What the stage does with controls that were made after the HITs."""
    from backend.annotation.hits import build_hits
    from backend.runs.models import Run

    run = Run.objects.create(project=project, stage="build_hits", seed=1, status="succeeded")
    images = project.images.order_by("pk")
    last = 0
    while batch := list(images.filter(pk__gt=last)[:200]):
        build_hits(project=project, run=run, subjects=batch)
        last = batch[-1].pk


def _make_controls(project: Any, images: int, n_hits: int, n_captions: int) -> None:
    """As many controls beside each image as a HIT has pairs, each with words that stand on no other image."""
    from django.db import connection

    from backend.qualification.models import Control

    one = _caption(project, images, source="other_image")
    n, text = n_hits * n_captions, f"{CAPTION}(g + {CONTROLS_FROM})"
    home = f"'image-' || (g / {n_captions} + {n_hits // 2}) % {n_hits}"
    image = f"{images} + g / {n_captions}"
    made = multiply(one, n, image_id=image, key="md5('k' || g)", text=text, raw_text=text, source_ref=home)
    control = Control.objects.create(project=project, candidate_id=made, accepted=["good"], origin="other_image")
    answers = RIGHT.format(number="g").replace("'bad'", """'["bad"]'""").replace("'good'", """'["good"]'""")
    accepted = f"CAST({answers} AS {JSON[connection.vendor]})"
    multiply(control, n, candidate_id=f"{made} + g", accepted=accepted)


def _answer(project: Any, number: int, *, hits: int, captions: int, n_hits: int, n_captions: int) -> None:
    """Everybody's place `number` was taken and answered, rightly, by one person."""
    from django.db import connection
    from django.utils import timezone

    from backend.annotation.models import AnnotatorState, Assignment, Judgment

    person, now = _person(f"gone-{number}"), timezone.now()
    AnnotatorState.objects.create(project=project, user=person, n_submitted=n_hits)
    same = {"project": project, "annotator": person, "status": "submitted", "seed": number, "expires_at": now}
    one = Assignment.objects.create(hit_id=hits, root_id=hits, shown=[], leased_at=now, submitted_at=now, **same)
    shown = f"(SELECT jsonb_agg({captions} + g * {n_captions} + c) FROM generate_series(0, {n_captions - 1}) c)"
    multiply(one, n_hits, hit_id=f"{hits} + g", root_id=f"{hits} + g", shown=shown, idempotency_key="'gone-' || g")
    taken = Assignment.objects.filter(project=project, annotator=person)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE annotation_slot s SET assignment_id = a.id FROM annotation_assignment a "
            "WHERE a.project_id = %s AND a.annotator_id = %s AND s.hit_id = a.hit_id AND s.number = %s",
            [project.pk, person.pk, number],
        )
    first = taken.get(hit_id=hits)
    judgment = Judgment.objects.create(
        assignment=first, candidate_id=captions, annotator=person, label="good", position=1
    )
    of_hit = f"(SELECT a.id FROM annotation_assignment a WHERE a.hit_id = {hits} + g / {n_captions} "
    judged = {"assignment_id": of_hit + f"AND a.annotator_id = {person.pk})", "candidate_id": f"{captions} + g"}
    position, label = f"g % {n_captions} + 1", RIGHT.format(number="g")
    multiply(judgment, n_hits * n_captions, position=position, label=label, **judged)


def _analyse() -> None:
    """What loading leaves to be done later is done now. A table that is empty stays as a new site has it: PostgreSQL
    would take one it has seen empty for an empty one, long after it filled up."""
    from django.apps import apps
    from django.db import connection

    tables = [model._meta.db_table for model in apps.get_models() if model._default_manager.exists()]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"VACUUM ANALYZE {', '.join(tables)}")
            cursor.execute("CHECKPOINT")
        else:
            cursor.execute("ANALYZE")
