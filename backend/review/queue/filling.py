"""Filling the review queue: rules over what is new since the last time, and what is true now.

`fill_cases` may be called at any time and as often as one likes: the same reason from the same source is added once.
It walks over submitted assignments in the order of their submits, a batch in a transaction, and looks at the last two
minutes again, because transactions commit out of order. What can become untrue (a tie, an unanswered reply, a request
of the quality rules) is compared with what is true now, and its reason closes.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from backend.annotation.models import (
    DONE,
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    ControlOutcome,
    DecidedStatus,
    HitItem,
    Judgment,
    Slot,
)
from backend.annotation.selectors import IS_AHEAD, counted_judgments
from backend.common.counting import in_one
from backend.feedback.models import Remark, RemarkReply
from backend.methods.aggregation import summarise
from backend.methods.assignment import draw_share, order_seed
from backend.methods.consensus import Votes, majority
from backend.methods.review_order import is_low, is_tied
from backend.projects.models import Membership, Project
from backend.projects.selectors import REVIEWING_ROLES
from backend.qualification.models import ControlState
from backend.quality.models import PolicyFinding, PolicyReplay
from backend.review.models import (
    PairTally,
    QueueState,
    ReasonCode,
    ReviewReason,
    ReviewSettings,
    Rework,
    SecondLook,
    Verdict,
)
from backend.review.queue.cases import by_label
from backend.review.queue.reasons import Found, apply_reasons, misplaced
from backend.review.queue.rules import get_settings

BATCH = 500  # assignments in one transaction
READER_BATCH = 50  # where more wait, a reader leaves them to the worker
OVERLAP = timedelta(minutes=2)
OLD = timedelta(seconds=10)
QUIET = timedelta(minutes=10)  # after which returned work is looked at, although not all of it was changed
CHORE_SECONDS = 60.0
SHOWN_WORDS = 120
OF_PAIRS = (ReasonCode.TIE, ReasonCode.LOW_AGREEMENT, ReasonCode.DISPUTED, ReasonCode.SECOND_LOOK)


@dataclass(frozen=True)
class _Page:
    """A submitted assignment."""

    id: UUID
    annotator: int
    hit: int
    submitted_at: datetime


@dataclass
class _Changes:
    """What one transaction of a filling comes to."""

    found: list[Found] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    entropies: dict[int, float] = field(default_factory=dict)


def fill_projects() -> int:
    """The chore: fill the queues of all projects in which somebody may have judged. Returns how many."""
    projects = list(Project.objects.filter(annotator_states__isnull=False).distinct().order_by("pk"))
    for project in projects:
        fill_cases(project=project)
    return len(projects)


def fill_if_old(*, project: Project) -> None:
    """Fill the queue for a reader, where few assignments wait and nobody did so in the last ten seconds."""
    lately = QueueState.objects.filter(project=project, filled_at__gt=timezone.now() - OLD)
    if not lately.exists():
        QueueState.objects.get_or_create(project=project)
        _fill_batch(project, READER_BATCH, is_first=True, is_reader=True)


def fill_cases(*, project: Project, seconds: float = CHORE_SECONDS) -> bool:
    """Bring the queue up to date, for so many seconds and at least one batch. Whether it is up to date now; not where
    somebody else fills it."""
    until = time.monotonic() + seconds
    QueueState.objects.get_or_create(project=project)
    is_first = True
    while True:
        is_done = _fill_batch(project, BATCH, is_first=is_first)
        if is_done or is_done is None or time.monotonic() > until:
            return bool(is_done)
        is_first = False


@transaction.atomic
def _fill_batch(project: Project, most: int, *, is_first: bool, is_reader: bool = False) -> bool | None:
    """One batch of at most so many assignments. None where somebody else fills, and where a reader would need two."""
    state = QueueState.objects.select_for_update(skip_locked=True, no_key=True).filter(project=project).first()
    if state is None:
        return None
    project.refresh_from_db(fields=["gate_after"])
    rules, now = get_settings(project=project), timezone.now()
    _start_again_if_others_count(project, state)
    pages = _next_pages(project, state, no_later_than=now - OVERLAP if is_first else None, most=most)
    is_last = len(pages) < most
    if not is_last and is_reader:
        return None
    if pages:
        state.submitted_at, state.assignment = pages[-1].submitted_at, pages[-1].id
    changes, revised = _Changes(), list[_Page]()
    decided = list[int]()
    if is_last:
        revised, decided = _read_revised(project, state, pages), _read_decided(project, state)
    _find_of_pages(project, rules, [*pages, *revised], changes)
    pairs = {*_pairs_of(_last_of_hits(project, pages, is_last=is_last)), *_pairs_of(revised), *decided}
    _find_of_pairs(project, rules, pairs, changes)
    touched: Collection[int] = ()
    if is_last:
        _find_second_looks(project, rules, decided, changes)
        _find_replies(project, rules, changes)
        _find_requests(project, rules, changes)
        _find_rework(project, changes)
        _find_switched_off(project, rules, changes)
        touched = misplaced(project=project)
        _keep_marks(project, state, now)
    state.filled_at = now
    apply_reasons(project=project, found=changes.found, gone=changes.gone, entropies=changes.entropies, touched=touched)
    state.save()
    return is_last


def refresh_pairs(*, project: Project, pairs: Collection[int]) -> None:
    """Bring the votes and the reasons of some pairs up to date, after a decision on them."""
    changes = _Changes()
    with transaction.atomic():
        _find_of_pairs(project, get_settings(project=project), set(pairs), changes)
        apply_reasons(project=project, found=changes.found, gone=changes.gone, entropies=changes.entropies)


def _start_again_if_others_count(project: Project, state: QueueState) -> None:
    """Where the answers of other people count than before, every pair is looked at again."""
    out = AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED).order_by("user")
    excluded = list(out.values_list("user", flat=True))
    if excluded != state.excluded:
        state.excluded, state.submitted_at, state.assignment = excluded, None, None


def _next_pages(project: Project, state: QueueState, *, no_later_than: datetime | None, most: int) -> list[_Page]:
    done = Assignment.objects.filter(project=project, status__in=DONE, submitted_at__isnull=False)
    at, last = state.submitted_at, state.assignment
    if at is not None and no_later_than is not None and at > no_later_than:
        at, last = no_later_than, None
    if at is not None:
        beyond = Q(submitted_at__gt=at) | Q(submitted_at=at, pk__gt=last) if last else Q()
        done = done.filter(beyond, submitted_at__gte=at)
    return _read_pages(done.order_by("submitted_at", "pk")[:most])


def _read_pages(rows: QuerySet[Assignment]) -> list[_Page]:
    told = rows.values_list("pk", "annotator", "hit", "submitted_at")
    return [_Page(pk, person, hit, at) for pk, person, hit, at in told if at is not None]


def _read_revised(project: Project, state: QueueState, pages: Sequence[_Page]) -> list[_Page]:
    """The assignments on which somebody changed an answer."""
    changed = Judgment.objects.filter(pk__gt=state.judgment, supersedes__isnull=False, candidate__project=project)
    ids = set(changed.order_by().values_list("assignment", flat=True)) - {page.id for page in pages}
    return _read_pages(Assignment.objects.filter(pk__in=ids, status__in=DONE, submitted_at__isnull=False))


def _read_decided(project: Project, state: QueueState) -> list[int]:
    """The pairs with a new decision."""
    new = Verdict.objects.filter(pk__gt=state.verdict, candidate__project=project)
    return sorted(set(new.order_by().values_list("candidate", flat=True)))


def _keep_marks(project: Project, state: QueueState, now: datetime) -> None:
    """Rows that are older than the overlap need not be looked at again."""
    settled = now - OVERLAP
    old = Judgment.objects.filter(created_at__lt=settled, candidate__project=project).order_by("-pk")
    state.judgment = old.values_list("pk", flat=True).first() or state.judgment
    said = Verdict.objects.filter(created_at__lt=settled, candidate__project=project).order_by("-pk")
    state.verdict = said.values_list("pk", flat=True).first() or state.verdict


def _last_of_hits(project: Project, pages: Sequence[_Page], *, is_last: bool) -> Sequence[_Page]:
    """Those whose HIT has no assignment that a later batch reads: its pairs are looked at once, with the last one."""
    if is_last or not pages:
        return pages
    later = Assignment.objects.filter(
        project=project, hit__in=in_one({page.hit for page in pages}), status__in=DONE,
        submitted_at__gt=pages[-1].submitted_at,
    )  # fmt: skip
    come_later = set(later.order_by().values_list("hit", flat=True))
    return [page for page in pages if page.hit not in come_later]


def _pairs_of(pages: Sequence[_Page]) -> set[int]:
    hits = {page.hit for page in pages}
    return set(HitItem.objects.filter(hit__in=in_one(hits), control=None).values_list("candidate", flat=True))


def _find_of_pages(project: Project, rules: ReviewSettings, pages: Sequence[_Page], changes: _Changes) -> None:
    """First work, the sample, and what stands in single answers."""
    if not pages:
        return
    here = AnnotatorState.objects.filter(project=project, user__in={page.annotator for page in pages}, is_foreign=False)
    states = {state.user_id: state for state in here.filter(is_unnamed=False)}
    firsts = _last_of_first_work(project, rules, states)
    for page in pages:
        if page.annotator not in states:
            continue  # judged elsewhere: nobody can be told
        if (last := firsts.get(page.annotator)) is not None and page.submitted_at <= last:
            changes.found.append(Found(ReasonCode.FIRST_WORK, page=page.id, annotator=page.annotator))
        elif _is_drawn(project, "sample", page.id, rules.sample_percent):
            percent = {"percent": rules.sample_percent}
            changes.found.append(Found(ReasonCode.SAMPLE, page=page.id, annotator=page.annotator, params=percent))
    _find_in_answers(rules, [page.id for page in pages if page.annotator in states], changes)


def _last_of_first_work(
    project: Project, rules: ReviewSettings, states: dict[int, AnnotatorState]
) -> dict[int, datetime]:
    """When each annotator submitted the last of their first assignments, or the newest where there are fewer."""
    n_of = {
        user: max(rules.first_assignments, 0 if state.released_at else project.gate_after)
        for user, state in states.items()
    }
    found: dict[int, datetime] = {}
    for n in set(n_of.values()) - {0}:
        users = [user for user, asked in n_of.items() if asked == n]
        done = Assignment.objects.filter(project=project, annotator=OuterRef("user"), status__in=DONE)
        times = done.order_by("submitted_at").values("submitted_at")
        rows = AnnotatorState.objects.filter(project=project, user__in=users).annotate(
            nth=Subquery(times[n - 1 : n]), newest=Subquery(times.reverse()[:1])
        )
        found |= {user: nth or newest for user, nth, newest in rows.values_list("user", "nth", "newest") if newest}
    return found


def _is_drawn(project: Project, what: str, which: object, percent: int) -> bool:
    """Chance by the site's secret, so that the same row always has the same luck and nobody can work it out."""
    return draw_share(order_seed(settings.SECRET_KEY, project.slug, what, str(which))) < percent / 100


