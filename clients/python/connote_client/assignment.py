"""The work of an annotator: one assignment at a time, taken and submitted by a program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import uuid4

from connote_client.errors import Conflict
from connote_client.rows import Answer, Item, TaskImage
from connote_client.site import Json, Site

BEAT = 45.0  # seconds between two signs of life; the shortest lease is one minute
DONE_BEFORE = ("already_returned", "already_skipped")  # the answer to a second try whose first answer was lost

# (item, assignment) -> a label, or a whole answer
Judge = Callable[[Item, "Assignment"], "str | Answer"]


class NothingLeft:
    """Why there is no assignment: none_left, all_yours_done, cap_reached, holds_enough, paused, excluded,
    not_qualified or waiting_for_review. It is false in an `if`."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<NothingLeft {self.reason}>"


class Assignment:
    """One task that you work on. Submit, skip or return it before `expires_at`."""

    def __init__(self, site: Site, row: Json) -> None:
        self._site, self.row = site, row
        self._key = uuid4().hex  # the same for each try, so that the site stores the answers once

    def __repr__(self) -> str:
        return f"<Assignment of {len(self.items)} items {self.id}>"

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def items(self) -> list[Item]:
        found: list[Item] = self.row["items"]
        return found

    @property
    def image(self) -> TaskImage | None:
        """The image of all items; None in a query project, where each item has one."""
        found: TaskImage | None = self.row["image"]
        return found

    @property
    def query(self) -> str | None:
        """The query of all items; None in an image project."""
        return self.row["query"] and str(self.row["query"]["text"])

    @property
    def options(self) -> list[str]:
        """The labels to choose from."""
        return list(self.row["options"])

    @property
    def expires_at(self) -> datetime:
        return datetime.fromisoformat(str(self.row["expires_at"]).replace("Z", "+00:00"))

    def read_image(self, item: Item | None = None, *, size: str = "large") -> bytes:
        """The picture of the task, or of one item of a query. `size` is small or large."""
        shown = (item and item["image"]) or self.image
        if shown is None:
            raise ValueError("This task has no image of its own: name the item.")
        thumbnails: Mapping[str, Any] = shown["thumbnail"]
        return self._site.read(thumbnails[size]["url"])

    def submit(self, answers: Sequence[str | Answer] | Mapping[int, str | Answer]) -> Json:
        """Store one answer for each item: in the order of `items`, or by position. `is_late` in the result: another
        annotator has the place meanwhile, so the answers do not count. Submit again with the same object is safe."""
        by_position = answers if isinstance(answers, Mapping) else self._in_order(answers)
        judgments = [{"position": position, **as_answer(answer)} for position, answer in by_position.items()]
        found: Json = self._site.ask(
            "POST", f"/assignments/{self.id}/submit", json={"judgments": judgments},
            headers={"Idempotency-Key": self._key}, repeatable=True,
        )  # fmt: skip
        return found

    def _in_order(self, answers: Sequence[str | Answer]) -> dict[int, str | Answer]:
        if len(answers) != len(self.items):
            raise ValueError(f"The task has {len(self.items)} items, but there are {len(answers)} answers.")
        return {item["position"]: answer for item, answer in zip(self.items, answers, strict=True)}

    def skip(self, reason: str, *, comment: str = "", to: str = "others") -> None:
        """Leave it to others, or `to="me"`: get it again when nothing else is left. `reason` is cannot_see,
        cannot_tell, language, disturbing, broken or other."""
        self._leave("skip", {"reason": reason, "comment": comment, "to": to})

    def give_back(self) -> None:
        """Return it without an answer; you may get it again."""
        self._leave("return", None)

    def _leave(self, how: str, body: Json | None) -> None:
        try:
            self._site.ask("POST", f"/assignments/{self.id}/{how}", json=body or {}, repeatable=True)
        except Conflict as error:
            if error.code not in DONE_BEFORE:
                raise

    def heartbeat(self) -> None:
        """Tell the site that you still work on it, so that it stays yours."""
        found = self._site.ask("POST", f"/assignments/{self.id}/heartbeat", repeatable=True)
        self.row["expires_at"] = found["expires_at"]


def as_answer(answer: str | Answer) -> Answer:
    return {"label": answer} if isinstance(answer, str) else answer


def annotate(take: Callable[[], Assignment | NothingLeft], judge: Judge) -> Iterator[Assignment]:
    """Take and submit until nothing is left. An assignment whose judge raises is given back."""
    while isinstance(held := take(), Assignment):
        try:
            answers, seen = [], time.monotonic()
            for item in held.items:
                answers.append(judge(item, held))
                if time.monotonic() - seen > BEAT:
                    held.heartbeat()
                    seen = time.monotonic()
            held.submit(answers)
        except BaseException:
            _give_back_quietly(held)
            raise
        yield held


def _give_back_quietly(held: Assignment) -> None:
    with suppress(Exception):  # the first problem is the one to see, and the lease ends by itself
        held.give_back()
