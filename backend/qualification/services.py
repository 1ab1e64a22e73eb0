"""Set the terms and the examples, note that guidelines were read, and take the quiz.

Every change by an annotator locks their QualificationState, so that two tabs or a double click run one after the other.
The quiz also locks the terms, so that no attempt begins or ends by terms that are no longer in force.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from backend.candidates.models import Candidate
from backend.candidates.queries import read_query
from backend.candidates.services import read_by_hand
from backend.catalogue.models import Image
from backend.common.errors import Conflict, InvalidInput, NotFound, Stale
from backend.methods.assignment import choose_controls, order_seed
from backend.methods.cleaning import comparison_form
from backend.people.models import RightsAction, User
from backend.people.records import record_changes
from backend.projects.models import Direction, Membership, Project
from backend.projects.services import lock_project, update_project
from backend.qualification.models import Control, GuidelineExample, Qualification, QualificationState, QuizAttempt
from backend.qualification.selectors import (
    ShownPairs,
    attempts_of,
    get_attempt,
    guidelines_digest,
    is_void,
    list_examples,
    list_questions,
    nothing_asked,
    pass_holds,
    quiz_controls,
    why_guidelines,
)

MOST_EXAMPLES = 20
TOO_FEW = "The quiz has too few questions. Missing: {missing}. Ask a curator to add them."


class GuidelinesChanged(Conflict):
    """The guidelines changed while you read them. Read the new version."""

    code = "guidelines_changed"


class ExampleIsControl(Conflict):
    """This pair is a test question. An example would reveal its answer. Choose another caption or image."""

    code = "example_is_control"


class ControlIsExample(Conflict):
    """This pair is an example in the guidelines, so it cannot be a test question."""

    code = "control_is_example"


class NoQuizAsked(Conflict):
    """This project has no quiz."""

    code = "no_quiz_asked"


class AlreadyPassed(Conflict):
    """You passed the quiz. You can start."""

    code = "already_passed"


class GuidelinesFirst(Conflict):
    """Read the project's guidelines first."""

    code = "guidelines_first"


class NoAttemptsLeft(Conflict):
    """You used all your attempts at the quiz. Ask a curator for more."""

    code = "no_attempts_left"


class RetryLater(Conflict):
    """Wait before you try the quiz again."""

    code = "retry_later"


class NoQuizItems(Conflict):
    """The quiz has no questions yet. Ask a curator to add some."""

    code = "no_quiz_items"


class AnswerFinal(Conflict):
    """You already answered this question, maybe in another tab. The first answer counts."""

    code = "answer_final"


class AttemptVoid(Conflict):
    """This attempt does not count, because the quiz changed. Start again."""

    code = "attempt_void"


@transaction.atomic
def set_terms(
    *, project: Project, version: int, passes_anew: bool, changes: dict[str, Any], by: User | None = None
) -> Qualification:
    """Set the terms that were read at `version`, 0 if there were none. With `passes_anew` no earlier pass is valid.

    Raises Stale if another person was faster.
    """
    project = lock_project(project)  # there may be no terms to lock yet
    was = lock_terms(project)
    if was.version != version:
        raise Stale(details={"version": was.version})
    before = {name: getattr(was, name) for name in changes}
    terms = was if was.pk else Qualification(version=0)
    for name, value in changes.items():
        setattr(terms, name, value)
    # Behind the lock: a quiz that ends at this moment ends before the moment that is noted.
    terms.passes_since = timezone.now() if passes_anew else terms.passes_since
    terms.project, terms.version = project, version + 1
    terms.save()
    after = changes | ({"passes_anew": True} if passes_anew else {})
    record_changes(RightsAction.QUIZ_CHANGED, by=by, project=project, before=before, after=after)
    return terms


def lock_terms(project: Project) -> Qualification:
    """The terms, locked if there are any."""
    return Qualification.objects.select_for_update(no_key=True).filter(project=project).first() or nothing_asked()


def lock_state(*, project: Project, user: User) -> QualificationState:
    """What the user has read and passed, locked; it is made if it is missing. Raises NotFound for non-members."""
    if not Membership.objects.filter(project=project, user=user).exists():
        raise NotFound()
    mine = QualificationState.objects.select_for_update(no_key=True).filter(project=project, user=user)
    if (found := mine.first()) is None:
        QualificationState.objects.get_or_create(project=project, user=user)
        found = mine.get()
    return found


