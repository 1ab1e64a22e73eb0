"""Remarks: the head annotator writes to one person about their answers, and the two talk about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from backend.annotation.models import Judgment
from backend.candidates.models import Candidate
from backend.common.errors import Conflict, InvalidInput
from backend.common.labels import Label
from backend.feedback import selectors
from backend.feedback.models import FeedbackTemplate, Remark, RemarkAnswer, RemarkItem, RemarkReply
from backend.feedback.templates import get_template
from backend.methods.assignment import order_seed
from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.projects.services import lock_project
from backend.qualification.models import GuidelineExample
from backend.qualification.selectors import list_examples
from backend.qualification.services import set_examples

LONGEST_EXPLANATION = 500


class RemarkOnControl(Conflict):
    """This is a hidden test question. Feedback would reveal it. Give feedback on other captions."""

    code = "remark_on_control"


class RemarkTells(Conflict):
    """This would reveal the test questions of a task. Leave out at least {n} more answers of each task."""

    code = "remark_tells"


class NobodyReads(Conflict):
    """This annotator is no longer in the project, so they cannot read feedback."""

    code = "nobody_reads"


class RemarkWithdrawn(Conflict):
    """This feedback was withdrawn. Nobody can answer it."""

    code = "remark_withdrawn"


@dataclass(frozen=True)
class Shown:
    """A remark as the inbox shows it: its id, and how many replies stand under it."""

    remark_id: int
    n_replies: int


@transaction.atomic
def write_remark(
    *,
    project: Project,
    judgment_id: int,
    text: str,
    label: Label | None = None,
    template_id: int | None = None,
    written_by: User,
) -> Remark:
    """A remark on one answer, unread. `label` is the one that would be right.

    Raises NotFound for an answer or a template of another project, RemarkOnControl, RemarkTells, NobodyReads.
    """
    judgment = selectors.get_judgment(project=project, judgment_id=judgment_id)
    template = _template(project, template_id)
    return _write(project, [judgment], text, template=template, written_by=written_by, label=label)


@transaction.atomic
def send_remark(
    *,
    project: Project,
    judgment_id: int,
    text: str,
    label: Label | None = None,
    template_id: int | None = None,
    written_by: User,
    is_for_all: bool = False,
    is_example: bool = False,
) -> list[Remark]:
    """A remark, and what else was asked for: the same to all who gave the pair the same answer, and the pair as an
    example in the guidelines.

    Of the others, who left the project or may not be told more on their page is left out. Raises as `write_remark`
    and `add_to_guidelines` do, and then nothing is sent.
    """
    if is_example:
        add_to_guidelines(project=project, judgment_id=judgment_id, label=label, text=text, by=written_by)
    judgment = selectors.get_judgment(project=project, judgment_id=judgment_id)
    template = _template(project, template_id)
    sent = [_write(project, [judgment], text, template=template, written_by=written_by, label=label)]
    others = selectors.list_same_answers(judgment=judgment, project=project, but=written_by) if is_for_all else []
    for other in others:
        try:
            sent.append(_write(project, [other], text, template=template, written_by=written_by, label=label))
        except (NobodyReads, RemarkTells):
            continue
    return sent


@transaction.atomic
def write_batch(
    *,
    project: Project,
    annotator_id: int,
    text: str,
    judgment_ids: Collection[int] = (),
    last: int = 0,
    template_id: int | None = None,
    written_by: User,
) -> Remark:
    """One message about several answers of one person: these, or of their `last` ones as many as may be told.

    Of the last ones controls are left out, and with them other answers of the same pages, by chance: nobody can tell
    which is which. Raises NotFound, RemarkOnControl, RemarkTells, NobodyReads; InvalidInput where no answer is left.
    """
    template = _template(project, template_id)
    if last:
        judgments = _mixed(selectors.list_last(project=project, annotator=annotator_id, n=last))
    else:
        judgments = selectors.get_judgments(project=project, annotator=annotator_id, judgment_ids=judgment_ids)
    if not judgments:
        raise InvalidInput("This annotator has no answers to write about yet.", code="no_answers_to_tell")
    return _write(project, judgments, text, template=template, written_by=written_by)


@transaction.atomic
def mark_seen(*, project: Project, user: User, shown: Sequence[Shown]) -> None:
    """The inbox of `user` showed these. One that got another reply meanwhile stays unread; others' are left alone."""
    counts = {each.remark_id: each.n_replies for each in shown}
    mine = Remark.objects.filter(pk__in=counts, annotator=user, project=project, withdrawn_at=None)
    held = list(mine.order_by("pk").select_for_update(no_key=True))
    replies = RemarkReply.objects.filter(remark__in=held).order_by().values_list("remark").annotate(n=Count("pk"))
    n_replies, now = dict(replies), timezone.now()
    for remark in held:
        remark.seen_at = remark.seen_at or now
        remark.is_unread = remark.is_unread and n_replies.get(remark.pk, 0) > counts[remark.pk]
    Remark.objects.bulk_update(held, ["seen_at", "is_unread"])


