"""A release: frozen files with checksums, and what they were made from."""

from __future__ import annotations

import secrets
import uuid
from typing import Any

from django.conf import settings
from django.db import models

from backend.common.errors import Conflict
from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run


class Immutable(Conflict):
    """A release never changes. Correct the data and make a new release."""

    code = "immutable"


class FrozenRows(models.QuerySet[Any]):
    """Rows in bulk: they can be made and read."""

    def update(self, **fields: Any) -> int:
        raise Immutable()

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Immutable()


class Frozen(models.Model):
    """A row that is written once."""

    objects = FrozenRows.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Immutable()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Immutable()


class Release(Frozen, Dated):
    """Immutable: its rows are written once, and its files are named by their content."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    run = models.OneToOneField(Run, null=True, on_delete=models.SET_NULL, related_name="release")
    version = models.PositiveIntegerField(help_text="1, 2, 3 ... in the order of the releases.")
    label = models.CharField(max_length=40, help_text="The semantic version, for example 1.2.0.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 over the checksums of its files.")
    content = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 over the data and settings, without the version."
    )
    changelog = models.JSONField(
        default=dict, blank=True, help_text="What changed since the release before. Empty in older releases."
    )
    manifest = models.JSONField(help_text="Counts, parameters, seeds and model digests; also a file of the release.")
    n_images = models.PositiveIntegerField()
    n_captions = models.PositiveIntegerField()
    n_judgments = models.PositiveIntegerField()

    class Meta:
        ordering = ("-version",)
        constraints = (
            models.UniqueConstraint(fields=("project", "version"), name="release_version_once"),
            models.UniqueConstraint(fields=("project", "label"), name="release_label_once"),
        )

    def __str__(self) -> str:
        return f"{self.project_id} {self.label}"


class Withdrawal(Frozen, Dated):
    """An image that must not be published any more, with the reason. Its picture goes. Releases stay as they are."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="withdrawals", db_index=False)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the original image.")
    key = models.CharField(max_length=200, help_text="The key of the image in its source.")
    reason = models.TextField(max_length=2000)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("project", "digest"), name="withdrawal_once"),)

    def __str__(self) -> str:
        return self.key


class ReleaseFile(Frozen):
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=80)
    n_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    stored_as = models.CharField(max_length=200, help_text="Storage name.")

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("release", "name"), name="release_file_once"),)


class ReleaseEntry(Frozen):
    """One image of a release as it was when the release was cut; the same as its line in images.jsonl."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="entries")
    position = models.PositiveIntegerField(help_text="1, 2, 3 ... in the order of the digests.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the original image.")
    body = models.JSONField(help_text="The image's line in images.jsonl.")

    class Meta:
        ordering = ("release_id", "position")
        verbose_name_plural = "release entries"
        # A release's entries are paged along their positions.
        constraints = (models.UniqueConstraint(fields=("release", "position"), name="release_entry_position_once"),)


class ReleaseCaption(Frozen):
    """What the entries of a release are filtered by: one row for each of their captions, derived from the files."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="captions", db_index=False)
    position = models.PositiveIntegerField(help_text="The position of the caption's entry.")
    key = models.CharField(max_length=32, help_text="The key of the caption.")
    split = models.CharField(max_length=12, blank=True)
    source = models.CharField(max_length=40)
    difficulty = models.CharField(max_length=12, help_text="A category of the manifest.")
    agreement = models.FloatField(null=True, help_text="The share of its votes that are good. Null without votes.")
    lenses = models.CharField(
        max_length=80, blank=True, help_text="The lenses that annotators chose, in order, a space around each."
    )

    class Meta:
        ordering = ("release_id", "position", "key")
        constraints = (models.UniqueConstraint(fields=("release", "position", "key"), name="release_caption_key_once"),)
        indexes = (models.Index(fields=("release", "difficulty", "position"), name="release_caption_difficulty"),)


class ReleaseFigures(Frozen, Dated):
    """What the page of a release draws. Counted at the first look."""

    release = models.OneToOneField(Release, on_delete=models.CASCADE, related_name="figures", primary_key=True)
    body = models.JSONField()

    class Meta:
        verbose_name_plural = "release figures"


class ReleaseDownloads(models.Model):
    """How often a file of a release was sent, whoever asked."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="downloads", db_index=False)
    name = models.CharField(max_length=80, help_text="A file, or .zip for all files in one.")
    n = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("release", "name"), name="release_downloads_once"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.n}"


def new_token() -> str:
    return secrets.token_urlsafe(24)


class ReleaseLink(Dated):
    """A public page of a release, for visitors without an account.

    The token is kept readable: people cite the address, and it opens nothing but the release.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="links")
    token = models.CharField(max_length=64, unique=True, default=new_token)
    is_indexable = models.BooleanField(default=False, help_text="Search engines may list the page.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("release",), condition=models.Q(closed_at=None), name="release_link_open_once"
            ),
        )
