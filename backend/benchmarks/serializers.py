"""What the API takes and gives about results of models."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.benchmarks.leaderboard import FORMATS, TASK_NAMES
from backend.benchmarks.metrics import DIRECTIONS, WAYS
from backend.benchmarks.models import EvaluationSource, PublishedTable
from backend.benchmarks.queries import ORDERS, SIDES

PAGE, MOST_PAGE = 20, 100
LAST = 50_000_000


class BoardIn(serializers.Serializer):
    task = serializers.ChoiceField(choices=TASK_NAMES, required=False, help_text="Default: the first with results.")
    category = serializers.CharField(required=False, max_length=200, help_text="One of `categories`, field=value.")
    reference = serializers.UUIDField(required=False, help_text="The result that the others are compared with.")


class BoardFileIn(BoardIn):
    format = serializers.ChoiceField(choices=tuple(FORMATS))


class PageIn(serializers.Serializer):
    direction = serializers.ChoiceField(choices=WAYS, required=False, help_text="Default: the first.")
    category = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    cursor = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=LAST, help_text="The number of rows before the page."
    )
    limit = serializers.IntegerField(required=False, default=PAGE, min_value=1, max_value=MOST_PAGE)


class QueriesIn(PageIn):
    order = serializers.ChoiceField(
        choices=ORDERS,
        default="best",
        help_text="best, worst: by average precision. surprising: the farthest from what is expected.",
    )


class ComparisonIn(PageIn):
    a = serializers.UUIDField()
    b = serializers.UUIDField()
    order = serializers.ChoiceField(
        choices=SIDES, default="different", help_text="a, b: where this model is much better than the other."
    )


class ResultIn(serializers.Serializer):
    """A result that `manage.py evaluate --out` wrote, perhaps on another machine."""

    result = serializers.FileField(use_url=False, max_length=255, help_text="result.json")
    per_query = serializers.FileField(
        use_url=False, max_length=255, required=False, help_text="per_query.parquet, for differences and pictures."
    )
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)


class PublishedIn(serializers.Serializer):
    file = serializers.FileField(
        use_url=False, max_length=255, help_text="CSV of open_clip, of CLIP_benchmark, or with our names of figures."
    )
    name = serializers.CharField(max_length=120)
    published_in = serializers.CharField(max_length=500, help_text="The paper or address where the figures are from.")


class PublishedListIn(serializers.Serializer):
    dataset = serializers.CharField(required=False, max_length=200)


class DifferenceOut(serializers.Serializer):
    """How much more this model has. `is_real`: p is below 0.05 after Holm's correction."""

    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    p = serializers.FloatField()
    detectable = serializers.FloatField(help_text="The smallest difference that these data show in 4 of 5 cases.")
    n = serializers.IntegerField()
    is_real = serializers.BooleanField()


