"""A project whose chosen captions models rated, and a survey of its hardest, without any model or stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.curation.models import Consensus, Difficulty, ModelScore, Rater, Selection, SelectionItem
from backend.people.models import User
from backend.projects.models import Project
from backend.surveys.models import Participant, Survey, SurveyAnswer
from backend.surveys.participation import give_answer, join
from backend.surveys.services import create_survey, open_survey
from world import new_caption, new_image

TEXTS = {"title": "Hard captions", "consent": "You see **photographs**.", "run_by": "The lab, lab@example.org"}
WORDS = ("anchor", "barley", "cactus", "dragon", "engine", "falcon", "glacier", "harbour", "island", "jungle", "kettle",
         "lantern", "meadow", "needle", "orchid", "pepper", "quarry", "ribbon", "saddle", "temple")  # fmt: skip


def make_rated(project: Project, *, hard: int = 12, easy: int = 24, models: Sequence[str] = ("clip-l",)) -> list[Any]:
    """Images with one chosen caption each: the first `hard` are hard, with scores from .01 up, the others easy.

    Returns the captions, the hardest first.
    """
    n = hard + easy
    images = Image.objects.bulk_create(
        # Half of all bits differ between two neighbours.
        new_image(project, f"p{at:03}.jpg", perceptual_hash=f"{(0x9E3779B97F4A7C15 * (at + 1)) % 2**64:016x}")
        for at in range(n)
    )
    pairs = Candidate.objects.bulk_create(
        new_caption(image, f"{WORDS[at % 20].title()} number {at} dreams of {WORDS[(at // 20) % 20][::-1]}")
        for at, image in enumerate(images)
    )
    Consensus.objects.bulk_create(Consensus(candidate=pair, label="good", n_good=3) for pair in pairs)
    chosen = Selection.objects.bulk_create(
        Selection(image=image, status="selected", method="all", n_good=1) for image in images
    )
    items = SelectionItem.objects.bulk_create(
        SelectionItem(selection=of_image, candidate=pair, position=1)
        for of_image, pair in zip(chosen, pairs, strict=True)
    )
    rated = Difficulty.objects.bulk_create(
        Difficulty(
            item=item,
            policy="unanimous",
            category="hard" if at < hard else "easy",
            n_votes=0 if at < hard else len(models),
        )
        for at, item in enumerate(items)
    )
    raters = [_rater(name) for name in models]
    ModelScore.objects.bulk_create(
        ModelScore(
            difficulty=one, rater=rater, position=place, vote=at >= hard,
            score=round((at + 1) / 1000, 4) if at < hard else 0.3,
        )
        for at, one in enumerate(rated) for place, rater in enumerate(raters, start=1)
    )  # fmt: skip
    return pairs


def _rater(name: str) -> Rater:
    return Rater.objects.create(name=name, digest=name.ljust(64, "0"), threshold=0.26, calibration={}, record=name)


def opened(project: Project, by: User, **fields: Any) -> Survey:
    """An open survey with a seed, of pairs that `make_rated` made."""
    made = create_survey(project=project, created_by=by, fields={**TEXTS, "seed": 7, **fields})
    open_survey(survey=made)
    made.refresh_from_db()
    return made


def take_part(survey: Survey) -> Participant:
    return join(token=survey.token, start_key=uuid4(), participant_id=None)


def answer_all(participant: Participant, *, label: Callable[[SurveyAnswer], str], until: int | None = None) -> None:
    """Answer the participant's series, or the first `until` of it."""
    rows = SurveyAnswer.objects.filter(participant=participant).select_related("item").order_by("position")
    for row in rows[:until]:
        give_answer(participant=participant, number=row.position, answer=label(row), ms=1500)


def careful(row: SurveyAnswer) -> str:
    """Knows the distractors and finds every hard caption good."""
    return "bad" if row.item.is_distractor else "good"


def careless(row: SurveyAnswer) -> str:
    return "good"


def left_alone(participant: Participant, hours: float) -> None:
    """Let the participant's last answer lie so many hours back."""
    Participant.objects.filter(pk=participant.pk).update(seen_at=timezone.now() - timedelta(hours=hours))
    participant.refresh_from_db()


def rejected(pair: Candidate) -> None:
    """People called this caption bad."""
    Consensus.objects.filter(candidate=pair).update(label="bad", n_good=0, n_bad=3)


def rate_all(slug: str, *, hard: int) -> None:
    """Choose every kept caption of a project and rate it: those of the first `hard` images are hard."""
    rater = _rater("clip-l")
    project = Project.objects.get(slug=slug)
    for at, image in enumerate(project.images.order_by("id")):
        pairs = Candidate.objects.filter(image=image, status="kept").order_by("id")
        chosen = Selection.objects.create(image=image, status="selected", method="all", n_good=len(pairs))
        for place, pair in enumerate(pairs, start=1):
            item = SelectionItem.objects.create(selection=chosen, candidate=pair, position=place)
            category = "hard" if at < hard else "easy"
            rated = Difficulty.objects.create(item=item, policy="unanimous", category=category, n_votes=at >= hard)
            score = (at * 10 + place) / 1000
            ModelScore.objects.create(difficulty=rated, rater=rater, position=1, score=score, vote=at >= hard)
