"""What the head annotator writes to one person about an answer, and the replies of both sides."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.annotation.models import Judgment
from backend.common.labels import Label
from backend.common.models import Dated
from backend.projects.models import Project


class RemarkAnswer(models.TextChoices):
    SEEN = "seen", "seen"
    AGREE = "agree", "I agree"
    TALK = "talk", "let's talk"


class Remark(Dated):
    """What the head annotator writes to one person on the very caption they judged. The text is never changed."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="remarks", db_index=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="remarks", db_index=False
    )
    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="remarks")
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = models.TextField()
    label = models.CharField(
        max_length=6, choices=Label.choices, blank=True, help_text="Which would be right, if said."
    )
    answer = models.CharField(max_length=5, choices=RemarkAnswer.choices, blank=True, help_text="Empty: none yet.")
    answered_at = models.DateTimeField(null=True, blank=True, help_text="When the person last answered.")
    is_unread = models.BooleanField(default=True, help_text="The person has not said that they saw what was written.")
    awaits_reply = models.BooleanField(default=False, help_text="The person wrote last, and wants to talk.")

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(label__in=["", *Label.values]), name="remark_label_known"),
            models.CheckConstraint(
                condition=models.Q(answer__in=["", *RemarkAnswer.values]), name="remark_answer_known"
            ),
        )
        indexes = (
            # A person's inbox, unread ones first, and how many there are: the top bar asks on every page.
            models.Index(fields=("annotator", "project", "-is_unread", "-id"), name="remark_inbox"),
            models.Index(fields=("project", "-id"), name="remark_of_project"),
        )

    def __str__(self) -> str:
        return f"remark {self.pk}"


class RemarkReply(Dated):
    """One turn of the talk under a remark, of either side."""

    remark = models.ForeignKey(Remark, on_delete=models.CASCADE, related_name="replies")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    text = models.TextField()

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"reply {self.pk}"
