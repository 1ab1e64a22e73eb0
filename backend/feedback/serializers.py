"""What the API takes and gives about remarks and about what one person judged."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.annotation.models import Assignment, Judgment
from backend.annotation.pages import ShownItem
from backend.annotation.past_work.serializers import ClosingOut, present_closing
from backend.annotation.serializers import (
    AssignmentImageOut,
    AssignmentItemOut,
    AssignmentQueryOut,
    present_image,
    present_item,
)
from backend.common.labels import Label
from backend.feedback.models import RemarkAnswer, RemarkReply
from backend.feedback.selectors import STATES, JudgedRow, ShownRemark
from backend.people.models import User
from backend.projects.models import Direction

LONGEST_REMARK = 2000


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
    image = AssignmentImageOut(allow_null=True, help_text="Held still; null where a query is.")
    query = AssignmentQueryOut(allow_null=True, help_text="Held still; null where an image is.")
    item = AssignmentItemOut()


class RemarkOut(JudgedPairOut):
    """A remark on a judgment, the talk under it, and how the judgment stands."""

    id = serializers.IntegerField()
    annotator = RemarkPersonOut()
    written_by = RemarkPersonOut()
    created_at = serializers.DateTimeField()
    text = serializers.CharField()
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]  # Field has a `label` of its own
    label_then = serializers.ChoiceField(
        choices=Label.choices, help_text="What the person had said when it was written."
    )
    answer = serializers.ChoiceField(choices=RemarkAnswer.choices, allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True)
    is_unread = serializers.BooleanField()
    awaits_reply = serializers.BooleanField(help_text="The person wrote last, and waits for a word back.")
    replies = RemarkReplyOut(many=True)
    closed = ClosingOut(allow_null=True, help_text="Null while the person may change what they said.")


class RemarkIn(serializers.Serializer):
    judgment = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    text = serializers.CharField(max_length=LONGEST_REMARK)
    label = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Label.choices, required=False, default=None, allow_null=True, help_text="Which would be right."
    )


class RemarkAnswerIn(serializers.Serializer):
    answer = serializers.ChoiceField(choices=RemarkAnswer.choices)
    text = serializers.CharField(max_length=LONGEST_REMARK, required=False, default="", allow_blank=True)


class RemarkReplyIn(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST_REMARK)


class RemarkListIn(serializers.Serializer):
    annotator = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, default=None, allow_null=True, help_text="To one person only."
    )
    waiting = serializers.ChoiceField(
        choices=list(STATES), required=False, default="", allow_blank=True, help_text="unread, or awaiting a word back."
    )


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
    others = OtherVotesOut(help_text="What the others who count said of the pair.")
    remark = serializers.IntegerField(allow_null=True, help_text="The newest remark on it.")
    is_control = serializers.BooleanField(help_text="A hidden control: it takes no remark.")


class JudgedListIn(serializers.Serializer):
    label = serializers.ChoiceField(choices=Label.choices, required=False, default="", allow_blank=True)  # type: ignore[assignment]
    is_disagreeing = serializers.BooleanField(
        required=False, default=False, help_text="More of the others said one other label than said theirs."
    )
    is_commented = serializers.BooleanField(required=False, default=False)


def present_remark(shown: ShownRemark) -> dict[str, Any]:
    """The values of RemarkOut."""
    remark = shown.remark
    return _present_pair(remark.judgment.assignment, remark.judgment, shown.stands) | {
        "id": remark.pk,
        "annotator": _present_person(remark.annotator),
        "written_by": _present_person(remark.written_by),
        "created_at": remark.created_at,
        "text": remark.text,
        "label": remark.label or None,
        "label_then": remark.judgment.label,
        "answer": remark.answer or None,
        "answered_at": remark.answered_at,
        "is_unread": remark.is_unread,
        "awaits_reply": remark.awaits_reply,
        "replies": [_present_reply(reply) for reply in remark.replies.all()],
        "closed": present_closing(shown.closed),
    }


def present_judged(row: JudgedRow) -> dict[str, Any]:
    """The values of JudgedOut."""
    judgment = row.judgment
    return _present_pair(judgment.assignment, judgment, judgment) | {
        "id": judgment.pk,
        "annotator": _present_person(judgment.annotator),
        "judged_at": judgment.created_at,
        "others": row.others,
        "remark": row.remark_id,
        "is_control": row.is_control,
    }


def _present_pair(assignment: Assignment, judgment: Judgment, stands: Judgment) -> dict[str, Any]:
    hit, candidate = assignment.hit, judgment.candidate
    item = ShownItem(text=candidate.text) if hit.query is None else ShownItem(image=candidate.image)
    return {
        "assignment": assignment.pk,
        "kind": Direction.CAPTIONS_OF_AN_IMAGE if hit.query is None else Direction.IMAGES_OF_A_QUERY,
        "image": present_image(hit.image),
        "query": None if hit.query is None else {"text": hit.query.text},
        "item": present_item(judgment.position, item, stands),
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
