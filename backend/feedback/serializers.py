"""What the API takes and gives about remarks and about what one person judged."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.annotation.models import Assignment, Judgment
from backend.annotation.serializers import (
    AssignmentImageOut,
    AssignmentItemOut,
    AssignmentQueryOut,
    ClosingOut,
)
from backend.annotation.shown_hits import ShownItem
from backend.common.labels import Label
from backend.common.models import LARGEST_ID
from backend.feedback.effect import ComparedWith, Effect
from backend.feedback.models import FeedbackTemplate, RemarkAnswer, RemarkReply, RemarkState
from backend.feedback.selectors import JudgedRow, RemarkCounts, ShownAnswer, ShownRemark
from backend.feedback.templates import words_of
from backend.people.models import User
from backend.projects.models import Direction
from backend.quality.serializers import ShareOut

LONGEST_REMARK = 2000
MOST_ROWS = 100
ID: dict[str, Any] = {"min_value": 1, "max_value": LARGEST_ID}
OPTIONAL_ID: dict[str, Any] = {**ID, "required": False, "default": None, "allow_null": True}
COMPARED_WITH = tuple(each.value for each in ComparedWith)


class RemarkPersonOut(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class RemarkReplyOut(serializers.Serializer):
    id = serializers.IntegerField()
    author = RemarkPersonOut()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()


class JudgedPairOut(serializers.Serializer):
    """Where it was judged: the side held still, and the item with what the person says of it today."""

    assignment = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Direction.choices)
    image = AssignmentImageOut(allow_null=True, help_text="The image, or null in a query project.")
    query = AssignmentQueryOut(allow_null=True, help_text="The query, or null in an image project.")
    item = AssignmentItemOut()


class RemarkTemplateOut(serializers.Serializer):
    """A kind of feedback. If `code` is given and `is_own` is false, the interface may show it in its own
    language."""

    id = serializers.IntegerField()
    code = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    is_own = serializers.BooleanField(help_text="The text was written in this project.")


class RemarkRowOut(JudgedPairOut):
    """One of the answers of a feedback."""

    judgment = serializers.IntegerField(allow_null=True, help_text="Null in the inbox of the annotator.")
    candidate = serializers.IntegerField(allow_null=True, help_text="Null in the inbox of the annotator.")
    label = serializers.ChoiceField(  # type: ignore[assignment]  # Field has a `label` of its own
        choices=Label.choices, allow_null=True, help_text="The right label."
    )
    label_then = serializers.ChoiceField(choices=Label.choices, help_text="The answer when the feedback was written.")
    closed = ClosingOut(allow_null=True, help_text="Null while the annotator can change the answer.")


class RemarkOut(serializers.Serializer):
    """Feedback on one or several answers, with its replies and the answers as they are now."""

    id = serializers.IntegerField()
    annotator = RemarkPersonOut()
    written_by = RemarkPersonOut()
    created_at = serializers.DateTimeField()
    text = serializers.CharField(allow_blank=True, help_text="Empty for the annotator after it was withdrawn.")
    template = RemarkTemplateOut(allow_null=True)
    judgment = serializers.IntegerField(allow_null=True, help_text="Null if the feedback is on several answers.")
    candidate = serializers.IntegerField(allow_null=True, help_text="Null if the feedback is on several answers.")
    label = serializers.ChoiceField(
        choices=Label.choices, allow_null=True, help_text="Null if the feedback is on several answers."
    )  # type: ignore[assignment]
    state = serializers.ChoiceField(choices=RemarkState.choices)
    answer = serializers.ChoiceField(choices=RemarkAnswer.choices, allow_null=True)
    seen_at = serializers.DateTimeField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    is_unread = serializers.BooleanField(help_text="The annotator has not seen all of it.")
    awaits_reply = serializers.BooleanField(help_text="The annotator wrote last and waits for a reply.")
    rows = RemarkRowOut(many=True)
    replies = RemarkReplyOut(many=True)


class RemarkSentOut(RemarkOut):
    n_sent = serializers.IntegerField(help_text="The number of people who got this text.")


class RemarkIn(serializers.Serializer):
    judgment = serializers.IntegerField(**ID)
    text = serializers.CharField(max_length=LONGEST_REMARK)
    label = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Label.choices, required=False, default=None, allow_null=True, help_text="The right label."
    )
    template = serializers.IntegerField(**OPTIONAL_ID, help_text="The template, which sets the kind.")
    is_for_all = serializers.BooleanField(
        required=False, default=False, help_text="Send it to all annotators with the same answer to the pair."
    )
    is_example = serializers.BooleanField(
        required=False, default=False, help_text="The pair becomes an example in the guidelines: for curators."
    )


class RemarkBatchIn(serializers.Serializer):
    """Either `judgments`, or the number of `last` answers."""

    annotator = serializers.IntegerField(**ID)
    judgments = serializers.ListField(
        child=serializers.IntegerField(**ID),
        required=False,
        default=list,
        max_length=MOST_ROWS,
    )
    last = serializers.IntegerField(
        min_value=0,
        max_value=MOST_ROWS,
        required=False,
        default=0,
        help_text="Test questions among them are left out, and other answers by chance.",
    )
    text = serializers.CharField(max_length=LONGEST_REMARK)
    template = serializers.IntegerField(**OPTIONAL_ID, help_text="The template, which sets the kind.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if bool(attrs["judgments"]) == bool(attrs["last"]):
            raise serializers.ValidationError(
                "Send a list of answers, or how many of the last ones.", code="judgments_or_last"
            )
        return attrs


class RemarkAnswerIn(serializers.Serializer):
    answer = serializers.ChoiceField(choices=RemarkAnswer.choices)
    text = serializers.CharField(max_length=LONGEST_REMARK, required=False, default="", allow_blank=True)


class RemarkReplyIn(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST_REMARK)


class RemarkSeenRowIn(serializers.Serializer):
    id = serializers.IntegerField(**ID)
    n_replies = serializers.IntegerField(
        min_value=0, max_value=LARGEST_ID, help_text="The number of replies that were shown."
    )


class RemarksSeenIn(serializers.Serializer):
    remarks = RemarkSeenRowIn(many=True, max_length=100)  # type: ignore[call-arg]  # many=True takes it


class InboxIn(serializers.Serializer):
    assignment = serializers.UUIDField(required=False, default=None, help_text="About answers of this task only.")


class RemarkListIn(serializers.Serializer):
    annotator = serializers.IntegerField(**OPTIONAL_ID, help_text="To one person only.")
    author = serializers.IntegerField(**OPTIONAL_ID, help_text="By one person only.")
    template = serializers.IntegerField(**OPTIONAL_ID, help_text="Of one kind only.")
    state = serializers.ChoiceField(choices=RemarkState.choices, required=False, default="", allow_blank=True)
    is_waiting = serializers.BooleanField(required=False, default=False, help_text="Only what waits for a reply.")


class RemarkStatesOut(serializers.Serializer):
    sent = serializers.IntegerField()
    seen = serializers.IntegerField()
    acknowledged = serializers.IntegerField()
    answered = serializers.IntegerField()
    withdrawn = serializers.IntegerField()


class RemarkCountsOut(serializers.Serializer):
    states = RemarkStatesOut()
    n_waiting = serializers.IntegerField(help_text="Feedback that waits for a reply.")
    annotators = RemarkPersonOut(many=True, help_text="People who received feedback.")
    authors = RemarkPersonOut(many=True, help_text="People who wrote feedback.")


class FeedbackTemplateIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    text = serializers.CharField(max_length=LONGEST_REMARK)


class FeedbackTemplateOut(RemarkTemplateOut):
    text = serializers.CharField()
    n_used = serializers.IntegerField(help_text="Remarks of this kind, without those withdrawn.")


class FeedbackEffectIn(serializers.Serializer):
    n = serializers.IntegerField(
        min_value=5, max_value=200, required=False, default=30, help_text="Answers before and after."
    )
    annotator = serializers.IntegerField(**OPTIONAL_ID, help_text="Of one person only.")


class ShareDifferenceOut(serializers.Serializer):
    value = serializers.FloatField(help_text="The share after, minus the share before.")
    low = serializers.FloatField(help_text="Newcombe's hybrid score interval, 95%.")
    high = serializers.FloatField()


class FeedbackEffectOut(serializers.Serializer):
    """Answers of one person before and after the first feedback of one kind."""

    annotator = RemarkPersonOut()
    template = RemarkTemplateOut(allow_null=True)
    n_remarks = serializers.IntegerField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    compared_with = serializers.ChoiceField(
        choices=COMPARED_WITH,
        help_text="Verdicts; the majority of the others where too few answers have a verdict.",
    )
    before = ShareOut(allow_null=True)
    after = ShareOut(allow_null=True)
    difference = ShareDifferenceOut(allow_null=True, help_text="Null without answers to compare on either side.")


class UnreadRemarksOut(serializers.Serializer):
    n_unread = serializers.IntegerField()


class OtherVotesOut(serializers.Serializer):
    good = serializers.IntegerField()
    bad = serializers.IntegerField()
    unsure = serializers.IntegerField()


class JudgedOut(JudgedPairOut):
    """One judgment of a person, for the head annotator."""

    id = serializers.IntegerField()
    annotator = RemarkPersonOut()
    judged_at = serializers.DateTimeField()
    others = OtherVotesOut(help_text="The counted answers of the others to the pair.")
    verdict = serializers.ChoiceField(choices=Label.choices, allow_null=True, help_text="Of the head annotators.")
    consensus = serializers.ChoiceField(choices=Label.choices, allow_null=True, help_text="As it was last computed.")
    remark = serializers.IntegerField(allow_null=True, help_text="The newest remark on it.")
    is_control = serializers.BooleanField(help_text="A hidden control: it takes no remark.")


class JudgedListIn(serializers.Serializer):
    label = serializers.ChoiceField(choices=Label.choices, required=False, default="", allow_blank=True)  # type: ignore[assignment]
    is_disagreeing = serializers.BooleanField(
        required=False, default=False, help_text="More of the others said one other label than said theirs."
    )
    is_commented = serializers.BooleanField(required=False, default=False)


def present_remark(shown: ShownRemark) -> dict[str, Any]:
    """The values of RemarkOut for whoever reviews the project."""
    remark = shown.remark
    rows = [_present_row(item) for item in shown.items]
    only = rows[0] if len(rows) == 1 else {}
    return {
        "id": remark.pk,
        "annotator": _present_person(remark.annotator),
        "written_by": _present_person(remark.written_by),
        "created_at": remark.created_at,
        "text": remark.text,
        "template": present_template(remark.template),
        "judgment": only.get("judgment"),
        "candidate": only.get("candidate"),
        "label": only.get("label"),
        "state": remark.state,
        "answer": remark.answer or None,
        "seen_at": remark.seen_at,
        "acknowledged_at": remark.acknowledged_at,
        "answered_at": remark.answered_at,
        "withdrawn_at": remark.withdrawn_at,
        "is_unread": remark.is_unread,
        "awaits_reply": remark.awaits_reply,
        "rows": rows,
        "replies": [_present_reply(reply) for reply in remark.replies.all()],
    }


def present_own_remark(shown: ShownRemark) -> dict[str, Any]:
    """The values of RemarkOut for the person it was written to: no ids of pairs, and no words that were withdrawn."""
    remark = present_remark(shown)
    remark |= {"judgment": None, "candidate": None}
    remark["rows"] = [row | {"judgment": None, "candidate": None} for row in remark["rows"]]
    if shown.remark.withdrawn_at:
        mine = shown.remark.annotator_id
        remark |= {"text": "", "label": None, "template": None}
        remark["rows"] = [row | {"label": None} for row in remark["rows"]]
        remark["replies"] = [reply for reply in remark["replies"] if reply["author"]["id"] == mine]
    return remark


def present_template(template: FeedbackTemplate | None) -> dict[str, Any] | None:
    """The values of RemarkTemplateOut, and its words."""
    if template is None:
        return None
    words = words_of(template)
    return {
        "id": template.pk,
        "code": template.code,
        "name": words.name,
        "text": words.text,
        "is_own": bool(template.name),
        "n_used": getattr(template, "n_used", 0),
    }


def present_counts(counts: RemarkCounts, annotators: list[User], authors: list[User]) -> dict[str, Any]:
    """The values of RemarkCountsOut."""
    return {
        "states": counts.states,
        "n_waiting": counts.n_waiting,
        "annotators": [_present_person(user) for user in annotators],
        "authors": [_present_person(user) for user in authors],
    }


def present_effect(effect: Effect) -> dict[str, Any]:
    """The values of FeedbackEffectOut."""
    return vars(effect) | {
        "annotator": _present_person(effect.annotator),
        "template": present_template(effect.template),
    }


def present_judged(row: JudgedRow) -> dict[str, Any]:
    """The values of JudgedOut."""
    judgment = row.judgment
    return _present_pair(judgment.assignment, judgment, judgment) | {
        "id": judgment.pk,
        "annotator": _present_person(judgment.annotator),
        "judged_at": judgment.created_at,
        "others": row.others,
        "verdict": row.verdict,
        "consensus": row.consensus,
        "remark": row.remark_id,
        "is_control": row.is_control,
    }


def _present_pair(assignment: Assignment, judgment: Judgment, stands: Judgment) -> dict[str, Any]:
    hit, candidate = assignment.hit, judgment.candidate
    text, image = (candidate.text, None) if hit.query is None else (None, candidate.image)
    return {
        "assignment": assignment.pk,
        "kind": hit.kind,
        "image": hit.image,
        "query": hit.query,
        "item": ShownItem(judgment.position, text, image, said=stands),
    }


def _present_row(shown: ShownAnswer) -> dict[str, Any]:
    item = shown.item
    return _present_pair(item.judgment.assignment, item.judgment, shown.stands) | {
        "judgment": item.judgment_id,
        "candidate": item.judgment.candidate_id,
        "label": item.label or None,
        "label_then": item.judgment.label,
        "closed": shown.closed,
    }


def _present_reply(reply: RemarkReply) -> dict[str, Any]:
    return {
        "id": reply.pk,
        "author": _present_person(reply.author),
        "text": reply.text,
        "created_at": reply.created_at,
    }


def _present_person(user: User) -> dict[str, Any]:
    return {"id": user.pk, "name": user.shown_name}
