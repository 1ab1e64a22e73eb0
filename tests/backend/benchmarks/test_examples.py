"""The examples of benchmarks in the API's schema have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework.test import APIClient

from backend.common.schema import EXAMPLES
from backend.people.models import User
from benchmark_uploads import upload
from shapes import unlike

TABLE = b"name,pretrained,params (M),Flickr image retr. R@1,MSCOCO text retr. R@5\nViT-B-32,openai,151,58.8,0.754\n"


def test_each_example_of_an_answer_about_benchmarks_has_the_shape_of_a_real_one(
    client_of: Callable[..., APIClient], alice: User, board: str, two: list[str], measured: Callable[..., Any]
) -> None:
    client, own = client_of(alice), "/api/v1/benchmarks"
    sent = {"file": upload("open_clip.csv", TABLE), "name": "open_clip", "published_in": "https://example.org/table"}
    found = {
        "benchmarks_import": client.post(board, {**measured("third"), "note": "On another machine."}, "multipart"),
        "benchmarks_publish": client.post(f"{board}/published", sent, "multipart"),
        "benchmarks_leaderboard": client.get(board),
        "benchmarks_published": client.get(f"{board}/published"),
        "benchmarks_retrieve": client.get(f"{own}/{two[1]}"),
        "benchmarks_queries": client.get(f"{own}/{two[1]}/queries"),
        "benchmarks_compare": client.get(f"{own}/compare", {"a": two[0], "b": two[1]}),
    }
    assert {name: answer.json() for name, answer in found.items() if answer.status_code not in (200, 201)} == {}
    assert found.keys() == {name for name in EXAMPLES if name.startswith("benchmarks_")}
    odd = [each for name, answer in found.items() for each in unlike(EXAMPLES[name]["answer"], answer.json(), name)]
    assert odd == []