def _find_in_answers(rules: ReviewSettings, pages: Collection[UUID], changes: _Changes) -> None:
    is_said = ~Q(comment="") | ~Q(edits=[]) | Q(is_generic=True)
    failed = Q(outcome=ControlOutcome.FAILED) & ~Q(control__state=ControlState.QUARANTINED)
    rows = Judgment.objects.filter(failed | (Q(superseded_by=None) & is_said), assignment__in=pages).order_by("pk")
    n_failed: dict[tuple[UUID, int], int] = defaultdict(int)
    for row in rows:
        named: dict[str, Any] = {"annotator": row.annotator_id, "source": f"judgment:{row.pk}"}
        if row.outcome == ControlOutcome.FAILED:
            n_failed[row.assignment_id, row.annotator_id] += 1
        if row.comment and rules.comments:
            told: dict[str, Any] = {"judgment": row.pk, "text": row.comment[:SHOWN_WORDS]}
            # A control alone would tell the head nothing, so its comment opens the assignment.
            where: dict[str, Any] = {"page": row.assignment_id} if row.control_id else {"pair": row.candidate_id}
            changes.found.append(Found(ReasonCode.COMMENT, params=told, **where, **named))
        if row.control_id is None and row.edits and rules.edits:
            told = {"judgment": row.pk, "n": len(row.edits)}
            changes.found.append(Found(ReasonCode.EDIT, pair=row.candidate_id, params=told, **named))
        if row.control_id is None and row.is_generic and rules.generic:
            told = {"judgment": row.pk}
            changes.found.append(Found(ReasonCode.TOO_GENERIC, pair=row.candidate_id, params=told, **named))
    if rules.failed_controls:
        for (page, person), n in n_failed.items():
            changes.found.append(Found(ReasonCode.FAILED_CONTROL, page=page, annotator=person, params={"n": n}))


