"""What was answered in the quiz, read out of the attempts: how each question fared, and who failed by a wrong key.

Attempts hold few questions each, so they are read whole. A question is told by its candidate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from backend.annotation.models import Control, ControlState, Label, QuizAttempt

ENOUGH_PEOPLE = 5  # Fewer say nothing of a question: two newcomers may well be wrong both.


@dataclass
class Fared:
    """What people said to a question the first time they were asked it. Unsure is counted where it is not right."""

    n_right: int = 0
    n_wrong: int = 0
    n_unsure: int = 0

    @property
    def n(self) -> int:
        return self.n_right + self.n_wrong + self.n_unsure

    @property
    def is_missed(self) -> bool:
        """Whether most of enough people were not right."""
        return self.n >= ENOUGH_PEOPLE and 2 * self.n_right < self.n

    def add(self, answer: Mapping[str, Any]) -> None:
        if answer["is_right"]:
            self.n_right += 1
        elif answer["label"] == Label.UNSURE:
            self.n_unsure += 1
        else:
            self.n_wrong += 1


def count_answers(*, project_id: int) -> dict[int, Fared]:
    """How each question fared. Who is asked it again has read the answer meanwhile, so the first time alone counts.

    That of a void attempt is one too.
    """
    fared: defaultdict[int, Fared] = defaultdict(Fared)
    known: set[tuple[int, int]] = set()
    attempts = QuizAttempt.objects.filter(project=project_id).order_by("user", "number")
    for user, questions, answers in attempts.values_list("user", "questions", "answers").iterator():
        for position, answer in answers.items():
            candidate = questions[int(position) - 1]
            if (user, candidate) not in known:
                known.add((user, candidate))
                fared[candidate].add(answer)
    return dict(fared)


def count_missed(*, project_id: int) -> int:
    """The quiz items in use that most people miss: perhaps it is not the people who are wrong."""
    missed = [candidate for candidate, fared in count_answers(project_id=project_id).items() if fared.is_missed]
    in_use = Control.objects.filter(project=project_id, is_quiz=True, state=ControlState.ACTIVE)
    return in_use.filter(candidate__in=missed).count() if missed else 0


def n_graded(attempt: QuizAttempt) -> int:
    """How many of a settled attempt's answers were graded: not those to what was in quarantine when it ended."""
    return len(_graded(attempt))


def list_excused(attempts: Iterable[QuizAttempt]) -> set[int]:
    """Of these attempts of one project those, by id, that were failed by what is in quarantine now, and by that alone.

    Nobody passes by it: they try again, and have used no attempt.
    """
    failed = [attempt for attempt in attempts if attempt.is_passed is False]
    out = _in_quarantine(failed[0].project_id) if failed else set()
    return {attempt.pk for attempt in failed if out and _is_excused(attempt, out)}


def _in_quarantine(project_id: int) -> set[int]:
    out = Control.objects.filter(project=project_id, is_quiz=True, state=ControlState.QUARANTINED)
    return set(out.values_list("candidate", flat=True))


def _is_excused(attempt: QuizAttempt, out: Collection[int]) -> bool:
    left = _graded(attempt, out)
    return not left or sum(answer["is_right"] for answer in left) / len(left) >= attempt.pass_mark


def _graded(attempt: QuizAttempt, out: Collection[int] = ()) -> list[dict[str, Any]]:
    """The answers that were graded, without those to the questions that are `out`."""
    answers = ((attempt.questions[int(position) - 1], answer) for position, answer in attempt.answers.items())
    return [answer for candidate, answer in answers if not answer.get("is_out") and candidate not in out]
