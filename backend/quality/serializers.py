"""What the API takes and gives about quality policies and the people they speak of."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.annotation.models import AnnotatorStatus, DecidedStatus, StatusDecision
from backend.annotation.serializers import ReasonsField
from backend.methods.quality.flags import CODES
from backend.methods.quality.rules import ACTIONS, COLLECTOR_NAMES
from backend.people.models import User
from backend.quality.annotators import SORTS
from backend.quality.models import PolicyReplay, QualityPolicy


class PersonOut(serializers.ModelSerializer):
    class Meta:
        model = User
        fields = ("id", "username", "display_name")
        read_only_fields = fields


@extend_schema_field(PersonOut)
class PersonOfId(serializers.Field):
    """The person with this id, among the `people` of the serializer's context."""

    def to_representation(self, user_id: int) -> dict[str, Any]:
        return PersonOut(self.context["people"][user_id]).data


class RuleConditionIO(serializers.Serializer):
    threshold = serializers.FloatField(required=False, help_text="The share or effect at which the rule applies.")
    min_n = serializers.IntegerField(required=False, help_text="The fewest counted items.")
    window = serializers.IntegerField(
        required=False, allow_null=True, help_text="The number of newest HITs to use. Null: all."
    )
    p_value = serializers.FloatField(required=False, allow_null=True, help_text="The highest p-value, or null.")
    unsure_fails = serializers.BooleanField(
        required=False, help_text="For control_failures: whether unsure is a failure."
    )


class RuleIO(serializers.Serializer):
    collector = serializers.ChoiceField(choices=list(COLLECTOR_NAMES))
    condition = RuleConditionIO()
    action = serializers.ChoiceField(choices=list(ACTIONS))


class PolicyIn(serializers.Serializer):
    """All rules are checked, so that each error names its rule and field."""

    rules = serializers.JSONField(help_text="[{collector, condition, action}]. Missing fields get their default.")
    note = serializers.CharField(max_length=300, required=False, allow_blank=True, default="", help_text="Why.")


class PolicyOut(serializers.ModelSerializer):
    rules = RuleIO(many=True)
    created_by = PersonOut(allow_null=True)
    is_in_force = serializers.SerializerMethodField()

    class Meta:
        model = QualityPolicy
        fields = ("version", "rules", "note", "created_by", "created_at", "in_force_since", "is_in_force")
        read_only_fields = fields

    def get_is_in_force(self, policy: QualityPolicy) -> bool:
        return policy.in_force_since is not None


class CollectorOut(serializers.Serializer):
    name = serializers.ChoiceField(choices=list(COLLECTOR_NAMES))
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own attribute of that name
    share_of = serializers.CharField(help_text="What `threshold` is of.")
    counts = serializers.CharField(help_text="What `min_n` counts.")
    threshold = serializers.FloatField()
    min_n = serializers.IntegerField()
    window = serializers.IntegerField(allow_null=True)
    p_value = serializers.FloatField(allow_null=True)
    action = serializers.ChoiceField(choices=list(ACTIONS))
    has_window = serializers.BooleanField()
    has_p_value = serializers.BooleanField()
    has_unsure_fails = serializers.BooleanField()
    actions = serializers.ListField(child=serializers.ChoiceField(choices=list(ACTIONS)))


class PolicyDefaultsOut(serializers.Serializer):
    rules = RuleIO(many=True, help_text="What a new policy begins with.")
    collectors = CollectorOut(many=True)


class StatusChangeOut(serializers.Serializer):
    user = PersonOfId(source="user_id")
    was = serializers.ChoiceField(choices=AnnotatorStatus.choices)
    becomes = serializers.ChoiceField(choices=AnnotatorStatus.choices)
    needs_review = serializers.BooleanField()
    is_by_hand = serializers.BooleanField(help_text="A person decided it. The findings of the rules are included too.")
    reasons = ReasonsField(help_text="The reasons, as the annotator reads them.")
    collectors = serializers.ListField(child=serializers.ChoiceField(choices=list(COLLECTOR_NAMES)))
    n_judgments = serializers.IntegerField(
        help_text="Judgments that start to count. Negative: judgments that stop counting."
    )


class PolicyEffectOut(serializers.Serializer):
    """What a version changes or changed."""

    until = serializers.IntegerField(help_text="The newest judgment that was looked at.")
    digest = serializers.CharField(
        help_text="SHA-256 of this result. A replay over the same judgments gives the same digest."
    )
    n_people = serializers.IntegerField()
    states = serializers.DictField(child=serializers.IntegerField(), help_text="Annotators by state.")
    changes = StatusChangeOut(many=True)
    n_judgments_stop = serializers.IntegerField(help_text="Judgments that stop counting. None is deleted.")
    n_judgments_start = serializers.IntegerField()
    n_pairs_reopen = serializers.IntegerField(help_text="Pairs that need judgments again and get slots.")
    n_pairs_close = serializers.IntegerField(help_text="Pairs that need no more judgments.")
    n_labels_change = serializers.IntegerField(help_text="Pairs with a changed majority label.")


