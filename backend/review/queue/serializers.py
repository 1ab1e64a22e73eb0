"""What the API takes and gives about the review queue."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.agreement.serializers import AgreementIntervalOut
from backend.annotation.models import Lens
from backend.annotation.serializers import EditSerializer
from backend.catalogue.models import Image
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.common.labels import Label
from backend.feedback.serializers import RemarkOut, present_remark
from backend.methods.agreement import REASONS as NO_VALUE
from backend.methods.consensus import LABELS
from backend.people.serializers import NamedPersonOut
from backend.quality.serializers import ShareOut
from backend.review.models import RESOLVED, Action, ReasonCode, ReasonTag, Verdict
from backend.review.queue.cases import Answer, CaseRow, Detail, Elsewhere, Evidence
from backend.review.queue.disputes import KEYSETS, KINDS, Dispute

ID = {"min_value": 1, "max_value": 2**63 - 1}
KIND_CHOICES = ("pair", "assignment")
STATES = ("open", "done")
OUTCOMES = [*Action.choices, (RESOLVED, "its reasons are gone")]
LONGEST_TEXT = 2000
MOST_ITEMS = 100
MOST_CASES = 200


class ReviewSettingsOut(serializers.Serializer):
    first_assignments = serializers.IntegerField(min_value=0, max_value=50)
    sample_percent = serializers.IntegerField(min_value=0, max_value=100)
    ties = serializers.BooleanField()
    low_agreement = serializers.BooleanField()
    failed_controls = serializers.BooleanField()
    comments = serializers.BooleanField()
    edits = serializers.BooleanField()
    generic = serializers.BooleanField()
    policy_requests = serializers.BooleanField()
    replies = serializers.BooleanField()
    gate_after = serializers.IntegerField(min_value=0, max_value=50, help_text="0: nobody waits.")
    second_look_percent = serializers.IntegerField(min_value=0, max_value=100)


class ReviewCountsOut(serializers.Serializer):
    open = serializers.IntegerField(help_text="Open cases, at most 10,000.")
    mine = serializers.IntegerField(help_text="Cases that you hold.")
    by_reason = serializers.DictField(child=serializers.IntegerField(), help_text="Open cases by the code of a reason.")
    disputes = serializers.IntegerField()
    replies = serializers.IntegerField(help_text="Replies of annotators without an answer.")
    waiting_at_gate = serializers.IntegerField()


class ReviewHolderOut(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField(source="shown_name")


class ReviewImageOut(serializers.Serializer):
    id = serializers.IntegerField()
    key = serializers.CharField()
    thumbnail = ThumbnailsOut()


class ReviewVotesOut(serializers.Serializer):
    good = serializers.IntegerField()
    bad = serializers.IntegerField()
    unsure = serializers.IntegerField()


class ReviewReasonOut(serializers.Serializer):
    code = serializers.ChoiceField(choices=ReasonCode.choices)
    params = serializers.DictField(help_text="The values of the reason, as {judgment: 7} or {n: 3}.")
    at = serializers.DateTimeField()


class ReviewCaseOut(serializers.Serializer):
    """One thing in the queue: a pair, or an assignment of one annotator."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KIND_CHOICES)
    reasons = ReviewReasonOut(many=True)
    priority = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)
    outcome = serializers.ChoiceField(
        choices=OUTCOMES,
        allow_null=True,
        help_text="Null while it is open.",
    )
    text = serializers.CharField(allow_blank=True, help_text="The caption of a pair; empty for an assignment.")
    image = ReviewImageOut(allow_null=True)
    query = serializers.CharField(allow_null=True)
    annotator = NamedPersonOut(allow_null=True, help_text="Of an assignment.")
    votes = ReviewVotesOut(help_text="The votes on a pair. For an assignment: the answers of the annotator.")
    n_pairs = serializers.IntegerField()
    held_by = ReviewHolderOut(allow_null=True)
    second_look = serializers.BooleanField(help_text="The decision on the pair is hidden here.")
    opened_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    closed_by = ReviewHolderOut(allow_null=True)