@transaction.atomic
def read_guidelines(*, project: Project, user: User, digest: str) -> QualificationState:
    """Note that the user read the guidelines with this digest. Raises GuidelinesChanged if they are others now."""
    if digest != guidelines_digest(project):
        raise GuidelinesChanged(details={"guidelines_digest": guidelines_digest(project)})
    state = lock_state(project=project, user=user)
    state.guidelines_digest, state.guidelines_read = digest, project.version
    state.save(update_fields=["guidelines_digest", "guidelines_read"])
    return state


@transaction.atomic
def set_examples(
    *, project: Project, version: int, examples: Sequence[GuidelineExample], by: User | None = None
) -> Project:
    """Replace all examples of the guidelines by these, if the project is still at `version`.

    An example shows the right answer, so its pair is never a control. This function and those that make controls lock
    the project, so the second of two is refused. Raises InvalidInput for images of other projects and for texts that
    cannot be read, ExampleIsControl, and Stale.
    """
    lock_project(project)
    images = Image.objects.filter(project=project).in_bulk({example.image_id for example in examples})
    for position, example in enumerate(examples, start=1):
        _complete(example, project, images.get(example.image_id), position)
    _refuse_controls(project, examples)
    before, after = _as_record(list_examples(project=project)), _as_record(examples)
    said = [[each.image.digest, each.text, each.label, each.edited_text, each.explanation] for each in examples]
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest() if said else ""
    changed = update_project(project=project, version=version, changes={"examples_digest": digest}, by=by)
    record_changes(
        RightsAction.EXAMPLES_CHANGED, by=by, project=project, before={"examples": before}, after={"examples": after}
    )
    GuidelineExample.objects.filter(project=project).delete()
    GuidelineExample.objects.bulk_create(examples)
    return changed


def refuse_shown(pair: Candidate, shown: ShownPairs) -> None:
    """Raises ControlIsExample if the guidelines show the answer of this pair. The caller locks the project."""
    if shown and (pair.image_id, comparison_form(pair.text)) in shown:
        raise ControlIsExample()


def _complete(example: GuidelineExample, project: Project, image: Image | None, position: int) -> None:
    """Sets the place of the example, and reads its texts as those of candidates are read."""
    if image is None:
        raise InvalidInput(
            "This project has no image {image}. Choose another image.",
            code="no_such_image",
            params={"image": str(example.image_id)},
        )
    is_query = project.direction == Direction.IMAGES_OF_A_QUERY
    example.pk, example.project, example.image, example.position = None, project, image, position
    example.text = read_query(example.text)[0] if is_query else read_by_hand(example.text)
    example.edited_text = read_by_hand(example.edited_text) if example.edited_text.strip() else ""
    if example.edited_text and is_query:
        raise InvalidInput("You cannot edit a query. Leave the edited text empty.", code="query_not_edited")


def _refuse_controls(project: Project, rows: Iterable[GuidelineExample]) -> None:
    wanted = {(row.image_id, comparison_form(row.text)): row.position for row in rows}
    images = {image_id for image_id, _ in wanted}
    controls = Control.objects.filter(project=project, candidate__image__in=images)
    for image_id, text in controls.values_list("candidate__image", "candidate__text"):
        if position := wanted.get((image_id, comparison_form(text))):
            raise ExampleIsControl(details={"position": position})


def _as_record(rows: Sequence[GuidelineExample]) -> list[dict[str, Any]]:
    """The examples as the history of the project stores them."""
    names = ("text", "label", "edited_text", "explanation")
    return [{"image": row.image.key} | {name: getattr(row, name) for name in names} for row in rows]


@transaction.atomic
def begin_quiz(*, project: Project, user: User) -> QuizAttempt:
    """The unfinished attempt of the user, or a new one. A new one asks questions that were not asked before, if there
    are enough. A void attempt ends here, neither passed nor failed.

    Raises NoQuizAsked, GuidelinesFirst, AlreadyPassed, NoAttemptsLeft, RetryLater, or NoQuizItems if there are fewer
    questions than the terms ask.
    """
    state = lock_state(project=project, user=user)
    terms = lock_terms(project)
    if why_guidelines(state=state, project=project, terms=terms):
        raise GuidelinesFirst()  # even without a quiz: an answer "no quiz" would read as "you can start"
    if not terms.n_questions:
        raise NoQuizAsked()
    if pass_holds(state=state, terms=terms):
        raise AlreadyPassed()
    attempts = attempts_of(state=state, terms=terms)
    if attempts.open:
        return attempts.open
    if not attempts.left:
        raise NoAttemptsLeft(details={"failed": attempts.failed})
    if attempts.next_at:
        raise RetryLater(details={"next_attempt_at": attempts.next_at.isoformat()})
    QuizAttempt.objects.filter(project=project, user=user, ended_at=None).update(ended_at=timezone.now())
    return _new_attempt(project, user, terms)


