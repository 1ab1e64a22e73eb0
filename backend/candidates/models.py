"""The pair: an image and a text that may describe it, with where the text came from."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.utils import timezone

from backend.catalogue.models import Corpus, Image, Query
from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run

HUMAN = "human"  # somebody wrote it about this image
OTHER_IMAGE = "other_image"
QUERY = "query"  # the source of pairs of a query and an image


def candidate_key(*, digest: str, source: str, raw_text: str) -> str:
    """The name of a pair: 32 hex characters of SHA-256 over its image's digest, its source and its text.

    Equal rows have equal names in every database, which makes imports idempotent and orders independent of ids.
    """
    return hashlib.sha256(f"{digest}\n{source}\n{raw_text}".encode()).hexdigest()[:32]


def text_digest(text: str) -> str:
    """MD5 of a cleaned text, hex: what was found in it holds while it stays. Both databases can compute it as well."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


class CandidateStatus(models.TextChoices):
    NEW = "new", "not cleaned yet"
    KEPT = "kept", "kept"
    DROPPED = "dropped", "dropped"


class Candidate(Dated):
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="candidates")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="candidates", db_index=False)
    query = models.ForeignKey(
        Query, null=True, blank=True, on_delete=models.PROTECT, related_name="candidates", db_index=False,
        help_text="The query whose text this is, where images are judged against queries.",
    )  # fmt: skip
    key = models.CharField(max_length=32, help_text="Digest of (image, source, raw text): the pair's name everywhere.")
    raw_text = models.TextField(help_text="As imported, never changed.")
    text = models.TextField(blank=True, help_text="After cleaning.")
    source = models.CharField(max_length=40, help_text="human, other_image, corpus, web ...")
    source_ref = models.CharField(max_length=200, blank=True, help_text="Where in the source: caption id, image key.")
    page_url = models.CharField(
        max_length=500, blank=True, default="", db_default="", help_text="The page that the caption was found on."
    )
    site_name = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="The name that this page gives to its site."
    )
    rank = models.PositiveIntegerField(null=True, blank=True)
    similarity = models.FloatField(null=True, blank=True)
    status = models.CharField(max_length=8, choices=CandidateStatus.choices, default=CandidateStatus.NEW)
    drop_rule = models.CharField(max_length=40, blank=True)
    drop_detail = models.CharField(max_length=300, blank=True)
    flags = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),  # so that bulk.COPY need not name it
        blank=True,
        help_text="What a person should look at: non_english, adult, personal_data. Nothing is dropped for it.",
    )
    suggested_digest = models.CharField(
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text="MD5 of the text that suggest_edits looked into, hex, whether or not it found something.",
    )

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("image", "key"), name="candidate_once_per_image"),
            models.CheckConstraint(
                condition=models.Q(status="dropped") ^ models.Q(drop_rule=""), name="candidate_drop_has_its_rule"
            ),
        )
        indexes = (models.Index(fields=("query",), condition=models.Q(query__isnull=False), name="candidate_of_query"),)
        # No index holds what cleaning changes (text, status, drop_*, flags), nor suggested_digest, and the pages keep
        # room for a second version of each row (fillfactor, migration 0002): PostgreSQL then writes in place, without
        # touching an index. An image's pool is found by `candidate_once_per_image`.

    def __str__(self) -> str:
        return self.key


class Verdict(models.TextChoices):
    KEEP = "keep", "kept by hand"
    DROP = "drop", "dropped by hand"


class Decision(Dated):
    """What a person said of a candidate against the rules. The newest stands, and cleaning leaves the candidate alone.

    Decisions are appended; another mind is another row.
    """

    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="decisions")
    verdict = models.CharField(max_length=4, choices=Verdict.choices)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(verdict__in=Verdict.values), name="decision_verdict_known"),
        )

    def __str__(self) -> str:
        return f"{self.verdict} {self.candidate_id}"


