"""What the API takes and gives about runs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.runs.import_roots import CHECKS, CHECKS_BY_PERSON
from backend.runs.models import Refusal, Run, RunStatus
from backend.runs.walk import PHASES, STAGES


class RunErrorOut(serializers.Serializer):
    code = serializers.CharField()
    message = serializers.CharField()
    params = serializers.DictField(child=serializers.JSONField(), required=False)


class RunOut(serializers.ModelSerializer):
    status = serializers.ChoiceField(choices=RunStatus.choices)
    parameters = serializers.DictField(child=serializers.JSONField())
    counts = serializers.DictField(
        child=serializers.JSONField(), help_text='{"in": n, "out": n, "dropped": {reason: n}, "ignored": {reason: n}}'
    )
    models = serializers.DictField(child=serializers.CharField(), source="models_used")
    log_tail = serializers.ListField(child=serializers.CharField())
    error = RunErrorOut(allow_null=True)
    started_by = serializers.CharField(source="started_by.shown_name", default=None, allow_null=True, read_only=True)
    n_refused = serializers.IntegerField()
    cancel_requested = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = (
            "id", "stage", "status", "parameters", "seed", "code_version", "models", "counts", "done", "total",
            "log_tail", "error", "attempt", "started_by", "created_at", "started_at", "finished_at", "n_refused",
            "cancel_requested",
        )  # fmt: skip
        read_only_fields = fields

    def get_cancel_requested(self, run: Run) -> bool:
        return run.cancel_requested_at is not None


class RunListIn(serializers.Serializer):
    stage = serializers.ChoiceField(
        choices=[stage.name for stage in STAGES],
        required=False,
        allow_blank=True,
        default="",
        help_text="Of this stage.",
    )


class RunIn(serializers.Serializer):
    stage = serializers.ChoiceField(choices=[stage.name for stage in STAGES if not stage.by_people])
    parameters = serializers.DictField(child=serializers.JSONField(), required=False)
    seed = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53)

    def validate_parameters(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """A folder of the server is only read where it lies under an import root, be it of pictures or a model."""
        project, user = self.context["project"], self.context["user"]
        named = {name: value for name, value in parameters.items() if isinstance(value, str) and value}
        checked = {name: CHECKS[name](value, project.slug) for name, value in named.items() if name in CHECKS}
        for name in CHECKS_BY_PERSON.keys() & named.keys():
            checked[name] = CHECKS_BY_PERSON[name](named[name], project, user)
        return parameters | checked


class RefusalOut(serializers.ModelSerializer):
    params = serializers.DictField(child=serializers.JSONField())

    class Meta:
        model = Refusal
        fields = ("line", "name", "code", "message", "params", "is_ignored")
        read_only_fields = fields


class StageParameterOut(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=["int", "str"])
    default = serializers.JSONField()
    label = serializers.CharField()  # type: ignore[assignment]  # Field has a `label` of its own
    help = serializers.CharField()
    unit = serializers.CharField(help_text="The unit of the number: words, images, %. Empty without a unit.")
    scale = serializers.IntegerField(help_text="The form shows the number divided by this: 0.7 for 70.")
    out_of = serializers.IntegerField(allow_null=True, help_text="The number of items to choose from.")
    minimum = serializers.IntegerField()
    maximum = serializers.IntegerField()
    advanced = serializers.BooleanField(help_text="Whether the form shows it under Advanced.")
    choices = serializers.ListField(child=serializers.CharField())


class StageWarningOut(serializers.Serializer):
    """What a curator must know before the stage starts."""

    code = serializers.CharField()
    message = serializers.CharField()
    params = serializers.DictField(child=serializers.JSONField())


class StageStateOut(serializers.Serializer):
    name = serializers.CharField()
    phase = serializers.ChoiceField(choices=list(PHASES), help_text="The part of the pipeline that it belongs to.")
    label = serializers.CharField()  # type: ignore[assignment]  # Field has a `label` of its own
    explanation = serializers.CharField()
    queue = serializers.CharField()
    by_people = serializers.BooleanField()
    optional = serializers.BooleanField(help_text="Whether later stages can run without it.")
    on_purpose = serializers.BooleanField(
        help_text="Whether the pipeline never proposes it, so that a curator must choose it."
    )
    parameters = StageParameterOut(many=True)
    state = serializers.ChoiceField(choices=["empty", "ready", "running", "done", "failed", "waiting"])
    startable = serializers.BooleanField()
    why_not = serializers.CharField(allow_blank=True)
    why_not_code = serializers.CharField(allow_blank=True, help_text="The code of this sentence.")
    warning = StageWarningOut(allow_null=True, help_text="With the settings as they are by default.")
    obstacle = StageWarningOut(allow_null=True, help_text="What it lacks while its settings are the defaults.")
    lacks_worker = serializers.BooleanField(help_text="Whether its run waits and no worker reads from its queue.")
    last_run = RunOut(allow_null=True)


class WalkOut(serializers.Serializer):
    counters = serializers.DictField(
        child=serializers.IntegerField(), help_text="Counts over the whole project, by name."
    )
    stages = StageStateOut(many=True)
