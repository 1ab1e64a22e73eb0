"""What the API takes and gives about images, uploads, corpora and samples."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.corpora_reads import Progress
from backend.catalogue.media import media_url
from backend.catalogue.models import Corpus, CorpusShard, Image, Sample, SamplePoint, ShardState, Upload
from backend.methods.licences import parse_licence
from backend.methods.thumbnails import LARGE, SMALL, fit_within
from backend.runs.import_roots import allowed_source
from backend.runs.models import RunStatus


class ThumbnailOut(serializers.Serializer):
    url = serializers.CharField(help_text="Signed, good for 12 to 24 hours, the same for 12.")
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class ThumbnailsOut(serializers.Serializer):
    small = ThumbnailOut()
    large = ThumbnailOut()


class LicenceOut(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField(allow_blank=True)


def present_thumbnails(image: Image) -> dict[str, Any]:
    """The values of ThumbnailsOut: where both thumbnails are and how large they will be."""
    return {"small": _thumbnail(image, image.small, SMALL), "large": _thumbnail(image, image.large, LARGE)}


def _thumbnail(image: Image, name: str, longest: int) -> dict[str, Any]:
    width, height = fit_within(image.width, image.height, longest)
    return {"url": media_url(name), "width": width, "height": height}


@extend_schema_field(ThumbnailsOut)
class ThumbnailsField(serializers.ReadOnlyField):
    """The thumbnails of the image itself, or of the image at `source`."""

    def __init__(self, source: str = "*", **more: Any) -> None:
        super().__init__(source=source, **more)

    def to_representation(self, image: Image) -> dict[str, Any]:
        return present_thumbnails(image)


class ImageOut(serializers.ModelSerializer):
    source_url = serializers.CharField(read_only=True, help_text="Empty if there is none.")
    licence = serializers.SerializerMethodField()
    thumbnail = ThumbnailsField()

    class Meta:
        model = Image
        fields = (
            "id", "key", "digest", "width", "height", "format", "licence", "author", "title", "source_url",
            "attribution", "thumbnail", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(LicenceOut)
    def get_licence(self, image: Image) -> dict[str, str]:
        found = parse_licence(image.licence)
        name, url = (found.name, found.url) if found else (image.licence, "")
        return {"code": image.licence, "name": name, "url": url}


class ImageDetailOut(ImageOut):
    """`original_url` is for curators only, because an original file can contain its location."""

    phash = serializers.CharField(source="perceptual_hash")
    notes = serializers.ListField(child=serializers.CharField())
    original_url = serializers.SerializerMethodField()

    class Meta:
        model = Image
        fields = (*ImageOut.Meta.fields, "phash", "notes", "n_bytes", "original_url")
        read_only_fields = fields

    def get_original_url(self, image: Image) -> str | None:
        if not self.context["may_curate"]:
            return None
        ending = image.original.rpartition(".")[2]
        return media_url(image.original, download_as=f"{image.digest[:16]}.{ending}")


class UploadIn(serializers.Serializer):
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True, use_url=False, max_length=255),
        allow_empty=False,
        max_length=2000,
        help_text="Images, or one .zip or .tar, with a CSV, JSONL or JSON that describes them.",
    )


class UploadFileOut(serializers.Serializer):
    name = serializers.CharField()
    n_bytes = serializers.IntegerField()


class UploadOut(serializers.ModelSerializer):
    files = UploadFileOut(many=True)
    detected_layout = serializers.CharField(
        source="layout",
        help_text="table, coco, imagefolder, webdataset or files; empty until a worker knows.",
    )

    class Meta:
        model = Upload
        fields = ("id", "files", "detected_layout", "created_at")
        read_only_fields = fields


class CorpusIn(serializers.Serializer):
    folder = serializers.CharField(
        max_length=1000, help_text="A folder of the server with a corpus.json, under CONNOTE_IMPORT_ROOTS."
    )
    name = serializers.CharField(
        required=False, allow_blank=True, max_length=60, help_text="Small letters, digits, - and _; else corpus.json's."
    )
    licence = serializers.CharField(required=False, allow_blank=True, max_length=200)
    notes = serializers.CharField(required=False, allow_blank=True, max_length=10_000)

    def validate_folder(self, folder: str) -> str:
        """Its real path. A folder is only read where it lies under an import root."""
        return allowed_source(folder, self.context["project"].slug)


class CorpusProgressOut(serializers.Serializer):
    """The newest run of a corpus, with its shards by state."""

    run = serializers.UUIDField()
    status = serializers.ChoiceField(choices=RunStatus.choices)
    models = serializers.DictField(child=serializers.CharField(), help_text="{model name: digest of its weights}")
    pending = serializers.IntegerField()
    working = serializers.IntegerField()
    done = serializers.IntegerField()
    refused = serializers.IntegerField()


class CorpusEmbeddingOut(serializers.Serializer):
    """The progress of one model over a corpus in the newest run: shards by state, and images."""

    model = serializers.CharField()
    model_digest = serializers.CharField(help_text="SHA-256 of its weights, hex.")
    run = serializers.UUIDField()
    status = serializers.ChoiceField(choices=RunStatus.choices)
    error = serializers.CharField(help_text="Why the run failed. Empty if it did not fail.")
    finished_at = serializers.DateTimeField(allow_null=True)
    pending = serializers.IntegerField()
    working = serializers.IntegerField()
    done = serializers.IntegerField()
    refused = serializers.IntegerField()
    n_done = serializers.IntegerField(help_text="Images that have a vector of this model.")
    n_skipped = serializers.IntegerField(help_text="Rows and captions left out.")
    dropped = serializers.DictField(
        child=serializers.IntegerField(), help_text="{reason: number of rows left out}, after the run ended."
    )


class CorpusOut(serializers.ModelSerializer):
    folder = serializers.SerializerMethodField(
        help_text="The name of the folder on the server; for staff its whole path. Null for other roles than curator."
    )
    progress = serializers.SerializerMethodField()
    embeddings = serializers.SerializerMethodField(help_text="One for each model, the newest first.")

    class Meta:
        model = Corpus
        fields = (
            "id", "name", "folder", "layout", "licence", "source", "notes", "digest", "n_shards", "n_pairs",
            "progress", "embeddings", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_folder(self, corpus: Corpus) -> str | None:
        if not self.context["may_curate"]:
            return None
        return corpus.folder if self.context["is_staff"] else PurePath(corpus.folder).name

    @extend_schema_field(CorpusProgressOut(allow_null=True))
    def get_progress(self, corpus: Corpus) -> dict[str, Any] | None:
        found: list[Progress] = self.context["progress"].get(corpus.pk, [])
        if not found:
            return None
        run = found[0].run
        return {"run": str(run.pk), "status": run.status, "models": run.models_used, **found[0].shards}

    @extend_schema_field(CorpusEmbeddingOut(many=True))
    def get_embeddings(self, corpus: Corpus) -> list[dict[str, Any]]:
        return [present_embedding(progress) for progress in self.context["progress"].get(corpus.pk, [])]


def present_embedding(progress: Progress) -> dict[str, Any]:
    run = progress.run
    return {
        "model": progress.model,
        "model_digest": run.models_used.get(progress.model, ""),
        "run": str(run.pk),
        "status": run.status,
        "error": (run.error or {}).get("message", ""),
        "finished_at": run.finished_at,
        **progress.shards,
        "n_done": progress.n_done,
        "n_skipped": progress.n_skipped,
        "dropped": {reason: n for reason, n in run.counts.get("dropped", {}).items() if n},
    }


class CorpusShardListIn(serializers.Serializer):
    run = serializers.UUIDField(required=False, default=None, help_text="A run over the corpus; by default the newest.")
    state = serializers.ChoiceField(
        choices=ShardState.choices, required=False, default="", help_text="Only shards that the run left so."
    )


class ShardErrorOut(serializers.Serializer):
    code = serializers.CharField()
    message = serializers.CharField()


class CorpusShardOut(serializers.ModelSerializer):
    """A shard, and its state in the newest run. `state` is null without a run."""

    state = serializers.SerializerMethodField()
    n_done = serializers.IntegerField(allow_null=True)
    n_skipped = serializers.IntegerField(allow_null=True)
    dropped = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    error = ShardErrorOut(allow_null=True)
    heartbeat_at = serializers.DateTimeField(allow_null=True)

    class Meta:
        model = CorpusShard
        fields = (
            "position", "name", "first", "n_bytes", "n_pairs", "state", "n_done", "n_skipped", "dropped", "error",
            "heartbeat_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=ShardState.choices, allow_null=True))
    def get_state(self, shard: CorpusShard) -> str | None:
        state: str | None = shard.state  # type: ignore[attr-defined]  # annotated by the selector
        is_left = state == ShardState.WORKING and self.context["run_is_over"]
        return ShardState.PENDING.value if is_left else state


class LayoutSettingsOut(serializers.Serializer):
    n_neighbors = serializers.IntegerField()
    min_dist = serializers.FloatField()
    metric = serializers.CharField()
    seed = serializers.IntegerField()


class SampleOut(serializers.ModelSerializer):
    """A sample without its points. `in_force_since` is null if it is not active."""

    settings = LayoutSettingsOut(help_text="Settings of UMAP. Not used if `layout` is principal.")
    versions = serializers.DictField(child=serializers.CharField())

    class Meta:
        model = Sample
        fields = (
            "id", "run", "k", "n_images", "n_picked", "n_left_out", "is_everything", "is_short", "cover_radius",
            "layout", "settings", "versions", "model", "model_digest", "digest", "in_force_since", "created_at",
        )  # fmt: skip
        read_only_fields = fields


class SamplePointsOut(serializers.Serializer):
    """All points in columns of equal length. `positions` has the place in the order of picks, or null."""

    images = serializers.ListField(child=serializers.IntegerField())
    x = serializers.ListField(child=serializers.FloatField())
    y = serializers.ListField(child=serializers.FloatField())
    positions = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class PickedImageOut(serializers.ModelSerializer):
    thumbnail = ThumbnailsField()

    class Meta:
        model = Image
        fields = ("id", "key", "title", "thumbnail")
        read_only_fields = fields


class SamplePickOut(serializers.ModelSerializer):
    """A picked image. `distance` is the distance to the nearest earlier pick. The first has none."""

    image = PickedImageOut()

    class Meta:
        model = SamplePoint
        fields = ("position", "distance", "x", "y", "image")
        read_only_fields = fields
