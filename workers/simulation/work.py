"""A simulated annotator at work over the public API: guidelines, quiz, page after page, and what they did in the end.

Who they are is a `Mind`, which is given to them; everything else here is what any client of the API does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Protocol

from workers.simulation.client import ApiClient, ApiRefusedError
from workers.simulation.reading import address_of

BEAT = 45.0  # real seconds between two signs of life: the shortest lease is a minute
GIVEN_UP, STOPPED = "did not qualify", "stopped"


@dataclass(frozen=True)
class Said:
    """One answer as the API takes it, and the seconds it took the person."""

    seconds: float
    answer: dict[str, Any]


class Mind(Protocol):
    """What somebody thinks. All of it is drawn from a seed."""

    def judge(self, picture: str, text: str) -> Said:
        """What they say of the pair; `picture` is where its small thumbnail lies."""

    def skips(self) -> dict[str, str] | None:
        """The body of a skip, where they would rather leave this page."""


@dataclass
class Day:
    """What one annotator did."""

    name: str
    done: Counter[str] = field(default_factory=Counter)  # HITs, pairs, labels, edits, skips, quiz attempts ...
    seconds: float = 0.0  # as the person would have needed
    ended: str = ""

    def with_more(self, later: Day) -> Day:
        """Both turns of one person as one."""
        return Day(self.name, self.done + later.done, self.seconds + later.seconds, later.ended)


class StoppedError(Exception):
    """Everybody goes home now."""


class Worker:
    """One person at work. `speed` is how many of their seconds pass in one of ours; 0 thinks in no time.

    Once `stop` is set they give back the page they are at, and go.
    """

    def __init__(
        self, client: ApiClient, *, name: str, project: str, mind: Mind, speed: float = 0, stop: Event | None = None
    ) -> None:
        self._client, self._mind, self._speed, self._stop = client, mind, speed, stop or Event()
        self._project = f"/projects/{project}"
        self._silent = 0.0  # real seconds since the last sign of life
        self.day = Day(name)

    def work(self, most: int | None = None) -> Day:
        """Qualify, then judge until nothing is left for this person, or until they had `most` pages."""
        try:
            self.day.ended = self._work(most) if self._qualify() else GIVEN_UP
        except StoppedError:
            self.day.ended = STOPPED
        except ApiRefusedError as refused:
            self.day.ended = str(refused)
        return self.day

    def _qualify(self) -> bool:
        mine = self._client.get(f"{self._project}/qualification/mine")
        if mine["guidelines"]["is_asked"] and not mine["guidelines"]["is_read"]:
            self._think(len(mine["guidelines"]["text"].split()) / 4)
            read = {"guidelines_digest": mine["guidelines"]["digest"]}
            mine = self._client.post(f"{self._project}/qualification/guidelines-read", read)
            self.day.done["guidelines read"] += 1
        while not mine["is_qualified"] and mine["quiz"]["attempts_left"] and not mine["quiz"]["next_attempt_at"]:
            self._take_quiz()
            mine = self._client.get(f"{self._project}/qualification/mine")
        return bool(mine["is_qualified"])

    def _take_quiz(self) -> None:
        attempt = self._client.post(f"{self._project}/qualification/quiz")
        answers = []
        for question in attempt["questions"]:
            if question["feedback"] is None:
                said = self._mind.judge(address_of(question["image"]), question["text"])
                self._think(said.seconds)
                answers.append({"position": question["position"], "label": said.answer["label"]})
        address = f"{self._project}/qualification/quiz/{attempt['number']}/answers"
        self._client.post(address, {"answers": answers})
        self.day.done["quiz attempts"] += 1

    def _work(self, most: int | None) -> str:
        found = self._client.post(f"{self._project}/assignments/next")
        page, reason = found["assignment"], found["reason"]
        while page is not None:
            if most is not None and self.day.done["HITs"] >= most:
                self._client.post(f"/assignments/{page['id']}/return")
                return "had enough"
            if (skip := self._mind.skips()) is not None:
                self._client.post(f"/assignments/{page['id']}/skip", skip)
                self.day.done["skipped"] += 1
                found = self._client.post(f"{self._project}/assignments/next")
                page, reason = found["assignment"], found["reason"]
            else:
                page, reason = self._judge(page)
        return str(reason)

    def _judge(self, page: dict[str, Any]) -> tuple[dict[str, Any] | None, str | None]:
        self._silent = 0.0
        try:
            judgments = [self._look_at(page, item) for item in page["items"]]
        except StoppedError:
            self._client.post(f"/assignments/{page['id']}/return")
            raise
        found = self._client.submit(page["id"], judgments)
        self._count(judgments)
        if found is not None:
            return found, None
        asked = self._client.post(f"{self._project}/assignments/next")
        return asked["assignment"], asked["reason"]

    def _look_at(self, page: dict[str, Any], item: dict[str, Any]) -> dict[str, Any]:
        said = self._mind.judge(*_pair(page, item))
        self._think(said.seconds, page)
        return {"position": item["position"], "ms": round(said.seconds * 1000), **said.answer}

    def _count(self, judgments: list[dict[str, Any]]) -> None:
        self.day.done["HITs"] += 1
        for judgment in judgments:
            self.day.done.update({"pairs": 1, judgment["label"]: 1, "edits": len(judgment.get("edits", ()))})

    def _think(self, seconds: float, page: dict[str, Any] | None = None) -> None:
        """Let the person's seconds pass, with a sign of life now and then while they hold a page."""
        self.day.seconds += seconds
        left = seconds / self._speed if self._speed else 0.0
        while not self._stop.wait(now := min(left, BEAT - self._silent)) and left > now:
            self._silent, left = 0.0, left - now
            if page is not None:
                self._client.post(f"/assignments/{page['id']}/heartbeat")
                self.day.done["heartbeats"] += 1
        if self._stop.is_set():
            raise StoppedError
        self._silent += now


def _pair(page: dict[str, Any], item: dict[str, Any]) -> tuple[str, str]:
    """(picture, text), whichever of the two the page holds still."""
    if page["query"] is None:
        return address_of(page["image"]), item["text"]
    return address_of(item["image"]), page["query"]["text"]