def _find_of_pairs(project: Project, rules: ReviewSettings, pairs: Collection[int], changes: _Changes) -> None:
    """Ties, low agreement and disputes of these pairs; what is not true any more is gone."""
    if not pairs:
        return
    rows = _count_votes(project, pairs)
    verdicts = _read_verdicts(pairs)
    looks = _read_looks(verdicts)
    unfilled = _read_unfilled(project, pairs)
    tallies: list[PairTally] = []
    wanted: dict[int, Found] = {}
    for pair in pairs:
        votes, newest, last_at = rows.get(pair, (Votes(), 0, None))
        verdict = verdicts.get(pair)
        tally = _tally(project, pair, votes, verdict, last_at, is_filled=pair not in unfilled)
        if verdict is not None or tally.is_tie or tally.is_low:
            tallies.append(tally)
        changes.entropies[pair] = tally.entropy
        if (found := _reason_of(rules, tally, newest, last_at, verdict, looks.get(pair))) is not None:
            wanted[pair] = found
    changes.found += wanted.values()
    changes.gone |= _untrue(pairs, wanted, verdicts)
    _keep_tallies(pairs, tallies)


def _count_votes(project: Project, pairs: Collection[int]) -> dict[int, tuple[Votes, int, datetime | None]]:
    """The votes that count on each pair, the newest of them and when it was made."""
    rows = counted_judgments(project=project).filter(candidate__in=in_one(pairs)).order_by().values_list("candidate")
    told = rows.annotate(**by_label()).annotate(newest=Max("pk"), last_at=Max("created_at"))
    return {pair: (Votes(*n), newest, last_at) for pair, *n, newest, last_at in told}