class ReviewVerdictOut(serializers.Serializer):
    """The newest decision."""

    id = serializers.IntegerField()
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]  # Field has a `label` of its own
    reason = serializers.ChoiceField(choices=ReasonTag.choices, allow_null=True)
    confidence = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    edits = EditSerializer(many=True)
    decided_by = ReviewHolderOut()
    created_at = serializers.DateTimeField()


class ReviewAnswerOut(serializers.Serializer):
    """The current answer of one annotator to a pair."""

    judgment = serializers.IntegerField()
    annotator = NamedPersonOut()
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    seconds = serializers.FloatField(allow_null=True)
    lens = serializers.ChoiceField(choices=Lens.choices, allow_null=True)
    edits = EditSerializer(many=True)
    comment = serializers.CharField(allow_blank=True)
    is_generic = serializers.BooleanField()
    is_surplus = serializers.BooleanField(help_text="It was too late and does not count.")
    is_counted = serializers.BooleanField()
    reliability = ShareOut(allow_null=True, help_text="Controls that the annotator passed.")


class ReviewElsewhereOut(serializers.Serializer):
    """The same caption on another image."""

    candidate = serializers.IntegerField()
    image = ReviewImageOut()
    votes = ReviewVotesOut()
    consensus = serializers.ChoiceField(choices=Label.choices, allow_null=True)


class ReviewModelVoteOut(serializers.Serializer):
    model = serializers.CharField()
    vote = serializers.BooleanField(allow_null=True)
    score = serializers.FloatField(allow_null=True)


class ReviewPairOut(serializers.Serializer):
    """The evidence on one pair."""

    candidate = serializers.IntegerField()
    key = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    image = ReviewImageOut()
    query = serializers.CharField(allow_null=True)
    is_control = serializers.BooleanField()
    control_label = serializers.ChoiceField(choices=Label.choices, allow_null=True)
    control_labels = serializers.ListField(
        child=serializers.ChoiceField(choices=Label.choices), help_text="Every answer that passes the control."
    )
    verdict = ReviewVerdictOut(allow_null=True)
    consensus = serializers.ChoiceField(choices=Label.choices, allow_null=True)
    majority = serializers.ChoiceField(choices=Label.choices, allow_null=True)
    votes = ReviewVotesOut()
    answers = ReviewAnswerOut(many=True)
    elsewhere = ReviewElsewhereOut(many=True)
    model_votes = ReviewModelVoteOut(many=True)
    remarks = RemarkOut(many=True)


class ReviewCaseDetailOut(ReviewCaseOut):
    pairs = ReviewPairOut(many=True)


class ReviewCaseListIn(serializers.Serializer):
    reason = serializers.ChoiceField(choices=ReasonCode.choices, required=False, default="", allow_blank=True)
    annotator = serializers.IntegerField(required=False, default=None, allow_null=True, **ID)
    state = serializers.ChoiceField(choices=STATES, required=False, default="open")
    kind = serializers.ChoiceField(choices=KIND_CHOICES, required=False, default="", allow_blank=True)
    order = serializers.ChoiceField(
        choices=("priority", "newest", "entropy"),
        required=False,
        default="priority",
        help_text="Of open cases; done ones come the last closed first.",
    )


class ReviewNextIn(serializers.Serializer):
    reason = serializers.ChoiceField(choices=ReasonCode.choices, required=False, default="", allow_blank=True)
    annotator = serializers.IntegerField(required=False, default=None, allow_null=True, **ID)
    after = serializers.IntegerField(
        required=False, default=None, allow_null=True, help_text="The case that you skip.", **ID
    )


class TextEditIn(serializers.Serializer):
    edits = EditSerializer(many=True, max_length=50)  # type: ignore[call-arg]  # many=True takes it


class DecisionItemIn(serializers.Serializer):
    candidate = serializers.IntegerField(**ID)
    label = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Label.choices,
        required=False,
        default=None,
        allow_null=True,
        help_text="Needed to settle or to correct.",
    )
    text_edit = TextEditIn(required=False, default=None, allow_null=True)
    reason = serializers.ChoiceField(choices=ReasonTag.choices, required=False, default="", allow_blank=True)
    confidence = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=1, max_value=3)
    note = serializers.CharField(required=False, default="", allow_blank=True, max_length=500)