class PolicyFindingOut(serializers.Serializer):
    user = PersonOfId(source="user_id")
    rule = serializers.IntegerField(help_text="Which rule of the version, from 0.")
    collector = serializers.ChoiceField(choices=list(COLLECTOR_NAMES))
    action = serializers.ChoiceField(choices=list(ACTIONS))
    evidence = serializers.DictField(
        child=serializers.JSONField(), help_text="n, share, p_value, threshold ... and the collector's own figures."
    )


class PolicyPreviewOut(serializers.ModelSerializer):
    """What a version would change, from the last preview."""

    run = serializers.UUIDField(source="run_id", help_text="The run of the preview.")
    worked_out_at = serializers.DateTimeField(source="created_at")
    effect = PolicyEffectOut()
    findings = PolicyFindingOut(many=True, help_text="Findings about annotators who meet a rule.")

    class Meta:
        model = PolicyReplay
        fields = ("run", "worked_out_at", "effect", "findings")
        read_only_fields = fields


class PolicyReplayOut(serializers.ModelSerializer):
    applied_at = serializers.DateTimeField(source="created_at")
    applied_by = PersonOut(allow_null=True, help_text="Null where the clock applied it.")
    effect = PolicyEffectOut()

    class Meta:
        model = PolicyReplay
        fields = ("id", "applied_at", "applied_by", "effect")
        read_only_fields = fields


class PolicyDetailOut(serializers.Serializer):
    policy = PolicyOut()
    replays = PolicyReplayOut(many=True, help_text="When it was applied and what that changed, newest first.")


class PolicyRunOut(serializers.Serializer):
    run = serializers.UUIDField(help_text="The run that does it.")


class ShareOut(serializers.Serializer):
    k = serializers.IntegerField()
    n = serializers.IntegerField()
    share = serializers.FloatField()
    low = serializers.FloatField(help_text="Wilson, 95%.")
    high = serializers.FloatField()


class AnnotatorFlagOut(serializers.Serializer):
    """A reason to check an annotator, with the numbers of its sentence."""

    code = serializers.ChoiceField(choices=CODES)
    params = serializers.DictField(child=serializers.FloatField())


class AnnotatorListIn(serializers.Serializer):
    sort = serializers.ChoiceField(choices=list(SORTS), required=False, default="username")
    state = serializers.ChoiceField(choices=AnnotatorStatus.choices, required=False)


class AnnotatorOut(serializers.Serializer):
    user = PersonOut(source="annotator_state.user")
    state = serializers.ChoiceField(source="annotator_state.state", choices=AnnotatorStatus.choices)
    is_by_hand = serializers.BooleanField()
    needs_review = serializers.BooleanField(source="annotator_state.needs_review")
    reasons = ReasonsField(source="annotator_state.reasons")
    hits = serializers.IntegerField(source="annotator_state.n_submitted", help_text="Submitted HITs, with late ones.")
    late = serializers.IntegerField(source="annotator_state.n_late")
    skips = serializers.IntegerField(source="annotator_state.n_skipped")
    graded = serializers.IntegerField(source="annotator_state.n_graded", help_text="Hidden controls passed or failed.")
    failed = serializers.IntegerField(source="annotator_state.n_failed")
    passed = ShareOut(allow_null=True, help_text="Of the graded controls; null without one.")
    agreement = ShareOut(
        source="habits.agreement", allow_null=True,
        help_text="Agreement with the majority of the others, in the newest HITs.",
    )  # fmt: skip
    seconds = serializers.FloatField(
        source="habits.seconds", allow_null=True, help_text="Median focus time of an item, over the newest HITs."
    )
    pace = serializers.FloatField(
        source="habits.pace", allow_null=True, help_text="Answers in an hour of active time, over all work."
    )
    active_seconds = serializers.FloatField(
        source="habits.active_seconds", allow_null=True,
        help_text="Focus time of all work, of each answer at most 60 seconds.",
    )  # fmt: skip
    flags = AnnotatorFlagOut(source="habits.flags", many=True)
    last_active_at = serializers.DateTimeField(
        source="annotator_state.last_at", allow_null=True, help_text="The newest submit."
    )


class StatusDecisionOut(serializers.ModelSerializer):
    decided_by = PersonOut()

    class Meta:
        model = StatusDecision
        fields = ("id", "state", "reason", "decided_by", "created_at")
        read_only_fields = fields


class AnnotatorDetailOut(serializers.Serializer):
    annotator = AnnotatorOut()
    findings = PolicyFindingOut(many=True, help_text="Findings of the active version, from its last application.")
    decisions = StatusDecisionOut(many=True, help_text="Newest first.")
    decidable = serializers.ListField(
        child=serializers.ChoiceField(choices=DecidedStatus.choices), help_text="The states that you can set now."
    )


class StatusDecisionIn(serializers.Serializer):
    state = serializers.ChoiceField(
        choices=DecidedStatus.choices,
        help_text="policy: the rules decide again. reviewed: a person checked the annotator, as a rule asked.",
    )
    reason = serializers.CharField(max_length=300, help_text="A sentence that the annotator can read.")