def _read_verdicts(pairs: Collection[int]) -> dict[int, Verdict]:
    newest = {row.candidate_id: row for row in Verdict.objects.filter(candidate__in=in_one(pairs)).order_by("pk")}
    return {pair: verdict for pair, verdict in newest.items() if verdict.label}


def _read_looks(verdicts: dict[int, Verdict]) -> dict[int, SecondLook]:
    """The newest second look at each of these verdicts."""
    looks = SecondLook.objects.filter(verdict__in=verdicts.values(), decision__undone_at=None).order_by("pk")
    return {look.verdict.candidate_id: look for look in looks.select_related("verdict")}


def _read_unfilled(project: Project, pairs: Collection[int]) -> set[int]:
    """Those that somebody will still be asked about."""
    items = HitItem.objects.filter(candidate__in=in_one(pairs), control=None).order_by()
    of_hit = defaultdict[int, list[int]](list)
    for hit, pair in items.values_list("hit", "candidate"):
        of_hit[hit].append(pair)
    ahead = Slot.objects.filter(IS_AHEAD, project=project, hit__in=in_one(of_hit)).order_by()
    return {pair for hit in ahead.values_list("hit", flat=True) for pair in of_hit[hit]}


def _tally(
    project: Project, pair: int, votes: Votes, verdict: Verdict | None, last_at: datetime | None, *, is_filled: bool
) -> PairTally:
    is_open = is_filled and verdict is None
    most = majority(votes)
    changes = [at for at in (last_at, verdict.created_at if verdict else None) if at is not None]
    return PairTally(
        candidate_id=pair,
        project=project,
        n_good=votes.good,
        n_bad=votes.bad,
        n_unsure=votes.unsure,
        entropy=_entropy_of(votes),
        verdict=verdict.label if verdict else "",
        is_tie=is_open and is_tied(votes),
        is_low=is_open and is_low(votes),
        is_against=verdict is not None and most is not None and most != verdict.label,
        changed_at=max(changes, default=None) or timezone.now(),
    )


@lru_cache(maxsize=10_000)  # a million pairs have a few hundred different votes
def _entropy_of(votes: Votes) -> float:
    return round(summarise(votes).entropy or 0.0, 6)


