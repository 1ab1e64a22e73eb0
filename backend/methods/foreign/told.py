"""One judgment as a foreign file tells it, with where it stands and what it is about; and a line of a report.

Also what was not taken, by why: a wrong file has half a million rows of one fault, and who reads of it wants the fault,
how often it is there, and where to look.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from backend.methods.said import Said, Value

REASONS_SHOWN, PLACES_SHOWN = 20, 5
PLACE_WIDTH = 80  # characters of a place: a worker or a task may be called a novel


class Why(str):
    """Why something is no judgment: a sentence with a code, which stays the same for who says it in another language,
    whatever of the file stands in the sentence."""

    code: str

    def __new__(cls, code: str, sentence: str) -> Why:
        why = super().__new__(cls, sentence)
        why.code = code
        return why


NOBODY = Why("row_of_nobody", "It has no answer.")


class NotJudgmentsError(ValueError):
    """This file has no answers in a known format: rows, raters, votes or Label Studio."""

    def __init__(self, template: str = "", *, code: str = "no_judgments", **params: Value) -> None:
        """Without a template the docstring is the sentence."""
        self.said = Said(code, template or str(NotJudgmentsError.__doc__), params)
        super().__init__(self.said.message)


class Told(NamedTuple):
    """What a person said of a task. `where` names the place in the file for people; `image` and `text` are what the
    file says of the pair, empty where it says nothing; `why_not` is why this is no judgment, empty where it is one.
    `is_unnamed` where the file does not name who voted, and `worker` is whom the vote was dealt to. `is_of_query` where
    the file calls the text a query: images are judged for it."""

    where: str
    task: str
    worker: str
    label: str
    image: str = ""
    text: str = ""
    is_gold: bool = False
    why_not: str = ""
    is_unnamed: bool = False
    is_of_query: bool = False


@dataclass(frozen=True)
class Line:
    """A line of the report; `published` and `why` are empty where there is nothing to say."""

    figure: str
    ours: str
    published: str = ""
    why: str = ""


def note_truth(truths: dict[str, str], task: str, label: str) -> None:
    """Take a task's true label down; it is empty from then on where the file tells two: neither may win unseen."""
    if truths.setdefault(task, label) != label:
        truths[task] = ""


class Reason(NamedTuple):
    """Why some rows were not taken, how many, and where the first of them stand."""

    why: str
    n: int
    places: str

    @property
    def code(self) -> str:
        """Empty where the sentence has none."""
        return self.why.code if isinstance(self.why, Why) else ""


def by_reason(refused: Iterable[tuple[str, str]]) -> list[Reason]:
    """Of (where, why) the reasons, the most frequent first; those beyond the most that are shown stand as one."""
    n_each, places = Counter[str](), defaultdict[str, list[str]](list)
    for where, why in refused:
        n_each[why] += 1
        if n_each[why] <= PLACES_SHOWN:
            places[why].append(where if len(where) <= PLACE_WIDTH else f"{where[:PLACE_WIDTH]}...")
    found = [Reason(why, n, _first(places[why], n)) for why, n in n_each.most_common()]
    shown, rest = found[:REASONS_SHOWN], found[REASONS_SHOWN:]
    if len(rest) < 2:
        return found
    n_rest, first = sum(each.n for each in rest), [place for each in rest[:PLACES_SHOWN] for place in places[each.why]]
    why = Why("row_other_reasons", f"{len(rest):,} other reasons, each with no more rows than these.")
    return [*shown, Reason(why, n_rest, _first(first, n_rest))]


def _first(places: Sequence[str], n: int) -> str:
    return ", ".join([*places[:PLACES_SHOWN], *(["..."] if n > PLACES_SHOWN else [])])
