"""What the head annotator writes to one person about their answers, and the replies of both sides."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.annotation.models import Judgment
from backend.common.labels import Label
from backend.common.models import Dated
from backend.projects.models import Project


class FeedbackTemplate(Dated):
    """A kind of feedback with words to begin with. One that is not offered any more stays for what was written."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="feedback_templates")
    code = models.CharField(
        max_length=20, blank=True, help_text="Of a template that every project begins with; empty for the others."
    )
    name = models.CharField(max_length=80, blank=True, help_text="Empty while the words are those of the code.")
    text = models.TextField(blank=True, help_text="Empty while the words are those of the code.")
    is_archived = models.BooleanField(default=False, help_text="Not offered any more.")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("project", "code"), condition=~models.Q(code=""), name="feedback_template_once_per_code"
            ),
            models.CheckConstraint(
                condition=models.Q(name="", text="") & ~models.Q(code="") | ~models.Q(name="") & ~models.Q(text=""),
                name="feedback_template_has_words",
            ),
        )

    def __str__(self) -> str:
        return self.name or self.code


class RemarkAnswer(models.TextChoices):
    ACKNOWLEDGE = "acknowledge", "got it"
    AGREE = "agree", "I agree"
    TALK = "talk", "let's talk"


class RemarkState(models.TextChoices):
    SENT = "sent", "sent"
    SEEN = "seen", "seen: the inbox showed it"
    ACKNOWLEDGED = "acknowledged", "acknowledged: got it, or I agree"
    ANSWERED = "answered", "answered: the person wants to talk"
    WITHDRAWN = "withdrawn", "withdrawn: the person does not see it any more"


class Remark(Dated):
    """What the head annotator writes to one person about one answer or several. The text is never changed."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="remarks", db_index=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="remarks", db_index=False
    )
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = models.TextField()
    template = models.ForeignKey(
        FeedbackTemplate, null=True, blank=True, on_delete=models.PROTECT, related_name="remarks", db_index=False
    )
    answer = models.CharField(max_length=11, choices=RemarkAnswer.choices, blank=True, help_text="Empty: none yet.")
    seen_at = models.DateTimeField(null=True, blank=True, help_text="When the person's inbox first showed it.")
    acknowledged_at = models.DateTimeField(null=True, blank=True, help_text="When the person last acknowledged it.")
    answered_at = models.DateTimeField(null=True, blank=True, help_text="When the person last wrote back.")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    is_unread = models.BooleanField(default=True, help_text="The person has not seen all that was written to them.")
    awaits_reply = models.BooleanField(default=False, help_text="The person wrote last, and wants to talk.")

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(answer__in=["", *RemarkAnswer.values]), name="remark_answer_known"
            ),
            models.CheckConstraint(
                condition=models.Q(awaits_reply=False) | models.Q(answer="talk", withdrawn_at=None),
                name="remark_waits_only_for_talk",
            ),
        )
        indexes = (
            # A person's inbox, unread ones first, and how many there are: the top bar asks on every page.
            models.Index(fields=("annotator", "project", "-is_unread", "-id"), name="remark_inbox"),
            models.Index(fields=("project", "-id"), name="remark_of_project"),
        )

    def __str__(self) -> str:
        return f"remark {self.pk}"

    @property
    def state(self) -> RemarkState:
        if self.withdrawn_at:
            return RemarkState.WITHDRAWN
        if self.answer:
            return RemarkState.ANSWERED if self.answer == RemarkAnswer.TALK else RemarkState.ACKNOWLEDGED
        return RemarkState.SEEN if self.seen_at else RemarkState.SENT


class RemarkItem(models.Model):
    """One of the answers of a feedback."""

    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1, 2, 3 ... in the order of the message.")
    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="remark_items")
    label = models.CharField(
        max_length=6, choices=Label.choices, blank=True, help_text="Which would be right, if said."
    )

    class Meta:
        ordering = ("remark_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("remark", "position"), name="remark_item_in_its_place"),
            models.UniqueConstraint(fields=("remark", "judgment"), name="remark_item_once_per_answer"),
            models.CheckConstraint(condition=models.Q(label__in=["", *Label.values]), name="remark_label_known"),
        )

    def __str__(self) -> str:
        return f"remark {self.remark_id}, {self.position}"


class RemarkReply(Dated):
    """One turn of the talk under a remark, of either side."""

    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="replies")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = models.TextField()

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"reply {self.pk}"
