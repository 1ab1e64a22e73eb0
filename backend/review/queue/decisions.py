"""What a head annotator decides on a case, and taking it back.

A decision locks its case, then the annotator's state, then HITs, in the order of annotation/locks.py. The queue is
brought up to date afterwards, in a transaction of its own (reasons.py says why).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils import timezone

from backend.annotation.allocation import mark_pairs
from backend.annotation.answers import LONGEST_CAPTION
from backend.annotation.locks import lock_annotator_states, lock_hits
from backend.annotation.models import Hit, HitItem, Judgment
from backend.candidates.models import Candidate
from backend.common.errors import Conflict, ConnoteError, InvalidInput
from backend.common.labels import Label
from backend.feedback.services import NobodyReads, withdraw_remark, write_remark
from backend.feedback.templates import get_template
from backend.methods.consensus import Votes, majority
from backend.methods.edits import Edit, EditError, apply_edits
from backend.methods.edits.seen import is_seen
from backend.people.models import User
from backend.projects.models import Membership, Project
from backend.qualification.models import Control
from backend.review import selectors
from backend.review.models import (
    PAGE_ACTIONS,
    Action,
    CaseDecision,
    ReviewCase,
    ReviewReason,
    Rework,
    SecondLook,
    Verdict,
)
from backend.review.queue import cases
from backend.review.queue.gate import release_if_accepted
from backend.review.queue.leases import LEASE, lock_case
from backend.review.queue.pairs import refresh_pairs
from backend.review.services import NewVerdict, record_verdicts

UNDO = timedelta(minutes=10)
SALT = "review.undo"
MOST_ASKED = 50  # judgments of one pair
OF_SECOND_LOOK = (Action.SETTLE, Action.ACCEPT_MAJORITY, Action.DISMISS)
OF_PAIR = (Action.SETTLE, Action.ACCEPT_MAJORITY, Action.REWORK, Action.ASK_MORE, Action.DISMISS)
Item = Mapping[str, Any]


class NotForThisCase(Conflict):
    """You cannot do this with this case. Choose another action."""

    code = "action_not_for_case"


class AnswersTied(Conflict):
    """No answer has the most votes. Choose an answer yourself."""

    code = "no_majority"


class AlreadyDecided(Conflict):
    """This caption already has a decision, so nobody else is asked. Take the decision back first."""

    code = "pair_already_decided"


class TooLateToUndo(Conflict):
    """You cannot undo this any more. Open the case and decide again."""

    code = "undo_too_late"


@dataclass(frozen=True)
class Done:
    """What undoes the decision, and until when."""

    decision: CaseDecision
    token: str
    until: datetime


def decide(
    *,
    project: Project,
    case: ReviewCase,
    action: str,
    decided_by: User,
    items: Sequence[Item] = (),
    annotators: Sequence[int] = (),
    text: str = "",
    template: int | None = None,
    k: int = 1,
) -> Done:
    """Do something with an open case that nobody else holds; most actions close it.

    On an assignment, settling closes the case once every pair has a decision, and asking for more leaves it open.
    Raises CaseHeld, CaseClosed, NotForThisCase, AnswersTied, AlreadyDecided, NobodyReads; InvalidInput for items that
    make no sense.
    """
    work = _do(project, case, action, decided_by, items, text, annotators=annotators, template=template, n_more=k)
    refresh_pairs(project=project, pairs=work.pairs)
    decision = work.decision
    return Done(decision, signing.dumps(decision.pk, salt=SALT), decision.created_at + UNDO)


def decide_many(
    *, project: Project, case_ids: Sequence[int], action: str, decided_by: User, label: str | None = None, k: int = 1
) -> dict[str, Any]:
    """Settle cases of pairs with one label, or ask for `k` more judgments of each, one after the other.

    Gives the values of CaseDecisionsOut: a case that cannot be decided is named with the reason, and the others are
    decided. Raises InvalidInput where a label is needed and there is none.
    """
    if action == Action.SETTLE and label is None:
        raise InvalidInput("Choose an answer for each caption.", code="item_without_label", field="label")
    pairs, refused = list[int](), list[dict[str, Any]]()
    ids = list(dict.fromkeys(case_ids))
    for case_id in ids:
        try:
            case = cases.get_case(project=project, case_id=case_id, reader=decided_by)
            if not case.is_pair:
                raise NotForThisCase()
            items = [{"candidate": case.candidate_id, "label": label}] if action == Action.SETTLE else []
            pairs += _do(project, case, action, decided_by, items, n_more=k).pairs
        except ConnoteError as error:
            refused.append({"case": case_id, **error.said})
    refresh_pairs(project=project, pairs=pairs)
    return {"n_done": len(ids) - len(refused), "refused": refused}


@transaction.atomic
def _do(
    project: Project, case: ReviewCase, action: str, by: User, items: Sequence[Item], text: str = "", *,
    annotators: Sequence[int] = (), template: int | None = None, n_more: int,
) -> _Work:  # fmt: skip
    held = lock_case(case=case, reader=by)
    wanted = Action(action)
    _check_action(held, wanted)
    work = _Work(project, held, wanted, by, list(items), text)
    work.decide(annotators=annotators, template=template, n_more=n_more)
    return work


def undo(*, project: Project, token: str, by: User) -> ReviewCase:
    """Take one's own newest decision on a case back: new verdicts restore the old ones, the case is open again and
    leased to the caller. Raises InvalidInput for an unknown token, TooLateToUndo, CaseHeld."""
    try:
        decision_id = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise InvalidInput("This undo link is not valid. Reload the page.", code="bad_undo_token") from error
    with transaction.atomic():
        decision = CaseDecision.objects.filter(pk=decision_id, case__project=project, decided_by=by).first()
        if decision is None:
            raise InvalidInput("This undo link is not valid. Reload the page.", code="bad_undo_token")
        case = ReviewCase.objects.select_for_update(of=("self",)).get(pk=decision.case_id)
        decision.refresh_from_db()
        pairs = _take_back(project, case, decision, by)
    refresh_pairs(project=project, pairs=pairs)
    return case


def _check_action(case: ReviewCase, action: Action) -> None:
    if case.is_second_look and action not in OF_SECOND_LOOK:
        raise NotForThisCase()
    if case.is_pair and action not in OF_PAIR:
        raise NotForThisCase()


class _Work:
    """One decision while it is made: what it is about, and what undoing it must restore."""

    def __init__(
        self, project: Project, case: ReviewCase, action: Action, by: User, items: list[Item], text: str
    ) -> None:
        self.project, self.case, self.action, self.by, self.items, self.text = project, case, action, by, items, text
        page = case.assignment
        shown = [case.candidate_id] if page is None else page.shown
        controls = set(Control.objects.filter(candidate__in=shown).values_list("candidate", flat=True))
        if page is not None:
            met = HitItem.objects.filter(hit=page.hit_id, control__isnull=False)
            controls |= set(met.values_list("candidate", flat=True))
        self.pairs: list[int] = [pair for pair in shown if pair is not None and pair not in controls]
        self._check_items()

    def _check_items(self) -> None:
        named = [item["candidate"] for item in self.items]
        if len(set(named)) < len(named):
            raise InvalidInput("Name each caption once.", code="item_named_twice", field="items")
        if not set(named) <= set(self.pairs):
            raise InvalidInput(
                "This caption is not in this case, or it is a hidden test question.",
                code="item_not_in_case",
                field="items",
            )

    def decide(self, *, annotators: Sequence[int], template: int | None, n_more: int) -> None:
        is_page = self.action in PAGE_ACTIONS and not self.case.is_pair
        earlier = CaseDecision.objects.filter(case=self.case, is_first=True, undone_at=None)
        self.decision = CaseDecision.objects.create(
            case=self.case,
            action=self.action,
            text=self.text,
            n_asked=n_more if self.action == Action.ASK_MORE else 0,
            is_first=is_page and not earlier.exists(),
            decided_by=self.by,
        )
        match self.action:
            case Action.SETTLE:
                self._settle(self._labelled())
            case Action.ACCEPT_MAJORITY:
                self._settle(self._as_most_say())
            case Action.ACCEPT_PAGE:
                self._refuse_items()
                self._release()
            case Action.ACCEPT_WITH_CORRECTIONS:
                corrections = self._labelled()
                self._release()
                self._settle(corrections)
            case Action.REWORK:
                self._return(annotators, template)
            case Action.ASK_MORE:
                self._ask(n_more)
        self.decision.save(update_fields=["before", "releases"])
        if self._closes():
            _close(self.case, self.decision)

    def _labelled(self) -> list[Item]:
        if not self.items:
            raise InvalidInput("Choose at least one caption.", code="no_items", field="items")
        if any(not item.get("label") for item in self.items):
            raise InvalidInput("Choose an answer for each caption.", code="item_without_label", field="items")
        return self.items

    def _refuse_items(self) -> None:
        if self.items:
            raise InvalidInput(
                "Accepting changes no answer. Accept with corrections instead.", code="items_not_used", field="items"
            )

    def _as_most_say(self) -> list[Item]:
        """The named pairs, or all that have a majority, with its label."""
        named = {item["candidate"]: item for item in self.items}
        votes = cases.count_votes(project=self.project, pairs=named or self.pairs)
        labels = {pair: majority(Votes(**votes[pair])) if pair in votes else None for pair in named or self.pairs}
        if not any(labels.values()) or (named and not all(labels.values())):
            raise AnswersTied()
        return [{**named.get(pair, {}), "candidate": pair, "label": label} for pair, label in labels.items() if label]

    def _settle(self, items: Sequence[Item]) -> None:
        if self.case.is_second_look:
            self._look_again(items[0])
            return
        pairs = [item["candidate"] for item in items]
        lock_hits(sorted(_roots(self.project, pairs)))
        standing = selectors.standing_verdicts(project=self.project, pairs=pairs)
        texts = dict(Candidate.objects.filter(pk__in=pairs, query=None).values_list("pk", "text"))
        new = [
            NewVerdict(
                candidate_id=item["candidate"],
                label=Label(item["label"]),
                decided_by=self.by,
                reason=item.get("note", ""),
                tag=item.get("reason", ""),
                confidence=item.get("confidence"),
                edits=_checked_edits(item.get("text_edit"), texts.get(item["candidate"])),
                decision=self.decision,
            )
            for item in items
        ]
        record_verdicts(project=self.project, verdicts=new)
        self.decision.before["verdicts"] = {
            str(pair): standing[pair].pk if pair in standing else None for pair in pairs
        }

    def _look_again(self, item: Item) -> None:
        pair = item["candidate"]
        verdict = selectors.standing_verdicts(project=self.project, pairs=[pair]).get(pair)
        if verdict is None or verdict.decided_by_id == self.by.pk:
            raise NotForThisCase()  # the decision is another by now, and the next filling closes the case
        SecondLook.objects.create(verdict=verdict, label=item["label"], decision=self.decision, decided_by=self.by)

    def _release(self) -> None:
        if self.case.annotator_id is not None:
            self.decision.releases = release_if_accepted(project=self.project, user_id=self.case.annotator_id)

    def _return(self, annotators: Sequence[int], template: int | None) -> None:
        """A remark on each answer that is returned, which stays open for its annotator's change."""
        if not self.case.is_pair and not self.items:
            raise InvalidInput("Choose the captions to return.", code="no_items_to_return", field="items")
        of_pair = {item["candidate"]: item for item in self.items}
        offered = get_template(project=self.project, template_id=template).text if template else ""
        for judgment in self._returned(annotators):
            item = of_pair.get(judgment.candidate_id, {})
            words = item.get("note") or self.text or offered
            if not words:
                raise InvalidInput("Write what to change.", code="rework_needs_text", field="text")
            label = Label(item["label"]) if item.get("label") else None
            remark = write_remark(
                project=self.project,
                judgment_id=judgment.pk,
                text=words,
                label=label,
                template_id=template,
                written_by=self.by,
            )
            Rework.objects.create(decision=self.decision, remark=remark, judgment=judgment)

    def _returned(self, annotators: Sequence[int]) -> list[Judgment]:
        asked = Judgment.objects.filter(superseded_by=None, control=None).order_by("pk")
        if self.case.assignment_id is not None:
            pairs = [item["candidate"] for item in self.items]
            return list(asked.filter(assignment=self.case.assignment_id, candidate__in=pairs))
        members = Membership.objects.filter(project=self.project).values("user")
        asked = asked.filter(candidate=self.case.candidate_id, assignment__project=self.project)
        found = list(asked.filter(annotator__in=annotators) if annotators else asked.filter(annotator__in=members))
        if not found or not set(annotators) <= {judgment.annotator_id for judgment in found}:
            raise NobodyReads()
        return found

    def _ask(self, n_more: int) -> None:
        pairs = [item["candidate"] for item in self.items] or (self.pairs if self.case.is_pair else [])
        if not pairs:
            raise InvalidInput("Choose at least one caption.", code="no_items", field="items")
        if selectors.standing_verdicts(project=self.project, pairs=pairs):
            raise AlreadyDecided()
        lock_hits(sorted(_roots(self.project, pairs)))
        votes = cases.count_votes(project=self.project, pairs=pairs)
        self.decision.before["asked"] = {str(pair): n for pair, n in _read_asked(self.project, pairs).items()}
        wanted = {pair: min(MOST_ASKED, sum(votes.get(pair, {}).values()) + n_more) for pair in pairs}
        mark_pairs(project=self.project, asked=wanted)

    def _closes(self) -> bool:
        if self.case.is_pair or self.action in (*PAGE_ACTIONS, Action.DISMISS):
            return True
        if self.action == Action.ASK_MORE:
            return False
        return len(selectors.standing_verdicts(project=self.project, pairs=self.pairs)) == len(self.pairs)


