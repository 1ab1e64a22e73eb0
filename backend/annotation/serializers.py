"""What an annotator's client sends and gets. Items are named by position; nothing distinguishes controls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.annotation.answers import LONGEST_CAPTION, LONGEST_COMMENT, MOST_EDITS, Judged
from backend.annotation.leases import Reason
from backend.annotation.models import AnnotatorState, AnnotatorStatus, AssignmentStatus, Judgment, Lens, SkipReason
from backend.annotation.past_work import STATES
from backend.candidates.serializers import SuggestedEditOut
from backend.catalogue.models import Image
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.common.labels import Label
from backend.common.serializers import SaidOut
from backend.methods.edits import KINDS
from backend.methods.quality.policy import SENTENCES
from backend.methods.said import Said
from backend.projects.models import Direction

DAY_MS = 86_400_000
ALT = "The image of this task."
ALT_OF_ITEM = "A photograph to judge."
REASONS = get_args(Reason)
MOST_ITEMS = 1000  # of a draft
SKIP_TO = ("others", "me")


class AssignmentImageOut(serializers.Serializer):
    alt = serializers.CharField(help_text="Does not describe the image: that would be one more caption.")
    thumbnail = ThumbnailsOut()

    def __init__(self, *args: Any, alt: str = ALT, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = alt

    def to_representation(self, image: Image) -> dict[str, Any]:
        return {"alt": self.words, "thumbnail": present_thumbnails(image)}


class AssignmentQueryOut(serializers.Serializer):
    text = serializers.CharField()


class EditSerializer(serializers.Serializer):
    """A change to a caption, in code points of its text: `after` replaces `before`."""

    start = serializers.IntegerField(min_value=0, max_value=LONGEST_CAPTION)
    end = serializers.IntegerField(min_value=0, max_value=LONGEST_CAPTION, help_text="Exclusive.")
    kind = serializers.ChoiceField(choices=KINDS)
    before = serializers.CharField(
        max_length=LONGEST_CAPTION,
        allow_blank=True,
        trim_whitespace=False,
        help_text="The text between `start` and `end`.",
    )
    after = serializers.CharField(max_length=LONGEST_CAPTION, allow_blank=True, trim_whitespace=False)


class EmptyIsNullField(serializers.ChoiceField):
    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class AssignmentItemOut(serializers.Serializer):
    """One item. Its answer is empty until it is submitted."""

    position = serializers.IntegerField(help_text="From 1, in the order of this assignment.")
    text = serializers.CharField(allow_null=True, help_text="A caption to judge; null if images are judged.")
    image = AssignmentImageOut(
        alt=ALT_OF_ITEM, allow_null=True, help_text="An image to judge; null if captions are judged."
    )
    label = EmptyIsNullField(choices=Label.choices, source="said.label", allow_null=True)  # type: ignore[assignment]
    edits = EditSerializer(source="said.edits", many=True)
    lens = EmptyIsNullField(choices=Lens.choices, source="said.lens", allow_null=True)
    comment = serializers.CharField(source="said.comment")
    is_generic = serializers.BooleanField(source="said.is_generic")


class ShownHitOut(serializers.Serializer):
    """A HIT as annotators see it."""

    kind = serializers.ChoiceField(choices=Direction.choices, source="hit.kind")
    image = AssignmentImageOut(
        source="hit.image", allow_null=True, help_text="The image of the HIT; null in a query project."
    )
    query = AssignmentQueryOut(
        source="hit.query", allow_null=True, help_text="The query of the HIT; null in an image project."
    )
    options = serializers.ListField(
        child=serializers.ChoiceField(choices=Label.choices), help_text="The answer buttons in the order to show."
    )
    items = AssignmentItemOut(many=True)
    guidelines_version = serializers.IntegerField(source="project.version")


class AssignmentOut(ShownHitOut):
    id = serializers.UUIDField(source="assignment.pk")
    status = serializers.ChoiceField(choices=AssignmentStatus.choices, source="assignment.status")
    expires_at = serializers.DateTimeField(source="assignment.expires_at")
    submitted_at = serializers.DateTimeField(source="assignment.submitted_at", allow_null=True)


class HitPreviewIn(serializers.Serializer):
    after = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=2**63 - 1, help_text="The id of a HIT: shows the next one."
    )


class PreviewedHitOut(ShownHitOut):
    id = serializers.IntegerField(source="hit.pk")


class HitPreviewOut(serializers.Serializer):
    hit = PreviewedHitOut(allow_null=True, help_text="Null if the project has no HITs.")


class AssignmentNextIn(serializers.Serializer):
    holding = serializers.ListField(
        child=serializers.UUIDField(),
        required=False,
        default=list,
        max_length=10,
        help_text="Assignments you have already: you get another one.",
    )


class NextAssignmentOut(serializers.Serializer):
    assignment = AssignmentOut(source="shown", allow_null=True)
    reason = serializers.ChoiceField(choices=REASONS, allow_null=True, help_text="Why there is none.")


class AnswerIn(serializers.Serializer):
    """The answer to one item."""

    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edits = serializers.ListField(
        child=EditSerializer(),
        required=False,
        default=list,
        max_length=MOST_EDITS,
        help_text="Edits that nobody can see are not stored.",
    )
    lens = serializers.ChoiceField(
        choices=Lens.choices,
        required=False,
        allow_null=True,
        allow_blank=True,
        default="",
        help_text="Why a good caption is good.",
    )
    comment = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_COMMENT)
    is_generic = serializers.BooleanField(required=False, default=False, help_text="It fits many other images too.")
    ms = serializers.IntegerField(
        min_value=0, max_value=DAY_MS, required=False, allow_null=True, help_text="Focus time on the item."
    )
    client_at = serializers.DateTimeField(required=False, allow_null=True, help_text="When, by the client's clock.")

    def validate_lens(self, lens: str | None) -> str:
        return lens or ""


class JudgmentIn(AnswerIn):
    position = serializers.IntegerField(min_value=1, max_value=1000)

    def to_internal_value(self, data: Any) -> Judged:
        return Judged(**super().to_internal_value(data))


class JudgmentRevisionIn(AnswerIn):
    """The complete answer, not only what changed."""


class AssignmentSubmitIn(AssignmentNextIn):
    judgments = JudgmentIn(many=True, max_length=1000)  # type: ignore[call-arg]  # many=True takes it
    fetch_next = serializers.BooleanField(required=False, default=False)


class AssignmentSubmitOut(serializers.Serializer):
    submitted_at = serializers.DateTimeField()
    is_late = serializers.BooleanField(
        help_text="Another annotator had the slot by then: the answers are stored but do not count."
    )
    next = AssignmentOut(source="next.shown", allow_null=True)
    reason = serializers.ChoiceField(
        source="next.reason", choices=REASONS, allow_null=True, help_text="Why `next` is null, if you asked for it."
    )


class AssignmentHeartbeatOut(serializers.Serializer):
    expires_at = serializers.DateTimeField()


class AssignmentSkipIn(serializers.Serializer):
    reason = serializers.ChoiceField(choices=SkipReason.choices)
    comment = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)
    to = serializers.ChoiceField(
        choices=SKIP_TO, help_text="others: you never get it again; me: it comes back when nothing else is left."
    )


class JudgmentRevisionOut(serializers.ModelSerializer):
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edits = EditSerializer(many=True)
    lens = EmptyIsNullField(choices=Lens.choices, allow_null=True)
    judged_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Judgment
        fields = ("position", "label", "edits", "lens", "comment", "is_generic", "judged_at")
        read_only_fields = fields


@extend_schema_field(SaidOut(many=True))
class ReasonsField(serializers.ReadOnlyField):
    """Codes of the rules, and sentences that a person wrote, as values of SaidOut."""

    def to_representation(self, reasons: Iterable[str]) -> list[dict[str, Any]]:
        said = (Said(each, SENTENCES[each]) if each in SENTENCES else Said("", each) for each in reasons)
        return [each.as_json() for each in said]


class MyStateOut(serializers.ModelSerializer):
    state = serializers.ChoiceField(choices=AnnotatorStatus.choices)
    reasons = ReasonsField(help_text="Why you have this status.")
    hits_per_annotator = serializers.IntegerField(
        source="project.hits_per_annotator", allow_null=True, help_text="HITs one person may submit; null: any."
    )

    class Meta:
        model = AnnotatorState
        fields = ("state", "reasons", "n_submitted", "hits_per_annotator")
        read_only_fields = fields


class MyProgressOut(serializers.Serializer):
    submitted_today = serializers.IntegerField(help_text="Submitted HITs since midnight UTC.")
    submitted_total = serializers.IntegerField(help_text="HITs.")
    judgments_total = serializers.IntegerField(help_text="Pairs.")
    ms_today = serializers.IntegerField(help_text="Focus time of the HITs submitted since midnight UTC.")


class WholeProgressOut(serializers.Serializer):
    hits = serializers.IntegerField()
    assignments_needed = serializers.IntegerField(help_text="Slots of all HITs.")
    assignments_submitted = serializers.IntegerField(help_text="Of these.")


class ProgressOut(serializers.Serializer):
    mine = MyProgressOut(source="*")
    project = WholeProgressOut(source="*")


class ClosingOut(serializers.Serializer):
    """The person who decided, and the day."""

    by = serializers.CharField()
    on = serializers.DateField()
    sentence = serializers.CharField(help_text="The same as a sentence for you.")


class PastItemOut(AssignmentItemOut):
    closed = ClosingOut(allow_null=True, help_text="Null while you may change your answer.")


class PastHitOut(AssignmentOut):
    items = PastItemOut(many=True)
    n_items = serializers.IntegerField(help_text="Of the whole task, also where a filter leaves some out.")


class LabelCountsOut(serializers.Serializer):
    good = serializers.IntegerField()
    bad = serializers.IntegerField()
    unsure = serializers.IntegerField()


class OwnDayOut(serializers.Serializer):
    day = serializers.DateField(help_text="UTC.")
    labels = LabelCountsOut(help_text="Your newest answers to the tasks of this day.")
    n_timed = serializers.IntegerField(help_text="Answers with a focus time.")
    ms = serializers.IntegerField(help_text="Their focus time in milliseconds.")


class OwnDaysOut(serializers.Serializer):
    days = OwnDayOut(many=True, help_text="The last 14 days, oldest first. Today is the last one.")


class PastWorkIn(serializers.Serializer):
    """Which answers you look for. Several conditions hold for the same answer."""

    label = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Label.choices, required=False, allow_blank=True, default="", help_text="Your newest answer."
    )
    state = serializers.ChoiceField(
        choices=STATES,
        required=False,
        allow_blank=True,
        default="",
        help_text="feedback: it has feedback; revised: you changed it after you submitted it.",
    )
    q = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=100, help_text="Words of the caption, or of the query."
    )


class ItemSuggestionsOut(serializers.Serializer):
    position = serializers.IntegerField()
    suggestions = SuggestedEditOut(many=True, help_text="In the order of the text; two may overlap.")


class AssignmentSuggestionsOut(serializers.Serializer):
    items = ItemSuggestionsOut(many=True, help_text="One for each position, from 1.")


class DraftAnswerIO(serializers.Serializer):
    """The answer to one item so far."""

    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]
    edits = serializers.ListField(child=EditSerializer(), max_length=MOST_EDITS)
    lens = serializers.ChoiceField(choices=Lens.choices, allow_blank=True)
    comment = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_COMMENT)
    is_generic = serializers.BooleanField()
    ms = serializers.IntegerField(min_value=0, max_value=DAY_MS, allow_null=True)
    at = serializers.CharField(
        max_length=40, allow_null=True, help_text="When the label was chosen, by the clock of the browser."
    )


class DraftWritingIO(serializers.Serializer):
    """An unfinished edit."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_CAPTION)
    kinds = serializers.DictField(child=serializers.ChoiceField(choices=KINDS), help_text="By change.")


class DraftUnfinishedIO(serializers.Serializer):
    """An edit or a comment that is not finished."""

    edit = DraftWritingIO(allow_null=True)
    comment = serializers.CharField(
        allow_blank=True, allow_null=True, trim_whitespace=False, max_length=LONGEST_COMMENT
    )


class DraftItemIO(serializers.Serializer):
    position = serializers.IntegerField(min_value=1, max_value=MOST_ITEMS)
    answer = DraftAnswerIO(allow_null=True)
    unfinished = DraftUnfinishedIO(allow_null=True)


class DraftWorkIO(serializers.Serializer):
    items = DraftItemIO(many=True, max_length=MOST_ITEMS)  # type: ignore[call-arg]  # many=True takes it
    current = serializers.IntegerField(min_value=0, max_value=MOST_ITEMS, help_text="Index of the open item.")


class DraftIO(serializers.Serializer):
    work = DraftWorkIO()
    saved_at = serializers.DateTimeField(help_text="By the clock of the browser.")


class AssignmentDraftOut(serializers.Serializer):
    draft = DraftIO(allow_null=True)
