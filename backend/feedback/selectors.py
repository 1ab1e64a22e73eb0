"""Reads of remarks and of answers: a person's inbox, the list over all people, and the answers of one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any, cast
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from backend.agreement.hooks import read_verdicts
from backend.annotation.closings import Closing, Place, read_closings
from backend.annotation.models import DONE, Judgment
from backend.annotation.selectors import counted_judgments, current_judgments
from backend.common.counting import count_of
from backend.common.errors import NotFound
from backend.common.labels import Label
from backend.common.models import LARGEST_ID
from backend.feedback.consensus import read_consensus
from backend.feedback.models import Remark, RemarkAnswer, RemarkItem, RemarkReply, RemarkState
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import projects_of, projects_reviewed_by

NOT_WITHDRAWN = Q(withdrawn_at=None)
# As `Remark.state` says it of one.
STATES = {
    RemarkState.SENT: NOT_WITHDRAWN & Q(answer="", seen_at=None),
    RemarkState.SEEN: NOT_WITHDRAWN & Q(answer="", seen_at__isnull=False),
    RemarkState.ACKNOWLEDGED: NOT_WITHDRAWN & Q(answer__in=(RemarkAnswer.ACKNOWLEDGE, RemarkAnswer.AGREE)),
    RemarkState.ANSWERED: NOT_WITHDRAWN & Q(answer=RemarkAnswer.TALK),
    RemarkState.WITHDRAWN: Q(withdrawn_at__isnull=False),
}


@dataclass(frozen=True)
class ShownAnswer:
    """One of the answers a remark is about, what the person says today, and whether the review has closed it."""

    item: RemarkItem
    stands: Judgment
    closed: Closing | None


@dataclass(frozen=True)
class ShownRemark:
    """A remark with the answers it is about."""

    remark: Remark
    items: tuple[ShownAnswer, ...]


@dataclass(frozen=True)
class Answers:
    """How many answers of a page are to pairs and how many to controls."""

    n_pairs: int
    n_controls: int

    def lacks(self, n_told: int) -> int:
        """How many fewer of the pairs have to be written about, so that the controls do not stand out; 0 for none."""
        return max(0, self.n_controls - (self.n_pairs - n_told)) if n_told > 1 else 0


@dataclass(frozen=True)
class JudgedRow:
    """A judgment beside the votes of the others by label, the labels above them, and the newest remark's id."""

    judgment: Judgment
    others: dict[str, int]
    verdict: str | None
    consensus: str | None
    remark_id: int | None
    is_control: bool


@dataclass(frozen=True)
class RemarkCounts:
    """How many remarks of a project are in each state, and how many wait for a reply."""

    states: dict[str, int]
    n_waiting: int


def list_inbox(*, project: Project, user: User, assignment: UUID | None = None) -> QuerySet[Remark]:
    """What was written to `user`, or about one task of theirs, unread first, then the newest. Of what was withdrawn
    only what they have seen."""
    mine = Remark.objects.filter(NOT_WITHDRAWN | Q(seen_at__isnull=False), annotator=user, project=project)
    if assignment:
        about = RemarkItem.objects.filter(remark=OuterRef("pk"), judgment__assignment=assignment)
        mine = mine.filter(Exists(about))
    return _described(mine).order_by("-is_unread", "-id")


def count_unread(*, project: Project, user: User) -> int:
    """How many remarks wait for `user`: an index holds the answer."""
    return Remark.objects.filter(annotator=user, project=project, is_unread=True).count()


def list_remarks(
    *,
    project: Project,
    annotator: int | None = None,
    author: int | None = None,
    template: int | None = None,
    state: RemarkState | None = None,
    is_waiting: bool = False,
) -> QuerySet[Remark]:
    """What was written on the project, newest first: to one person, by one, of one kind, in one state, or only what
    waits for a reply."""
    asked = {"annotator": annotator, "written_by": author, "template": template}
    found = Remark.objects.filter(
        project=project, **{name: value for name, value in asked.items() if value is not None}
    )
    found = found.filter(STATES[state]) if state else found
    found = found.filter(awaits_reply=True) if is_waiting else found
    return _described(found).order_by("-id")


def count_remarks(*, project: Project) -> RemarkCounts:
    """The counts of the project, in one statement."""
    by_state = {state.value: Count("pk", filter=states) for state, states in STATES.items()}
    found = Remark.objects.filter(project=project).aggregate(
        n_waiting=Count("pk", filter=Q(awaits_reply=True)), **by_state
    )
    return RemarkCounts({state: found[state] for state in by_state}, found["n_waiting"])