class SuggestedEdit(models.Model):
    """A place of a cleaned caption that may need an edit (IMP C.4), for a person to take, change or leave.

    It belongs to the text it was found in; selectors leave it out where cleaning has changed that since.
    """

    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="suggestions", db_index=False)
    position = models.PositiveIntegerField(help_text="Place among the caption's suggestions in their order, from 0.")
    start = models.PositiveIntegerField(
        help_text="In code points of the cleaned text, not the raw one: annotators see, judge and edit the cleaned one."
    )
    end = models.PositiveIntegerField(help_text="Where it ends, exclusive, counted as `start`.")
    kind = models.CharField(max_length=20, help_text="person, location, number, color or object_name.")
    before = models.TextField(help_text="The text of this part.")
    options = models.JSONField(
        default=list, blank=True, help_text="New texts, the best first. Empty if only a person can decide."
    )
    text_digest = models.CharField(max_length=32, help_text="MD5 of the cleaned text that it was found in, hex.")

    class Meta:
        ordering = ("id",)
        constraints = (
            # Its index finds the suggestions of a page of candidates.
            models.UniqueConstraint(fields=("candidate", "position"), name="suggested_edit_once_per_position"),
            models.CheckConstraint(
                condition=models.Q(start__lt=models.F("end")), name="suggested_edit_spans_something"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.start}-{self.end} of {self.candidate_id}"


class GenericReason(models.TextChoices):
    FITS_MANY = "fits_many", "fits more of the other pictures than is usual"
    AMONG_THE_HIGHEST = "among_the_highest", "among the captions that fit the most pictures"


class GenericScore(models.Model):
    """How many other pictures a caption fits, by a panel of models (methods/generic.py). A flag, never a drop.

    One row for a candidate, that of the newest `generic` run, which takes away what the runs before it left. It belongs
    to the text that was scored; selectors leave it out where cleaning or a person has changed that since.
    """

    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, primary_key=True, related_name="generic")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="generic_scores", db_index=False)
    text_digest = models.CharField(max_length=32, help_text="MD5 of the cleaned text that was scored, hex.")
    score = models.FloatField(null=True, help_text="n_matched / n_judged; null where no pair is decided.")
    n_matched = models.PositiveIntegerField(help_text="Other pictures that most of the panel say it fits.")
    n_judged = models.PositiveIntegerField(help_text="Other pictures for which the panel's votes decide.")
    n_undecided = models.PositiveIntegerField(help_text="Other pictures for which too many votes are missing.")
    hubness = models.PositiveIntegerField(help_text="The number of images that have it among their ten best texts.")
    reason = models.CharField(max_length=20, blank=True, choices=GenericReason.choices, help_text="Why it is flagged.")

    class Meta:
        indexes = (models.Index(fields=("run",), name="generic_score_of_run"),)  # what a retry takes over
        constraints = (
            models.CheckConstraint(
                condition=models.Q(n_judged=0) ^ models.Q(score__isnull=False), name="generic_score_of_decided_pairs"
            ),
        )

    def __str__(self) -> str:
        return f"{self.n_matched} of {self.n_judged} for {self.candidate_id}"


