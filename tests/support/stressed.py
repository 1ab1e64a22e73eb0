"""Annotators who behave as badly as people and machines do, over HTTP, and a log of what the site said it kept.

Some die holding a lease, submit twice with one key or with two, come back after their page was given away, work in two
tabs, skip, return, and ask again after a connection broke. None of them may ever lose an answer that the site took.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from annotation_projects import right_label
from plain_http import PlainClient

ACCURACY = 0.92
PATIENCE = 0.4  # seconds before the next try, where there was nothing to do or the site did not answer
TRIES = 150
CHANCES = {"twice": 0.05, "two_keys": 0.03, "dies": 0.03, "skips": 0.02, "returns": 0.02, "beats": 0.05, "late": 0.02}


@dataclass
class Log:
    """What the site confirmed, and what happened on the way. Shared by all annotators and their warden."""

    kept: dict[str, dict[int, str]] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    held_by_the_dead: set[str] = field(default_factory=set)
    held_for_later: set[str] = field(default_factory=set)
    happened: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    is_finished: bool = False


class Misbehaving:
    """One tab of one person. Whoever shares a token shares the person."""

    def __init__(self, site: str, slug: str, token: str, *, seed: int, log: Log, chances: dict[str, float]) -> None:
        self.http, self.twin = PlainClient(site, token=token), PlainClient(site, token=token)
        self.slug, self.log, self.chances = slug, log, chances
        self.random = random.Random(seed)
        self.is_patient = seed % 3 == 0

    async def work(self) -> None:
        """Annotate until the warden says that all is finished."""
        while not self.log.is_finished:
            found = await self._insist(self.http, f"/projects/{self.slug}/assignments/next")
            page = found[1]["assignment"] if found and found[0] == 200 else None
            while page is not None and not self.log.is_finished:
                page = await self._do(page)
            await asyncio.sleep(PATIENCE * self.random.uniform(0.5, 1.5))
        self.http.close()
        self.twin.close()

    async def _do(self, page: dict[str, Any]) -> dict[str, Any] | None:
        """One of the things people do with a page. The next page, where it came with the answer."""
        for what, chance in self.chances.items():
            if self.random.random() < chance:
                self.log.happened[what] += 1
                await getattr(self, f"_{what}")(page)
                return None
        return await self._submit(page, fetch_next=True)

    async def _submit(self, page: dict[str, Any], *, fetch_next: bool) -> dict[str, Any] | None:
        body = {"judgments": self._answers(page), "fetch_next": fetch_next}
        found = await self._insist(self.http, f"/assignments/{page['id']}/submit", body, key=uuid4().hex)
        self._note(page, body["judgments"], found)
        following: dict[str, Any] | None = found[1]["next"] if found and found[0] == 200 else None
        return following

    async def _twice(self, page: dict[str, Any]) -> None:
        """A double click: the same request over two connections at once."""
        await self._both(page, self._answers(page), keys=[uuid4().hex] * 2)

    async def _two_keys(self, page: dict[str, Any]) -> None:
        """Two tabs that do not know of each other send the same page."""
        await self._both(page, self._answers(page), keys=[uuid4().hex, uuid4().hex])

    async def _both(self, page: dict[str, Any], answers: list[dict[str, Any]], *, keys: list[str]) -> None:
        body, path = {"judgments": answers, "fetch_next": False}, f"/assignments/{page['id']}/submit"
        ways = zip((self.http, self.twin), keys, strict=True)
        both = await asyncio.gather(*(self._insist(way, path, body, key=key) for way, key in ways))
        for found in both:
            self._note(page, answers, found)

    async def _dies(self, page: dict[str, Any]) -> None:
        """Never heard of again with this page; another life begins later."""
        self.http.close()
        self.log.held_by_the_dead.add(page["id"])
        await asyncio.sleep(PATIENCE * 3)

    async def _late(self, page: dict[str, Any]) -> None:
        """Goes for lunch; the lease runs out meanwhile; sends all the same. Some stay away until it was taken back."""
        self.log.held_for_later.add(page["id"])
        await asyncio.sleep(PATIENCE * self.random.uniform(2, 20))
        while self.is_patient and not self.log.is_finished:
            found = await self._insist(self.http, f"/assignments/{page['id']}", method="GET")
            self.is_patient = found is not None and found[1]["status"] == "leased"
            await asyncio.sleep(PATIENCE * 3)
        await self._submit(page, fetch_next=False)

    async def _skips(self, page: dict[str, Any]) -> None:
        body = {"reason": "cannot_tell", "to": self.random.choice(["others", "me"])}
        await self._insist(self.http, f"/assignments/{page['id']}/skip", body)

    async def _returns(self, page: dict[str, Any]) -> None:
        await self._insist(self.http, f"/assignments/{page['id']}/return")

    async def _beats(self, page: dict[str, Any]) -> None:
        await self._insist(self.http, f"/assignments/{page['id']}/heartbeat")
        await self._submit(page, fetch_next=False)

    def _answers(self, page: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {"position": item["position"], "label": self._label(item["text"]), "ms": self.random.randrange(900, 9000)}
            for item in page["items"]
        ]

    def _label(self, text: str) -> str:
        right = right_label(text)
        return right if self.random.random() < ACCURACY else "good" if right == "bad" else "bad"

    def _note(self, page: dict[str, Any], answers: list[dict[str, Any]], found: tuple[int, Any] | None) -> None:
        """A 2xx is a promise: write down what was promised. Two promises for one page must be the same."""
        if found is None or found[0] >= 300:
            self.log.happened[f"submit refused: {found[1].get('code') if found else 'no answer'}"] += 1
            return
        self.log.happened["submitted"] += 1
        labels = {answer["position"]: answer["label"] for answer in answers}
        if self.log.kept.setdefault(page["id"], labels) != labels:
            self.log.faults.append(f"{page['id']} was taken twice with different answers")
        if found[1]["is_late"]:
            self.log.late.add(page["id"])

    async def _insist(
        self, http: PlainClient, path: str, body: object = None, *, key: str = "", method: str = "POST"
    ) -> tuple[int, Any] | None:
        """The answer, asked for again, under the same key, while the site is away. None after too many tries."""
        for _ in range(TRIES):
            try:
                status, found = await asyncio.wait_for(http.ask(method, path, body, key=key), timeout=60)
            except (TimeoutError, OSError, EOFError) as broken:
                self.log.happened[f"broken: {type(broken).__name__}"] += 1
            else:
                if status < 500 and not (status == 409 and found["code"] == "crowded"):
                    if status not in (200, 204, 409):
                        self.log.faults.append(f"{path} answered {status}: {found}")
                    return status, found
                self.log.happened[f"answered {status}"] += 1
            await asyncio.sleep(PATIENCE * self.random.uniform(0.2, 1.5))
        self.log.faults.append(f"{path}: no answer after {TRIES} tries")
        return None


async def misbehave(site: str, slug: str, tokens: list[str], *, n_clients: int, seed: int, log: Log) -> None:
    """Let `n_clients` tabs work at once; where there are fewer tokens, the first people have two tabs."""
    tabs = [
        Misbehaving(site, slug, tokens[n % len(tokens)], seed=seed + n, log=log, chances=CHANCES)
        for n in range(n_clients)
    ]
    await asyncio.gather(*(tab.work() for tab in tabs))
