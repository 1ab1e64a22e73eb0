"""One judgment as a foreign file tells it, with where it stands and what it is about; and a line of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class NotJudgmentsError(ValueError):
    """This file holds no judgments in a layout that is known: rows, by worker, raters, votes, or Label Studio."""


class Told(NamedTuple):
    """What a person said of a task. `where` names the place in the file for people; `image` and `text` are what the
    file says of the pair, empty where it says nothing; `why_not` is why this is no judgment, empty where it is one."""

    where: str
    task: str
    worker: str
    label: str
    image: str = ""
    text: str = ""
    is_gold: bool = False
    why_not: str = ""


@dataclass(frozen=True)
class Line:
    """A line of the report; `published` and `why` are empty where there is nothing to say."""

    figure: str
    ours: str
    published: str = ""
    why: str = ""