def _new_attempt(project: Project, user: User, terms: Qualification) -> QuizAttempt:
    before = QuizAttempt.objects.filter(project=project, user=user)
    number = (before.aggregate(last=Max("number"))["last"] or 0) + 1
    # The site's secret is in the seed, so that nobody can work out the next questions.
    seed = order_seed(settings.SECRET_KEY, "quiz", project.slug, user.username, number)
    asked = {candidate for questions in before.values_list("questions", flat=True) for candidate in questions}
    pool = dict(quiz_controls(project=project).values_list("candidate__key", "candidate"))
    n, order = terms.n_questions, choose_controls(list(pool), n=len(pool), seed=seed)
    questions = sorted((pool[key] for key in order), key=lambda candidate: candidate in asked)[:n]  # new ones first
    if not questions:
        raise NoQuizItems(details={"missing": n})
    if len(questions) < n:  # a shorter quiz would have another pass mark
        raise NoQuizItems(TOO_FEW, code="too_few_quiz_items", params={"missing": n - len(questions)})
    return QuizAttempt.objects.create(
        project=project, user=user, number=number, seed=seed, questions=questions, pass_mark=terms.pass_mark
    )


@transaction.atomic
def answer_quiz(*, project: Project, user: User, number: int, answers: Mapping[int, str]) -> QuizAttempt:
    """Store final answers, `{position: label}`, to one, some or all questions. The last one ends the attempt.

    The same answer again changes nothing. Raises AnswerFinal for another answer, InvalidInput for unknown positions,
    and AttemptVoid, also if the attempt lost too many questions meanwhile (`is_void`).
    """
    state = lock_state(project=project, user=user)
    attempt = get_attempt(project=project, user=user, number=number)
    since = lock_terms(project).passes_since
    is_open = attempt.ended_at is None
    if not is_open and attempt.is_passed is None:
        raise AttemptVoid()
    if is_open and since and attempt.created_at < since:
        raise AttemptVoid()
    _check_answers(attempt, answers)
    questions = {question.position: question for question in list_questions(attempt=attempt)}
    if attempt.ended_at is None and is_void(attempt, questions):
        raise AttemptVoid()
    for position, label in sorted(answers.items()):
        if position in questions and str(position) not in attempt.answers:
            is_right = label in questions[position].accepted
            attempt.answers[str(position)] = {"label": label, "is_right": is_right}
    if attempt.ended_at is None:
        _end_if_complete(attempt, state, questions)
        attempt.save()
    return attempt


def _check_answers(attempt: QuizAttempt, answers: Mapping[int, str]) -> None:
    given = {int(position): answer["label"] for position, answer in attempt.answers.items()}
    if unknown := sorted(set(answers) - set(range(1, len(attempt.questions) + 1))):
        numbers = ", ".join(map(str, unknown))
        raise InvalidInput(
            "This quiz attempt has no question {numbers}.",
            code="no_such_question",
            params={"numbers": numbers},
            details={"unknown": unknown},
        )
    if other := sorted(position for position, label in answers.items() if given.get(position, label) != label):
        raise AnswerFinal(details={"positions": other})


def _end_if_complete(attempt: QuizAttempt, state: QualificationState, positions: Collection[int]) -> None:
    """Grade the attempt if every question is answered. `positions` are those of the questions that count."""
    asked = {str(position) for position in positions}
    if asked - set(attempt.answers):
        return
    for position in set(attempt.answers) - asked:
        attempt.answers[position]["is_out"] = True
    attempt.n_right = sum(attempt.answers[position]["is_right"] for position in asked)
    attempt.is_passed, attempt.ended_at = attempt.n_right / len(asked) >= attempt.pass_mark, timezone.now()
    if attempt.is_passed:
        state.quiz_passed_at = attempt.ended_at
        state.save(update_fields=["quiz_passed_at"])
