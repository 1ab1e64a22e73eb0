"""What the API gives about releases."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.checklist import STATES
from backend.methods.exports.changes import BUMPS
from backend.methods.exports.citation import Edition, write_bibtex, write_citation
from backend.releases.checklist import CODES
from backend.releases.models import Release, ReleaseDownloads, ReleaseFigures, ReleaseFile, ReleaseLink, Withdrawal

RELEASE_FIELDS = (
    "id", "version", "label", "created_at", "created_by", "n_images", "n_captions", "n_judgments", "digest", "files",
    "archive_url", "downloads",
)  # fmt: skip


class ReleaseFileOut(serializers.ModelSerializer):
    url = serializers.SerializerMethodField(
        help_text="The address of the file. A broken download can continue with Range."
    )

    class Meta:
        model = ReleaseFile
        fields = ("name", "n_bytes", "sha256", "url")
        read_only_fields = fields

    def get_url(self, file: ReleaseFile) -> str:
        if token := self.context.get("token"):
            return reverse("public-release-file", kwargs={"token": token, "name": file.name})
        return reverse("release-file", kwargs={"release_id": file.release_id, "name": file.name})


class ReleaseDownloadsOut(serializers.ModelSerializer):
    class Meta:
        model = ReleaseDownloads
        fields = ("name", "n")
        read_only_fields = fields


class ReleasesOnMapOut(serializers.Serializer):
    """What of a release is still in the project, by id."""

    label = serializers.CharField()  # type: ignore[assignment]
    images = serializers.ListField(child=serializers.IntegerField())
    captions = serializers.ListField(child=serializers.IntegerField())


class ReleaseOut(serializers.ModelSerializer):
    created_by = serializers.CharField(source="created_by.shown_name", default=None, allow_null=True)
    files = ReleaseFileOut(many=True)
    archive_url = serializers.SerializerMethodField(help_text="The address of all files as one .zip.")
    downloads = ReleaseDownloadsOut(many=True, help_text="How often each file was sent; `.zip` is all in one.")

    class Meta:
        model = Release
        fields = RELEASE_FIELDS
        read_only_fields = fields

    def get_archive_url(self, release: Release) -> str:
        if token := self.context.get("token"):
            return reverse("public-release-archive", kwargs={"token": token})
        return reverse("release-archive", kwargs={"release_id": release.pk})


class ReleaseCitationOut(serializers.Serializer):
    """How to cite a release. The address is in it while the release has a public page."""

    bibtex = serializers.CharField()
    cff = serializers.CharField(help_text="CITATION.cff.")


class ListedOut(serializers.Serializer):
    """How many there are, and the first 100: digests of images, or keys of captions."""

    n = serializers.IntegerField()
    first = serializers.ListField(child=serializers.CharField())


class MovesOut(serializers.Serializer):
    added = ListedOut()
    left = ListedOut()
    changed = ListedOut()


class ReleaseNameOut(serializers.Serializer):
    label = serializers.CharField()  # type: ignore[assignment]
    digest = serializers.CharField()


class BeforeAfterOut(serializers.Serializer):
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class ChangedSettingOut(serializers.Serializer):
    """A setting by its path in manifest.json. An empty value means that it is not there."""

    name = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class ChangesOut(serializers.Serializer):
    """What changed between two releases. `against` is null in the first release of a project. `difficulty` counts the
    captions of both releases, by the category before and the category now."""

    against = ReleaseNameOut(allow_null=True)
    step = serializers.ChoiceField(choices=("first", *reversed(BUMPS)))
    notes = serializers.CharField(allow_blank=True)
    images = MovesOut()
    captions = MovesOut()
    judgments = BeforeAfterOut()
    difficulty = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    settings = ChangedSettingOut(many=True)
    is_new_format = serializers.BooleanField()


class ChangesIn(serializers.Serializer):
    against = serializers.UUIDField(
        required=False, help_text="The release to compare with. Default: the release before."
    )


class ChecklistItemOut(serializers.Serializer):
    """One line of the checklist. `params` has the details of its code."""

    code = serializers.ChoiceField(choices=CODES)
    state = serializers.ChoiceField(choices=STATES)
    n = serializers.IntegerField()
    params = serializers.DictField(child=serializers.JSONField())
    link = serializers.CharField(help_text="The page of the site that shows it.")


class ChecklistOut(serializers.Serializer):
    """What to look at before a release is made. Nothing here blocks a release."""

    items = ChecklistItemOut(many=True)
    is_clear = serializers.BooleanField(help_text="Whether no line is a warning.")


class ReleaseDetailOut(ReleaseOut):
    """`changelog` says what changed since the release before. It is null in older releases. `public_url` in the context
    is the address of the public page, if it is open."""

    project = serializers.SlugField(source="project.slug")
    project_name = serializers.CharField(source="project.name")
    manifest = serializers.DictField(child=serializers.JSONField())
    citation = serializers.SerializerMethodField()
    changelog = serializers.SerializerMethodField()
    public_url = serializers.SerializerMethodField(help_text="The page for visitors; null where there is none.")

    class Meta:
        model = Release
        fields = (*RELEASE_FIELDS, "project", "project_name", "manifest", "citation", "changelog", "public_url")
        read_only_fields = fields

    @extend_schema_field(ChangesOut(allow_null=True))
    def get_changelog(self, release: Release) -> dict[str, Any] | None:
        return release.changelog or None

    def get_public_url(self, release: Release) -> str | None:
        return self.context.get("public_url")

    @extend_schema_field(ReleaseCitationOut)
    def get_citation(self, release: Release) -> dict[str, str]:
        edition = Edition(release.label, release.created_at.date(), self.context.get("public_url", ""))
        return {
            "bibtex": write_bibtex(release.manifest, edition),
            "cff": write_citation(release.manifest, edition),
        }


class PublicReleaseOut(ReleaseDetailOut):
    """A release as visitors see it: without the people of the project. `token` and `public_url` are in the context."""

    class Meta:
        model = Release
        fields = tuple(name for name in ReleaseDetailOut.Meta.fields if name not in ("id", "created_by", "downloads"))
        read_only_fields = fields


class ReleaseCountOut(serializers.Serializer):
    name = serializers.CharField()
    n = serializers.IntegerField()


class ReleaseBinOut(serializers.Serializer):
    """From `low` up to `high`; the last bin has its end in it."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField()


