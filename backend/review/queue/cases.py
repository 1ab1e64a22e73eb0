"""Reads of the review queue: lists of cases, one case with its evidence, and the counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, HitItem, Judgment
from backend.annotation.selectors import counted_judgments, current_judgments, is_counted
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.feedback.selectors import ShownRemark, remarks_on
from backend.methods.consensus import LABELS, Votes, majority
from backend.methods.quality import Share, share_of
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.models import Control
from backend.review import selectors
from backend.review.models import ReviewCase, ReviewReason, Verdict
from backend.review.queue.registered import ModelVote, read_consensus, read_model_votes

Order = Literal["priority", "newest", "entropy"]
State = Literal["open", "done"]
KEYSETS: dict[Order, tuple[str, ...]] = {
    "priority": ("-priority", "id"),
    "newest": ("-opened_at", "-id"),
    "entropy": ("-entropy", "-id"),
}
DONE_KEYSET = ("-closed_at", "-id")
MOST_ELSEWHERE = 6  # other images of one caption
MOST_ELSEWHERE_ON_PAGES = 3


@dataclass(frozen=True)
class CaseRow:
    """A case in a list. `votes` are all of a pair, or the annotator's own answers on an assignment."""

    case: ReviewCase
    reasons: list[ReviewReason]
    text: str
    image: Image | None
    query: str | None
    votes: dict[str, int]
    n_pairs: int


@dataclass(frozen=True)
class Answer:
    """The current answer of one annotator to a pair. Only the answers that count make votes."""

    judgment: Judgment
    is_surplus: bool
    is_counted: bool
    reliability: Share | None


@dataclass(frozen=True)
class Elsewhere:
    """The same caption on another image."""

    pair: Candidate
    votes: dict[str, int]
    consensus: str | None


@dataclass(frozen=True)
class Evidence:
    """What there is to know of one pair."""

    pair: Candidate
    control: Control | None
    verdict: Verdict | None
    consensus: str | None
    answers: list[Answer]
    elsewhere: list[Elsewhere] = field(default_factory=list)
    model_votes: list[ModelVote] = field(default_factory=list)
    remarks: list[ShownRemark] = field(default_factory=list)

    @property
    def votes(self) -> dict[str, int]:
        return votes_of(answer.judgment.label for answer in self.answers if answer.is_counted)

    @property
    def majority(self) -> str | None:
        return majority(Votes(**self.votes))


@dataclass(frozen=True)
class Detail:
    """A case with the evidence on each of its pairs."""

    row: CaseRow
    pairs: list[Evidence]


def votes_of(labels: Iterable[str]) -> dict[str, int]:
    """How many of the labels are good, bad and unsure."""
    n = Counter(labels)
    return {label: n[label] for label in LABELS}


def visible_cases(*, project: Project, reader: User) -> QuerySet[ReviewCase]:
    """The project's cases without open second looks at the reader's own decisions."""
    own = Q(is_second_look=True, closed_at=None, withheld_from=reader)
    return ReviewCase.objects.filter(project=project).exclude(own)


def list_cases(
    *,
    project: Project,
    reader: User,
    reason: str = "",
    annotator: int | None = None,
    state: State = "open",
    kind: str = "",
    order: Order = "priority",
) -> QuerySet[ReviewCase]:
    """Cases for a list; `keyset_of` says in which order."""
    found = visible_cases(project=project, reader=reader).filter(closed_at__isnull=state == "open")
    if kind:
        found = found.filter(candidate__isnull=kind != "pair")
    found = narrow(found, reason=reason, annotator=annotator, state=state)
    return described(found).order_by(*keyset_of(state, order))


def narrow(
    cases: QuerySet[ReviewCase], *, reason: str = "", annotator: int | None = None, state: State = "open"
) -> QuerySet[ReviewCase]:
    """Those with an open reason of this code (of closed cases: any reason), and those about this person's work."""
    reasons = ReviewReason.objects.filter(case=OuterRef("pk"))
    reasons = reasons.filter(closed_at=None) if state == "open" else reasons
    if reason:
        cases = cases.filter(Exists(reasons.filter(code=reason)))
    if annotator is not None:
        cases = cases.filter(Q(annotator=annotator) | Exists(reasons.filter(annotator=annotator)))
    return cases


def keyset_of(state: State, order: Order) -> tuple[str, ...]:
    return KEYSETS[order] if state == "open" else DONE_KEYSET


def described(cases: QuerySet[ReviewCase]) -> QuerySet[ReviewCase]:
    """With what `describe` shows of each."""
    return cases.select_related(
        "candidate__image", "candidate__query", "assignment__hit__image", "assignment__hit__query", "annotator",
        "leased_by", "closed_by",
    )  # fmt: skip


def get_case(*, project: Project, case_id: int, reader: User) -> ReviewCase:
    """One case. Raises NotFound for another project's, and for a second look at the reader's own decision."""
    cases = described(visible_cases(project=project, reader=reader))
    found = cases.filter(pk=case_id).first() if case_id <= LARGEST_ID else None
    if found is None:
        raise NotFound("This case does not exist in this project.", code="no_such_case")
    return found


def describe(*, project: Project, cases: Sequence[ReviewCase]) -> list[CaseRow]:
    """The rest of the list's columns, in three statements."""
    reasons: dict[int, list[ReviewReason]] = defaultdict(list)
    for reason in ReviewReason.objects.filter(case__in=cases).order_by("-id"):
        reasons[reason.case_id].append(reason)
    of_pairs = count_votes(project=project, pairs={case.candidate_id for case in cases if case.candidate_id})
    of_pages = _count_own([case.assignment_id for case in cases if case.assignment_id])
    return [_row(case, reasons[case.pk], of_pairs, of_pages) for case in cases]