def _roots(project: Project, pairs: Collection[int]) -> set[int]:
    hits = Hit.objects.filter(project=project, items__candidate__in=pairs, items__control=None)
    return {root or pk for pk, root in hits.values_list("pk", "root")}


def _read_asked(project: Project, pairs: Collection[int]) -> dict[int, int]:
    found = dict.fromkeys(pairs, 0)
    items = HitItem.objects.filter(hit__project=project, candidate__in=pairs, control=None)
    for pair, n in items.values_list("candidate", "asked"):
        found[pair] = max(found[pair], n)
    return found


def _checked_edits(text_edit: Mapping[str, Any] | None, text: str | None) -> list[dict[str, Any]]:
    """The edits as a judgment keeps them. Raises InvalidInput where they do not fit the caption."""
    edits = list(text_edit["edits"]) if text_edit else []
    if not edits:
        return []
    if text is None:
        raise InvalidInput("You can edit only captions, not images.", code="verdict_edit_needs_caption", field="items")
    try:
        repaired = apply_edits(text, [Edit(**edit) for edit in edits])
    except EditError as error:
        raise InvalidInput(error.template, code=error.code, params=error.params, field="items") from error
    if not is_seen(repaired) or len(repaired) > LONGEST_CAPTION:
        raise InvalidInput(
            "The edits must leave a caption of 1 to {most} characters.",
            code="verdict_edit_length",
            params={"most": LONGEST_CAPTION},
            field="items",
        )
    return [dict(edit) for edit in edits]


