"""What newcomers and curators send and get about guidelines, their examples, and the quiz."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any

from rest_framework import serializers

from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.common.labels import Label
from backend.common.serializers import SaidOut
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import GuidelineExample, Qualification, QualificationState, QuizAttempt
from backend.qualification.selectors import (
    Question,
    attempts_of,
    guidelines_digest,
    has_guidelines,
    list_examples,
    list_excused,
    list_questions,
    n_graded,
    pass_holds,
    state_of,
    terms_of,
    why_guidelines,
    why_not_qualified,
)
from backend.qualification.services import MOST_EXAMPLES

LONGEST_TEXT = 2000
EDITED_HELP = "The caption after an edit; empty if it needs none."
TERMS = ("asks_guidelines", "n_questions", "pass_mark", "max_attempts", "retry_after_minutes", "valid_days")
NOTHING_ASKED = Qualification(asks_guidelines=False, n_questions=0, version=0)
FRESH_ATTEMPTS = 3  # should repeat no question
REPEATING = (
    "From attempt {repeats_from}, questions repeat, because the quiz asks {asked} of {there} questions. "
    "Add {missing} more for {attempts} attempts without repeats."
)
MISSED = "Most people fail {missed} quiz questions at first. Check their answers."
ONE_MISSED = "Most people fail 1 quiz question at first. Check its answer."
ALT = "The image of this question."


class GuidelineExampleIn(serializers.Serializer):
    image = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="An image of the project.")
    text = serializers.CharField(max_length=LONGEST_TEXT, help_text="The caption, or the text of a query.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edited_text = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_TEXT, help_text=EDITED_HELP
    )
    explanation = serializers.CharField(max_length=500, help_text="Why the label is right, in a sentence.")


class GuidelineExamplesIn(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, help_text="The project's version that was read.")
    examples = serializers.ListField(child=GuidelineExampleIn(), max_length=MOST_EXAMPLES)


class WorkedExampleOut(serializers.Serializer):
    """An example as annotators see it."""

    # Without the image's number: it would reveal the order of the import.
    thumbnail = ThumbnailsOut()
    text = serializers.CharField(help_text="The caption, or the text of a query.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edited_text = serializers.CharField(allow_blank=True, help_text=EDITED_HELP)
    explanation = serializers.CharField()


class GuidelineExampleOut(WorkedExampleOut):
    """An example as curators see it."""

    image = serializers.IntegerField(allow_null=True, help_text="The image; null for annotators.")


class GuidelineExamplesOut(serializers.Serializer):
    version = serializers.IntegerField(help_text="The version of the project. It changes with the examples.")
    examples = GuidelineExampleOut(many=True)


class QualificationIn(serializers.Serializer):
    version = serializers.IntegerField(min_value=0, help_text="The version that was read; 0 if there were no terms.")
    asks_guidelines = serializers.BooleanField()
    n_questions = serializers.IntegerField(min_value=0, max_value=50)
    pass_mark = serializers.FloatField(min_value=0, max_value=1)
    max_attempts = serializers.IntegerField(min_value=1, max_value=1000)
    retry_after_minutes = serializers.IntegerField(min_value=0, max_value=525_600)
    valid_days = serializers.IntegerField(min_value=1, max_value=3650, allow_null=True)
    passes_anew = serializers.BooleanField(
        default=False,
        help_text="All annotators must pass again. If false, earlier passes stay valid.",
    )

    def validate_pass_mark(self, mark: float) -> float:
        if math.isnan(mark):
            raise serializers.ValidationError("Enter a pass mark between 0 and 1.", code="pass_mark_range")
        return mark


class QualificationOut(serializers.Serializer):
    version = serializers.IntegerField(help_text="0: there are no terms, and everybody may start.")
    asks_guidelines = serializers.BooleanField()
    n_questions = serializers.IntegerField()
    pass_mark = serializers.FloatField()
    max_attempts = serializers.IntegerField()
    retry_after_minutes = serializers.IntegerField()
    valid_days = serializers.IntegerField(allow_null=True)
    passes_since = serializers.DateTimeField(allow_null=True, help_text="Passes before this moment do not count.")
    n_quiz_controls = serializers.IntegerField(help_text="Questions that the quiz can ask.")
    repeats_from = serializers.IntegerField(
        allow_null=True,
        help_text="The first attempt of three that repeats questions, or null.",
    )
    n_quiz_wanted = serializers.IntegerField(help_text="Questions with which no attempt repeats any.")
    n_missed = serializers.IntegerField(
        help_text="Questions that most people answer wrong the first time, if five people or more answered."
    )
    warning = serializers.CharField(allow_null=True, help_text="What is wrong with the quiz.")


class GuidelinesReadIn(serializers.Serializer):
    guidelines_digest = serializers.CharField(max_length=64, help_text="Of the text that was read.")


class MyGuidelinesOut(serializers.Serializer):
    is_asked = serializers.BooleanField(help_text="Whether you must read them before the first HIT.")
    is_read = serializers.BooleanField(help_text="Whether you have read them.")
    why = SaidOut(allow_null=True, help_text="Why you have to read them now.")
    text = serializers.CharField(allow_blank=True)
    examples = WorkedExampleOut(many=True)
    digest = serializers.CharField(help_text="Digest of text and examples. Send it back after you read them.")


class QuizResultOut(serializers.Serializer):
    number = serializers.IntegerField()
    n_questions = serializers.IntegerField(help_text="Without those that were found wrong before the attempt ended.")
    n_right = serializers.IntegerField(allow_null=True)
    is_passed = serializers.BooleanField(allow_null=True, help_text="Null: the attempt has not ended, or it is void.")
    pass_mark = serializers.FloatField()
    begun_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    is_excused = serializers.BooleanField(
        help_text="It failed only because of questions that were found wrong, so it does not count."
    )


class MyQuizOut(serializers.Serializer):
    is_asked = serializers.BooleanField()
    is_passed = serializers.BooleanField(help_text="Whether a pass holds today.")
    passed_at = serializers.DateTimeField(allow_null=True)
    holds_until = serializers.DateTimeField(allow_null=True, help_text="Null: without end, or there is no pass.")
    n_questions = serializers.IntegerField(help_text="Of the unfinished attempt, or of the next one.")
    pass_mark = serializers.FloatField()
    attempts_failed = serializers.IntegerField(help_text="Since the last pass, without excused ones.")
    attempts_left = serializers.IntegerField()
    next_attempt_at = serializers.DateTimeField(allow_null=True, help_text="Null: at once.")
    open_attempt = serializers.IntegerField(allow_null=True, help_text="The number of the unfinished attempt.")
    last = QuizResultOut(allow_null=True)


class MyQualificationOut(serializers.Serializer):
    is_qualified = serializers.BooleanField()
    why = SaidOut(allow_null=True, help_text="What to do first.")
    guidelines = MyGuidelinesOut()
    quiz = MyQuizOut()


class QuizImageOut(serializers.Serializer):
    alt = serializers.CharField()
    thumbnail = ThumbnailsOut()


class QuizFeedbackOut(serializers.Serializer):
    label = serializers.ChoiceField(choices=Label.choices, help_text="Your answer.")  # type: ignore[assignment]
    is_right = serializers.BooleanField()
    accepted = serializers.ListField(child=serializers.ChoiceField(choices=Label.choices))
    explanation = serializers.CharField(allow_blank=True)


class QuizQuestionOut(serializers.Serializer):
    position = serializers.IntegerField()
    text = serializers.CharField(help_text="The caption, or the text of the query in a query project.")
    image = QuizImageOut()
    feedback = QuizFeedbackOut(allow_null=True, help_text="Null until it is answered.")


class QuizAttemptOut(QuizResultOut):
    questions = QuizQuestionOut(many=True)


class QuizAnswerIn(serializers.Serializer):
    position = serializers.IntegerField(min_value=1, max_value=50)
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]


class QuizAnswersIn(serializers.Serializer):
    answers = QuizAnswerIn(many=True, allow_empty=False, max_length=50)  # type: ignore[call-arg]  # many=True takes it

    def validate_answers(self, answers: list[dict[str, Any]]) -> dict[int, str]:
        by_position = {answer["position"]: answer["label"] for answer in answers}
        if len(by_position) < len(answers):
            raise serializers.ValidationError("Answer each question once.", code="answered_twice")
        return by_position


class QuizAttemptRowOut(QuizResultOut):
    username = serializers.CharField()
    display_name = serializers.CharField()

    def to_representation(self, attempt: QuizAttempt) -> dict[str, Any]:
        who = {"username": attempt.user.username, "display_name": attempt.user.shown_name}
        return super().to_representation({**present_result(attempt, self.context["excused"]), **who})


def present_terms(terms: Qualification | None, n_quiz_controls: int, n_missed: int) -> dict[str, Any]:
    """The values of QualificationOut.

    Repeats are reported for the first three attempts only, because nobody writes questions for a thousand attempts.
    """
    told = terms or NOTHING_ASKED
    values = {name: getattr(told, name) for name in ("version", *TERMS, "passes_since")}
    figures = {
        "n_quiz_controls": n_quiz_controls,
        "n_quiz_wanted": min(told.max_attempts, FRESH_ATTEMPTS) * told.n_questions,
        "n_missed": n_missed if told.n_questions else 0,
    }
    is_repeating = told.n_questions <= n_quiz_controls < figures["n_quiz_wanted"]
    repeats_from = n_quiz_controls // told.n_questions + 1 if is_repeating else None
    shown = {**values, **figures, "repeats_from": repeats_from}
    return {**shown, "warning": _warning(shown)}


def _warning(told: dict[str, Any]) -> str | None:
    asked, there, missed = told["n_questions"], told["n_quiz_controls"], told["n_missed"]
    found = [_shortage(asked, there)] if there < asked else []
    if told["repeats_from"] is not None:
        wanted = told["n_quiz_wanted"]
        ends = {"asked": asked, "there": there, "attempts": wanted // asked, "missing": wanted - there}
        found.append(REPEATING.format(repeats_from=told["repeats_from"], **ends))
    if missed:
        found.append((ONE_MISSED if missed == 1 else MISSED).format(missed=missed))
    return " ".join(found) or None


def _shortage(n_questions: int, n_controls: int) -> str:
    if not n_controls:
        return "The quiz has no questions, so nobody can start it. Mark some test questions for the quiz."
    there = "1 exists" if n_controls == 1 else f"{n_controls} exist"
    return (
        f"The quiz asks {n_questions} questions, but only {there}, so nobody can start it. "
        f"Add {n_questions - n_controls} more, or ask fewer."
    )


def present_examples(examples: Iterable[GuidelineExample], *, is_numbered: bool) -> list[dict[str, Any]]:
    """The values of GuidelineExampleOut, with or without the numbers of the images."""
    return [
        {
            "image": example.image_id if is_numbered else None,
            "thumbnail": present_thumbnails(example.image),
            "text": example.text,
            "label": example.label,
            "edited_text": example.edited_text,
            "explanation": example.explanation,
        }
        for example in examples
    ]


def present_mine(user: User, project: Project) -> dict[str, Any]:
    """The values of MyQualificationOut."""
    terms = terms_of(project=project) or NOTHING_ASKED
    state = state_of(project=project, user=user)
    why = why_not_qualified(project=project, user=user)
    return {
        "is_qualified": why is None,
        "why": why and why.as_json(),
        "guidelines": _my_guidelines(state, project, terms),
        "quiz": _my_quiz(state, terms),
    }


def _my_guidelines(state: QualificationState, project: Project, terms: Qualification) -> dict[str, Any]:
    why = why_guidelines(state=state, project=project, terms=terms)
    digest = guidelines_digest(project)
    return {
        "is_asked": terms.asks_guidelines and has_guidelines(project),
        "is_read": state.guidelines_digest == digest or not has_guidelines(project),
        "why": why and why.as_json(),
        "text": project.guidelines,
        "examples": present_examples(list_examples(project=project), is_numbered=False),
        "digest": digest,
    }


def _my_quiz(state: QualificationState, terms: Qualification) -> dict[str, Any]:
    attempts, passed_at, days = attempts_of(state=state, terms=terms), state.quiz_passed_at, terms.valid_days
    return {
        **_terms_for(attempts.open, terms),
        "is_asked": terms.n_questions > 0,
        "is_passed": pass_holds(state=state, terms=terms),
        "passed_at": passed_at,
        "holds_until": passed_at + timedelta(days=days) if passed_at and days is not None else None,
        "attempts_failed": attempts.failed,
        "attempts_left": attempts.left,
        "next_attempt_at": attempts.next_at,
        "open_attempt": attempts.open.number if attempts.open else None,
        "last": present_result(attempts.last, attempts.excused) if attempts.last else None,
    }


def _terms_for(attempt: QuizAttempt | None, terms: Qualification) -> dict[str, Any]:
    """An open attempt keeps the terms that it began with."""
    questions = list_questions(attempt=attempt) if attempt else []
    if attempt is None or not questions:
        return {"n_questions": terms.n_questions, "pass_mark": terms.pass_mark}
    return {"n_questions": len(questions), "pass_mark": attempt.pass_mark}


def present_result(attempt: QuizAttempt, excused: Collection[int]) -> dict[str, Any]:
    """The values of QuizResultOut; `excused` as in `list_excused`."""
    names = ("number", "n_right", "is_passed", "pass_mark", "ended_at")
    told = {name: getattr(attempt, name) for name in names}
    n_questions = len(attempt.questions) if attempt.is_passed is None else n_graded(attempt)
    is_excused = attempt.pk in excused
    return {**told, "n_questions": n_questions, "begun_at": attempt.created_at, "is_excused": is_excused}


def present_attempt(attempt: QuizAttempt, questions: list[Question]) -> dict[str, Any]:
    """The values of QuizAttemptOut. A question without an answer has no feedback."""
    told = present_result(attempt, list_excused([attempt]))
    if attempt.ended_at is None:
        told["n_questions"] = len(questions)
    return {**told, "questions": [_question(each, attempt.answers) for each in questions]}


def _question(question: Question, answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    answer = answers.get(str(question.position))
    told = {"accepted": list(question.accepted), "explanation": question.explanation}
    return {
        "position": question.position,
        "text": question.candidate.text,
        "image": {"alt": ALT, "thumbnail": present_thumbnails(question.candidate.image)},
        "feedback": {**answer, **told} if answer else None,
    }