def _row(
    case: ReviewCase,
    reasons: list[ReviewReason],
    of_pairs: dict[int, dict[str, int]],
    of_pages: dict[UUID, dict[str, int]],
) -> CaseRow:
    standing = [reason for reason in reasons if reason.closed_at is None] if case.closed_at is None else reasons
    pair, page = case.candidate, case.assignment
    if pair is not None:
        query = pair.query.text if pair.query else None
        return CaseRow(case, standing, pair.text, pair.image, query, of_pairs.get(pair.pk, votes_of(())), 1)
    if page is None:
        raise ValueError(f"Case {case.pk} is about nothing.")  # the database allows no such row
    query = page.hit.query.text if page.hit.query else None
    return CaseRow(case, standing, "", page.hit.image, query, of_pages.get(page.pk, votes_of(())), len(page.shown))


def count_votes(*, project: Project, pairs: Collection[int]) -> dict[int, dict[str, int]]:
    """The votes that count on each of these pairs that has some."""
    rows = counted_judgments(project=project).filter(candidate__in=pairs).order_by().values_list("candidate")
    return {pair: _named(n) for pair, *n in rows.annotate(**by_label())}


def _count_own(assignments: Collection[UUID]) -> dict[UUID, dict[str, int]]:
    rows = Judgment.objects.filter(assignment__in=assignments, superseded_by=None).order_by().values_list("assignment")
    return {page: _named(n) for page, *n in rows.annotate(**by_label())}


def by_label() -> dict[str, Any]:
    """Columns that count judgments of each label, in the order of the labels."""
    return {label: Count("pk", filter=Q(label=label)) for label in LABELS}


def _named(counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(LABELS, counts, strict=True))


def read_detail(*, project: Project, case: ReviewCase) -> Detail:
    """A case with the evidence on its pairs, in the order in which the annotator saw them.

    A second look shows neither the decision nor what could tell it.
    """
    [row] = describe(project=project, cases=[case])
    pairs = [case.candidate_id] if case.candidate_id else list(case.assignment.shown if case.assignment else [])
    evidence = read_evidence(project=project, pairs=pairs, page=case.assignment)
    if case.is_second_look and case.closed_at is None:
        evidence = [
            Evidence(one.pair, one.control, None, None, one.answers, one.elsewhere, one.model_votes, [])
            for one in evidence
        ]
    return Detail(row, evidence)


def read_evidence(*, project: Project, pairs: Sequence[int], page: Assignment | None = None) -> list[Evidence]:
    """The evidence on some pairs in their order; of a control only the answer on the page."""
    rows = {pair.pk: pair for pair in Candidate.objects.filter(pk__in=pairs).select_related("image", "query")}
    controls = {each.candidate_id: each for each in Control.objects.filter(candidate__in=pairs)}
    verdicts = selectors.standing_verdicts(project=project, pairs=pairs)
    answers = _read_answers(project, pairs, page)
    elsewhere = _read_elsewhere(project, list(rows.values()))
    consensus, model_votes = read_consensus(pairs), read_model_votes(pairs)
    remarks = remarks_on(project=project, candidates=pairs)
    return [
        Evidence(
            rows[pair], controls.get(pair), verdicts.get(pair), consensus.get(pair), answers[pair],
            elsewhere[pair], model_votes.get(pair, []), remarks[pair],
        )
        for pair in pairs
        if pair in rows
    ]  # fmt: skip


def _read_answers(project: Project, pairs: Sequence[int], page: Assignment | None) -> dict[int, list[Answer]]:
    is_shown = Q(control=None) if page is None else Q(control=None) | Q(assignment=page)
    rows = current_judgments(project=project).filter(is_shown, candidate__in=pairs)
    rows = rows.annotate(counts=is_counted(project=project))
    found: dict[int, list[Answer]] = defaultdict(list)
    judgments = list(rows.select_related("annotator", "assignment").order_by("pk"))
    people = {row.annotator_id for row in judgments}
    states = {state.user_id: state for state in AnnotatorState.objects.filter(project=project, user__in=people)}
    for row in judgments:
        state = states.get(row.annotator_id)
        is_surplus = row.assignment.status != AssignmentStatus.SUBMITTED
        found[row.candidate_id].append(Answer(row, is_surplus, row.counts, _reliability(state)))
    return found


def _reliability(state: AnnotatorState | None) -> Share | None:
    return share_of(state.n_graded - state.n_failed, state.n_graded) if state else None


def _read_elsewhere(project: Project, pairs: Sequence[Candidate]) -> dict[int, list[Elsewhere]]:
    """The same captions on other images, those that people are asked about first. The index is of the raw text."""
    texts = {pair.raw_text: pair for pair in pairs if pair.query_id is None}
    same = Candidate.objects.filter(project=project, raw_text__in=texts, query=None, status=CandidateStatus.KEPT)
    same = same.exclude(pk__in=[pair.pk for pair in pairs]).filter(control=None)
    is_asked = Exists(HitItem.objects.filter(candidate=OuterRef("pk")))
    place = Window(RowNumber(), partition_by="raw_text", order_by=(is_asked.desc(), "pk"))
    most = MOST_ELSEWHERE if len(pairs) == 1 else MOST_ELSEWHERE_ON_PAGES
    rows = list(
        same.annotate(place=place).filter(place__lte=most).order_by("raw_text", "place").select_related("image")
    )
    ids = [row.pk for row in rows]
    votes, consensus = count_votes(project=project, pairs=ids), read_consensus(ids)
    by_text: dict[str, list[Elsewhere]] = defaultdict(list)
    for row in rows:
        by_text[row.raw_text].append(Elsewhere(row, votes.get(row.pk, votes_of(())), consensus.get(row.pk)))
    return {pair.pk: by_text[pair.raw_text] for pair in pairs}