def list_people(*, project: Project) -> tuple[list[User], list[User]]:
    """Everybody who was written to, and everybody who wrote, by name."""
    written = Remark.objects.filter(project=project).order_by()
    to, by = written.values("annotator").distinct(), written.values("written_by").distinct()
    return list(User.objects.filter(pk__in=to).order_by("username")), list(
        User.objects.filter(pk__in=by).order_by("username")
    )


def get_own_remark(*, user: User, remark_id: int) -> Remark:
    """A remark to the caller, while they belong to its project. Raises NotFound for everybody else's."""
    return _one(Remark.objects.filter(annotator=user, project__in=projects_of(user=user)), remark_id)


def get_reviewed_remark(*, user: User, remark_id: int) -> Remark:
    """A remark on a project that the caller reviews. Raises NotFound for any other."""
    return _one(Remark.objects.filter(project__in=projects_reviewed_by(user=user)), remark_id)


def get_judgment(*, project: Project, judgment_id: int) -> Judgment:
    """A submitted judgment of the project. Raises NotFound."""
    asked = Judgment.objects.filter(pk=judgment_id, assignment__project=project, assignment__status__in=DONE)
    found = asked.select_related("assignment", "candidate").first()
    if found is None:
        raise NotFound("This answer does not exist in this project.", code="no_such_answer")
    return found


def get_judgments(*, project: Project, annotator: int, judgment_ids: Collection[int]) -> list[Judgment]:
    """Submitted judgments of one person, in the order given, each once. Raises NotFound where one is not theirs."""
    asked = Judgment.objects.filter(assignment__project=project, assignment__status__in=DONE, annotator=annotator)
    found = asked.in_bulk(list(dict.fromkeys(judgment_ids)))
    if len(found) < len(set(judgment_ids)):
        raise NotFound("This answer does not exist in this project.", code="no_such_answer")
    return [found[judgment_id] for judgment_id in dict.fromkeys(judgment_ids)]


def list_last(*, project: Project, annotator: int, n: int) -> list[Judgment]:
    """The last `n` answers of a person, controls among them, newest first, as `list_judged` has them."""
    found = current_judgments(project=project).filter(annotator=annotator, assignment__status__in=DONE)
    return list(found.order_by("-id")[:n])


def list_same_answers(*, judgment: Judgment, project: Project, but: User) -> list[Judgment]:
    """The answers of the others that count and say the same of the pair; without those of `but`."""
    same = counted_judgments(project=project).filter(candidate=judgment.candidate_id, label=judgment.label)
    return list(same.exclude(annotator__in=(judgment.annotator_id, but.pk)).order_by("annotator"))


def read_told(assignments: Iterable[UUID]) -> defaultdict[UUID, set[int]]:
    """The positions of these pages that the person can read of in their inbox."""
    written = RemarkItem.objects.filter(judgment__assignment__in=list(assignments))
    written = written.filter(Q(remark__withdrawn_at=None) | Q(remark__seen_at__isnull=False))
    told: defaultdict[UUID, set[int]] = defaultdict(set)
    for page, position in written.order_by().values_list("judgment__assignment", "judgment__position"):
        told[page].add(position)
    return told


def count_answers(assignments: Iterable[UUID]) -> dict[UUID, Answers]:
    """How many pairs and controls were answered on each of these pages."""
    rows = Judgment.objects.filter(assignment__in=list(assignments), supersedes=None).order_by()
    counted = rows.values_list("assignment").annotate(n=Count("pk"), n_controls=Count("control"))
    return {page: Answers(n - n_controls, n_controls) for page, n, n_controls in counted}


def show_remarks(remarks: Sequence[Remark]) -> list[ShownRemark]:
    """The remarks with what stands today and what is closed, in as many statements for fifty as for one."""
    items = [item for remark in remarks for item in remark.items.all()]
    assignments = {item.judgment.assignment for item in items}
    standing = Judgment.objects.filter(assignment__in=assignments, superseded_by=None)
    by_place: dict[Place, Judgment] = {(each.assignment_id, each.position): each for each in standing}
    closed = read_closings(assignments)

    def show(item: RemarkItem) -> ShownAnswer:
        place: Place = (item.judgment.assignment_id, item.judgment.position)
        return ShownAnswer(item, by_place.get(place, item.judgment), closed.get(place))

    return [ShownRemark(remark, tuple(show(item) for item in remark.items.all())) for remark in remarks]


