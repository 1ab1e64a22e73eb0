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
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cached_property
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
    ControlAnswer,
    Decisions,
    Horizon,
    TurnReader,
    VoteTable,
    read_control_answers,
    read_decisions,
    read_floor,
    read_votes,
    take_horizon,
)
from backend.quality.models import QualityPolicy

OF_OTHERS = ("straight_lining", "disagreement")
OF_COUNTS = ("skips", "control_failures")  # told from counts, unless there is a window
NOBODY = VoteTable(np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.int64))


@dataclass(frozen=True)
class Judged:
    """One annotator in the view: what the rules find, and the state after decisions of people."""

    user_id: int
    findings: tuple[Finding, ...]
    outcome: Outcome
    is_by_hand: bool = False


@dataclass(frozen=True)
class View:
    """The state of every annotator under a version at a horizon, by user id."""

    horizon: Horizon
    people: tuple[Judged, ...]

    @property
    def excluded(self) -> frozenset[int]:
        return frozenset(each.user_id for each in self.people if each.outcome.state == "excluded")

    def as_bytes(self) -> bytes:
        """The whole view as canonical JSON."""
        told = {"horizon": self.horizon.as_json(), "people": [asdict(each) for each in self.people]}
        return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.as_bytes()).hexdigest()


def evaluate(
    *, policy: QualityPolicy, project: Project, until: int | None = None, horizon: Horizon | None = None
) -> View:
    """What the version says about everybody, at the newest judgment, at an older one, or at a stored horizon.

    Nothing is written. About six statements, and two to four for each annotator if rules look at more than counts.
    """
    moment = horizon or take_horizon(project=project, until=until)
    rules = read_rules(policy.rules)
    decisions = read_decisions(project=project, until=moment.decided_until)
    answers = read_control_answers(project=project, until=moment.until, without=set(moment.quarantined))
    return View(moment, tuple(_Replay(rules, project, moment, decisions, answers).people()))


class _Replay:
    """One pass over a project's people."""

    def __init__(
        self, rules: Sequence[Rule], project: Project, horizon: Horizon, decisions: Decisions,
        answers: dict[int, list[ControlAnswer]],
    ) -> None:  # fmt: skip
        self.rules, self.project, self.horizon, self.answers = rules, project, horizon, answers
        self.decisions, self.looked_at = decisions.by_hand, decisions.looked_at
        self.skips, self.skips_since = (
            {user: (met, skipped) for user, met, skipped in told} for told in (horizon.skips, horizon.skips_since)
        )
        self.floor: float | None = None
        self.left_out: Collection[int] = {
            user for user, row in self.decisions.items() if row.state == AnnotatorStatus.EXCLUDED
        }
        self._leave_out()
        self.table = self._table()

    def people(self) -> list[Judged]:
        """Every annotator with an answer, or with a decision of a person about the annotator."""
        return [self._judge(user) for user in sorted({*self.skips, *self.decisions})]

    def _judge(self, user: int) -> Judged:
        findings = self._findings(user)
        decided = self.decisions.get(user)
        return Judged(user, findings, settle_outcome(outcome_of(findings), decided), is_by_hand=decided is not None)

    def _findings(self, user: int) -> tuple[Finding, ...]:
        """The rules that are met. A rule that asks for a check must also be met by what came after the last check."""
        turns = self._turns(user, self.rules, self.table, votes_count=user not in self.left_out)
        found = findings_of(self.rules, self._record(user, turns), self._pool)
        if user not in self.looked_at or not any(finding.action == "review" for finding in found):
            return found
        newer = self._turns(
            user, self.rules, self.table, votes_count=user not in self.left_out, after=self.looked_at[user]
        )
        anew = findings_of(self.rules, Record(newer, *self.skips_since.get(user, (0, 0))), self._pool)
        newly = {finding.rule: finding for finding in anew if finding.action == "review"}
        return tuple(newly.get(each.rule, each) for each in found if each.action != "review" or each.rule in newly)

    def _record(self, user: int, turns: Sequence[Turn]) -> Record:
        return Record(turns, *self.skips.get(user, (0, 0)))

    def _turns(
        self, user: int, rules: Sequence[Rule], table: VoteTable, *, votes_count: bool, after: datetime | None = None
    ) -> Sequence[Turn]:
        """As many turns of an annotator as these rules look at; `votes_count`: the table has their votes."""
        answers = [answer for answer in self.answers.get(user, []) if after is None or answer.at > after]
        looking = [rule for rule in rules if rule.collector not in OF_COUNTS or rule.window]
        if not looking:
            return [Turn(grades=tuple(answer.grade for answer in answers))]
        windows = [rule.window for rule in looking]
        widest = None if None in windows else max(cast(list[int], windows))
        reader = TurnReader(self.project, self.horizon.until, table)
        return reader.read(user, most=widest, votes_count=votes_count, answers=answers, after=after)

    def _leave_out(self) -> None:
        """Leave out excluded annotators from the usual time, and then from the votes."""
        rules = [rule for rule in self.rules if rule.action == "exclude" and rule.collector not in OF_OTHERS]
        if not self._times and not self._compares:
            return
        self.left_out = self._with_those_out([rule for rule in rules if rule.collector != "too_fast"])
        if self._times:
            self.floor = read_floor(project=self.project, until=self.horizon.until, without=self.left_out)
        if self._compares:
            self.left_out = self._with_those_out([rule for rule in rules if rule.collector == "too_fast"])

    def _with_those_out(self, rules: Sequence[Rule]) -> Collection[int]:
        """The annotators that are excluded already or by these rules. A decision of a person comes first."""
        asked = [user for user in self.skips if user not in self.decisions and user not in self.left_out]
        return {*self.left_out, *(user for user in asked if rules and self._is_out(user, rules))}

    def _is_out(self, user: int, rules: Sequence[Rule]) -> bool:
        turns = self._turns(user, rules, NOBODY, votes_count=False)
        return bool(findings_of(rules, self._record(user, turns), Pool(self.floor)))

    @property
    def _times(self) -> bool:
        return any(rule.collector == "too_fast" for rule in self.rules)

    @property
    def _compares(self) -> bool:
        return any(rule.collector in OF_OTHERS for rule in self.rules)

    def _table(self) -> VoteTable:
        """The votes; nothing is read if no rule looks at them."""
        if not self._compares:
            return NOBODY
        return read_votes(project=self.project, until=self.horizon.until, without=self.left_out)

    @cached_property
    def _pool(self) -> Pool:
        return Pool(self.floor, rate_of_pool(self.table.votes))


def settle_outcome(found: Outcome, decided: StatusDecision | None) -> Outcome:
    """The outcome after the decision of a person, if there is one."""
    if decided is None:
        return found
    reasons = (decided.reason,) if decided.state != AnnotatorStatus.ACTIVE else ()
    return Outcome(cast(State, str(decided.state)), needs_review=False, reasons=reasons)
