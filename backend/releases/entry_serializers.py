"""What the API gives about the images and captions of a release."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rest_framework import serializers

from backend.annotation.models import Lens
from backend.catalogue.models import Image
from backend.catalogue.serializers import LicenceOut, ThumbnailsOut, present_thumbnails
from backend.common.labels import Label
from backend.curation.selection_serializers import SELECTION_METHODS
from backend.curation.serializers import CATEGORIES, DECIDERS, PairReadingOut, PosteriorOut
from backend.methods.exports.choices import SPLITS
from backend.methods.licences import parse_licence
from backend.releases.manifest import CATEGORIES as DIFFICULTIES
from backend.releases.models import ReleaseCaption, ReleaseEntry, Withdrawal

IMAGE_FACTS = ("digest", "key", "width", "height", "attribution")


class EntryListIn(serializers.Serializer):
    """A filter of images: one caption of the image must be like all of this."""

    difficulty = serializers.ChoiceField(choices=DIFFICULTIES, required=False, default="")
    lens = serializers.ChoiceField(
        choices=Lens.choices, required=False, default="", help_text="A lens that an annotator chose for the caption."
    )
    source = serializers.CharField(  # type: ignore[assignment]  # Field has a `source` of its own
        required=False, default="", max_length=40, help_text="For example human or web."
    )
    split = serializers.ChoiceField(choices=SPLITS, required=False, default="")
    min_agreement = serializers.FloatField(
        required=False, default=None, min_value=0, max_value=1, help_text="The least share of votes that are good."
    )


class ReleaseEntryImageOut(serializers.Serializer):
    digest = serializers.CharField()
    key = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    licence = LicenceOut()
    attribution = serializers.CharField()
    thumbnail = ThumbnailsOut(allow_null=True)


class ReleaseConsensusOut(serializers.Serializer):
    """The decision on a caption, as in captions.jsonl. `posterior` is that of Dawid-Skene or MACE, null under the
    majority; `entropy` is of the votes, in bits; the categories are ConQA's, from the votes. `readings` has all three
    readings of `unsure`. It is empty in older releases."""

    decided_by = serializers.ChoiceField(choices=DECIDERS)
    category = serializers.ChoiceField(choices=CATEGORIES, allow_blank=True)
    category_by_majority = serializers.ChoiceField(choices=CATEGORIES, allow_blank=True)
    entropy = serializers.FloatField(allow_null=True)
    posterior = PosteriorOut(allow_null=True)
    readings = PairReadingOut(many=True)


class ReleaseEntryCaptionOut(serializers.Serializer):
    """One chosen caption. `consensus` is null in older releases."""

    key = serializers.CharField()
    text = serializers.CharField()
    n_good = serializers.IntegerField()
    n_bad = serializers.IntegerField()
    n_unsure = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]
    difficulty = serializers.ChoiceField(choices=DIFFICULTIES)
    agreement = serializers.FloatField(allow_null=True, help_text="The share of its votes that are good.")
    lenses = serializers.ListField(
        child=serializers.ChoiceField(choices=Lens.choices),
        help_text="The lenses that annotators chose. Empty where the release leaves them out.",
    )
    is_match = serializers.BooleanField(help_text="Whether the caption fits the filter of the request.")
    consensus = ReleaseConsensusOut(allow_null=True)


class WithdrawnOut(serializers.Serializer):
    """When an image was withdrawn, and why. Its picture is gone."""

    created_at = serializers.DateTimeField()
    reason = serializers.CharField()


class ReleaseEntryOut(serializers.Serializer):
    """One image of a release. Only the link of the thumbnail changes, and the mark that the image was withdrawn."""

    position = serializers.IntegerField()
    split = serializers.ChoiceField(choices=SPLITS, allow_blank=True)
    image = ReleaseEntryImageOut()
    captions = ReleaseEntryCaptionOut(many=True)
    mean_similarity = serializers.FloatField()
    method = serializers.ChoiceField(choices=SELECTION_METHODS)
    withdrawn = WithdrawnOut(allow_null=True)


class CaptionOriginOut(serializers.Serializer):
    """Where a caption is from. `corpus`, `shard` and `row` are of captions from a corpus only."""

    source = serializers.CharField()  # type: ignore[assignment]
    source_ref = serializers.CharField(allow_blank=True)
    page_url = serializers.CharField(allow_blank=True)
    rank = serializers.IntegerField(allow_null=True)
    similarity = serializers.FloatField(allow_null=True)
    corpus = serializers.CharField(allow_null=True)
    shard = serializers.IntegerField(allow_null=True)
    row = serializers.CharField(allow_null=True)
    image_url = serializers.CharField(allow_blank=True, help_text="Where the image is from.")


class CaptionCleaningOut(serializers.Serializer):
    """What the rules made of the caption. `is_changed` says whether the text is another one than the imported text."""

    status = serializers.CharField(allow_blank=True)
    drop_rule = serializers.CharField(allow_blank=True)
    drop_detail = serializers.CharField(allow_blank=True)
    is_changed = serializers.BooleanField()


class CaptionJudgmentOut(serializers.Serializer):
    """One answer, as in judgments.parquet. What the curator left out is null."""

    annotator = serializers.CharField(allow_null=True, help_text="A pseudonym. Null: imported without a name.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    revision = serializers.IntegerField()
    is_latest = serializers.BooleanField()
    is_counted = serializers.BooleanField()
    is_surplus = serializers.BooleanField()
    is_generic = serializers.BooleanField()
    lens = serializers.CharField(allow_null=True)
    comment = serializers.CharField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    submitted_at = serializers.DateTimeField(allow_null=True)


class CaptionProvenanceOut(serializers.Serializer):
    """A caption of a release from its source to its judgments. `judgments` is empty in older releases."""

    key = serializers.CharField()
    image = serializers.CharField()
    split = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    raw_text = serializers.CharField()
    origin = CaptionOriginOut()
    cleaning = CaptionCleaningOut()
    judgments = CaptionJudgmentOut(many=True)
    consensus = serializers.DictField(child=serializers.JSONField())
    selection = serializers.DictField(child=serializers.JSONField())
    difficulty = serializers.DictField(
        child=serializers.JSONField(),
        allow_null=True,
        help_text="The category, and each vote with the digest of the model. Null: no model was asked.",
    )
    stages = serializers.DictField(
        child=serializers.JSONField(), help_text="Settings, seed, code version and models of each stage."
    )


class ReleaseImageOut(ReleaseEntryOut):
    row = serializers.DictField(child=serializers.JSONField(), help_text="The line of the image in images.jsonl.")


Place = tuple[int, str]  # the position of an entry, and the key of a caption


def present_entries(
    entries: Iterable[ReleaseEntry],
    pictures: Mapping[str, Image],
    facets: Mapping[Place, ReleaseCaption],
    fitting: Collection[Place] | None = None,
    withdrawn: Mapping[str, Withdrawal] | None = None,
) -> list[dict[str, Any]]:
    """Frozen rows with links to today's thumbnails of the same pictures. `fitting` are the captions that fit a filter;
    None where there is none."""
    gone = withdrawn or {}
    return [
        _entry(entry, None if entry.digest in gone else pictures.get(entry.digest), facets, fitting)
        | {"withdrawn": gone.get(entry.digest)}
        for entry in entries
    ]


def _entry(
    entry: ReleaseEntry,
    picture: Image | None,
    facets: Mapping[Place, ReleaseCaption],
    fitting: Collection[Place] | None,
) -> dict[str, Any]:
    frozen = entry.body
    image = {name: frozen[name] for name in IMAGE_FACTS}
    captions = [
        _caption(caption, facets[place]) | {"is_match": fitting is None or place in fitting}
        for caption in frozen["captions"]
        for place in [(entry.position, caption["key"])]
    ]
    return {
        "position": entry.position,
        "split": frozen.get("split", ""),
        "image": image | {"licence": _licence(frozen), "thumbnail": present_thumbnails(picture) if picture else None},
        "captions": captions,
        **{name: frozen[name] for name in ("mean_similarity", "method")},
    }


def _caption(frozen: Mapping[str, Any], facet: ReleaseCaption) -> dict[str, Any]:
    told = {name: getattr(facet, name) for name in ("source", "difficulty", "agreement")}
    return {**frozen, **told, "lenses": facet.lenses.split(), "consensus": _consensus(frozen)}


def _consensus(caption: Mapping[str, Any]) -> dict[str, Any] | None:
    return {"readings": []} | caption["consensus"] if "consensus" in caption else None


def _licence(frozen: Mapping[str, Any]) -> dict[str, str]:
    known = parse_licence(frozen["licence"])
    return {"code": frozen["licence"], "name": known.name if known else frozen["licence"], "url": frozen["licence_url"]}
