"""Images, the uploads they came in, samples of them, queries, and corpora, whose pairs stay in their files."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.catalogue.storage import WITHDRAWN
from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run


class Image(Dated):
    """One picture of a project, told apart by the SHA-256 of its bytes."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="images")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the original bytes, hex.")
    key = models.CharField(max_length=200, help_text="The key from the source. It is unique in the project.")
    names = models.JSONField(default=list, blank=True, help_text="What sources call it besides: its file, its address.")
    perceptual_hash = models.CharField(max_length=16, help_text="64-bit pHash, hex.")
    width = models.PositiveIntegerField(help_text="Pixels, after EXIF orientation.")
    height = models.PositiveIntegerField(help_text="Pixels, after EXIF orientation.")
    format = models.CharField(max_length=12, help_text="JPEG, PNG, WEBP ... found from the content.")
    n_bytes = models.PositiveBigIntegerField()
    notes = models.JSONField(default=list, blank=True, help_text="What the importer changed or noticed, in sentences.")
    original = models.CharField(max_length=200, help_text="Storage name of the original bytes.")
    small = models.CharField(max_length=200, help_text="Storage name of the small thumbnail.")
    large = models.CharField(max_length=200, help_text="Storage name of the large thumbnail.")
    licence = models.CharField(max_length=40, help_text="SPDX-like code, see methods/licences.py.")
    author = models.CharField(max_length=200, blank=True)
    title = models.CharField(max_length=300, blank=True)
    source_url = models.URLField(max_length=500, blank=True)
    attribution = models.CharField(max_length=600, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("project", "digest"), name="image_once_per_project"),
            models.UniqueConstraint(fields=("project", "key"), name="image_key_once_per_project"),
        )
        # The gallery pages along (project, id).
        indexes = (models.Index(fields=("project", "id"), name="image_gallery"),)

    def __str__(self) -> str:
        return self.key

    @property
    def is_withdrawn(self) -> bool:
        """Whether its picture may not be shown any more."""
        return self.original.startswith(WITHDRAWN)


class QueryKind(models.TextChoices):
    CONCEPTUAL = "conceptual", "conceptual"
    DESCRIPTIVE = "descriptive", "descriptive"


class Query(Dated):
    """A text that images are judged against, in a project whose HITs hold a query still (ConQA section 3)."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="queries", db_index=False)
    text = models.CharField(max_length=500)
    kind = models.CharField(max_length=12, choices=QueryKind.choices, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("project", "text"), name="query_once_per_project"),)
        verbose_name_plural = "queries"

    def __str__(self) -> str:
        return self.text


class Upload(Dated):
    """Files sent through the API, waiting for an import run to read them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="uploads")
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    files = models.JSONField(default=list, help_text="[{name, n_bytes}]")
    layout = models.CharField(max_length=20, blank=True, help_text="What a worker saw in it; empty until then.")

    class Meta:
        ordering = ("-created_at",)


class Corpus(Dated):
    """A corpus of picture-caption pairs that lies in a folder of the server. Its pairs never become rows."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="corpora")
    name = models.SlugField(max_length=60, help_text="The name in runs and candidates. It is unique in the project.")
    folder = models.CharField(max_length=1000, help_text="Where its shards lie.")
    layout = models.CharField(max_length=20, help_text="A name from sources/pairs.")
    licence = models.CharField(max_length=200, blank=True, help_text="What the source says of its licence.")
    source = models.CharField(max_length=500, blank=True, help_text="The source.")
    notes = models.TextField(blank=True)
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of layout and shards. Equal pairs have an equal digest."
    )
    n_shards = models.PositiveIntegerField()
    n_pairs = models.PositiveBigIntegerField(null=True, blank=True, help_text="Null until every shard was counted.")

    class Meta:
        ordering = ("id",)
        verbose_name_plural = "corpora"
        constraints = (
            models.UniqueConstraint(fields=("project", "name"), name="corpus_name_once_per_project"),
            models.UniqueConstraint(fields=("project", "digest"), name="corpus_once_per_project"),
        )

    def __str__(self) -> str:
        return self.name


class CorpusShard(models.Model):
    """A file of a corpus, or `n_pairs` rows of it from `first` on where the file is a table."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="shards")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=1000, help_text="The file's path in the corpus' folder.")
    n_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64, help_text="Of the whole file, hex.")
    first = models.PositiveBigIntegerField(
        default=0, help_text="The first row of this shard, if a table has several shards."
    )
    n_pairs = models.PositiveBigIntegerField(null=True, blank=True, help_text="Null until it was counted or read.")

    class Meta:
        ordering = ("corpus", "position")
        constraints = (models.UniqueConstraint(fields=("corpus", "position"), name="corpus_shard_once_per_position"),)

    def __str__(self) -> str:
        return f"{self.name}[{self.first}]" if self.first else self.name


class ShardState(models.TextChoices):
    PENDING = "pending", "pending"
    WORKING = "working", "working"
    DONE = "done", "done"
    REFUSED = "refused", "refused"