@transaction.atomic
def answer_remark(*, remark: Remark, answer: RemarkAnswer, text: str = "") -> Remark:
    """The person's answer; to have got it takes no fuller answer back. Only a wish to talk waits for a reply.

    Raises InvalidInput for a talk without words, RemarkWithdrawn.
    """
    if answer == RemarkAnswer.TALK and not text:
        raise InvalidInput("Write what you want to discuss.", code="reply_needs_text", field="text")
    held, now = _hold(remark), timezone.now()
    if answer != RemarkAnswer.ACKNOWLEDGE or not held.answer:
        held.answer = answer
        held.awaits_reply = answer == RemarkAnswer.TALK
    if answer == RemarkAnswer.TALK:
        held.answered_at = now
    else:
        held.acknowledged_at = now
    held.seen_at, held.is_unread = held.seen_at or now, False
    if text:
        RemarkReply.objects.create(remark=held, author=held.annotator, text=text)
    held.save(update_fields=["answer", "awaits_reply", "answered_at", "acknowledged_at", "seen_at", "is_unread"])
    return held


@transaction.atomic
def reply_to_remark(*, remark: Remark, text: str, author: User) -> Remark:
    """A reply from the head annotator's side; the person has something to read again. Raises RemarkWithdrawn."""
    held = _hold(remark)
    RemarkReply.objects.create(remark=held, author=author, text=text)
    held.is_unread, held.awaits_reply = True, False
    held.save(update_fields=["is_unread", "awaits_reply"])
    return held


@transaction.atomic
def withdraw_remark(*, remark: Remark) -> Remark:
    """Take it back: the person does not see its words any more. The record stays. A second time changes nothing."""
    held = Remark.objects.select_for_update(no_key=True).get(pk=remark.pk)
    if not held.withdrawn_at:
        held.withdrawn_at, held.is_unread, held.awaits_reply = timezone.now(), False, False
        held.save(update_fields=["withdrawn_at", "is_unread", "awaits_reply"])
    return held


@transaction.atomic
def add_to_guidelines(
    *, project: Project, judgment_id: int, label: Label | None, text: str, by: User | None = None
) -> None:
    """Put the pair into the guidelines as their last example, with `text` as the reason; one of the same pair goes.

    Raises InvalidInput without a label or where the text is too long, and as `set_examples` does.
    """
    if label is None:
        raise InvalidInput("Choose the correct answer for the example.", code="example_needs_label", field="label")
    if len(text) > LONGEST_EXPLANATION:
        raise InvalidInput(
            "An example in the guidelines has at most {most} characters. Write less, or send it without the example.",
            code="example_too_long", params={"most": LONGEST_EXPLANATION}, field="text",
        )  # fmt: skip
    pair: Candidate = selectors.get_judgment(project=project, judgment_id=judgment_id).candidate
    held = lock_project(project)
    there = list_examples(project=held)
    examples = [each for each in there if (each.image_id, each.text) != (pair.image_id, pair.text)]
    examples.append(GuidelineExample(image_id=pair.image_id, text=pair.text, label=label, explanation=text))
    set_examples(project=held, version=held.version, examples=examples, by=by)


def _write(
    project: Project,
    judgments: Sequence[Judgment],
    text: str,
    *,
    template: FeedbackTemplate | None,
    written_by: User,
    label: Label | None = None,
) -> Remark:
    """All of one annotator. Two heads who write to the same person write one after the other."""
    if any(judgment.control_id for judgment in judgments):
        raise RemarkOnControl()
    annotator_id = judgments[0].annotator_id
    if not Membership.objects.select_for_update(no_key=True).filter(project=project, user=annotator_id).first():
        raise NobodyReads()
    _refuse_telling(judgments)
    remark = Remark.objects.create(
        project=project, annotator_id=annotator_id, written_by=written_by, text=text, template=template
    )
    RemarkItem.objects.bulk_create(
        RemarkItem(remark=remark, position=at, judgment=judgment, label=label or "")
        for at, judgment in enumerate(judgments, start=1)
    )
    return remark


def _refuse_telling(judgments: Sequence[Judgment]) -> None:
    """Where a page has controls, as many other answers must stay without feedback: who sees that all answers but one
    were written about knows which one is the control. Raises RemarkTells."""
    told = selectors.read_told({each.assignment_id for each in judgments})
    for each in judgments:
        told[each.assignment_id].add(each.position)
    lacking = max(n.lacks(len(told[page])) for page, n in selectors.count_answers(told).items())
    if lacking:
        raise RemarkTells(params={"n": lacking})


def _mixed(judgments: Sequence[Judgment]) -> list[Judgment]:
    """Without controls, and without as many others of a page as must stay untold, drawn by the site's secret."""
    pages: dict[UUID, list[Judgment]] = defaultdict(list)
    for judgment in judgments:
        if not judgment.control_id:
            pages[judgment.assignment_id].append(judgment)
    told, counts = selectors.read_told(pages), selectors.count_answers(pages)
    kept: set[int] = set()
    for page, those in pages.items():
        for each in sorted(those, key=lambda judgment: order_seed(settings.SECRET_KEY, "last", judgment.pk)):
            if not counts[page].lacks(len(told[page] | {each.position})):
                told[page].add(each.position)
                kept.add(each.pk)
    return [each for each in judgments if each.pk in kept]


def _template(project: Project, template_id: int | None) -> FeedbackTemplate | None:
    return None if template_id is None else get_template(project=project, template_id=template_id)


def _hold(remark: Remark) -> Remark:
    held = Remark.objects.select_for_update(of=("self",), no_key=True).select_related("annotator").get(pk=remark.pk)
    if held.withdrawn_at:
        raise RemarkWithdrawn()
    return held