def _reason_of(
    rules: ReviewSettings, tally: PairTally, newest: int, last_at: datetime | None, verdict: Verdict | None,
    look: SecondLook | None,
) -> Found | None:  # fmt: skip
    pair, entropy = tally.candidate_id, {"entropy": tally.entropy}
    if verdict is not None:
        if look is not None and look.label != verdict.label:
            return Found(ReasonCode.DISPUTED, pair=pair, source=f"look:{look.pk}", params={"by": "second_look"})
        # A head annotator who decided in the queue against the votes has seen them, unless they came later.
        is_new = last_at is not None and (verdict.decision_id is None or last_at > verdict.created_at)
        if tally.is_against and is_new:
            source = f"verdict:{verdict.pk}:{newest}"
            return Found(ReasonCode.DISPUTED, pair=pair, source=source, params={"by": "majority"})
        return None
    if tally.is_tie and rules.ties:
        return Found(ReasonCode.TIE, pair=pair, source=f"judgment:{newest}", params=entropy)
    if tally.is_low and rules.low_agreement:
        return Found(ReasonCode.LOW_AGREEMENT, pair=pair, source=f"judgment:{newest}", params=entropy)
    return None


def _untrue(pairs: Collection[int], wanted: dict[int, Found], verdicts: dict[int, Verdict]) -> set[int]:
    rows = ReviewReason.objects.filter(case__candidate__in=in_one(pairs), code__in=OF_PAIRS, closed_at=None)
    gone = set[int]()
    for pk, pair, code, source in rows.values_list("pk", "case__candidate", "code", "source"):
        if code == ReasonCode.SECOND_LOOK:
            verdict = verdicts.get(pair)
            is_true = verdict is not None and source == f"verdict:{verdict.pk}"
        else:
            found = wanted.get(pair)
            is_true = found is not None and (found.code, found.source) == (code, source)
        if not is_true:
            gone.add(pk)
    return gone


def _keep_tallies(pairs: Collection[int], tallies: Sequence[PairTally]) -> None:
    kept = {tally.candidate_id for tally in tallies}
    PairTally.objects.filter(candidate__in=in_one(set(pairs) - kept)).delete()
    names = ("n_good", "n_bad", "n_unsure", "entropy", "verdict", "is_tie", "is_low", "is_against", "changed_at")
    PairTally.objects.bulk_create(tallies, update_conflicts=True, unique_fields=["candidate"], update_fields=names)


def _find_second_looks(project: Project, rules: ReviewSettings, decided: Collection[int], changes: _Changes) -> None:
    """A share of the decisions, where another head annotator is there to look."""
    if not rules.second_look_percent:
        return
    reviewers = set(Membership.objects.filter(project=project, role__in=REVIEWING_ROLES).values_list("user", flat=True))
    for pair, verdict in _read_verdicts(decided).items():
        if reviewers - {verdict.decided_by_id} and _is_drawn(
            project, "second look", verdict.pk, rules.second_look_percent
        ):
            source = f"verdict:{verdict.pk}"
            changes.found.append(
                Found(ReasonCode.SECOND_LOOK, pair=pair, source=source, withheld_from=verdict.decided_by_id)
            )


def _find_replies(project: Project, rules: ReviewSettings, changes: _Changes) -> None:
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


def _open_but(project: Project, code: ReasonCode, true: Collection[str]) -> set[int]:
    """The open reasons of this code that are not from these sources."""
    rows = ReviewReason.objects.filter(project=project, code=code, closed_at=None)
    return set(rows.exclude(source__in=true).values_list("pk", flat=True))


def _find_requests(project: Project, rules: ReviewSettings, changes: _Changes) -> None:
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
    last = PolicyReplay.objects.filter(policy__project=project, policy__in_force_since__isnull=False)[:1]
    rows = PolicyFinding.objects.filter(replay__in=list(last), user__in=users, action="review").order_by("rule")
    found: dict[int, list[str]] = defaultdict(list)
    for user, collector in rows.values_list("user", "collector"):
        found[user].append(collector)
    return found


def _find_rework(project: Project, changes: _Changes) -> None:
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


def _find_switched_off(project: Project, rules: ReviewSettings, changes: _Changes) -> None:
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
