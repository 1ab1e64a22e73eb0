"""What the API takes and gives about agreement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rest_framework import serializers

from backend.agreement.figures import READS
from backend.agreement.matrix import Confusion
from backend.agreement.models import Scope
from backend.agreement.people import TREND
from backend.agreement.shared import Shared
from backend.annotation.serializers import AssignmentImageOut
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.common.models import LARGEST_ID
from backend.methods.agreement import MEASURES, METHODS, NO_INTERVAL, REASONS, UNSURE_READINGS
from backend.methods.consensus import LABELS
from backend.methods.quality import COLLECTORS
from backend.people.models import User
from backend.people.serializers import NamedPersonOut
from backend.quality.serializers import AnnotatorFlagOut, ShareOut

READINGS = ("value", "missing", "middle", "as given")
OF_ALPHA = tuple(reading.name for reading in UNSURE_READINGS)
NO_VALUE = tuple(REASONS)
FORMATS = ("json", "csv")
LOW_HIGH = ("low", "high")


class FormatIn(serializers.Serializer):
    format = serializers.ChoiceField(
        choices=FORMATS, required=False, default="json", help_text="csv: a file with a table, text/csv."
    )


class SnapshotOut(serializers.Serializer):
    """Figures are of the judgments that counted at `as_of`, null before the first were counted."""

    as_of = serializers.DateTimeField(allow_null=True)
    is_stale = serializers.BooleanField(help_text="There are newer judgments. A worker counts them soon.")


class PairIntervalOut(serializers.Serializer):
    """A percentile bootstrap of 2,000 replicates over the pairs that both judged, images or queries in clusters."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField()
    undefined_share = serializers.FloatField(help_text="Share of replicates without a figure. They were left out.")
    n_groups = serializers.IntegerField(help_text="Groups of images (or queries) that were resampled or left out.")
    reason_code = serializers.ChoiceField(choices=tuple(NO_INTERVAL), source="reason", allow_null=True)


class AgreementIntervalOut(PairIntervalOut):
    """Over items in clusters: a percentile bootstrap, or for means of Cohen's kappas each group `left_out` once, which
    tells their bias; `low` and `high` are null for `reason_code`."""

    n_replicates = serializers.IntegerField()
    seed = serializers.IntegerField()
    how = serializers.ChoiceField(choices=METHODS, source="method")


class AgreementFigureOut(serializers.Serializer):
    """One measure under one reading of `unsure`; `value` is null for `reason_code`."""

    measure = serializers.ChoiceField(choices=MEASURES)
    reading = serializers.ChoiceField(choices=READINGS)
    value = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    reason = serializers.SerializerMethodField(help_text="The same as a sentence.")
    interval = AgreementIntervalOut(allow_null=True)
    n_items = serializers.IntegerField(
        help_text="Pairs with at least two judgments. For Cohen: of annotators with names."
    )
    n_judgments = serializers.IntegerField(
        help_text="Judgments of these pairs. For Cohen: once for each two annotators."
    )
    prevalence = serializers.DictField(
        child=serializers.FloatField(), help_text="Share of each label in these judgments."
    )

    def get_reason(self, figure: dict[str, Any]) -> str:
        return REASONS[figure["reason"]] if figure["reason"] else ""


class AgreementSliceOut(serializers.Serializer):
    """`value` is a source, a kind of edit, a day as 2026-11-26, or empty for all pairs. The figures of a kind of edit
    say of all pairs how far people agree on whether to edit them so; `n_pairs` are those that somebody would."""

    value = serializers.CharField(allow_blank=True)
    n_judgments = serializers.IntegerField()
    n_pairs = serializers.IntegerField()
    figures = AgreementFigureOut(many=True)


class AgreementOut(SnapshotOut):
    scope = serializers.ChoiceField(choices=Scope.choices)
    slices = AgreementSliceOut(many=True)


class AgreementListIn(FormatIn):
    scope = serializers.ChoiceField(choices=Scope.choices, required=False, default=Scope.OVERALL)
    before = serializers.DateField(
        required=False, default=None, allow_null=True, help_text="Of days: those before this one. 60 in one answer."
    )


