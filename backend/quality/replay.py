"""Replay a policy: from rules and a horizon to the state of each annotator, the same bytes every time.

1. Controls that good annotators fail are left out.
2. Annotators who are excluded by hand, or by a rule that does not look at others, do not count for the usual time.
3. Annotators who are then too fast, by a rule that excludes, do not count as votes either.
4. All rules are applied to everybody, with the votes that are left.
5. A decision of a person has priority over the rules; the findings are stored anyway.

After a person checked an annotator, rules that ask for a check see only what came later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import cast

import numpy as np

from backend.annotation.models import AnnotatorStatus, StatusDecision
from backend.methods.quality import (
    Finding,
    Outcome,
    Pool,
    Record,
    Rule,
    Turn,
    findings_of,
    outcome_of,
    rate_of_pool,
    read_rules,
)
from backend.methods.quality.policy import State
from backend.projects.models import Project
from backend.quality.horizon import (
    Horizon,
    VoteTable,
    read_control_answers,
    read_decisions,
    read_floor,
    read_turns,
    read_votes,
    take_horizon,
)
from backend.quality.models import QualityPolicy

OF_OTHERS = ("straight_lining", "disagreement")
OF_COUNTS = ("skips", "control_failures")  # told from counts, unless there is a window
NOBODY = VoteTable(np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.int64))


@dataclass(frozen=True)
class AnnotatorView:
    """One annotator in the view: what the rules find, and the state after decisions of people."""

    user_id: int
    findings: tuple[Finding, ...]
    outcome: Outcome
    is_by_hand: bool = False


@dataclass(frozen=True)
class PolicyView:
    """The state of every annotator under a version at a horizon, by user id."""

    horizon: Horizon
    people: tuple[AnnotatorView, ...]

    @property
    def excluded(self) -> frozenset[int]:
        return frozenset(each.user_id for each in self.people if each.outcome.state == "excluded")

    def as_bytes(self) -> bytes:
        """The whole view as canonical JSON."""
        told = {"horizon": asdict(self.horizon), "people": [asdict(each) for each in self.people]}
        return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.as_bytes()).hexdigest()


def evaluate(*, policy: QualityPolicy, horizon: Horizon | None = None) -> PolicyView:
    """What the version says about everybody, now or at a stored horizon.

    Nothing is written. About six statements, and two to four for each annotator if rules look at more than counts.
    """
    moment = horizon or take_horizon(project=policy.project)
    return PolicyView(moment, tuple(_Replay(read_rules(policy.rules), policy.project, moment).people()))


class _Replay:
    """One pass over a project's people."""

    def __init__(self, rules: Sequence[Rule], project: Project, horizon: Horizon) -> None:
        self.rules, self.project, self.until = rules, project, horizon.until
        decisions = read_decisions(project=project, until=horizon.decided_until)
        self.decisions, self.looked_at = decisions.by_hand, decisions.looked_at
        self.answers = read_control_answers(project=project, until=self.until, without=set(horizon.quarantined))
        self.skips = {user: (met, skipped) for user, met, skipped in horizon.skips}
        self.skips_since = {user: (met, skipped) for user, met, skipped in horizon.skips_since}
        self.table, self.floor = NOBODY, cast(float | None, None)
        self.left_out = {user for user, row in decisions.by_hand.items() if row.state == AnnotatorStatus.EXCLUDED}
        self._read_others()
        self.pool = Pool(self.floor, rate_of_pool(self.table.votes))

    def people(self) -> Iterator[AnnotatorView]:
        """Every annotator with an answer, or with a decision of a person about the annotator."""
        for user in sorted({*self.skips, *self.decisions}):
            findings, decided = self._findings(user), self.decisions.get(user)
            outcome = settle_outcome(outcome_of(findings), decided)
            yield AnnotatorView(user, findings, outcome, is_by_hand=decided is not None)

    def _findings(self, user: int) -> tuple[Finding, ...]:
        """The rules that are met. A rule that asks for a check must also be met by what came after the last check."""
        found = findings_of(self.rules, self._record(user, self.rules), self.pool)
        if user not in self.looked_at or not any(finding.action == "review" for finding in found):
            return found
        newer = self._record(user, self.rules, after=self.looked_at[user])
        newly = {each.rule: each for each in findings_of(self.rules, newer, self.pool) if each.action == "review"}
        return tuple(newly.get(each.rule, each) for each in found if each.action != "review" or each.rule in newly)

    def _record(self, user: int, rules: Sequence[Rule], after: datetime | None = None) -> Record:
        """What these rules look at of an annotator's work; with `after`, only of what came later."""
        skips = self.skips if after is None else self.skips_since
        answers = [answer for answer in self.answers.get(user, []) if after is None or answer.at > after]
        windows = [rule.window for rule in rules if rule.collector not in OF_COUNTS or rule.window]
        turns = [Turn(grades=tuple(answer.grade for answer in answers))]
        if windows:
            turns = read_turns(
                project=self.project, until=self.until, user=user, table=self.table, answers=answers, after=after,
                most=None if None in windows else max(cast(list[int], windows)),
                votes_count=self.table is not NOBODY and user not in self.left_out,
            )  # fmt: skip
        return Record(turns, *skips.get(user, (0, 0)))

    def _read_others(self) -> None:
        """Read the usual time and then the votes, without annotators that are excluded before each."""
        collectors = {rule.collector for rule in self.rules}
        is_timed, is_compared = "too_fast" in collectors, not collectors.isdisjoint(OF_OTHERS)
        excluding = [rule for rule in self.rules if rule.action == "exclude" and rule.collector not in OF_OTHERS]
        if is_timed or is_compared:
            self._leave_out([rule for rule in excluding if rule.collector != "too_fast"])
        if is_timed:
            self.floor = read_floor(project=self.project, until=self.until, without=self.left_out)
        if is_compared:
            self._leave_out([rule for rule in excluding if rule.collector == "too_fast"])
            self.table = read_votes(project=self.project, until=self.until, without=self.left_out)

    def _leave_out(self, rules: Sequence[Rule]) -> None:
        """Leave out the annotators that these rules exclude. A decision of a person comes first."""
        asked = [user for user in self.skips if user not in self.decisions and user not in self.left_out]
        pool = Pool(self.floor)
        self.left_out |= {user for user in asked if rules and findings_of(rules, self._record(user, rules), pool)}


def settle_outcome(found: Outcome, decided: StatusDecision | None) -> Outcome:
    """The outcome after the decision of a person, if there is one."""
    if decided is None:
        return found
    reasons = (decided.reason,) if decided.state != AnnotatorStatus.ACTIVE else ()
    return Outcome(cast(State, str(decided.state)), needs_review=False, reasons=reasons)