class ReleaseAlphaOut(serializers.Serializer):
    """Krippendorff's alpha of all answers that counted when the release was made, with its 95% interval."""

    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n_items = serializers.IntegerField(help_text="Captions with two answers or more.")
    n_judgments = serializers.IntegerField(help_text="Answers on these captions.")


class ReleaseRowOut(ReleaseOut):
    """A row of the list. The context has `withdrawn`, counts by release, and `url_of`, which makes an address."""

    alpha = serializers.SerializerMethodField(help_text="Null in an older release until its figures are first read.")
    n_withdrawn = serializers.SerializerMethodField(help_text="Images of the release that were withdrawn since.")
    public_url = serializers.SerializerMethodField(help_text="The page for visitors; null where there is none.")

    class Meta:
        model = Release
        fields = (*RELEASE_FIELDS, "alpha", "n_withdrawn", "public_url")
        read_only_fields = fields

    @extend_schema_field(ReleaseAlphaOut(allow_null=True))
    def get_alpha(self, release: Release) -> dict[str, Any] | None:
        figures: ReleaseFigures | None = getattr(release, "figures", None)
        return figures.body.get("alpha") if figures else None

    def get_n_withdrawn(self, release: Release) -> int:
        return int(self.context["withdrawn"].get(release.pk, 0))

    def get_public_url(self, release: Release) -> str | None:
        for link in release.open_links:  # type: ignore[attr-defined]
            return str(self.context["url_of"](link.token))
        return None


class ReleaseFiguresOut(serializers.Serializer):
    """What the page of a release draws. `captions_per_image` counts images by their number of captions."""

    captions_per_image = ReleaseCountOut(many=True)
    sources = ReleaseCountOut(many=True, help_text="Captions of each source.")
    categories = ReleaseCountOut(many=True, help_text="Captions of each category of agreement.")
    difficulty = ReleaseCountOut(many=True, help_text="Captions of each difficulty.")
    votes = ReleaseCountOut(many=True, help_text="Answers of each label.")
    splits = ReleaseCountOut(many=True, help_text="Images of each split.")
    licences = ReleaseCountOut(many=True, help_text="Images of each licence.")
    agreement = ReleaseBinOut(many=True, help_text="Captions by the share of their answers that are good.")
    n_without_votes = serializers.IntegerField(help_text="Captions without answers; they are in no bin.")
    lenses = ReleaseCountOut(
        many=True, allow_null=True, help_text="Captions of each lens; null where the release has no lenses."
    )
    alpha = ReleaseAlphaOut(
        allow_null=True, help_text="Null where the release leaves out rejected captions, or with too few answers."
    )


class ReleaseLinkIn(serializers.Serializer):
    is_indexable = serializers.BooleanField(default=False, help_text="Let search engines list the page.")
    despite_work = serializers.BooleanField(
        default=False, help_text="Open the page although annotators still have tasks."
    )


class ReleaseLinkOut(serializers.Serializer):
    """The public page of a release. While it is closed, the other fields are null."""

    is_open = serializers.BooleanField()
    url = serializers.CharField(allow_null=True)
    is_indexable = serializers.BooleanField(allow_null=True)
    created_at = serializers.DateTimeField(allow_null=True)
    created_by = serializers.CharField(allow_null=True)


def present_link(link: ReleaseLink | None, *, url: str) -> dict[str, Any]:
    """The values of ReleaseLinkOut."""
    if link is None:
        return {"is_open": False} | dict.fromkeys(("url", "is_indexable", "created_at", "created_by"))
    by = link.created_by.shown_name if link.created_by else None
    return {
        "is_open": True, "url": url, "is_indexable": link.is_indexable, "created_at": link.created_at,
        "created_by": by,
    }  # fmt: skip


class WithdrawalOut(serializers.ModelSerializer):
    created_by = serializers.CharField(source="created_by.shown_name", default=None, allow_null=True)

    class Meta:
        model = Withdrawal
        fields = ("id", "digest", "key", "reason", "created_at", "created_by")
        read_only_fields = fields


class WithdrawalIn(serializers.Serializer):
    image = serializers.RegexField(r"^[0-9a-f]{64}\Z", help_text="The SHA-256 of the image (`digest`).")
    reason = serializers.CharField(max_length=2000)