class CellOut(serializers.Serializer):
    """A figure with its 95% interval. `reason` says why there is no value."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    contribution = serializers.FloatField(
        allow_null=True, help_text="Of a category: its part of the figure of all right items."
    )
    difference = DifferenceOut(allow_null=True, help_text="To the reference, where both have the same queries.")


class MetricOut(serializers.Serializer):
    name = serializers.CharField(help_text="direction.measure")
    direction = serializers.ChoiceField(choices=DIRECTIONS)
    measure = serializers.CharField()
    label_code = serializers.CharField()
    k = serializers.IntegerField(allow_null=True)
    is_percent = serializers.BooleanField(help_text="The value is a share of 1.")
    is_headline = serializers.BooleanField(help_text="Papers print this figure.")
    is_low_better = serializers.BooleanField()


class CategoryOut(serializers.Serializer):
    name = serializers.CharField()
    field = serializers.CharField()
    value = serializers.CharField()


class EvaluationRowOut(serializers.Serializer):
    id = serializers.UUIDField()
    task = serializers.ChoiceField(choices=TASK_NAMES)
    model = serializers.CharField()
    kind = serializers.CharField()
    digest = serializers.CharField()
    source = serializers.ChoiceField(choices=EvaluationSource.choices)  # type: ignore[assignment]
    run = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    is_published = serializers.BooleanField()
    is_of_release = serializers.BooleanField(help_text="False: the figures are of other data.")
    has_queries = serializers.BooleanField(help_text="The ranks of its queries are there.")
    not_run = serializers.CharField(allow_null=True, help_text="Why the model has no figures.")
    n_images = serializers.IntegerField()
    n_texts = serializers.IntegerField()
    cells = serializers.DictField(child=CellOut(), help_text="By the name of the figure.")


class MeasuredReleaseOut(serializers.Serializer):
    id = serializers.UUIDField()
    label = serializers.CharField()  # type: ignore[assignment]


class TaskCountOut(serializers.Serializer):
    name = serializers.ChoiceField(choices=TASK_NAMES)
    n = serializers.IntegerField(help_text="Results of this task.")


class LeaderboardOut(serializers.Serializer):
    """Results on a release, the best first. `is_complete` is false while differences are computed: ask again."""

    release = MeasuredReleaseOut()
    task = serializers.ChoiceField(choices=TASK_NAMES)
    tasks = TaskCountOut(many=True)
    category = serializers.CharField(allow_blank=True)
    categories = CategoryOut(many=True)
    metrics = MetricOut(many=True)
    reference = serializers.UUIDField(allow_null=True)
    is_complete = serializers.BooleanField()
    rows = EvaluationRowOut(many=True)


class MeasuredReleaseOfProjectOut(MeasuredReleaseOut):
    project = serializers.SlugField()


class CategoryCellsOut(CategoryOut):
    cells = serializers.DictField(child=CellOut())


class RankGroupOut(serializers.Serializer):
    """How many right items have a rank in this group. The last possible group has no end."""

    category = serializers.CharField(allow_blank=True, help_text="field=value; empty: all right items.")
    to = serializers.IntegerField(allow_null=True)
    n = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        return {"from": serializers.IntegerField(), **super().get_fields()}


class ResultFileOut(serializers.Serializer):
    name = serializers.CharField()
    url = serializers.CharField()


class EvaluationOut(EvaluationRowOut):
    release = MeasuredReleaseOfProjectOut()
    result = serializers.DictField(child=serializers.JSONField(), help_text="result.json")
    metrics = MetricOut(many=True)
    curves = serializers.DictField(
        child=serializers.ListField(child=serializers.ListField(child=serializers.FloatField())),
        help_text="Points by direction, or by category for auprc.",
    )
    axes = serializers.ListField(child=serializers.CharField(), help_text="What x and y of a point are.")
    categories = CategoryCellsOut(many=True)
    ranks = serializers.DictField(child=RankGroupOut(many=True), help_text="By direction.")
    files = ResultFileOut(many=True)


class ItemOut(serializers.Serializer):
    """An image or a caption. A result of other data may name items that the release lacks."""

    kind = serializers.ChoiceField(choices=("image", "text"))
    id = serializers.CharField()
    digest = serializers.CharField(allow_null=True, help_text="Of the image, or of the image of the caption.")
    image_url = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_null=True)
    is_withdrawn = serializers.BooleanField()


class ModelAnswerOut(serializers.Serializer):
    score = serializers.FloatField(help_text="Average precision.")
    ranks = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="Of each right item. Null: the run does not name it."
    )
    ties = serializers.BooleanField(help_text="Other items score the same as a right one.")
    best_wrong = ItemOut(allow_null=True, help_text="The wrong item with the highest score.")


class RankedQueryOut(ModelAnswerOut):
    query = ItemOut()
    right = ItemOut(many=True)
    expected = serializers.FloatField(allow_null=True)


class RankedPageOut(serializers.Serializer):
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    total = serializers.IntegerField()
    direction = serializers.ChoiceField(choices=WAYS)
    directions = serializers.ListField(child=serializers.ChoiceField(choices=WAYS))


class QueryPageOut(RankedPageOut):
    """Queries of a result. `expected_by`: what `expected` is the mean of."""

    order = serializers.ChoiceField(choices=ORDERS)
    expected_by = serializers.ChoiceField(choices=("models", "category", "all"), allow_blank=True)
    results = RankedQueryOut(many=True)


class ComparedQueryOut(serializers.Serializer):
    query = ItemOut()
    right = ItemOut(many=True)
    a = ModelAnswerOut()
    b = ModelAnswerOut()


class ComparedModelOut(serializers.Serializer):
    id = serializers.UUIDField()
    model = serializers.CharField()


class ComparisonOut(RankedPageOut):
    """The same queries under two models. Differences are b minus a."""

    order = serializers.ChoiceField(choices=SIDES)
    a = ComparedModelOut()
    b = ComparedModelOut()
    n_a_better = serializers.IntegerField()
    n_b_better = serializers.IntegerField()
    n_equal = serializers.IntegerField()
    differences = serializers.DictField(child=DifferenceOut())
    results = ComparedQueryOut(many=True)


class PublishedTableOut(serializers.ModelSerializer):
    n_rows = serializers.SerializerMethodField()

    class Meta:
        model = PublishedTable
        fields = ("id", "name", "published_in", "created_at", "n_rows")
        read_only_fields = fields

    def get_n_rows(self, table: PublishedTable) -> int:
        return len(table.rows)


class PublishedRowOut(serializers.Serializer):
    table = serializers.UUIDField()
    model = serializers.CharField()
    dataset = serializers.CharField(allow_blank=True)
    is_published = serializers.BooleanField()
    cells = serializers.DictField(child=serializers.FloatField(), help_text="Values by the name of the figure.")


class PublishedOut(serializers.Serializer):
    """Figures that others published, to show beside a project's own."""

    datasets = serializers.ListField(child=serializers.CharField())
    tables = PublishedTableOut(many=True)
    metrics = MetricOut(many=True)
    rows = PublishedRowOut(many=True)
