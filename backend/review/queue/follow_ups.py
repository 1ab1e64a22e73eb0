"""Reasons that are true or not at a moment: unanswered replies, requests of the quality rules, returned work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.utils import timezone

from backend.annotation.models import DONE, AnnotatorState, Assignment, DecidedStatus, Judgment
from backend.feedback.models import Remark, RemarkReply
from backend.projects.models import Project
from backend.quality.selectors import get_last_replay
from backend.review.models import ReasonCode, ReviewReason, ReviewSettings, Rework
from backend.review.queue.reasons import SHOWN_WORDS, Changes, Found

QUIET = timedelta(minutes=10)  # after which returned work is looked at, although not all of it was changed


def find_replies(project: Project, rules: ReviewSettings, changes: Changes) -> None:
    """Remarks whose annotator wrote last. Replies to returned work open the returned case instead."""
    newest = RemarkReply.objects.filter(remark=OuterRef("pk"), author=OuterRef("annotator")).order_by("-pk")
    waiting = Remark.objects.filter(project=project, awaits_reply=True) if rules.replies else Remark.objects.none()
    returned = Rework.objects.filter(done_at=None, decision__case__project=project, decision__undone_at=None)
    # The case of a message about several answers is of the first of them.
    waiting = waiting.exclude(pk__in=returned.values("remark")).filter(items__position=1)
    rows = waiting.order_by().annotate(
        reply=Subquery(newest.values("pk")[:1]), words=Subquery(newest.values("text")[:1])
    )
    true = set[str]()
    for remark, pair, person, reply, words in rows.values_list(
        "pk", "items__judgment__candidate", "annotator", "reply", "words"
    ):
        source, told = f"reply:{reply}", {"remark": remark, "text": (words or "")[:SHOWN_WORDS]}
        true.add(source)
        changes.found.append(Found(ReasonCode.REPLY, pair=pair, source=source, annotator=person, params=told))
    changes.gone |= _open_but(project, ReasonCode.REPLY, true)


def find_requests(project: Project, rules: ReviewSettings, changes: Changes) -> None:
    """The newest assignment of each annotator that the quality rules want checked, once for each request."""
    asked = AnnotatorState.objects.filter(project=project, needs_review=True, is_unnamed=False, is_foreign=False)
    asked = asked if rules.policy_requests else asked.none()
    looked = Count("decisions", filter=Q(decisions__state=DecidedStatus.REVIEWED))
    sources = {f"check:{user}:{n}": user for user, n in asked.annotate(n=looked).values_list("user", "n")}
    changes.gone |= _open_but(project, ReasonCode.POLICY, sources)
    known = ReviewReason.objects.filter(project=project, code=ReasonCode.POLICY, source__in=sources)
    new = {
        source: user for source, user in sources.items() if source not in set(known.values_list("source", flat=True))
    }
    if not new:
        return
    collectors = _read_collectors(project, new.values())
    done = Assignment.objects.filter(project=project, annotator=OuterRef("user"), status__in=DONE)
    people = AnnotatorState.objects.filter(project=project, user__in=new.values()).annotate(
        page=Subquery(done.order_by("-submitted_at").values("pk")[:1])
    )
    page_of = dict(people.values_list("user", "page"))
    for source, user in new.items():
        if page_of.get(user):
            told = {"collectors": collectors[user]}
            changes.found.append(
                Found(ReasonCode.POLICY, page=page_of[user], source=source, annotator=user, params=told)
            )


def _read_collectors(project: Project, users: Collection[int]) -> dict[int, list[str]]:
    """By which figures the rules ask for a check."""
    found: dict[int, list[str]] = defaultdict(list)
    if (last := get_last_replay(project=project)) is not None:
        for each in last.findings:
            if each["action"] == "review" and each["user_id"] in users:
                found[each["user_id"]].append(each["collector"])
    return found


def _open_but(project: Project, code: ReasonCode, true: Collection[str]) -> set[int]:
    """The open reasons of this code that are not from these sources."""
    rows = ReviewReason.objects.filter(project=project, code=code, closed_at=None)
    return set(rows.exclude(source__in=true).values_list("pk", flat=True))


def find_rework(project: Project, changes: Changes) -> None:
    """Returned work whose annotator changed or answered all of it, or some of it a while ago."""
    waiting = Rework.objects.filter(decision__case__project=project, decision__undone_at=None)
    open_ones = waiting.filter(decision__in=waiting.filter(done_at=None).values("decision"))
    rows = list(open_ones.select_related("decision__case", "judgment").order_by("pk"))
    if not rows:
        return
    done = _read_done(rows)
    by_decision: dict[int, list[Rework]] = defaultdict(list)
    for row in rows:
        by_decision[row.decision_id].append(row)
    now, finished = timezone.now(), list[Rework]()
    for decision_id, those in by_decision.items():
        new = [row for row in those if row.done_at is None and row.pk in done]
        n_done = sum(row.done_at is not None or row.pk in done for row in those)
        if not new or (n_done < len(those) and max(done[row.pk] for row in new) > now - QUIET):
            continue
        case = those[0].decision.case
        for row in new:
            row.done_at = done[row.pk]
        finished += new
        changes.found.append(
            Found(
                ReasonCode.REWORK_DONE,
                pair=case.candidate_id,
                page=case.assignment_id,
                source=f"decision:{decision_id}:{n_done}",
                annotator=new[0].judgment.annotator_id,
                params={"n": len(new)},
            )
        )
    Rework.objects.bulk_update(finished, ["done_at"])


def _read_done(rows: Sequence[Rework]) -> dict[int, datetime]:
    """When the annotator last changed the answer or replied, by the row's id."""
    pages = {row.judgment.assignment_id for row in rows}
    later = Judgment.objects.filter(assignment__in=pages, supersedes__isnull=False)
    at: dict[tuple[UUID, int], datetime] = {}
    for page, position, made in later.order_by("pk").values_list("assignment", "position", "created_at"):
        at[page, position] = made
    replies = RemarkReply.objects.filter(remark__in=[row.remark_id for row in rows], author=F("remark__annotator"))
    replied = dict(replies.order_by("pk").values_list("remark", "created_at"))
    done: dict[int, datetime] = {}
    for row in rows:
        judgment = row.judgment
        times = (at.get((judgment.assignment_id, judgment.position)), replied.get(row.remark_id))
        new = [time for time in times if time is not None and time > row.created_at]
        if new:
            done[row.pk] = max(new)
    return done


def find_switched_off(project: Project, rules: ReviewSettings, changes: Changes) -> None:
    """Reasons that the settings do not ask for any more."""
    is_on = {
        ReasonCode.FIRST_WORK: rules.first_assignments or project.gate_after,
        ReasonCode.SAMPLE: rules.sample_percent,
        ReasonCode.FAILED_CONTROL: rules.failed_controls,
        ReasonCode.COMMENT: rules.comments,
        ReasonCode.EDIT: rules.edits,
        ReasonCode.TOO_GENERIC: rules.generic,
        ReasonCode.TIE: rules.ties,
        ReasonCode.LOW_AGREEMENT: rules.low_agreement,
        ReasonCode.SECOND_LOOK: rules.second_look_percent,
    }
    off = [code for code, on in is_on.items() if not on]
    rows = ReviewReason.objects.filter(project=project, code__in=off, closed_at=None)
    changes.gone |= set(rows.values_list("pk", flat=True))
