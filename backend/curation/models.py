"""What people agreed on, the few captions chosen from it, and how hard models find those."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.common.models import Dated
from backend.projects.models import Project
from backend.review.models import Verdict
from backend.runs.models import Run


class Method(models.TextChoices):
    MAJORITY = "majority", "majority: a tie stays open"
    DAWID_SKENE = "dawid_skene", "Dawid-Skene: votes weighed by each annotator's confusions"
    MACE = "mace", "MACE: votes weighed by how often each annotator knows"


class Consensus(models.Model):
    """The votes on one pair and the label they make, or the head annotator's verdict above them; a tie has no label."""

    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="consensus")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    label = models.CharField(max_length=6, choices=Label.choices, blank=True, help_text="Empty where votes are tied.")
    n_good = models.PositiveSmallIntegerField(default=0)
    n_bad = models.PositiveSmallIntegerField(default=0)
    n_unsure = models.PositiveSmallIntegerField(default=0)
    counted_until = models.PositiveBigIntegerField(
        default=0, help_text="The newest judgment there was; a release shows the judgments of that moment."
    )
    method = models.CharField(max_length=12, choices=Method.choices, default=Method.MAJORITY)
    verdict = models.ForeignKey(
        Verdict, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="What stood above votes."
    )
    posterior = models.JSONField(
        null=True, blank=True, help_text="{label: probability} by the method, to six decimals; none of the majority."
    )
    entropy = models.FloatField(null=True, blank=True, help_text="Of the votes, in bits; none without votes.")
    category = models.CharField(
        max_length=22, blank=True, help_text="ConQA's, from the votes; most = more than others."
    )
    category_by_majority = models.CharField(max_length=22, blank=True, help_text="The same; most = more than half.")

    class Meta:
        verbose_name_plural = "consensus"
        indexes = (models.Index(fields=("label",), name="consensus_label"),)

    @property
    def decided_by(self) -> str:
        """What made the label: the method, or a verdict."""
        return "verdict" if self.verdict_id else self.method


class SelectionStatus(models.TextChoices):
    SELECTED = "selected", "selected"
    SHORT_POOL = "short_pool", "fewer good captions than asked for"


class Variant(models.TextChoices):
    KMEANS = "kmeans", "one caption of each cluster"
    LEAST_ALIKE = "least_alike", "the captions that are least alike"


class Selection(Dated):
    """The diverse captions chosen for one image, or the reason why there are none."""

    image = models.OneToOneField(Image, on_delete=models.CASCADE, related_name="selection")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    status = models.CharField(max_length=12, choices=SelectionStatus.choices)
    variant = models.CharField(max_length=12, choices=Variant.choices, default=Variant.LEAST_ALIKE)
    method = models.CharField(
        max_length=12, blank=True, help_text="all, exact, heuristic, umap_kmeans or kmeans (methods/selection)."
    )
    mean_similarity = models.FloatField(null=True, blank=True, help_text="Mean pairwise cosine of the chosen captions.")
    n_good = models.PositiveIntegerField(default=0, help_text="Good captions there were to choose from, none banned.")
    n_wanted = models.PositiveSmallIntegerField(default=5, help_text="Captions to choose, the setting k of the run.")
    n_clusters = models.PositiveSmallIntegerField(null=True, blank=True, help_text="None where nothing was clustered.")
    stability = models.FloatField(
        null=True, blank=True, help_text="Mean Jaccard index with the choices of other seeds; none if not measured."
    )
    places = models.JSONField(
        default=list,
        blank=True,
        help_text="[candidate id, x, y, cluster or null, whether it is cut] of every good caption.",
    )
    negative = models.ForeignKey(
        Candidate, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="A rejected caption."
    )

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(status="selected") ^ models.Q(method=""), name="selection_names_its_method"
            ),
        )

    @property
    def n_missing(self) -> int:
        """Good captions that the image lacks."""
        return max(0, self.n_wanted - self.n_good)


class SelectionItem(models.Model):
    selection = models.ForeignKey(Selection, on_delete=models.CASCADE, related_name="items")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    cluster = models.PositiveSmallIntegerField(null=True, blank=True, help_text="None where nothing was clustered.")
    is_pinned = models.BooleanField(default=False, help_text="A person had pinned it when it was chosen.")

    class Meta:
        ordering = ("selection_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("selection", "position"), name="selection_position_once"),
            models.UniqueConstraint(fields=("selection", "candidate"), name="selection_caption_once"),
        )

    @property
    def rating(self) -> Difficulty | None:
        """Its difficulty, once the last model of the panel has voted."""
        found: Difficulty | None = getattr(self, "difficulty", None)
        return found if found and found.category else None


class ChoiceKind(models.TextChoices):
    PIN = "pin", "always chosen while it is good"
    BAN = "ban", "never chosen"


class CaptionChoice(Dated):
    """A person wants a caption chosen, or never chosen. The newest stands; a change of mind is another row."""

    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="choices")
    kind = models.CharField(max_length=3, choices=ChoiceKind.choices, blank=True, help_text="Empty: taken back.")
    reason = models.CharField(max_length=300, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(kind__in=["", *ChoiceKind.values]), name="caption_choice_kind_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind or 'taken back'} {self.candidate_id}"


class DifficultyCategory(models.TextChoices):
    EASY = "easy", "easy"
    MEDIUM = "medium", "medium"
    HARD = "hard", "hard"
    UNRATED = "unrated", "unrated: a model gave no score"


class Rater(models.Model):
    """A model with the threshold it votes by; another record makes it another rater, even of an equal threshold."""

    name = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, help_text="SHA-256 of its weights.")
    threshold = models.FloatField(help_text="It says yes to a score of at least this.")
    calibration = models.JSONField(
        help_text="The whole record: what the threshold was made from, and the preprocessing it holds for."
    )
    record = models.CharField(max_length=64, help_text="SHA-256 of the whole record.")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("name", "digest", "record"), name="rater_once_per_record"),)

    def __str__(self) -> str:
        return self.name


