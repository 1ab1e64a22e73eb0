"""How a simulated annotator works through a project: look at the HIT, say what they think, send, take the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from workers.simulation.client import ApiClient

# (address of the picture's small thumbnail, caption) -> a judgment without its position: `label`, `ms`, more
Opinion = Callable[[str, str], dict[str, Any]]


def read_project(client: ApiClient, *, project: str, opinion: Opinion) -> Iterator[int]:
    """Judge until nothing is left for this person. Yields how many captions each HIT held."""
    assignment = client.next_assignment(project)
    while assignment:
        judgments = [_judged(item, assignment["image"], opinion) for item in assignment["items"]]
        following = client.submit(assignment["id"], judgments)
        yield len(judgments)
        assignment = following or client.next_assignment(project)


def _judged(item: dict[str, Any], image: dict[str, Any], opinion: Opinion) -> dict[str, Any]:
    return {"position": item["position"], **opinion(address_of(image), item["text"])}


def address_of(image: dict[str, Any]) -> str:
    """Where the picture's small thumbnail lies, without the signature, which changes."""
    return str(image["thumbnail"]["small"]["url"]).partition("?")[0]