class HeadlineIn(FormatIn):
    reading = serializers.ChoiceField(choices=OF_ALPHA, required=False, default=OF_ALPHA[0])


class AlphaOut(serializers.Serializer):
    """Krippendorff's alpha with its 95% interval; `value` is null for `reason_code`."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    n_items = serializers.IntegerField()
    n_judgments = serializers.IntegerField()


class TrendPointOut(AlphaOut):
    """Alpha of the pairs with their newest judgment on this day, UTC."""

    day = serializers.DateField()


class AlphaByDayOut(AlphaOut):
    """Krippendorff's alpha of all pairs with its 95% interval, and by day, oldest first."""

    trend = TrendPointOut(many=True)


class HeadlineOut(SnapshotOut, AlphaByDayOut):
    """Krippendorff's alpha of all pairs under one reading of `unsure`."""

    measure = serializers.ChoiceField(choices=("alpha",))
    reading = serializers.ChoiceField(choices=OF_ALPHA)


class AnnotatorMeanOut(serializers.Serializer):
    """One annotator with all others: the mean kappa, weighed by how many pairs both judged, null for `reason_code`; its
    interval as that of two, and the same where there is but one other."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    display_name = serializers.CharField(allow_blank=True)
    mean = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    n_others = serializers.IntegerField(help_text="Annotators with a kappa.")
    n_items = serializers.IntegerField(help_text="Shared pairs, once for each other annotator.")
    prevalence = serializers.DictField(
        child=serializers.FloatField(), help_text="Share of each label in these judgments."
    )
    interval = AgreementIntervalOut(allow_null=True)


class AnnotatorKappaOut(serializers.Serializer):
    """Cohen's kappa of two annotators; `value` is null for `reason_code`, and so is `interval` then."""

    first = serializers.IntegerField()
    second = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    n_items = serializers.IntegerField()
    interval = PairIntervalOut(allow_null=True)


class AnnotatorAgreementOut(SnapshotOut):
    n_annotators = serializers.IntegerField(
        help_text="Annotators who share a pair with another annotator, shown or not."
    )
    annotators = AnnotatorMeanOut(many=True)
    pairs = AnnotatorKappaOut(many=True)
    order = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids in an order that puts similar annotators next to each other."
    )


class AnnotatorAgreementIn(FormatIn):
    reading = serializers.ChoiceField(
        choices=READS, required=False, default="value", help_text="How `unsure` is read, and between which weights."
    )
    annotator = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, required=False, default=None, allow_null=True,
        help_text="One with each other.",
    )  # fmt: skip


class ConfusionOut(serializers.Serializer):
    first = NamedPersonOut()
    second = NamedPersonOut()
    first_label = serializers.ChoiceField(choices=Label.choices)
    second_label = serializers.ChoiceField(choices=Label.choices)
    share = ShareOut(help_text="Of the pairs that both judged.")


class ConfusionListOut(SnapshotOut):
    """The most frequent different answers of two annotators to one pair, at most 50."""

    results = ConfusionOut(many=True)


class ConfusionListIn(FormatIn):
    annotator = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, required=False, default=None, allow_null=True, help_text="Of one alone."
    )


class SharedPairIn(FormatIn):
    reading = serializers.ChoiceField(choices=READS, required=False, default="value")
    first_label = serializers.ChoiceField(choices=Label.choices, required=False, default="", allow_blank=True)
    second_label = serializers.ChoiceField(choices=Label.choices, required=False, default="", allow_blank=True)


class SharedImageOut(AssignmentImageOut):
    id = serializers.IntegerField()

    def to_representation(self, image: Image) -> dict[str, Any]:
        return {"id": image.pk, **super().to_representation(image)}


class SharedPairOut(serializers.Serializer):
    candidate = serializers.IntegerField()
    key = serializers.CharField()
    image = SharedImageOut()
    text = serializers.CharField()
    first_label = serializers.ChoiceField(choices=Label.choices)
    second_label = serializers.ChoiceField(choices=Label.choices)
    verdict = serializers.ChoiceField(choices=Label.choices, allow_null=True)
    first_judgment = serializers.IntegerField()
    second_judgment = serializers.IntegerField()


