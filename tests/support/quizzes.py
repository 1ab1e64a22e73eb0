"""Whole attempts at a quiz, as people make them."""

from __future__ import annotations

from collections.abc import Callable

from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import QuizAttempt
from backend.qualification.services import answer_quiz, begin_quiz

Asks = Callable[..., None]


def again(project: Project) -> Project:
    """The project as the next request reads it."""
    return Project.objects.get(pk=project.pk)


def take(project: Project, user: User, n_right: int) -> QuizAttempt:
    """A whole attempt with so many right."""
    attempt = begin_quiz(project=again(project), user=user)
    labels = ["good"] * n_right + ["bad"] * (len(attempt.questions) - n_right)
    answers = dict(enumerate(labels, start=1))
    return answer_quiz(project=again(project), user=user, number=attempt.number, answers=answers)
