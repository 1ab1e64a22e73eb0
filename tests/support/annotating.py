"""The loop of an annotator without think time, as a process of its own: what it costs must not look like the server.

Reads a JSON order from its standard input, writes a JSON account to its standard output:

    {"site", "slug", "tokens", "seconds", "hands_over", "seed"}  ->  {"seconds", "processor", "completed", ...}
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from annotation_projects import right_label
from plain_http import PlainClient

ACCURACY = 0.92


class Annotator:
    """One person in the loop: `next` once, then `submit` that hands over the next; or `next` and `submit` by turns."""

    def __init__(self, order: dict[str, Any], token: str, account: Account) -> None:
        self.http = PlainClient(order["site"], token=token)
        self.slug, self.hands_over, self.account = order["slug"], order["hands_over"], account
        self.random = random.Random(f"{order['seed']} {token}")

    async def work(self, until: float) -> None:
        """Annotate until that moment or until nothing is left."""
        assignment = None
        while time.perf_counter() < until:
            if assignment is None:
                found = await self.timed("next", f"/projects/{self.slug}/assignments/next")
                if found is None or found["assignment"] is None:
                    return
                assignment = found["assignment"]
            assignment = await self.submit(assignment)
        self.http.close()

    async def submit(self, assignment: dict[str, Any]) -> dict[str, Any] | None:
        judgments = [self.judgment(item) for item in assignment["items"]]
        body = {"judgments": judgments, "fetch_next": self.hands_over}
        found = await self.timed("submit", f"/assignments/{assignment['id']}/submit", body, key=uuid4().hex)
        if found is None:
            return None
        self.account.completed += 1
        self.account.judgments += len(judgments)
        following: dict[str, Any] | None = found["next"]
        return following

    def judgment(self, item: dict[str, Any]) -> dict[str, Any]:
        right = right_label(item["text"])
        wrong = "good" if right == "bad" else "bad"
        label = right if self.random.random() < ACCURACY else wrong
        return {"position": item["position"], "label": label, "ms": 1500 + self.random.randrange(3000)}

    async def timed(self, verb: str, path: str, body: object = None, *, key: str = "") -> Any:
        """The answer, or None after writing down what went wrong."""
        start = time.perf_counter()
        try:
            status, found = await self.http.post(path, body, key=key)
        except (OSError, EOFError) as broken:
            self.account.errors[f"{verb} {type(broken).__name__}"] += 1
            return None
        self.account.latencies[verb].append(time.perf_counter() - start)
        if status < 300:
            return found
        self.account.errors[f"{verb} {status} {found.get('code') if isinstance(found, dict) else ''}"] += 1
        return None


class Account:
    """What the annotators did: latencies in seconds by verb, what was completed, what went wrong."""

    def __init__(self) -> None:
        self.latencies: dict[str, list[float]] = {"next": [], "submit": []}
        self.errors: Counter[str] = Counter()
        self.completed = self.judgments = 0


async def annotate(order: dict[str, Any]) -> dict[str, Any]:
    """Let everybody with a token work at once, and account for it."""
    account, start, spent = Account(), time.perf_counter(), time.process_time()
    people = [Annotator(order, token, account) for token in order["tokens"]]
    await asyncio.gather(*(person.work(start + order["seconds"]) for person in people))
    return {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - spent,
        "completed": account.completed,
        "judgments": account.judgments,
        "latencies": account.latencies,
        "errors": dict(account.errors),
    }


if __name__ == "__main__":
    json.dump(asyncio.run(annotate(json.load(sys.stdin))), sys.stdout)
