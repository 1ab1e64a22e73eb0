"""A project, who belongs to it, and how one gets in."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from backend.common.models import Dated


class Direction(models.TextChoices):
    """Which side of the pair a HIT holds still."""

    CAPTIONS_OF_AN_IMAGE = "captions_of_image", "captions of an image"
    IMAGES_OF_A_QUERY = "images_of_query", "images of a query"


class Role(models.TextChoices):
    CURATOR = "curator", "curator"
    HEAD_ANNOTATOR = "head_annotator", "head annotator"
    ANNOTATOR = "annotator", "annotator"

    @property
    def may_curate(self) -> bool:
        return self is Role.CURATOR

    @property
    def may_review(self) -> bool:
        return self in (Role.CURATOR, Role.HEAD_ANNOTATOR)


class Project(Dated):
    """A dataset in the making: its direction, its guidelines, and how its HITs are cut."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    direction = models.CharField(max_length=20, choices=Direction.choices, default=Direction.CAPTIONS_OF_AN_IMAGE)
    guidelines = models.TextField(
        blank=True, validators=[MaxLengthValidator(20_000)], help_text="Markdown; shown beside the work."
    )
    examples_digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the examples beside the guidelines; empty: there are none."
    )
    overlap = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(50)], help_text="Judgments that each pair needs."
    )
    captions_per_hit = models.PositiveSmallIntegerField(
        default=10, validators=[MinValueValidator(1), MaxValueValidator(50)], help_text="Pairs in one HIT at most."
    )
    lease_minutes = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
        help_text="How long an annotator can keep a HIT, in minutes.",
    )
    control_rate = models.FloatField(
        default=0.1,
        validators=[MinValueValidator(0), MaxValueValidator(0.5)],
        help_text="Share of hidden controls among the items of an annotator.",
    )
    confidence = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(0.5), MaxValueValidator(0.999)],
        help_text="Adaptive overlap: pairs less certain than this get more judgments. Empty: all get `overlap`.",
    )
    max_overlap = models.PositiveSmallIntegerField(
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(50)],
        help_text="Judgments a pair gets at most under adaptive overlap.",
    )
    hits_per_annotator = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="HITs one person may submit. Empty: any."
    )
    gate_after = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(50)],
        help_text="After so many HITs a new annotator waits until a head annotator accepts them. 0: nobody waits.",
    )
    shuffles_options = models.BooleanField(
        default=False, help_text="Whether each assignment has its own order of answer buttons."
    )
    pay_per_hit = models.DecimalField(
        max_digits=8, decimal_places=4, null=True, blank=True, validators=[MinValueValidator(0)],
        help_text="Pay for one HIT, in the currency of your budget. The forecast uses it.",
    )  # fmt: skip
    pay_fee = models.FloatField(
        default=0, validators=[MinValueValidator(0), MaxValueValidator(10)],
        help_text="The fee of the platform on top, .1 for ten percent.",
    )  # fmt: skip
    version = models.PositiveIntegerField(
        default=1, help_text="It grows with each change. A write with an old version answers 409."
    )
    quota_version = models.PositiveIntegerField(default=1, help_text="Grows with every change of `quota`.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(overlap__gte=1), name="project_overlap_at_least_one"),
            models.CheckConstraint(condition=models.Q(captions_per_hit__gte=1), name="project_hit_holds_a_caption"),
        )

    def __str__(self) -> str:
        return self.slug

    @property
    def quota(self) -> tuple[int, int, float | None]:
        """The settings by which HITs get their slots."""
        return self.overlap, self.max_overlap, self.confidence

    @property
    def most_votes(self) -> int:
        """How many judgments one pair can come to want."""
        return self.overlap if self.confidence is None else max(self.overlap, self.max_overlap)


class Membership(Dated):
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("project", "user"), name="membership_once_per_project"),)

    def __str__(self) -> str:
        return f"{self.user_id} as {self.role} on {self.project_id}"


class InvitationBatch(Dated):
    """Several links that were made at once, for one role."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitation_batches")
    role = models.CharField(max_length=20, choices=Role.choices)
    note = models.CharField(max_length=120, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "invitation batches"


class Invitation(Dated):
    """A link that lets one person in, once. Only the SHA-256 of its token is kept."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=Role.choices)
    note = models.CharField(max_length=120, blank=True)
    batch = models.ForeignKey(
        InvitationBatch, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("-id",)

    @property
    def is_live(self) -> bool:
        return not self.accepted_at and not self.revoked_at and self.expires_at > timezone.now()
