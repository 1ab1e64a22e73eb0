"""Remarks: the head annotator writes to one person on a caption they judged, and the two talk about it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from backend.common.errors import Conflict, InvalidInput
from backend.common.labels import Label
from backend.feedback import selectors
from backend.feedback.models import Remark, RemarkAnswer, RemarkReply
from backend.people.models import User
from backend.projects.models import Membership, Project


class RemarkOnControl(Conflict):
    """This is a hidden test question. Feedback would reveal it. Give feedback on other captions."""

    code = "remark_on_control"


class NobodyReads(Conflict):
    """This annotator is no longer in the project, so they cannot read feedback."""

    code = "nobody_reads"


def write_remark(
    *, project: Project, judgment_id: int, text: str, label: Label | None = None, written_by: User
) -> Remark:
    """A remark on a judgment, unread. `label` is the one that would be right.

    Raises NotFound for a judgment of another project, RemarkOnControl, NobodyReads.
    """
    judgment = selectors.get_judgment(project=project, judgment_id=judgment_id)
    if judgment.control_id:
        raise RemarkOnControl()
    if not Membership.objects.filter(project=project, user=judgment.annotator_id).exists():
        raise NobodyReads()
    return Remark.objects.create(
        project=project,
        annotator_id=judgment.annotator_id,
        judgment=judgment,
        written_by=written_by,
        text=text,
        label=label or "",
    )


@transaction.atomic
def answer_remark(*, remark: Remark, answer: RemarkAnswer, text: str = "") -> Remark:
    """The person's answer; having seen it takes no fuller answer back. Raises InvalidInput for a talk without words."""
    if answer == RemarkAnswer.TALK and not text:
        raise InvalidInput("Write what you want to discuss.", code="reply_needs_text", field="text")
    held = _hold(remark)
    if answer != RemarkAnswer.SEEN or not held.answer:
        held.answer = answer
    held.answered_at, held.is_unread = timezone.now(), False
    if text:
        held.awaits_reply = True
        RemarkReply.objects.create(remark=held, author=held.annotator, text=text)
    held.save(update_fields=["answer", "answered_at", "is_unread", "awaits_reply"])
    return held


@transaction.atomic
def reply_to_remark(*, remark: Remark, text: str, author: User) -> Remark:
    """A word back from the head annotator's side; the person has something to read again."""
    held = _hold(remark)
    RemarkReply.objects.create(remark=held, author=author, text=text)
    held.is_unread, held.awaits_reply = True, False
    held.save(update_fields=["is_unread", "awaits_reply"])
    return held


def _hold(remark: Remark) -> Remark:
    return Remark.objects.select_for_update(of=("self",)).select_related("annotator").get(pk=remark.pk)
