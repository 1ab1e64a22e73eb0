"""A policy replayed: from rules and a horizon to what each person's state is, the same bytes every time.

Controls come first: those that good annotators fail are left out. Then whoever is excluded by hand or by controls is
taken out of the votes, and everybody else is held against what remains. A decision by hand stands above what the rules
find; findings are told all the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from backend.annotation.models import QualityPolicy, StandingDecision, StandingState
from backend.annotation.replay_reads import (
    ControlAnswer,
    Horizon,
    TurnReader,
    VoteTable,
    read_control_answers,
    read_decisions,
    read_floor,
    read_votes,
    take_horizon,
)
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

OF_OTHERS = ("straight_lining", "disagreement")


@dataclass(frozen=True)
class Judged:
    """One person in the view: what the rules find, and what follows once what people decided is laid over it."""

    user_id: int
    findings: tuple[Finding, ...]
    outcome: Outcome
    is_by_hand: bool = False


@dataclass(frozen=True)
class View:
    """Everybody's state under a version at a horizon, by user id."""

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
    """What the version says of everybody, at the newest judgment, at an older one, or at a horizon that was stored.

    About six statements, and two for each person where rules look at more than controls and skips. Nothing is written.
    """
    moment = horizon or take_horizon(project=project, until=until)
    rules = read_rules(policy.rules)
    decisions = read_decisions(project=project, until=moment.decided_until)
    answers = read_control_answers(project=project, until=moment.until, without=set(moment.quarantined))
    return View(moment, tuple(_Replay(rules, project, moment, decisions, answers).people()))


class _Replay:
    """One pass over a project's people."""

    def __init__(
        self, rules: Sequence[Rule], project: Project, horizon: Horizon, decisions: dict[int, StandingDecision],
        answers: dict[int, list[ControlAnswer]],
    ) -> None:  # fmt: skip
        self.rules, self.project, self.horizon, self.decisions = rules, project, horizon, decisions
        self.answers = answers
        self.left_out = self._left_out()
        self.table = self._table()
        self.pool = self._pool()

    def people(self) -> list[Judged]:
        """Everybody who did anything, or of whom something was decided."""
        skips = {user: (met, skipped) for user, met, skipped in self.horizon.skips}
        return [self._judge(user, *skips.get(user, (0, 0))) for user in sorted({*skips, *self.decisions})]

    def _judge(self, user: int, n_met: int, n_skipped: int) -> Judged:
        record = Record(self._turns(user), n_met, n_skipped)
        findings = findings_of(self.rules, record, self.pool)
        decided = self.decisions.get(user)
        return Judged(user, findings, settle_outcome(outcome_of(findings), decided), is_by_hand=decided is not None)

    def _turns(self, user: int) -> Sequence[Turn]:
        answers = self.answers.get(user, [])
        if not self._looks_at_turns:
            return [Turn(grades=tuple(answer.grade for answer in answers))]
        reader = TurnReader(self.project, self.horizon.until, self.table)
        return reader.read(user, most=self._widest, votes_count=user not in self.left_out, answers=answers)

    @property
    def _windowed(self) -> list[Rule]:
        """The rules that look at turns: all but skips, and controls over all time."""
        plain = ("skips", "control_failures")
        return [rule for rule in self.rules if rule.collector not in plain or rule.window]

    @property
    def _looks_at_turns(self) -> bool:
        return bool(self._windowed)

    @property
    def _widest(self) -> int | None:
        windows = [rule.window for rule in self._windowed]
        return None if None in windows else max(cast(list[int], windows))

    def _left_out(self) -> Collection[int]:
        """Whose votes say nothing of others: excluded by hand, or by controls over all time."""
        by_hand = {user for user, row in self.decisions.items() if row.state == StandingState.EXCLUDED}
        kept = {user for user in self.decisions if user not in by_hand}
        hard = [rule for rule in self.rules if rule.collector == "control_failures" and rule.action == "exclude"]
        hard = [rule for rule in hard if not rule.window]
        failing = {user for user, answers in self.answers.items() if self._is_failing(hard, answers)}
        return by_hand | (failing - kept)

    def _is_failing(self, rules: Sequence[Rule], answers: Sequence[ControlAnswer]) -> bool:
        return bool(findings_of(rules, Record([Turn(grades=tuple(each.grade for each in answers))]), Pool()))

    def _table(self) -> VoteTable:
        return read_votes(project=self.project, until=self._until_of_votes, without=self.left_out)

    @property
    def _until_of_votes(self) -> int:
        """Nothing is read where no rule asks what others said."""
        return self.horizon.until if any(rule.collector in OF_OTHERS for rule in self.rules) else 0

    def _pool(self) -> Pool:
        is_timed = any(rule.collector == "too_fast" for rule in self.rules)
        floor = read_floor(project=self.project, until=self.horizon.until) if is_timed else None
        return Pool(floor, rate_of_pool(self.table.votes))


def settle_outcome(found: Outcome, decided: StandingDecision | None) -> Outcome:
    """What follows once a person's decision is laid over what the rules find."""
    if decided is None:
        return found
    reasons = (decided.reason,) if decided.state != StandingState.ACTIVE else ()
    return Outcome(cast(State, str(decided.state)), needs_review=False, reasons=reasons)


def finding_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "collector": finding.collector,
        "action": finding.action,
        "evidence": finding.evidence,
    }
