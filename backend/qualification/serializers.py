"""What newcomers and curators send and get about guidelines, their examples, and the quiz."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.models import Image
from backend.catalogue.serializers import ThumbnailsField, ThumbnailsOut, present_thumbnails
from backend.common.labels import Label
from backend.common.serializers import SaidOut
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import GuidelineExample, Qualification, QualificationState, QuizAttempt
from backend.qualification.selectors import (
    attempts_of,
    guidelines_digest,
    has_guidelines,
    list_examples,
    list_questions,
    pass_holds,
    state_of,
    terms_of,
    why_guidelines,
    why_not_qualified,
)
from backend.qualification.services import MOST_EXAMPLES

LONGEST_TEXT = 2000
EDITED_HELP = "The caption after an edit; empty if it needs none."
FRESH_ATTEMPTS = 3  # should repeat no question
ALT = "The image of this question."


class GuidelineExampleIn(serializers.Serializer):
    image = serializers.IntegerField(
        source="image_id", min_value=1, max_value=2**63 - 1, help_text="An image of the project."
    )
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
    thumbnail = ThumbnailsField(source="image")
    text = serializers.CharField(help_text="The caption, or the text of a query.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edited_text = serializers.CharField(allow_blank=True, help_text=EDITED_HELP)
    explanation = serializers.CharField()


class GuidelineExampleOut(WorkedExampleOut):
    """An example as curators see it."""

    image = serializers.SerializerMethodField(help_text="The image; null for annotators.")

    def get_image(self, example: GuidelineExample) -> int | None:
        return example.image_id if self.context["is_numbered"] else None


class GuidelineExamplesOut(serializers.Serializer):
    version = serializers.IntegerField(help_text="The version of the project. It changes with the examples.")
    examples = GuidelineExampleOut(many=True)


class TermsIO(serializers.Serializer):
    asks_guidelines = serializers.BooleanField()
    n_questions = serializers.IntegerField(min_value=0, max_value=50)
    pass_mark = serializers.FloatField(min_value=0, max_value=1)
    max_attempts = serializers.IntegerField(min_value=1, max_value=1000)
    retry_after_minutes = serializers.IntegerField(min_value=0, max_value=525_600)
    valid_days = serializers.IntegerField(min_value=1, max_value=3650, allow_null=True)


class QualificationIn(TermsIO):
    version = serializers.IntegerField(min_value=0, help_text="The version that was read; 0 if there were no terms.")
    passes_anew = serializers.BooleanField(
        default=False,
        help_text="All annotators must pass again. If false, earlier passes stay valid.",
    )

    def validate_pass_mark(self, mark: float) -> float:
        if math.isnan(mark):
            raise serializers.ValidationError("Enter a pass mark between 0 and 1.", code="pass_mark_range")
        return mark


class QualificationOut(TermsIO):
    version = serializers.IntegerField(help_text="0: there are no terms, and everybody may start.")
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
    begun_at = serializers.DateTimeField(source="created_at")
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

    def to_representation(self, image: Image) -> dict[str, Any]:
        return {"alt": ALT, "thumbnail": present_thumbnails(image)}


class QuizFeedbackOut(serializers.Serializer):
    label = serializers.ChoiceField(choices=Label.choices, help_text="Your answer.")  # type: ignore[assignment]
    is_right = serializers.BooleanField()
    accepted = serializers.ListField(child=serializers.ChoiceField(choices=Label.choices))
    explanation = serializers.CharField(allow_blank=True)


class QuizQuestionOut(serializers.Serializer):
    position = serializers.IntegerField()
    text = serializers.CharField(
        source="candidate.text", help_text="The caption, or the text of the query in a query project."
    )
    image = QuizImageOut(source="candidate.image")
    feedback = QuizFeedbackOut(allow_null=True, help_text="Null until it is answered.")


class QuizAttemptOut(QuizResultOut):
    questions = serializers.SerializerMethodField()

    @extend_schema_field(QuizQuestionOut(many=True))
    def get_questions(self, attempt: QuizAttempt) -> Any:
        return QuizQuestionOut(list_questions(attempt=attempt), many=True).data

    def to_representation(self, attempt: QuizAttempt) -> dict[str, Any]:
        shown = super().to_representation(attempt)
        return shown if attempt.ended_at else {**shown, "n_questions": len(shown["questions"])}


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
    username = serializers.CharField(source="user.username")
    display_name = serializers.CharField(source="user.shown_name")


def present_terms(terms: Qualification, n_quiz_controls: int, n_missed: int) -> dict[str, Any]:
    """The values of QualificationOut.

    Repeats are reported for the first three attempts only, because nobody writes questions for a thousand attempts.
    """
    wanted = min(terms.max_attempts, FRESH_ATTEMPTS) * terms.n_questions
    is_repeating = terms.n_questions <= n_quiz_controls < wanted
    return {
        **vars(terms),
        "n_quiz_controls": n_quiz_controls,
        "n_quiz_wanted": wanted,
        "n_missed": n_missed if terms.n_questions else 0,
        "repeats_from": n_quiz_controls // terms.n_questions + 1 if is_repeating else None,
    }


def present_mine(user: User, project: Project) -> dict[str, Any]:
    """The values of MyQualificationOut."""
    terms, state = terms_of(project=project), state_of(project=project, user=user)
    why = why_not_qualified(project=project, user=user)
    digest = guidelines_digest(project)
    return {
        "is_qualified": why is None,
        "why": why,
        "guidelines": {
            "is_asked": terms.asks_guidelines and has_guidelines(project),
            "is_read": state.guidelines_digest == digest or not has_guidelines(project),
            "why": why_guidelines(state=state, project=project, terms=terms),
            "text": project.guidelines,
            "examples": list_examples(project=project),
            "digest": digest,
        },
        "quiz": _my_quiz(state, terms),
    }


def _my_quiz(state: QualificationState, terms: Qualification) -> dict[str, Any]:
    attempts, passed_at, days = attempts_of(state=state, terms=terms), state.quiz_passed_at, terms.valid_days
    begun = attempts.open  # keeps the terms that it began with
    return {
        "is_asked": terms.n_questions > 0,
        "is_passed": pass_holds(state=state, terms=terms),
        "passed_at": passed_at,
        "holds_until": passed_at + timedelta(days=days) if passed_at and days is not None else None,
        "n_questions": len(list_questions(attempt=begun)) if begun else terms.n_questions,
        "pass_mark": (begun or terms).pass_mark,
        "attempts_failed": attempts.failed,
        "attempts_left": attempts.left,
        "next_attempt_at": attempts.next_at,
        "open_attempt": begun and begun.number,
        "last": attempts.last,
    }
