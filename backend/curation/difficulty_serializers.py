"""What the API takes and gives about difficulty."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.curation.models import Difficulty, DifficultyCategory
from backend.curation.panel_reads import consensus_of
from backend.curation.serializers import ModelVoteOut
from backend.methods.difficulty import CODES, POLICIES
from backend.methods.robustness import MOST_PANELS

Choices = serializers.ChoiceField


class CutsOut(serializers.Serializer):
    """The yes votes of each category, first and last; null where a category has none."""

    hard = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    medium = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    easy = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class CategoriesOut(serializers.Serializer):
    """Captions by category; `not_asked` were chosen after the models were asked."""

    easy = serializers.IntegerField()
    medium = serializers.IntegerField()
    hard = serializers.IntegerField()
    unrated = serializers.IntegerField()
    not_asked = serializers.IntegerField()


class PolicyCountsOut(serializers.Serializer):
    """How the stored votes come out under one policy; not possible where the panel has too few models."""

    policy = Choices(choices=POLICIES)
    is_used = serializers.BooleanField()
    is_possible = serializers.BooleanField()
    least_models = serializers.IntegerField()
    cuts = CutsOut()
    counts = CategoriesOut()


class PanelModelOut(serializers.Serializer):
    """A model with stored votes, and what its threshold was made from. An extra one counts for no category."""

    model = serializers.CharField()
    digest = serializers.CharField()
    threshold = serializers.FloatField()
    f1 = serializers.FloatField(allow_null=True)
    batch_size = serializers.IntegerField(allow_null=True)
    pairs = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField()
    is_in_panel = serializers.BooleanField()
    is_tie_breaker = serializers.BooleanField()
    is_carried = serializers.BooleanField(help_text="Whether it came with Connote.")
    n_scores = serializers.IntegerField()
    n_yes = serializers.IntegerField()


class VotesCountOut(serializers.Serializer):
    n_votes = serializers.IntegerField()
    captions = serializers.IntegerField()


class CategoryEntropyOut(serializers.Serializer):
    """The entropy of the human votes on the captions of a category, in bits; the interval draws images."""

    category = Choices(choices=CODES)
    n = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    bins = serializers.ListField(
        child=serializers.IntegerField(), help_text="Captions in ten bins of equal width, from 0 to log2(3) bits."
    )


class HonestyOut(serializers.Serializer):
    """Whether models that were trained on drawings rate images that are none."""

    is_trained_on_drawings = serializers.BooleanField()
    is_warning = serializers.BooleanField()
    n_images = serializers.IntegerField()
    n_drawn = serializers.IntegerField()


class DifficultySummaryOut(serializers.Serializer):
    """What the last Difficulty came to. `policy` is null before it ran; `is_mixed` where captions were rated apart."""

    n_selected = serializers.IntegerField()
    n_rated = serializers.IntegerField()
    n_models = serializers.IntegerField()
    policy = Choices(choices=POLICIES, allow_null=True)
    is_mixed = serializers.BooleanField()
    policies = PolicyCountsOut(many=True)
    votes = VotesCountOut(many=True)
    panel = PanelModelOut(many=True)
    entropy = CategoryEntropyOut(many=True)
    honesty = HonestyOut()


class PolicyChangeIn(serializers.Serializer):
    policy = serializers.CharField(max_length=40)


class PolicyChangedOut(serializers.Serializer):
    policy = Choices(choices=POLICIES)
    counts = serializers.DictField(child=serializers.IntegerField())


class ExamplesIn(serializers.Serializer):
    category = Choices(choices=DifficultyCategory.choices)


class RatedImageOut(serializers.Serializer):
    id = serializers.IntegerField()
    key = serializers.CharField()
    thumbnail = ThumbnailsOut()


class PeopleVotesOut(serializers.Serializer):
    n_good = serializers.IntegerField()
    n_bad = serializers.IntegerField()
    n_unsure = serializers.IntegerField()
    entropy = serializers.FloatField(allow_null=True)


class RatedCaptionOut(serializers.ModelSerializer):
    """A caption of a category with its image, the votes of the panel, and those of people."""

    candidate = serializers.IntegerField(source="item.candidate_id")
    text = serializers.CharField(source="item.candidate.text")
    category = Choices(choices=DifficultyCategory.choices)
    image = serializers.SerializerMethodField()
    votes = ModelVoteOut(many=True, source="scores")
    people = serializers.SerializerMethodField()

    class Meta:
        model = Difficulty
        fields = ("id", "candidate", "text", "category", "n_votes", "policy", "image", "votes", "people")
        read_only_fields = fields

    @extend_schema_field(RatedImageOut)
    def get_image(self, row: Difficulty) -> dict[str, Any]:
        image = row.item.selection.image
        return {"id": image.pk, "key": image.key, "thumbnail": present_thumbnails(image)}

    @extend_schema_field(PeopleVotesOut(allow_null=True))
    def get_people(self, row: Difficulty) -> dict[str, Any] | None:
        votes = consensus_of(row)
        if votes is None:
            return None
        return {name: getattr(votes, name) for name in ("n_good", "n_bad", "n_unsure", "entropy")}


class RobustnessIn(serializers.Serializer):
    panels = serializers.IntegerField(min_value=2, max_value=MOST_PANELS, default=10)
    size = serializers.IntegerField(
        min_value=1,
        max_value=50,
        default=None,
        help_text="Models in a panel. By default 7, or all stored models but one where there are not more than 7.",
    )
    seed = serializers.IntegerField(min_value=0, max_value=2**53, default=0)


class SpreadOut(serializers.Serializer):
    """Kappas of some comparisons; null where none is defined."""

    n = serializers.IntegerField()
    n_undefined = serializers.IntegerField()
    least = serializers.FloatField(allow_null=True)
    mean = serializers.FloatField(allow_null=True)
    most = serializers.FloatField(allow_null=True)


class KappasOut(serializers.Serializer):
    nominal = SpreadOut()
    linear = SpreadOut()


class InfluenceOut(serializers.Serializer):
    """What leaving one model out changes, as a mean over the drawn panels that have it."""

    model = serializers.CharField()
    is_in_panel = serializers.BooleanField()
    n_panels = serializers.IntegerField()
    changed_share = serializers.FloatField(allow_null=True)
    kappa_without = serializers.FloatField(allow_null=True)
    changed_in_reference = serializers.FloatField(allow_null=True)


class RobustnessOut(serializers.Serializer):
    """Random panels of the stored votes, compared with each other and with the panel that made the categories."""

    n_models = serializers.IntegerField()
    n_captions = serializers.IntegerField()
    n_left_out = serializers.IntegerField(help_text="Captions that a model has no vote on.")
    size = serializers.IntegerField()
    seed = serializers.IntegerField()
    policy = Choices(choices=POLICIES)
    panels = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    shares = serializers.ListField(child=serializers.DictField(child=serializers.FloatField()))
    between = KappasOut()
    with_reference = KappasOut(allow_null=True)
    influence = InfluenceOut(many=True)
