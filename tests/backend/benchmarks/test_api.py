"""Results on a release over HTTP: imported, side by side, query by query, as files; by curators, seen by members."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from django.core.files.storage import default_storage
from rest_framework.test import APIClient

from backend.annotation.models import Slot
from backend.benchmarks.data import data_of
from backend.benchmarks.models import Evaluation, ModelDifference
from backend.benchmarks.published import read_published
from backend.methods.benchmarks.reading import read_data
from backend.people.models import User
from backend.releases.models import Release
from benchmark_uploads import upload
from released_worlds import reject_one_of_each_and_release

KEPT_WORLD = reject_one_of_each_and_release

Clients = Callable[..., APIClient]
Files = dict[str, Any]
WAYS = ("image_to_text", "text_to_image")


@pytest.mark.nightly
def test_a_release_has_the_same_data_in_the_database_as_in_its_folder(release: Release, tmp_path: Path) -> None:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    for file in release.files.all():
        with default_storage.open(file.stored_as) as stored:
            (folder / file.name).write_bytes(stored.read())
    assert data_of(release).digest == read_data(folder).digest
    assert data_of(release).rejected


def test_results_stand_side_by_side_the_best_first_with_real_differences(
    client_of: Clients, alice: User, board: str, two: list[str], measured: Callable[..., Files]
) -> None:
    client, (weak, strong) = client_of(alice), two
    plain = client.get(board).json()
    assert [(row["model"], row["is_of_release"], row["source"]) for row in plain["rows"]] == [
        ("strong", True, "import"), ("weak", True, "import"),
    ]  # fmt: skip
    assert plain["tasks"] == [
        {"name": "retrieval", "n": 2},
        {"name": "relevance", "n": 0},
        {"name": "auprc", "n": 0},
    ]
    assert plain["metrics"][0]["name"] == "image_to_text.hit@1"
    assert {name["name"] for name in plain["categories"]} == {"source=human"}
    told = client.get(board, {"task": "retrieval", "reference": weak}).json()
    assert told["is_complete"]
    rows = {row["id"]: row["cells"] for row in told["rows"]}
    assert {"both.rsum", "image_to_text.rank_best_mean", "text_to_image.rank_all_median"} <= rows[strong].keys()
    for name in rows[strong]:
        cell = rows[strong][name]
        assert cell["difference"]["value"] == pytest.approx(cell["value"] - rows[weak][name]["value"])
        assert cell["difference"]["low"] <= cell["difference"]["value"] <= cell["difference"]["high"]
    assert all(cell["difference"] is None for cell in rows[weak].values())
    # Seen from the other one, from what is stored: the same with the other sign.
    assert ModelDifference.objects.count() == 1
    turned = {row["id"]: row["cells"] for row in client.get(board, {"reference": strong}).json()["rows"]}
    there, back = (cells["image_to_text.map"]["difference"] for cells in (rows[strong], turned[weak]))
    assert (back["value"], back["low"], back["high"]) == (-there["value"], -there["high"], -there["low"])
    assert ModelDifference.objects.count() == 1
    by_source = client.get(board, {"category": "source=human", "reference": weak}).json()
    cell = next(row for row in by_source["rows"] if row["id"] == strong)["cells"]["text_to_image.map"]
    assert cell["value"] == rows[strong]["text_to_image.map"]["value"]
    assert cell["difference"]["value"] == pytest.approx(rows[strong]["text_to_image.map"]["difference"]["value"])
    again = client.post(board, measured("the same by another name", strength=3.0), "multipart")
    assert (again.status_code, again.json()["code"]) == (409, "already_measured")
    assert client.get(board, {"reference": str(Release.objects.get().pk)}).json()["code"] == "no_such_reference"


@pytest.mark.nightly
def test_a_result_of_other_data_is_marked_and_never_compared(
    client_of: Clients, alice: User, board: str, two: list[str], release: Release, measured: Callable[..., Files]
) -> None:
    client, whole = client_of(alice), data_of(release)
    first = client.post(board, measured("first two", data=whole.limited(2)), "multipart").json()
    assert (first["is_of_release"], first["n_images"]) == (True, 2)
    texts = tuple(f"other {at}" for at in range(len(whole.texts)))
    other = client.post(board, measured("elsewhere", data=replace(whole, texts=texts)), "multipart").json()
    assert not other["is_of_release"]
    rows = client.get(board, {"reference": two[0]}).json()["rows"]
    compared = {row["model"] for row in rows if row["cells"]["image_to_text.hit@1"]["difference"]}
    assert compared == {"strong"}
    answer = client.get("/api/v1/benchmarks/compare", {"a": two[0], "b": other["id"]})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_comparable")
    page = client.get(f"/api/v1/benchmarks/{other['id']}/queries", {"direction": "text_to_image"}).json()
    assert page["results"][0]["query"]["text"] is None


def _broken(files: Files, change: Callable[[dict[str, Any]], Any]) -> Files:
    body = json.loads(files["result"].getvalue())
    change(body)
    return {"result": upload("result.json", json.dumps(body).encode())}


def test_a_file_that_is_no_result_is_refused_by_its_field(
    client_of: Clients, alice: User, board: str, measured: Callable[..., Files]
) -> None:
    client, good, other = client_of(alice), measured("good"), measured("other", strength=0.1)
    table = pq.read_table(io.BytesIO(good["per_query"].getvalue()))
    far = table.set_column(table.column_names.index("above"), "above", [[2**60] * len(table)])
    sink = io.BytesIO()
    pq.write_table(far, sink)
    wrong: list[tuple[Files, str]] = [
        ({}, "result"),
        ({"result": upload("a", b"{")}, "result"),
        ({"result": upload("a", b"[" * 100_000)}, "result"),
        ({"result": upload("a", b'{"a": NaN}')}, "result"),
        ({"result": upload("a", b'{"a": 1e999}')}, "result"),
        (_broken(good, lambda body: body.update(task="poetry")), "result"),
        (_broken(good, lambda body: body["model"].update(name="x" * 201)), "result"),
        (_broken(good, lambda body: body["model"].update(name="a\0b")), "result"),
        (_broken(good, lambda body: body["data"].update(images=10**12)), "result"),
        ({"result": good["result"], "per_query": other["per_query"]}, "per_query"),
        ({"result": good["result"], "per_query": upload("a", b"PAR1 no")}, "per_query"),
        ({"result": good["result"], "per_query": upload("a", sink.getvalue())}, "per_query"),
    ]
    for files, field in wrong:
        for file in files.values():
            file.seek(0)
        answer = client.post(board, files, "multipart")
        assert (answer.status_code, set(answer.json().get("fields", {}))) == (400, {field}), answer.json()
    assert not Evaluation.objects.exists()


def test_members_read_and_curators_alone_change(
    client_of: Clients, alice: User, dora: User, bob: User, charlie: User, board: str, two: list[str],
    measured: Callable[..., Files], django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:  # fmt: skip
    own, table = f"/api/v1/benchmarks/{two[0]}", f"{board}/published"
    reads = (board, f"{board}/export?format=csv", table, own, f"{own}/queries", f"{own}/files/result.json",
             f"{own}/files/per_query.parquet", f"/api/v1/benchmarks/compare?a={two[0]}&b={two[1]}")  # fmt: skip
    for address in reads:
        for user, wanted in ((None, 401), (charlie, 404), (bob, 403), (dora, 200), (alice, 200)):
            assert client_of(user).get(address).status_code == wanted, (address, user)
    Slot.objects.filter(assignment=None).delete()  # nothing is left to judge
    assert {client_of(bob).get(address).status_code for address in reads} == {200}
    csv: Files = {
        "file": upload("a.csv", b"model,image_to_text.hit@1\nx,0.5\n"),
        "name": "A",
        "published_in": "A paper",
    }
    for user, wanted in ((None, 401), (charlie, 404), (bob, 403), (dora, 403)):
        assert client_of(user).post(board, measured("new", seed=3), "multipart").status_code == wanted
        csv["file"].seek(0)
        assert client_of(user).post(table, csv, "multipart").status_code == wanted
        assert client_of(user).delete(own).status_code == wanted
    kept = Evaluation.objects.get(pk=two[0]).stored_as
    assert default_storage.exists(kept)
    with django_capture_on_commit_callbacks(execute=True):
        assert client_of(alice).delete(own).status_code == 204
    assert client_of(alice).get(own).status_code == 404
    assert not default_storage.exists(kept)
    assert not ModelDifference.objects.exists()
    elsewhere = f"/api/v1/projects/elsewhere/releases/{Release.objects.get().pk}/benchmarks"
    assert client_of(charlie).get(elsewhere).status_code == 404


def test_each_query_is_shown_with_the_ranks_of_its_right_items_and_the_best_wrong_one(
    client_of: Clients, alice: User, two: list[str], release: Release, measured: Callable[..., Files]
) -> None:
    client, (weak, strong) = client_of(alice), two
    body = Evaluation.objects.get(pk=weak).result
    for way in WAYS:
        found, address = [], f"/api/v1/benchmarks/{weak}/queries"
        asked: Any = {"direction": way, "order": "worst", "limit": 2}
        while address:
            page = client.get(address, asked).json()
            found += page["results"]
            address, asked = page["next"], None
        assert len(found) == page["total"] == body["metrics"][way]["map"]["n"]
        scores = [row["score"] for row in found]
        assert scores == sorted(scores)
        assert np.mean(scores) == pytest.approx(body["metrics"][way]["map"]["value"])
        hits = [min(rank for rank in row["ranks"]) <= 1 for row in found]
        assert np.mean(hits) == pytest.approx(body["metrics"][way]["hit@1"]["value"])
    entry = {each.digest: each.body for each in release.entries.all()}
    for row in found:  # of texts
        words = {caption["text"] for caption in entry[row["right"][0]["digest"]]["captions"]}
        assert row["query"]["text"] in words
        assert row["best_wrong"]["digest"] in entry.keys() - {row["right"][0]["digest"]}
        assert row["best_wrong"]["image_url"].startswith("/")
    page = client.get(f"/api/v1/benchmarks/{weak}/queries", {"order": "surprising"}).json()
    gaps = [abs(row["score"] - row["expected"]) for row in page["results"]]
    assert (page["expected_by"], gaps) == ("models", sorted(gaps, reverse=True))
    shown = client.get(f"/api/v1/benchmarks/{strong}").json()
    assert shown["result"] == Evaluation.objects.get(pk=strong).result
    assert shown["curves"]["image_to_text"][0] == [1.0, shown["cells"]["image_to_text.hit@1"]["value"]]
    groups = shown["ranks"]["text_to_image"]
    for category in ("", "source=human"):
        found = [group for group in groups if group["category"] == category]
        assert [(group["from"], group["to"]) for group in found] == [(1, 1), (2, 2), (3, None)][: len(found)]
        assert sum(group["n"] for group in found) == 15
    csv = b"".join(client.get(shown["files"][2]["url"]).streaming_content).decode().splitlines()
    assert csv[0] == '"direction","query","item","rank","equal_scores","categories"' and len(csv) == 1 + 2 * 15
    ranks = [float(line.split('","')[3]) for line in csv[1:] if line.startswith('"text_to_image"')]
    assert sum(rank == 1 for rank in ranks) == groups[0]["n"]
    assert [each["name"] for each in shown["categories"]] == ["source=human"]
    assert json.loads(b"".join(client.get(shown["files"][0]["url"]).streaming_content)) == shown["result"]
    table = b"".join(client.get(shown["files"][1]["url"]).streaming_content)
    assert table == measured("strong", strength=3.0)["per_query"].getvalue()
    both = client.get("/api/v1/benchmarks/compare", {"a": weak, "b": strong, "order": "b", "limit": "100"}).json()
    gains = [row["b"]["score"] - row["a"]["score"] for row in both["results"]]
    assert gains == sorted(gains, reverse=True)
    assert both["n_a_better"] + both["n_b_better"] + both["n_equal"] == both["total"] == 3
    assert np.mean(gains) == pytest.approx(both["differences"]["image_to_text.map"]["value"])
    for name, value in (("direction", "pairs"), ("category", "source=model"), ("limit", "0"), ("cursor", "x")):
        assert client.get(f"/api/v1/benchmarks/{weak}/queries", {name: value}).status_code == 400, name


def test_auprc_has_its_curves_and_no_queries(
    client_of: Clients, alice: User, board: str, measured: Callable[..., Files]
) -> None:
    client = client_of(alice)
    made = client.post(board, measured("mock", task="auprc"), "multipart").json()
    assert made["is_of_release"]
    own = f"/api/v1/benchmarks/{made['id']}"
    shown = client.get(own).json()
    assert shown["axes"] == ["recall", "precision"]
    assert shown["curves"]["all"][-1][0] == 1.0
    assert client.get(f"{own}/queries").json()["code"] == "no_queries_here"
    told = client.get(board).json()
    assert (told["task"], told["metrics"][0]["name"]) == ("auprc", "pairs.auprc")


def test_the_table_is_a_file_in_five_formats_that_no_program_takes_for_its_own_code(
    client_of: Clients, alice: User, board: str, two: list[str]
) -> None:
    client = client_of(alice)
    Evaluation.objects.filter(pk=two[0]).update(model_name="=1+1 <b>|a_b%")
    files = {}
    for name in ("csv", "latex", "markdown", "json", "svg"):
        answer = client.get(f"{board}/export", {"format": name, "reference": two[0]})
        assert answer.status_code == 200, name
        assert "attachment" in answer["Content-Disposition"]
        files[name] = b"".join(answer.streaming_content).decode()
        again = client.get(f"{board}/export", {"format": name, "reference": two[0]}, headers={"Range": "bytes=3-9"})
        assert b"".join(again.streaming_content).decode() == files[name].encode()[3:10].decode()
        known = {"If-None-Match": answer["ETag"]}
        assert client.head(f"{board}/export", {"format": name, "reference": two[0]}, headers=known).status_code == 304
    assert '"\'=1+1 <b>|a_b%"' in files["csv"]
    assert "=1+1 <b>|a\\_b\\% &" in files["latex"]
    assert "| =1+1 &lt;b>\\|a_b% |" in files["markdown"]
    assert len(json.loads(files["json"])["rows"]) == 2
    assert "&lt;b&gt;" in files["svg"]
    assert client.get(f"{board}/export", {"format": "pdf"}).status_code == 400


@pytest.mark.parametrize(
    "table",
    [
        b"sep=;\nmodel;dataset;image_to_text.hit@1\nm;d;50.5\n",
        b"Our results,,\n,,as of May\nmodel,dataset,image_to_text.hit@1\nm,d,0.505\n",
        "model\tdataset\timage_to_text.hit@1\nm\td\t0.505\n".encode("utf-16"),
        gzip.compress(b'[{"model": "m", "dataset": "d", "image_to_text.hit@1": 0.505},]'),
        b'{"model": "m", "dataset": "d", "image_to_text.hit@1": "0.505"}\n',
    ],
)  # fmt: skip
def test_published_tables_of_every_kind_are_read(table: bytes) -> None:
    cells = {"image_to_text.hit@1": pytest.approx(0.505)}
    assert read_published(table) == [{"model": "m", "dataset": "d", "cells": cells}]


def test_published_figures_are_shown_beside_and_never_as_results(client_of: Clients, alice: User, board: str) -> None:
    client, address = client_of(alice), f"{board}/published"
    table = b"name,pretrained,params (M),Flickr image retr. R@1,MSCOCO text retr. R@5\nViT-B-32,openai,151,58.8,0.754\n"
    asked = {"name": "open_clip", "published_in": "https://example.org/table"}
    made = client.post(address, {**asked, "file": upload("t.csv", table)}, "multipart")
    assert (made.status_code, made.json()["n_rows"]) == (201, 2)
    told = client.get(address, {"dataset": "Flickr"}).json()
    assert told["datasets"] == ["Flickr", "MSCOCO"]
    [row] = told["rows"]
    assert (row["model"], row["is_published"]) == ("ViT-B-32 openai", True)
    assert row["cells"] == {"text_to_image.hit@1": pytest.approx(0.588)}
    again = client.post(address, {**asked, "file": upload("t.csv", table)}, "multipart")
    assert (again.status_code, again.json()["code"]) == (409, "published_twice")
    for content in (b"", b"a,b\n1,2\n", b"model,x\nm,1\n", b"model,image_to_text.hit@1\nm,lots\n", b"\xff\xfe"):
        answer = client.post(address, {**asked, "name": "B", "file": upload("t.csv", content)}, "multipart")
        assert (answer.status_code, set(answer.json()["fields"])) == (400, {"file"}), content
    assert client.delete(f"/api/v1/benchmarks/published/{made.json()['id']}").status_code == 204
    assert client.get(address).json()["rows"] == []
