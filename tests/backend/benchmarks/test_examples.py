"""The examples of operations about benchmarks have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.test import APIClient

from api_examples import Examples
from backend.people.models import User
from benchmark_uploads import upload
from released_worlds import reject_one_of_each_and_release

KEPT_WORLD = reject_one_of_each_and_release

TABLE = b"name,pretrained,params (M),Flickr image retr. R@1,MSCOCO text retr. R@5\nViT-B-32,openai,151,58.8,0.754\n"
FORM = {"format": "multipart"}


def test_benchmarks_are_as_in_their_examples(
    example: Examples, client_of: Callable[..., APIClient], alice: User, board: str, two: list[str],
    measured: Callable[..., Any],
) -> None:  # fmt: skip
    client, own = client_of(alice), board.removeprefix("/api/v1/")
    sent = {"file": upload("open_clip.csv", TABLE), "name": "open_clip", "published_in": "https://example.org/table"}
    result = {**measured("third"), "note": "On another machine."}
    made = example("benchmarks_import", client.post, own, result, more=FORM)
    example("benchmarks_publish", client.post, f"{own}/published", sent, more=FORM)
    example("benchmarks_leaderboard", client.get, own)
    table = example("benchmarks_published", client.get, f"{own}/published")
    example("benchmarks_retrieve", client.get, f"benchmarks/{two[1]}")
    example("benchmarks_queries", client.get, f"benchmarks/{two[1]}/queries")
    example("benchmarks_compare", client.get, f"benchmarks/compare?a={two[0]}&b={two[1]}")
    example("benchmarks_delete", client.delete, f"benchmarks/{made['id']}")
    del table