class SharedPageOut(serializers.Serializer):
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = SharedPairOut(many=True)


class TwoAnnotatorsOut(SnapshotOut):
    """Two annotators: their kappa and confusion of one snapshot, and the pairs that both judged, as they are now."""

    first = NamedPersonOut()
    second = NamedPersonOut()
    kappa = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, allow_null=True)
    interval = PairIntervalOut(allow_null=True)
    n_items = serializers.IntegerField()
    labels = serializers.ListField(child=serializers.ChoiceField(choices=Label.choices))
    confusion = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        allow_null=True,
        help_text="Pairs by label of the first (rows) and of the second, in the order of `labels`.",
    )
    items = SharedPageOut()


class ConsensusKappaOut(serializers.Serializer):
    """Cohen's kappa with the consensus of the others."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    n_items = serializers.IntegerField()


class StraightLiningOut(serializers.Serializer):
    """Whether assignments with equal answers are more frequent than the answers of the others explain."""

    n_hits = serializers.IntegerField(help_text="Assignments with three pairs or more, the newest 1,000 at most.")
    n_uniform = serializers.IntegerField(help_text="Assignments with the same answer to every pair.")
    expected = serializers.FloatField(
        help_text="The number of such assignments that the answers of the others explain."
    )
    longest_run = serializers.IntegerField(help_text="The longest series of equal answers.")
    p_value = serializers.FloatField(allow_null=True)


class PositionTestOut(serializers.Serializer):
    """Whether answers follow a position. `effect` is Cramer's V. `p_value` is null without enough answers."""

    test = serializers.ChoiceField(choices=("chi_square", "binomial", "none"))
    statistic = serializers.FloatField()
    degrees = serializers.IntegerField()
    effect = serializers.FloatField()
    n = serializers.IntegerField()
    p_value = serializers.FloatField(allow_null=True)


class AnnotatorDayOut(serializers.Serializer):
    day = serializers.DateField()
    n = serializers.IntegerField(help_text="Answers, with those to test questions.")
    active_seconds = serializers.FloatField()
    seconds_median = serializers.FloatField(allow_null=True)
    controls = ShareOut(allow_null=True)
    with_consensus = ShareOut(allow_null=True)


class AnnotatorFiguresOut(SnapshotOut):
    """What one annotator did. The consensus is that of the others: the label that more of them gave than any other
    label; where there is none, nothing is compared."""

    annotator = NamedPersonOut()
    n_judgments = serializers.IntegerField(help_text="Answers to pairs, without test questions.")
    n_counted = serializers.IntegerField(
        help_text="Of these: answers that count. They were in time, and the annotator is not excluded."
    )
    n_turns = serializers.IntegerField(help_text="Assignments submitted.")
    active_seconds = serializers.FloatField(help_text="Focus time, of each answer at most 60 seconds.")
    n_timed = serializers.IntegerField(help_text="Answers that came with a time.")
    pace = serializers.FloatField(allow_null=True, help_text="Answers in an hour of active time.")
    seconds_median = serializers.FloatField(allow_null=True)
    controls = ShareOut(allow_null=True, help_text="Test questions passed, of those graded.")
    with_consensus = ShareOut(allow_null=True, help_text="Answers equal to the consensus of the others.")
    kappa = ConsensusKappaOut()
    labels = serializers.ListField(child=serializers.ChoiceField(choices=Label.choices))
    confusion = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Pairs by consensus of the others (rows) and own label, in the order of `labels`.",
    )
    label_mix = serializers.DictField(child=serializers.IntegerField(), help_text="Answers by label.")
    straight_lining = StraightLiningOut()
    option_position = PositionTestOut(help_text="Whether the place of the button matters.")
    item_position = PositionTestOut(help_text="Whether the place of the pair on the page matters.")
    days = AnnotatorDayOut(many=True)
    flags = AnnotatorFlagOut(many=True)
    feedback_at = serializers.ListField(child=serializers.DateField(), help_text="Days on which feedback was sent.")


class MeasureOut(serializers.Serializer):
    """What one kind of rule measures of one annotator."""

    collector = serializers.ChoiceField(choices=tuple(COLLECTORS))
    value = serializers.FloatField(help_text="A share, or an effect of the position.")
    n = serializers.IntegerField()


