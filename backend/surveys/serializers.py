"""What the API takes and gives about surveys. What a participant gets says nothing about distractors."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, get_args

from rest_framework import serializers

from backend.annotation.serializers import ALT_OF_ITEM, AssignmentImageOut
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.surveys.models import (
    Answer,
    ClosedBy,
    DistractorSource,
    Participant,
    Survey,
    SurveyAnswer,
    SurveyItem,
    SurveyState,
)
from backend.surveys.selectors import (
    MOST_PARTICIPANTS,
    PairResult,
    ParticipantRow,
    Results,
    Standing,
    closed_by,
    state_of,
)
from backend.surveys.services import LARGEST_SEED, MOST_LINKS

STANDINGS = get_args(Standing)
MOST_MS = 3_600_000


class SurveyIn(serializers.Serializer):
    """A survey to make. All but the texts has a default."""

    title = serializers.CharField(max_length=120)
    consent = serializers.CharField(max_length=20_000, help_text="Markdown; participants read it before they start.")
    run_by = serializers.CharField(max_length=200, help_text="The person or group in charge, and how to reach them.")
    model = serializers.CharField(
        max_length=200, required=False, allow_blank=True, help_text="Empty: the one with the most hard captions."
    )
    model_digest = serializers.CharField(max_length=64, required=False, allow_blank=True)
    n_pairs = serializers.IntegerField(min_value=1, max_value=1000, required=False)
    pairs_each = serializers.IntegerField(min_value=1, max_value=200, required=False)
    distractors_each = serializers.IntegerField(min_value=0, max_value=50, required=False)
    distractors_from = serializers.ChoiceField(choices=DistractorSource.choices, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, required=False)
    fail_rate = serializers.FloatField(min_value=0.01, max_value=1, required=False)
    min_graded = serializers.IntegerField(min_value=1, max_value=50, required=False)
    counts_unfinished = serializers.BooleanField(required=False)
    closes_at = serializers.DateTimeField(required=False, allow_null=True)
    max_participants = serializers.IntegerField(
        min_value=1, max_value=MOST_PARTICIPANTS, required=False, allow_null=True
    )
    has_link = serializers.BooleanField(required=False, help_text="False: only single-use links lead to the survey.")


class SurveyOut(serializers.ModelSerializer):
    state = serializers.ChoiceField(choices=SurveyState.choices)
    closed_by = serializers.ChoiceField(choices=ClosedBy.choices, allow_null=True)
    url = serializers.CharField(allow_null=True, help_text="The link for all: for curators, if the survey has one.")
    n_items = serializers.IntegerField(help_text="Pairs it asks about; 0 for a draft.")
    n_participants = serializers.IntegerField()
    n_finished = serializers.IntegerField()
    n_links = serializers.IntegerField(help_text="Single-use links.")
    n_links_used = serializers.IntegerField()

    class Meta:
        model = Survey
        fields = (
            "id", "title", "consent", "run_by", "model", "model_digest", "n_pairs", "pairs_each", "distractors_each",
            "distractors_from", "seed", "fail_rate", "min_graded", "counts_unfinished", "closes_at",
            "max_participants", "has_link", "created_at", "opened_at", "closed_at", "state", "closed_by", "url",
            "n_items", "n_participants", "n_finished", "n_links", "n_links_used",
        )  # fmt: skip
        read_only_fields = fields


def prepare_survey(survey: Survey, *, url: str | None) -> Survey:
    """Lets SurveyOut read what no column holds."""
    told: Any = survey
    told.state, told.closed_by, told.url = state_of(survey), closed_by(survey), url
    return survey


class SurveyModelOut(serializers.Serializer):
    """A model that scored hard captions of the project."""

    name = serializers.CharField()
    digest = serializers.CharField()
    n_hard = serializers.IntegerField(help_text="Hard captions with a score of this model.")


class SurveyPairOut(serializers.Serializer):
    position = serializers.IntegerField()
    text = serializers.CharField()
    key = serializers.CharField(help_text="Of the caption.")
    score = serializers.FloatField(allow_null=True)
    image_key = serializers.CharField()
    image = serializers.IntegerField(allow_null=True, help_text="Its id; null once the image is deleted.")
    thumbnail = ThumbnailsOut()


def present_item(item: SurveyItem) -> dict[str, Any]:
    """The values of SurveyPairOut."""
    return {
        "position": item.position,
        "text": item.text,
        "key": item.key,
        "score": item.score,
        "image_key": item.image_key,
        "image": item.image_id,
        "thumbnail": present_thumbnails(item),
    }


class SurveyPreviewOut(serializers.Serializer):
    """What a draft would ask if it were opened now."""

    n_asked = serializers.IntegerField(help_text="Hardest pairs that the draft asks for.")
    pairs = SurveyPairOut(many=True)
    distractors = SurveyPairOut(many=True)


class SurveyShareOut(serializers.Serializer):
    k = serializers.IntegerField()
    n = serializers.IntegerField()
    share = serializers.FloatField()
    low = serializers.FloatField(help_text="Wilson, 95%.")
    high = serializers.FloatField(help_text="Wilson, 95%.")


class SurveyPairResultOut(SurveyPairOut):
    n = serializers.IntegerField(help_text="Answers that count.")
    share = SurveyShareOut(allow_null=True, help_text="Of good; of a distractor: of bad. Null without answers.")


class SurveyAgreementOut(serializers.Serializer):
    """Table 1 of IMP: over the pairs that have answers, whatever number of answers each has."""

    n_pairs = serializers.IntegerField()
    n_answers = serializers.IntegerField()
    least_n = serializers.IntegerField(allow_null=True, help_text="Answers of the pair with the fewest.")
    most_n = serializers.IntegerField(allow_null=True)
    mean = serializers.FloatField(allow_null=True)
    minimum = serializers.FloatField(allow_null=True)
    minimum_n = serializers.IntegerField(allow_null=True, help_text="Answers of the pair with the lowest share.")


class SurveyBinOut(serializers.Serializer):
    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField(help_text="Pairs.")


class SurveyResultsOut(serializers.Serializer):
    n_participants = serializers.IntegerField()
    n_finished = serializers.IntegerField()
    n_unfinished = serializers.IntegerField(help_text="Without those that are excluded.")
    n_excluded = serializers.IntegerField()
    n_counted = serializers.IntegerField(help_text="Participants whose answers are in the figures.")
    agreement = SurveyAgreementOut()
    histogram = SurveyBinOut(many=True)
    pairs = SurveyPairResultOut(many=True)
    distractors = SurveyPairResultOut(many=True)


def present_results(results: Results) -> dict[str, Any]:
    """The values of SurveyResultsOut."""
    counts = ("n_participants", "n_finished", "n_unfinished", "n_excluded", "n_counted")
    return {name: getattr(results, name) for name in counts} | {
        "agreement": asdict(results.agreement),
        "histogram": [asdict(each) for each in results.histogram],
        "pairs": [_present_pair(each) for each in results.pairs],
        "distractors": [_present_pair(each) for each in results.distractors],
    }


def _present_pair(each: PairResult) -> dict[str, Any]:
    return present_item(each.item) | {"n": each.n, "share": asdict(each.share) if each.share else None}


class SurveyParticipantOut(serializers.Serializer):
    number = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    n_dealt = serializers.IntegerField()
    n_answered = serializers.IntegerField()
    seconds = serializers.FloatField(help_text="On all answered pairs, as the page counted.")
    n_right = serializers.IntegerField(help_text="Distractors that they called bad.")
    n_graded = serializers.IntegerField(help_text="Distractors that they answered.")
    fail_rate = serializers.FloatField(allow_null=True)
    standing = serializers.ChoiceField(choices=STANDINGS)


def present_participant(row: ParticipantRow) -> dict[str, Any]:
    return asdict(row)


class SurveyLinksIn(serializers.Serializer):
    n = serializers.IntegerField(min_value=1, max_value=MOST_LINKS)


class SurveyLinksOut(serializers.Serializer):
    urls = serializers.ListField(child=serializers.CharField(), help_text="Shown this once.")


class SurveyItemOut(serializers.Serializer):
    """One pair of a participant. All have the same shape."""

    number = serializers.IntegerField(help_text="Its place in the series, from 1.")
    text = serializers.CharField()
    image = AssignmentImageOut(alt=ALT_OF_ITEM)
    answer = serializers.ChoiceField(choices=Answer.choices, allow_null=True)


STAGES = ("consent", "answering", "finished")


class SurveyDoorOut(serializers.Serializer):
    """What a link leads to. There are items only while the participant answers."""

    title = serializers.CharField()
    consent = serializers.CharField(help_text="Markdown.")
    run_by = serializers.CharField()
    stage = serializers.ChoiceField(choices=STAGES)
    n_pairs = serializers.IntegerField(help_text="Pairs that one participant answers.")
    items = SurveyItemOut(many=True)


def present_door(survey: Survey, participant: Participant | None, series: list[SurveyAnswer]) -> dict[str, Any]:
    """The values of SurveyDoorOut."""
    stage = "consent" if participant is None else "finished" if participant.finished_at else "answering"
    return {
        "title": survey.title,
        "consent": survey.consent,
        "run_by": survey.run_by,
        "stage": stage,
        "n_pairs": len(series) or _n_each(survey),
        "items": [_present_asked(row) for row in series] if stage == "answering" else [],
    }


def _n_each(survey: Survey) -> int:
    n_items = survey.items.filter(is_distractor=False).count()
    return min(n_items, survey.pairs_each) + survey.distractors_each


def _present_asked(row: SurveyAnswer) -> dict[str, Any]:
    return {"number": row.position, "text": row.item.text, "image": row.item, "answer": row.answer or None}


class SurveyAgreeIn(serializers.Serializer):
    start_key = serializers.UUIDField(help_text="Made by the page: agreeing twice makes one participant.")


class SurveyAnswerIn(serializers.Serializer):
    answer = serializers.ChoiceField(choices=Answer.choices)
    ms = serializers.IntegerField(
        min_value=0, max_value=MOST_MS, required=False, allow_null=True, default=None,
        help_text="How long the pair was on the screen.",
    )  # fmt: skip


class SurveyAnswerOut(serializers.Serializer):
    is_finished = serializers.BooleanField()