def _close(case: ReviewCase, decision: CaseDecision) -> None:
    now = timezone.now()
    ReviewReason.objects.filter(case=case, closed_at=None).update(closed_at=now, decision=decision)
    case.closed_at, case.closed_by, case.outcome = now, decision.decided_by, decision.action
    case.leased_by, case.leased_until = None, None
    case.save(update_fields=["closed_at", "closed_by", "outcome", "leased_by", "leased_until"])


def _take_back(project: Project, case: ReviewCase, decision: CaseDecision, by: User) -> list[int]:
    """The pairs that it was about."""
    newest = CaseDecision.objects.filter(case=case, undone_at=None).order_by("-pk").first()
    if decision.undone_at or newest != decision or decision.created_at + UNDO < timezone.now():
        raise TooLateToUndo()
    if case.holder not in (None, by):
        raise TooLateToUndo()
    decision.undone_at = timezone.now()
    decision.save(update_fields=["undone_at"])
    if decision.releases and case.annotator_id is not None:
        for state in lock_annotator_states(project, [case.annotator_id]):
            state.released_at = None
            state.save(update_fields=["released_at"])
    pairs = _restore_verdicts(project, decision, by)
    if asked := {int(pair): n for pair, n in decision.before.get("asked", {}).items()}:
        lock_hits(sorted(_roots(project, asked)))
        mark_pairs(project=project, asked=asked)
    _withdraw(decision)
    _open_again(case, decision, by)
    return [*pairs, *asked, *([case.candidate_id] if case.candidate_id else [])]


