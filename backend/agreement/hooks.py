"""What rooms above know and these figures show: they register a reader in their AppConfig.ready(), as gauges are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date

from backend.projects.models import Project

VerdictReader = Callable[[Collection[int]], Mapping[int, str]]
FeedbackReader = Callable[[Project, int], Sequence[date]]
_verdict_readers: list[VerdictReader] = []
_feedback_readers: list[FeedbackReader] = []


def register_verdicts(reader: VerdictReader) -> None:
    """Let `reader` be asked for the label that a head annotator's decision gives some pairs, by candidate id."""
    if reader not in _verdict_readers:
        _verdict_readers.append(reader)


def register_feedback(reader: FeedbackReader) -> None:
    """Let `reader` be asked on which days (UTC) feedback was sent to a user of a project."""
    if reader not in _feedback_readers:
        _feedback_readers.append(reader)


def read_verdicts(candidates: Collection[int]) -> dict[int, str]:
    """The label decided for each of the pairs that has a decision."""
    return {pair: label for reader in _verdict_readers for pair, label in reader(candidates).items()}


def read_feedback(project: Project, user: int) -> list[date]:
    """The days, each once, oldest first."""
    return sorted({day for reader in _feedback_readers for day in reader(project, user)})