def remarks_on(*, project: Project, candidates: Collection[int]) -> dict[int, list[ShownRemark]]:
    """What was written about answers to these pairs, oldest first, by candidate id."""
    about = RemarkItem.objects.filter(judgment__candidate__in=candidates, remark__project=project)
    pairs = list(about.order_by("remark").values_list("judgment__candidate", "remark"))
    remarks = list(_described(Remark.objects.filter(pk__in={remark for _, remark in pairs})))
    shown = {each.remark.pk: each for each in show_remarks(remarks)}
    found: dict[int, list[ShownRemark]] = {candidate: [] for candidate in candidates}
    for candidate, remark in dict.fromkeys(pairs):
        found[candidate].append(shown[remark])
    return found


def list_asked() -> QuerySet[Judgment]:
    """The answers that have feedback, which asks for another answer."""
    items = RemarkItem.objects.filter(judgment=OuterRef("pk"), remark__withdrawn_at=None)
    return Judgment.objects.filter(Exists(items)).order_by()


def list_judged(
    *, project: Project, annotator: int, label: str = "", is_disagreeing: bool = False, is_commented: bool = False
) -> QuerySet[Judgment]:
    """What `annotator` says today of every pair they submitted, newest first, with `others_good`, `others_bad` and
    `others_unsure`. `is_disagreeing`: only where more of the others said one other label than said theirs."""
    found = current_judgments(project=project).filter(annotator=annotator, assignment__status__in=DONE)
    found = found.filter(label=label) if label else found
    found = found.exclude(comment="") if is_commented else found
    found = found.annotate(**{f"others_{each}": _votes(project, each) for each in Label.values})
    found = found.filter(_outvoted()) if is_disagreeing else found
    shown = found.select_related("annotator", "candidate__image", "assignment__hit__image", "assignment__hit__query")
    return shown.order_by("-id")


def describe_judged(judgments: Sequence[Judgment]) -> list[JudgedRow]:
    """Rows of `list_judged` with what else the list shows, in three statements."""
    written = RemarkItem.objects.filter(judgment__assignment__in={each.assignment_id for each in judgments})
    places = written.order_by("remark").values_list("judgment__assignment", "judgment__position", "remark")
    remarks = {(page, at): remark for page, at, remark in places}
    pairs = {each.candidate_id for each in judgments if each.control_id is None}
    verdicts, consensus = read_verdicts(pairs), read_consensus(pairs)
    return [
        JudgedRow(
            judgment=each,
            others={label: getattr(each, f"others_{label}") for label in Label.values},
            verdict=verdicts.get(each.candidate_id),
            consensus=consensus.get(each.candidate_id),
            remark_id=remarks.get((each.assignment_id, each.position)),
            is_control=each.control_id is not None,
        )
        for each in judgments
    ]


def _one(remarks: QuerySet[Remark], remark_id: int) -> Remark:
    found = _described(remarks).filter(pk=remark_id).first() if remark_id <= LARGEST_ID else None
    if found is None:
        raise NotFound()
    return found


def _described(remarks: QuerySet[Remark]) -> QuerySet[Remark]:
    items = RemarkItem.objects.order_by("position").select_related(
        "judgment__candidate__image", "judgment__assignment__hit__image", "judgment__assignment__hit__query"
    )
    replies = RemarkReply.objects.order_by("id").select_related("author")
    return remarks.select_related("annotator", "written_by", "template").prefetch_related(
        Prefetch("items", items), Prefetch("replies", replies)
    )


def _votes(project: Project, label: str) -> Coalesce:
    of_pair = counted_judgments(project=project).filter(candidate=OuterRef("candidate"), label=label)
    return count_of(of_pair.exclude(annotator=OuterRef("annotator")), "candidate")


def _outvoted() -> Q:
    """More others agree on one other label than on the person's own."""
    outvoted = Q(pk__in=[])
    for own in Label.values:
        for other in set(Label.values) - {own}:
            outvoted |= Q(label=own, **cast(Any, {f"others_{other}__gt": F(f"others_{own}")}))
    return outvoted


def read_days(project: Project, user: int) -> list[date]:
    """The days, UTC, on which remarks were written to somebody."""
    sent = Remark.objects.filter(project=project, annotator=user).order_by()
    return [moment.astimezone(UTC).date() for moment in sent.values_list("created_at", flat=True)]