def _restore_verdicts(project: Project, decision: CaseDecision, by: User) -> list[int]:
    """New rows that say what stood before. Raises TooLateToUndo where somebody decided on a pair since."""
    before: dict[int, int | None] = {int(pair): pk for pair, pk in decision.before.get("verdicts", {}).items()}
    if not before:
        return []
    lock_hits(sorted(_roots(project, before)))
    standing = selectors.standing_verdicts(project=project, pairs=list(before))
    if any(pair not in standing or standing[pair].decision_id != decision.pk for pair in before):
        raise TooLateToUndo()
    earlier = Verdict.objects.select_related("decided_by", "decision").in_bulk([pk for pk in before.values() if pk])
    restored = [
        NewVerdict(pair, Label(was.label), was.decided_by, was.reason, was.tag, was.confidence, was.edits, was.decision)
        if (was := earlier.get(pk or 0))
        else NewVerdict(pair, None, by)
        for pair, pk in before.items()
    ]
    record_verdicts(project=project, verdicts=restored)
    return list(before)


def _withdraw(decision: CaseDecision) -> None:
    for rework in decision.reworks.select_related("remark"):
        withdraw_remark(remark=rework.remark)


def _open_again(case: ReviewCase, decision: CaseDecision, by: User) -> None:
    ReviewReason.objects.filter(decision=decision).update(closed_at=None, decision=None)
    case.closed_at, case.closed_by, case.outcome = None, None, ""
    case.leased_by, case.leased_until = by, timezone.now() + LEASE
    case.save(update_fields=["closed_at", "closed_by", "outcome", "leased_by", "leased_until"])
