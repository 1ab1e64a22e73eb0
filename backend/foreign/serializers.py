"""What a request to import judgments holds, and what came of it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.sources.names import printable
from backend.foreign.services import ImportedJudgments
from backend.methods.foreign.columns import Columns
from backend.methods.foreign.labels import read_words
from backend.methods.foreign.told import by_reason

COLUMN = 500  # characters of the names of columns
TOLD = 1000  # characters of a reason, and of the places where it is met


def _column(help_text: str) -> serializers.CharField:
    return serializers.CharField(max_length=COLUMN, required=False, allow_blank=True, help_text=help_text)


class JudgmentImportIn(serializers.Serializer):
    file = serializers.FileField(
        use_url=False,
        max_length=255,
        help_text="Rows of task (or image, caption), worker, label; JSON of Label Studio; or votes of ConQA.",
    )
    queries = serializers.FileField(
        use_url=False, max_length=255, required=False, help_text="ConQA's seed.json with the texts of the queries."
    )
    labels = serializers.CharField(
        max_length=2000,
        required=False,
        allow_blank=True,
        help_text="Which answer each label means: fits=good,misses=bad.",
    )

    task = _column("Column of the task, or several with commas. Needed only without a usual name.")
    worker = _column("Column of the annotator, or one column for each, with commas. Needed only without a usual name.")
    label = _column("Column of the answer, or its name in Label Studio.")  # type: ignore[assignment]

    annotator = serializers.CharField(
        max_length=COLUMN,
        required=False,
        allow_blank=True,
        help_text="The annotator of a file that names none. Default: the name of a doccano file.",
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """The columns and the annotator become one value."""
        task, worker, label, annotator = (sent.pop(name, "") for name in ("task", "worker", "label", "annotator"))
        return sent | {"columns": Columns(task, worker, label, annotator=annotator)}

    def validate_labels(self, told: str) -> dict[str, str]:
        try:
            return read_words(told)
        except ValueError as problem:
            raise serializers.ValidationError(str(problem)) from problem


class JudgmentRefusalOut(serializers.Serializer):
    """A reason why rows were refused: a code, a sentence, the number of rows, and the lines of the first ones."""

    code = serializers.CharField()
    why = serializers.CharField()
    n = serializers.IntegerField()
    places = serializers.CharField()


class JudgmentImportOut(serializers.Serializer):
    """The stored judgments, those that existed before, the annotators in the file, and the refused rows."""

    n_new = serializers.IntegerField()
    n_there = serializers.IntegerField()
    n_people = serializers.IntegerField()
    n_refused = serializers.SerializerMethodField()
    refused = serializers.SerializerMethodField()

    def get_n_refused(self, found: ImportedJudgments) -> int:
        return len(found.refused)

    @extend_schema_field(JudgmentRefusalOut(many=True))
    def get_refused(self, found: ImportedJudgments) -> list[dict[str, object]]:
        """Names of the file stand in it, and JSON may tell of characters that no answer can hold."""
        reasons = by_reason((each.place, each.reason) for each in found.refused)
        return [
            {"code": each.code, "why": printable(each.why, TOLD), "n": each.n, "places": printable(each.places, TOLD)}
            for each in reasons
        ]