class TrendShareOut(serializers.Serializer):
    day = serializers.DateField()
    share = serializers.FloatField(allow_null=True, help_text="Answers equal to the consensus of the others.")


class HabitsOut(serializers.Serializer):
    annotator = NamedPersonOut()
    n_judgments = serializers.IntegerField()
    with_consensus = ShareOut(allow_null=True)
    kappa = ConsensusKappaOut()
    trend = TrendShareOut(many=True, help_text=f"The newest {TREND} days with answers, oldest first.")
    measures = MeasureOut(many=True)


class HabitListOut(SnapshotOut):
    """How each annotator works. Annotators with the most answers come first."""

    results = HabitsOut(many=True)


def present_habits(user: User, told: dict[str, Any] | None, skips: tuple[int, int] | None) -> dict[str, Any]:
    """The values of HabitsOut, from the part of a snapshot about one annotator, and (n, skipped) of assignments."""
    told = told or NOTHING
    same = {name: told[name] for name in ("n_judgments", "with_consensus", "kappa")}
    trend = [{"day": day["day"], "share": (day["with_consensus"] or {}).get("share")} for day in told["recent"]["days"]]
    measures = list(_measures(told))
    if skips:
        measures.append({"collector": "skips", "value": skips[1] / skips[0], "n": skips[0]})
    return same | {"annotator": user, "trend": trend, "measures": measures}


def _measures(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What there is to measure, in the words of the rules: what they count are the failures."""
    for collector, share in (("control_failures", told["controls"]), ("disagreement", told["with_consensus"])):
        if share:
            yield {"collector": collector, "value": 1 - share["share"], "n": share["n"]}
    lines, speed = told["straight_lining"], told.get("speed")  # a snapshot of an older release has no speed
    bias = max((told["option_position"], told["item_position"]), key=lambda each: each["effect"])
    if lines["n_hits"]:
        yield {"collector": "straight_lining", "value": lines["n_uniform"] / lines["n_hits"], "n": lines["n_hits"]}
    if speed and speed["n"]:
        yield {"collector": "too_fast", "value": speed["n_below"] / speed["n"], "n": speed["n"]}
    if bias["n"]:
        yield {"collector": "position_bias", "value": bias["effect"], "n": bias["n"]}


NO_BIAS = {"test": "none", "statistic": 0.0, "degrees": 0, "effect": 0.0, "n": 0, "p_value": None}
NOTHING: dict[str, Any] = {
    "n_judgments": 0, "n_counted": 0, "n_turns": 0, "active_seconds": 0.0, "n_timed": 0, "pace": None,
    "seconds_median": None, "controls": None, "with_consensus": None,
    "kappa": {"value": None, "low": None, "high": None, "reason": "no_overlap", "n_items": 0},
    "confusion": [[0] * len(LABELS)] * len(LABELS), "label_mix": dict.fromkeys(LABELS, 0),
    "straight_lining": {"n_hits": 0, "n_uniform": 0, "expected": 0.0, "longest_run": 0, "p_value": None},
    "option_position": NO_BIAS, "item_position": NO_BIAS, "flags": [], "recent": {"days": []},
}  # fmt: skip


def present_person(user: User) -> dict[str, Any]:
    """The columns of a person in a table."""
    return {"id": user.pk, "username": user.username, "display_name": user.shown_name}


def present_shared(shared: Shared) -> dict[str, Any]:
    """The values of SharedPairOut."""
    candidate = shared.candidate
    return {
        "candidate": candidate.pk, "key": candidate.key, "image": candidate.image,
        "text": candidate.text, "first_label": shared.first.label, "second_label": shared.second.label,
        "verdict": shared.verdict, "first_judgment": shared.first.pk, "second_judgment": shared.second.pk,
    }  # fmt: skip


def present_confusion(found: Confusion) -> dict[str, Any]:
    """One confusion as a row of a table."""
    return {
        "first": found.first.username, "second": found.second.username, "first_label": found.first_label,
        "second_label": found.second_label, **vars(found.share),
    }  # fmt: skip