class Difficulty(models.Model):
    """How hard one chosen caption is for a panel of models. It is deleted when captions are chosen again."""

    item = models.OneToOneField(SelectionItem, on_delete=models.CASCADE, related_name="difficulty")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    policy = models.CharField(max_length=20, help_text="How votes make the category (methods/difficulty.py).")
    category = models.CharField(
        max_length=8,
        choices=DifficultyCategory.choices,
        blank=True,
        help_text="Empty until the last model has voted.",
    )
    n_votes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many models said yes; none where a score is missing."
    )
    n_models = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many models the panel has; with the votes, all that a policy needs."
    )
    tie_breaker_vote = models.BooleanField(null=True, blank=True, help_text="What the last model of the panel said.")

    class Meta:
        verbose_name_plural = "difficulties"
        constraints = (
            models.CheckConstraint(
                condition=models.Q(category__in=("", "unrated")) ^ models.Q(n_votes__isnull=False),
                name="difficulty_counts_known_votes",
            ),
        )


class ModelScore(models.Model):
    """What one model said of one chosen caption: a model of the panel, or one that was asked beside it."""

    difficulty = models.ForeignKey(Difficulty, on_delete=models.CASCADE, related_name="scores")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField(help_text="The model's place in the panel, 1, 2, 3 ...")
    is_in_panel = models.BooleanField(default=True, help_text="Whether its vote counts for the category.")
    score = models.FloatField(null=True, blank=True, help_text="Cosine, cut down to four decimals; none if unreadable.")
    vote = models.BooleanField(null=True, blank=True, help_text="Whether the score reached the rater's threshold.")

    class Meta:
        ordering = ("difficulty_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("difficulty", "position"), name="model_score_once_per_place"),
            models.CheckConstraint(
                condition=models.Q(score__isnull=True) ^ models.Q(vote__isnull=False), name="model_score_has_its_vote"
            ),
        )


class CaptionMap(models.Model):
    """Where the newest `map_captions` run laid a project's images and captions out on two planes.

    Only the places are kept. What colours them is read when somebody looks (map_columns.py).
    """

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="caption_map")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    n_images = models.PositiveIntegerField(help_text="Images that have a place.")
    n_captions = models.PositiveIntegerField(help_text="Captions that have a place.")
    n_left_out = models.PositiveIntegerField(help_text="Images and captions without a vector or without a place.")
    made_at = models.DateTimeField(default=timezone.now, help_text="When the run ended, UTC.")
    settings = models.JSONField(help_text="{n_neighbors, min_dist, metric, seed, fit_at_most}")
    versions = models.JSONField(help_text="Of the libraries that the coordinates hang on.")
    image_model = models.CharField(max_length=200, help_text="The image encoder.")
    text_model = models.CharField(max_length=200, help_text="The sentence encoder.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of `points`.")
    points = models.BinaryField(help_text="Packed by methods/map_points.py.")

    def __str__(self) -> str:
        return f"{self.n_images} images, {self.n_captions} captions"


class StaleReason(models.TextChoices):
    WEIGHTS = "weights", "the weights of the model changed"
    PREPROCESSING = "preprocessing", "the preprocessing of the model changed"
    PAIRS = "pairs", "the pairs changed"


class CalibrationRecord(Dated):
    """A model's threshold with the curve that it was read from; a newer one is another version.

    A record without a project is the site's, made by a command. What became stale is noted when a worker sees it
    (calibrating.py); that the project's own pairs changed is found when somebody reads.
    """

    project = models.ForeignKey(
        Project,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="calibrations",
        help_text="None: the site.",
    )
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    asked = models.CharField(max_length=500, help_text="The model as a panel names it: a name, or a path.")
    key = models.CharField(max_length=300, help_text="The same for all names of one model (calibration_records).")
    version = models.PositiveIntegerField(help_text="1, 2, 3 ... of this model in this project.")
    model = models.CharField(max_length=200, help_text="What people call the model; no path.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of its weights.")
    preprocessing = models.TextField(help_text="What was done to an image before the model saw it.")
    pairs = models.CharField(max_length=300, help_text="What it was made from, in words.")
    pairs_source = models.CharField(
        max_length=1000, blank=True, help_text="The file or folder on the server; empty for the project's own pairs."
    )
    pairs_digest = models.CharField(max_length=64, help_text="Of the pairs; other pairs have another.")
    most = models.PositiveIntegerField(default=0, help_text="Only so many pairs were used; 0 is all.")
    n_lost = models.PositiveIntegerField(default=0, help_text="Pairs whose image could not be read.")
    calibration = models.JSONField(help_text="The threshold and all numbers that it depends on.")
    curve = models.JSONField(help_text="[threshold, precision, recall, F1] of each point, the strictest first.")
    stale_reasons = models.JSONField(default=list, blank=True, help_text="What changed since, as far as it was seen.")

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("project", "key", "version"),
                condition=models.Q(project__isnull=False),
                name="calibration_version_once",
            ),
            models.UniqueConstraint(
                fields=("key", "version"), condition=models.Q(project__isnull=True), name="site_calibration_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.model} v{self.version}"
