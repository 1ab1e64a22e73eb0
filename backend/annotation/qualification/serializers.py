"""What newcomers and curators send and get about guidelines and quiz."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from rest_framework import serializers

from backend.annotation.guidelines.examples import list_examples
from backend.annotation.guidelines.serializers import WorkedExampleOut, present_examples
from backend.annotation.models import AnnotatorState, Label, Qualification, QuizAttempt
from backend.annotation.qualification.answered import list_excused, n_graded
from backend.annotation.qualification.attempts import Question, attempts_of, list_questions
from backend.annotation.qualification.qualifying import (
    guidelines_digest,
    has_guidelines,
    holds_until,
    pass_holds,
    terms_of,
    why_guidelines,
    why_not_qualified,
)
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.common.serializers import SaidOut
from backend.projects.models import Project

TERMS = ("asks_guidelines", "n_questions", "pass_mark", "max_attempts", "retry_after_minutes", "valid_days")
NOTHING_ASKED = Qualification(asks_guidelines=False, n_questions=0, version=0)
FRESH_ATTEMPTS = 3  # that are to ask nothing twice
REPEATING = (
    "From attempt {repeats_from}, questions repeat, because the quiz asks {asked} of {there} questions. "
    "Add {missing} more for {attempts} attempts without repeats."
)
MISSED = "Most people fail {missed} quiz questions at first. Check their answers."
ONE_MISSED = "Most people fail 1 quiz question at first. Check its answer."
ALT = "The image of this question."


class QualificationIn(serializers.Serializer):
    version = serializers.IntegerField(min_value=0, help_text="The version that was read; 0 where there were no terms.")
    asks_guidelines = serializers.BooleanField()
    n_questions = serializers.IntegerField(min_value=0, max_value=50)
    pass_mark = serializers.FloatField(min_value=0, max_value=1)
    max_attempts = serializers.IntegerField(min_value=1, max_value=1000)
    retry_after_minutes = serializers.IntegerField(min_value=0, max_value=525_600)
    valid_days = serializers.IntegerField(min_value=1, max_value=3650, allow_null=True)
    passes_anew = serializers.BooleanField(
        default=False,
        help_text="Everybody has to pass again. Left out, those who passed stay qualified whatever else changes.",
    )

    def validate_pass_mark(self, mark: float) -> float:
        if math.isnan(mark):
            raise serializers.ValidationError("Enter a pass mark between 0 and 1.", code="pass_mark_range")
        return mark


class QualificationOut(serializers.Serializer):
    version = serializers.IntegerField(help_text="0: nobody has set any terms, and everybody may begin.")
    asks_guidelines = serializers.BooleanField()
    n_questions = serializers.IntegerField()
    pass_mark = serializers.FloatField()
    max_attempts = serializers.IntegerField()
    retry_after_minutes = serializers.IntegerField()
    valid_days = serializers.IntegerField(allow_null=True)
    passes_since = serializers.DateTimeField(allow_null=True, help_text="Passes before this are void.")
    n_quiz_controls = serializers.IntegerField(help_text="Quiz items there are to draw from.")
    repeats_from = serializers.IntegerField(
        allow_null=True,
        help_text="Which of the first three attempts is the first to ask again what an attempt before gave the answers "
        "to, as there are too few other questions. Null: none of them.",
    )
    n_quiz_wanted = serializers.IntegerField(help_text="Quiz items with which none of those does.")
    n_missed = serializers.IntegerField(
        help_text="Quiz items in use that most people missed when first asked, of five at least."
    )
    warning = serializers.CharField(allow_null=True, help_text="What is wrong with the quiz, if anything.")


class GuidelinesReadIn(serializers.Serializer):
    guidelines_digest = serializers.CharField(max_length=64, help_text="Of the text that was read.")


class MyGuidelinesOut(serializers.Serializer):
    is_asked = serializers.BooleanField(help_text="Whether they are to be read before the first HIT.")
    is_read = serializers.BooleanField(help_text="Whether nothing is left to read.")
    why = SaidOut(allow_null=True, help_text="Why you have to read them now.")
    text = serializers.CharField(allow_blank=True)
    examples = WorkedExampleOut(many=True)
    digest = serializers.CharField(help_text="Of text and examples; send it back once they are read.")


class QuizResultOut(serializers.Serializer):
    number = serializers.IntegerField()
    n_questions = serializers.IntegerField(help_text="That count: not those found wrong before the attempt ended.")
    n_right = serializers.IntegerField(allow_null=True)
    is_passed = serializers.BooleanField(allow_null=True, help_text="Null: not over, or void.")
    pass_mark = serializers.FloatField()
    begun_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    is_excused = serializers.BooleanField(
        help_text="Failed by questions alone that were found wrong: it costs nothing."
    )


class MyQuizOut(serializers.Serializer):
    is_asked = serializers.BooleanField()
    is_passed = serializers.BooleanField(help_text="Whether a pass holds today.")
    passed_at = serializers.DateTimeField(allow_null=True)
    holds_until = serializers.DateTimeField(allow_null=True, help_text="Null: for good, or there is no pass.")
    n_questions = serializers.IntegerField(help_text="Of the unfinished attempt; where there is none, of the next.")
    pass_mark = serializers.FloatField()
    attempts_failed = serializers.IntegerField(
        help_text="Since the last pass, but for those failed by questions alone that were found wrong."
    )
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
    label = serializers.ChoiceField(choices=Label.choices, help_text="What you said.")  # type: ignore[assignment]
    is_right = serializers.BooleanField()
    accepted = serializers.ListField(child=serializers.ChoiceField(choices=Label.choices))
    explanation = serializers.CharField(allow_blank=True)


class QuizQuestionOut(serializers.Serializer):
    position = serializers.IntegerField()
    text = serializers.CharField(help_text="The caption; the query's text where images are judged against queries.")
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

    Of repeats only the first three attempts are told: whoever allows a thousand means that nobody is to be shut out,
    and no curator writes questions for them all.
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


def present_mine(annotator_state: AnnotatorState, project: Project) -> dict[str, Any]:
    """The values of MyQualificationOut."""
    terms = terms_of(project=project) or NOTHING_ASKED
    why = why_not_qualified(annotator_state=annotator_state, project=project)
    return {
        "is_qualified": why is None,
        "why": why and why.as_json(),
        "guidelines": _my_guidelines(annotator_state, project, terms),
        "quiz": _my_quiz(annotator_state, terms),
    }


def _my_guidelines(annotator_state: AnnotatorState, project: Project, terms: Qualification) -> dict[str, Any]:
    why = why_guidelines(annotator_state=annotator_state, project=project, terms=terms)
    digest = guidelines_digest(project)
    return {
        "is_asked": terms.asks_guidelines and has_guidelines(project),
        "is_read": annotator_state.guidelines_digest == digest or not has_guidelines(project),
        "why": why and why.as_json(),
        "text": project.guidelines,
        "examples": present_examples(list_examples(project=project), is_numbered=False),
        "digest": digest,
    }


def _my_quiz(annotator_state: AnnotatorState, terms: Qualification) -> dict[str, Any]:
    attempts = attempts_of(annotator_state=annotator_state, terms=terms)
    return {
        **_terms_for(attempts.open, terms),
        "is_asked": terms.n_questions > 0,
        "is_passed": pass_holds(annotator_state=annotator_state, terms=terms),
        "passed_at": annotator_state.quiz_passed_at,
        "holds_until": holds_until(annotator_state=annotator_state, terms=terms),
        "attempts_failed": attempts.failed,
        "attempts_left": attempts.left,
        "next_attempt_at": attempts.next_at,
        "open_attempt": attempts.open.number if attempts.open else None,
        "last": present_result(attempts.last, attempts.excused) if attempts.last else None,
    }


def _terms_for(attempt: QuizAttempt | None, terms: Qualification) -> dict[str, Any]:
    """Whoever is in an attempt is graded by what it began with."""
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
    """The values of QuizAttemptOut: of a question that is not answered nothing but what is asked."""
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