class WebTitles(models.Model):
    """What a search of the web answered about one picture, a refusal too, so that no picture is paid for twice.

    Kept per project: equal bytes have equal answers, but a cache that all projects share would tell one of them that
    another holds the same picture.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="web_titles", db_index=False)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the image's original bytes, hex.")
    provider = models.CharField(max_length=40, help_text="Who was asked: google_vision.")
    titles = models.JSONField(default=list, blank=True, help_text="[{title, domain}] as they came, best page first.")
    left_out = models.JSONField(default=dict, blank=True, help_text="Titles that are no text: {reason: how many}.")
    refused = models.CharField(max_length=40, blank=True, help_text="Why the picture was not taken, by its code.")
    message = models.CharField(max_length=500, blank=True, help_text="The same in words.")
    asked_at = models.DateTimeField(default=timezone.now, help_text="When the answer came, UTC.")

    class Meta:
        constraints = (
            # Its index finds the answers about a slice of a project's images.
            models.UniqueConstraint(fields=("project", "provider", "digest"), name="web_titles_asked_once"),
        )

    def __str__(self) -> str:
        return self.digest


class Pool(models.Model):
    """What one `retrieve` run found for one image: how many pictures of the corpora lend it captions, or why none."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="pools", db_index=False)
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="pools")
    n_pictures = models.PositiveIntegerField()
    n_captions = models.PositiveIntegerField(help_text="Different texts of these images.")
    n_kept_out = models.PositiveIntegerField(help_text="Near neighbours left out because they show the image itself.")
    mean_similarity = models.FloatField(null=True, blank=True, help_text="Mean cosine; null for an empty pool.")
    label = models.IntegerField(
        null=True, blank=True, help_text="The cluster of the image, -1 for none. Null in the mode knn."
    )
    could_widen = models.BooleanField(help_text="The mean is above the band. A larger radius is possible.")
    radius = models.PositiveBigIntegerField(help_text="The largest number of images, scaled to the corpora.")
    ended_by = models.CharField(max_length=8, help_text="Why the pool ended: radius, mean, floor or list.")
    reason = models.CharField(max_length=20, blank=True, help_text="Why the pool is empty, by its code.")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("run", "image"), name="pool_once_per_run"),
            models.CheckConstraint(
                condition=models.Q(n_pictures=0) ^ models.Q(reason=""), name="pool_empty_has_its_reason"
            ),
        )

    def __str__(self) -> str:
        return f"{self.n_pictures} pictures for {self.image_id}"

    @property
    def is_noise(self) -> bool:
        """Whether the image lies in no cluster, so that its neighbours were taken from all."""
        return self.label == -1


class Neighbour(models.Model):
    """Where a picture lies that lent captions or is a suspect: its pair stays in the corpus' shard."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="neighbours", db_index=False)
    key = models.CharField(max_length=200, help_text="What its shard calls it; another shard may use the same.")
    shard = models.PositiveIntegerField(help_text="The position of its shard in the corpus.")
    place = models.TextField(help_text="Where in the shard, as its reader takes it.")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("corpus", "shard", "key"), name="neighbour_once_per_shard"),)

    def __str__(self) -> str:
        return self.key


class Suspicion(models.TextChoices):
    OPEN = "open", "nobody has looked yet"
    KEPT_OUT = "kept_out", "the same picture: kept out"
    ALLOWED = "allowed", "another picture: may lend its captions"


class Suspect(Dated):
    """A corpus picture that may be an image itself (IMP C.6): kept out unless a person allows it."""

    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="suspects", db_index=False)
    neighbour = models.ForeignKey(Neighbour, on_delete=models.CASCADE, related_name="suspects")
    bits = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Different bits of the pHashes.")
    cosine = models.FloatField(null=True, blank=True)
    decision = models.CharField(max_length=8, choices=Suspicion.choices, default=Suspicion.OPEN)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("image", "neighbour"), name="suspect_once_per_image"),
            models.CheckConstraint(condition=models.Q(decision__in=Suspicion.values), name="suspect_decision_known"),
        )
        # The page of those that nobody has looked at, and of the few that somebody has, in the order of their ids.
        indexes = (models.Index(fields=("decision", "id"), name="suspect_by_decision"),)

    def __str__(self) -> str:
        return f"{self.neighbour_id} like {self.image_id}"

    @property
    def rules(self) -> list[str]:
        """The rules that suspect it."""
        return [rule for rule, seen in (("perceptual_hash", self.bits), ("cosine", self.cosine)) if seen is not None]


class SuspectDecision(Dated):
    """What a person said of a suspect. Appended, never edited; the newest stands on the suspect too."""

    suspect = models.ForeignKey(Suspect, on_delete=models.CASCADE, related_name="decisions")
    decision = models.CharField(max_length=8, choices=Suspicion.choices)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.decision} {self.suspect_id}"