class ShardWork(models.Model):
    """What one run has to do with one shard, and which worker has it in hand."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="shard_works")
    shard = models.ForeignKey(CorpusShard, on_delete=models.CASCADE, related_name="works")
    state = models.CharField(max_length=8, choices=ShardState.choices, default=ShardState.PENDING)
    claimed_by = models.CharField(max_length=64, blank=True, help_text="Token of the worker that may write.")
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0, help_text="How often a worker took this shard up.")
    n_done = models.PositiveBigIntegerField(default=0, help_text="Pictures that have a vector.")
    n_skipped = models.PositiveBigIntegerField(default=0, help_text="Rows and captions left out.")
    dropped = models.JSONField(default=dict, blank=True, help_text="{reason: how many were left out for it}")
    error = models.JSONField(null=True, blank=True, help_text="{code, message} of a shard that was refused.")

    class Meta:
        ordering = ("run", "shard__position")
        constraints = (models.UniqueConstraint(fields=("run", "shard"), name="shard_work_once_per_run"),)
        # Workers look for what nobody has in hand, thousands of times in a run.
        indexes = (models.Index(fields=("run", "state"), name="shard_work_of_run"),)

    def __str__(self) -> str:
        return f"{self.shard_id}: {self.state}"


class Layout(models.TextChoices):
    """How the coordinates of a sample came about."""

    UMAP = "umap", "UMAP"
    PRINCIPAL = "principal", "principal axes"


class Sample(Dated):
    """Where a run laid a project's images out on a plane, and which of them it picked, in which order."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="samples")
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="sample")
    k = models.PositiveIntegerField(help_text="The requested number of images.")
    n_images = models.PositiveIntegerField(help_text="Images with coordinates.")
    n_picked = models.PositiveIntegerField()
    n_left_out = models.PositiveIntegerField(help_text="Images without coordinates, because they have no vector.")
    is_everything = models.BooleanField(
        help_text="Whether all images were picked, because there were no more than requested."
    )
    is_short = models.BooleanField(
        help_text="Whether fewer than k were picked, because only copies of picked images were left."
    )
    cover_radius = models.FloatField(help_text="The largest distance between an image and its nearest pick.")
    layout = models.CharField(max_length=12, choices=Layout.choices)
    settings = models.JSONField(help_text="{n_neighbors, min_dist, metric, seed, fit_at_most}")
    versions = models.JSONField(help_text="Of the libraries that the coordinates hang on.")
    model = models.CharField(max_length=200, help_text="The image encoder.")
    model_digest = models.CharField(max_length=64, help_text="SHA-256 of its weights, hex.")
    digest = models.CharField(max_length=64, help_text="SHA-256 over the points: equal for equal samples.")
    in_force_since = models.DateTimeField(null=True, blank=True, help_text="Null if later stages use all images.")

    class Meta:
        ordering = ("-created_at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("project",), condition=models.Q(in_force_since__isnull=False), name="sample_one_in_force"
            ),
        )

    def __str__(self) -> str:
        return f"{self.n_picked} of {self.n_images}"


class SamplePoint(models.Model):
    """One image's place in a sample."""

    sample = models.ForeignKey(Sample, on_delete=models.CASCADE, related_name="points")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="+")
    x = models.FloatField()
    y = models.FloatField()
    position = models.PositiveIntegerField(null=True, blank=True, help_text="Its place in the order of picks, from 1.")
    distance = models.FloatField(
        null=True,
        blank=True,
        help_text="Distance to the nearest earlier pick (null: the first). Not picked: to the nearest pick.",
    )

    class Meta:
        ordering = ("sample", "position")
        constraints = (
            models.UniqueConstraint(fields=("sample", "image"), name="sample_point_once_per_image"),
            # Both a rule and the way the picks are read, in order.
            models.UniqueConstraint(
                fields=("sample", "position"),
                condition=models.Q(position__isnull=False),
                name="sample_point_once_per_position",
            ),
        )

    def __str__(self) -> str:
        return f"{self.image_id}: {self.position or 'left'}"


class CorpusCurves(Dated):
    """What one run of `polysemy` measured of one corpus (IMP Figure 3); the rows of a run are a report."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="corpus_curves")
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="curves")
    curves = models.JSONField(help_text="{n_queries, points}, see methods/polysemy.py.")
    n_pictures = models.PositiveBigIntegerField(help_text="Pictures with a vector: the queries and their neighbours.")
    n_unreadable = models.PositiveIntegerField(help_text="Query pictures that could no longer be read.")
    index = models.CharField(max_length=20, help_text="What found the neighbours: exact, hnsw or ivf-pq.")
    vectors_digest = models.CharField(max_length=64, help_text="SHA-256 over the corpus' vectors, hex.")
    model = models.CharField(max_length=200, help_text="The image encoder of the similarities.")
    model_digest = models.CharField(max_length=64, help_text="SHA-256 of its weights, hex.")
    clip = models.CharField(max_length=200, help_text="The CLIP of the geodesic distances.")
    clip_digest = models.CharField(max_length=64, help_text="SHA-256 of its weights, hex.")

    class Meta:
        ordering = ("run", "corpus")
        constraints = (models.UniqueConstraint(fields=("run", "corpus"), name="corpus_curves_once_per_run"),)

    def __str__(self) -> str:
        return f"{self.corpus_id}: {self.model}, {self.clip}"