class CaseDecisionIn(serializers.Serializer):
    action = serializers.ChoiceField(choices=Action.choices)
    items = DecisionItemIn(many=True, required=False, default=list, max_length=MOST_ITEMS)  # type: ignore[call-arg]
    annotators = serializers.ListField(
        child=serializers.IntegerField(**ID),
        required=False,
        default=list,
        max_length=MOST_ITEMS,
        help_text="Of `rework` on a pair: who gets it back. Empty: everybody who answered.",
    )
    text = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_TEXT, help_text="Of `rework`: the remark."
    )
    template = serializers.IntegerField(required=False, default=None, allow_null=True, **ID)
    k = serializers.IntegerField(
        required=False, default=1, min_value=1, max_value=5, help_text="Of `ask_more`: how many more judgments."
    )


class UndoOut(serializers.Serializer):
    token = serializers.CharField()
    until = serializers.DateTimeField()


class CaseDecisionOut(serializers.Serializer):
    case = ReviewCaseOut()
    undo = UndoOut()


class CaseDecisionsIn(serializers.Serializer):
    action = serializers.ChoiceField(choices=(Action.SETTLE, Action.ASK_MORE))
    cases = serializers.ListField(
        child=serializers.IntegerField(**ID), source="case_ids", min_length=1, max_length=MOST_CASES
    )
    label = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Label.choices, required=False, default=None, allow_null=True, help_text="Needed to settle."
    )
    k = serializers.IntegerField(
        required=False, default=1, min_value=1, max_value=5, help_text="Of `ask_more`: how many more judgments."
    )


class RefusedCaseOut(serializers.Serializer):
    """A case that was not decided, and why."""

    case = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()
    params = serializers.DictField(help_text="The values in the message.")


class CaseDecisionsOut(serializers.Serializer):
    n_done = serializers.IntegerField()
    refused = RefusedCaseOut(many=True)


class UndoIn(serializers.Serializer):
    token = serializers.CharField(max_length=200)


class DisputeListIn(serializers.Serializer):
    kind = serializers.ChoiceField(choices=KINDS, required=False, default="", allow_blank=True)
    order = serializers.ChoiceField(
        choices=tuple(KEYSETS),
        required=False,
        default="entropy",
        help_text="First the most divided votes, the most votes, or the newest vote or verdict.",
    )
    format = serializers.ChoiceField(
        choices=("json", "csv"), required=False, default="json", help_text="csv: all of them as a file."
    )


class DisputeOut(serializers.Serializer):
    candidate = serializers.IntegerField()
    key = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    image = ReviewImageOut()
    query = serializers.CharField(allow_null=True)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS))
    votes = ReviewVotesOut()
    entropy = serializers.FloatField(help_text="Of the votes, in bits.")
    consensus = serializers.ChoiceField(choices=Label.choices, allow_null=True)
    verdict = serializers.ChoiceField(choices=Label.choices, allow_null=True)
    case = serializers.IntegerField(allow_null=True)


class ConfusionField(serializers.ListField):
    """3 x 3 whole numbers, rows and columns in the order good, bad, unsure."""

    child = serializers.ListField(child=serializers.IntegerField())


class PagesOfPersonOut(serializers.Serializer):
    annotator = NamedPersonOut()
    n_reviewed = serializers.IntegerField()
    first_pass_approved = ShareOut(allow_null=True, help_text="Accepted by the first decision, without a correction.")
    rejected = ShareOut(allow_null=True, help_text="Returned by the first decision.")
    agreement_with_head = ShareOut(allow_null=True, help_text="On pairs with a decision.")
    confusion = ConfusionField(help_text="Rows: the annotator's answers. Columns: the decisions.")


class GateOut(serializers.Serializer):
    annotator = NamedPersonOut()
    n_submitted = serializers.IntegerField()
    waiting_since = serializers.DateTimeField(allow_null=True)
    cases = serializers.ListField(child=serializers.IntegerField(), help_text="Ids of their open cases.")


class GateReleaseIn(serializers.Serializer):
    text = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_TEXT, help_text="Words to the annotator."
    )


class SecondLooksOut(serializers.Serializer):
    n = serializers.IntegerField(source="n_second_looks")
    agree = ShareOut(allow_null=True)


