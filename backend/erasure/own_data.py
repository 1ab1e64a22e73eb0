"""Everything that the site keeps of one person, as one JSON document for this person.

Two things are left out, and the document says so: which items were hidden test questions, and secrets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.utils import timezone

from backend.people.models import User

ACCOUNT = (
    "id", "username", "email", "display_name", "first_name", "last_name", "date_joined", "last_login",
    "last_seen_at", "is_staff", "preferences",
)  # fmt: skip


@dataclass(frozen=True)
class Section:
    """Rows of one table that belong to a person by these fields, and what the document says of each. `only` narrows
    the rows."""

    name: str
    model: str
    by: tuple[str, ...]
    fields: tuple[str, ...]
    only: Q | None = None


SECTIONS = (
    Section("api_tokens", "people.ApiToken", ("user",),
            ("name", "prefix", "is_read_only", "is_for_releases", "project__slug", "created_at", "last_used_at",
             "expires_at", "revoked_at")),
    Section("rights", "people.RightsRecord", ("actor", "subject"),
            ("created_at", "action", "project_slug", "actor_id", "subject_id", "before", "after")),
    Section("memberships", "projects.Membership", ("user",), ("project__slug", "role", "created_at")),
    Section("projects_created", "projects.Project", ("created_by",), ("slug", "name", "created_at")),
    Section("invitations", "projects.Invitation", ("created_by", "accepted_by"),
            ("project__slug", "role", "created_at", "expires_at", "accepted_at", "revoked_at")),
    Section("invitation_batches", "projects.InvitationBatch", ("created_by",),
            ("project__slug", "role", "note", "created_at", "expires_at")),
    Section("assignments", "annotation.Assignment", ("annotator",),
            ("id", "project__slug", "status", "leased_at", "submitted_at", "skip_reason", "skip_comment")),
    Section("judgments", "annotation.Judgment", ("annotator",),
            ("id", "created_at", "assignment_id", "candidate_id", "candidate__text", "label", "position", "edits",
             "lens", "comment", "is_generic", "ms", "client_at", "supersedes_id")),
    Section("drafts", "annotation.Draft", ("assignment__annotator",), ("assignment_id", "work", "saved_at")),
    Section("annotator_states", "annotation.AnnotatorState", ("user",),
            ("project__slug", "state", "reasons", "n_submitted", "created_at")),
    Section("qualification", "qualification.QualificationState", ("user",),
            ("project__slug", "guidelines_read", "quiz_passed_at")),
    Section("quiz_attempts", "qualification.QuizAttempt", ("user",),
            ("project__slug", "number", "n_right", "is_passed", "ended_at")),
    Section("status_decisions", "annotation.StatusDecision", ("decided_by", "annotator_state__user"),
            ("created_at", "annotator_state__project__slug", "state", "reason")),
    Section("feedback", "feedback.Remark", ("annotator",),
            ("id", "created_at", "project__slug", "text", "answer", "seen_at", "acknowledged_at", "answered_at"),
            only=Q(withdrawn_at=None)),
    # Whoever wrote it took the words back.
    Section("feedback_withdrawn", "feedback.Remark", ("annotator",),
            ("id", "created_at", "project__slug", "answer", "seen_at", "withdrawn_at"),
            only=Q(withdrawn_at__isnull=False)),
    Section("feedback_written", "feedback.Remark", ("written_by",),
            ("id", "created_at", "project__slug", "text", "withdrawn_at")),
    Section("feedback_answers", "feedback.RemarkItem", ("remark__annotator", "remark__written_by"),
            ("remark_id", "judgment_id", "label")),
    Section("replies", "feedback.RemarkReply", ("author",), ("created_at", "remark_id", "text")),
    Section("decisions", "review.Verdict", ("decided_by",),
            ("created_at", "candidate_id", "label", "reason", "tag", "confidence", "edits")),
    Section("review_decisions", "review.CaseDecision", ("decided_by",),
            ("created_at", "case_id", "action", "text", "n_asked", "undone_at")),
    Section("second_looks", "review.SecondLook", ("decided_by",), ("created_at", "verdict_id", "label")),
    Section("review_cases", "review.ReviewCase", ("closed_by", "leased_by"),
            ("id", "project__slug", "opened_at", "closed_at", "outcome", "leased_until")),
    Section("caption_decisions", "candidates.Decision", ("decided_by",),
            ("created_at", "candidate_id", "verdict", "reason")),
    Section("pinned_captions", "curation.CaptionChoice", ("made_by",),
            ("created_at", "candidate_id", "kind", "reason")),
    Section("leakage_decisions", "candidates.SuspectDecision", ("decided_by",),
            ("created_at", "suspect_id", "decision")),
    Section("uploads", "catalogue.Upload", ("uploaded_by",), ("created_at", "project__slug", "files")),
    Section("runs", "runs.Run", ("started_by",), ("id", "created_at", "project__slug", "stage", "status")),
    Section("quality_rules", "quality.QualityPolicy", ("created_by",), ("created_at", "project__slug", "version")),
    Section("quality_rules_applied", "quality.PolicyReplay", ("applied_by",), ("id", "policy__project__slug")),
    Section("test_questions_made", "qualification.Control", ("created_by",),
            ("created_at", "project__slug", "candidate_id")),
    Section("webhooks", "webhooks.Webhook", ("created_by",), ("created_at", "project__slug", "name", "url")),
    Section("surveys", "surveys.Survey", ("created_by",),
            ("id", "created_at", "project__slug", "title", "opened_at", "closed_at")),
    Section("releases", "releases.Release", ("created_by",), ("id", "created_at", "project__slug", "label")),
    Section(
        "public_release_pages", "releases.ReleaseLink", ("created_by",),
        ("id", "created_at", "release__project__slug", "release__label", "is_indexable", "closed_at"),
    ),
    Section("withdrawals", "releases.Withdrawal", ("created_by",), ("created_at", "project__slug", "digest", "reason")),
    Section("benchmark_results", "benchmarks.Evaluation", ("created_by",),
            ("id", "created_at", "release__project__slug", "release__label", "task", "model_name")),
    Section("published_tables", "benchmarks.PublishedTable", ("created_by",),
            ("created_at", "project__slug", "name")),
    Section("exports", "exports.Export", ("created_by",), ("id", "created_at", "project__slug", "what", "format")),
    Section("projects_deleted", "erasure.ProjectDeletion", ("requested_by",), ("created_at", "project_slug")),
)  # fmt: skip
# What refers to people and is not in the document, with the reason.
LEFT_OUT = {
    "review.ReviewCase.annotator": "it tells which items are hidden test questions",
    "review.ReviewCase.withheld_from": "which decisions another head annotator looks at again",
    "review.ReviewReason.annotator": "it tells which items are hidden test questions",
    "admin.LogEntry.user": "what staff did on the admin pages",
}


def write_own_data(user: User) -> Iterator[str]:
    """The document in pieces, so that a long working life needs no memory."""
    account = {name: getattr(user, name) for name in ACCOUNT}
    yield "{" + _pair("exported_at", timezone.now()) + ",\n" + _pair("account", account)
    yield ",\n" + _pair("not_included", sorted(set(LEFT_OUT.values())))
    for section in SECTIONS:
        yield f",\n{json.dumps(section.name)}: ["
        for number, row in enumerate(_rows(section, user)):
            yield (",\n" if number else "\n") + json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)
        yield "]"
    yield "}\n"


def _pair(name: str, value: Any) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)}"


def _rows(section: Section, user: User) -> Iterator[dict[str, Any]]:
    mine = Q()
    for field in section.by:
        mine |= Q(**{field: user})
    model = apps.get_model(section.model)
    rows = model._base_manager.filter(mine & (section.only or Q())).order_by("pk").values(*section.fields)
    return iter(rows.iterator(chunk_size=2000))