class HeadPairOut(serializers.Serializer):
    """Cohen's kappa of two head annotators; `value` is null for `reason_code`."""

    first = NamedPersonOut()
    second = NamedPersonOut()
    value = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=tuple(NO_VALUE), source="reason", allow_null=True)
    n_items = serializers.IntegerField()
    interval = AgreementIntervalOut(allow_null=True)
    cells = ConfusionField(help_text="Rows: the first. Columns: the second.")


class HeadsOut(serializers.Serializer):
    second_looks = SecondLooksOut(source="*")
    pairs = HeadPairOut(many=True)


def present_case(row: CaseRow) -> dict[str, Any]:
    """The values of ReviewCaseOut."""
    case = row.case
    return {
        "id": case.pk,
        "kind": "pair" if case.is_pair else "assignment",
        "reasons": [{"code": reason.code, "params": reason.params, "at": reason.created_at} for reason in row.reasons],
        "priority": case.priority,
        "state": "open" if case.closed_at is None else "done",
        "outcome": case.outcome or None,
        "text": row.text,
        "image": present_image(row.image),
        "query": row.query,
        "annotator": case.annotator,
        "votes": row.votes,
        "n_pairs": row.n_pairs,
        "held_by": case.holder,
        "second_look": case.is_second_look,
        "opened_at": case.opened_at,
        "closed_at": case.closed_at,
        "closed_by": case.closed_by,
    }


def present_detail(detail: Detail) -> dict[str, Any]:
    """The values of ReviewCaseDetailOut."""
    return present_case(detail.row) | {"pairs": [_present_pair(pair) for pair in detail.pairs]}


def present_image(image: Image | None) -> dict[str, Any] | None:
    return None if image is None else {"id": image.pk, "key": image.key, "thumbnail": present_thumbnails(image)}


def _present_pair(found: Evidence) -> dict[str, Any]:
    pair, accepted = found.pair, found.control.accepted if found.control else []
    return {
        "candidate": pair.pk,
        "key": pair.key,
        "text": pair.text,
        "image": present_image(pair.image),
        "query": pair.query.text if pair.query else None,
        "is_control": found.control is not None,
        "control_label": next((label for label in LABELS if label in accepted), None),
        "control_labels": accepted,
        "verdict": found.verdict and _present_verdict(found.verdict),
        "consensus": found.consensus,
        "majority": found.majority,
        "votes": found.votes,
        "answers": [_present_answer(answer) for answer in found.answers],
        "elsewhere": [_present_elsewhere(each) for each in found.elsewhere],
        "model_votes": found.model_votes,
        "remarks": [present_remark(remark) for remark in found.remarks],
    }


def _present_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "id": verdict.pk,
        "label": verdict.label,
        "reason": verdict.tag or None,
        "confidence": verdict.confidence,
        "note": verdict.reason,
        "edits": verdict.edits,
        "decided_by": verdict.decided_by,
        "created_at": verdict.created_at,
    }


def _present_answer(answer: Answer) -> dict[str, Any]:
    row = answer.judgment
    return {
        "judgment": row.pk,
        "annotator": row.annotator,
        "label": row.label,
        "seconds": None if row.ms is None else row.ms / 1000,
        "lens": row.lens or None,
        "edits": row.edits,
        "comment": row.comment,
        "is_generic": row.is_generic,
        "is_surplus": answer.is_surplus,
        "is_counted": answer.is_counted,
        "reliability": answer.reliability,
    }


def _present_elsewhere(found: Elsewhere) -> dict[str, Any]:
    image = present_image(found.pair.image)
    return {"candidate": found.pair.pk, "image": image, "votes": found.votes, "consensus": found.consensus}


def present_dispute(found: Dispute) -> dict[str, Any]:
    """The values of DisputeOut."""
    row, pair = found.tally, found.tally.candidate
    return {
        "candidate": pair.pk,
        "key": pair.key,
        "text": pair.text,
        "image": present_image(pair.image),
        "query": pair.query.text if pair.query else None,
        "kinds": found.kinds,
        "votes": {"good": row.n_good, "bad": row.n_bad, "unsure": row.n_unsure},
        "entropy": row.entropy,
        "consensus": found.consensus,
        "verdict": row.verdict or None,
        "case": found.case_id,
    }
