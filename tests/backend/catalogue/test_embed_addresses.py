"""Embedding a list of addresses: only where this site may fetch, by many at once, and within its memory."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from backend.catalogue.models import Corpus
from backend.runs.models import Refusal, Run, RunStatus
from corpora import MeanColours, caption, key, opened, parquet_corpus, picture, url_corpus
from drawn import write_tar
from workers.engines.in_order import AHEAD, cores
from workers.engines.seen import Seen, see
from workers.tasks import corpora_shards

pytestmark = pytest.mark.django_db(transaction=True)
Register = Callable[..., Corpus]
Embed = Callable[..., Run]


def test_a_list_of_addresses_is_not_embedded_unless_this_site_may_fetch(
    register: Register, embed: Embed, tmp_path: Path
) -> None:
    register(url_corpus(tmp_path / "corpus", "https://a.example/1.jpg\tA cat\n"))
    run = embed()
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "not_fetched")
    assert "Download them with img2dataset" in run.error["message"]


def test_a_list_of_addresses_is_fetched_where_the_site_may(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, settings: Any, monkeypatch: Any
) -> None:
    def fetch(url: str) -> bytes:
        return picture(int(url.rpartition("/")[2]))

    settings.FETCH_CORPORA = True
    monkeypatch.setattr("workers.tasks.corpora_fetching.Fetcher", lambda: fetch)
    corpus = register(url_corpus(tmp_path / "corpus", "https://a.example/7\tA cat\nhttps://a.example/8\tA dog\n"))
    assert embed().status == RunStatus.SUCCEEDED
    np.testing.assert_array_equal(opened(corpus, encoder).rows(np.array([1]))[0], encoder.vector_of(picture(8)))


def test_one_placeholder_of_many_dead_addresses_is_no_image_of_theirs(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, settings: Any, monkeypatch: Any
) -> None:
    gone, good = picture(1), picture(2)
    answers = {"0": gone, "1": good, "2": b"<html>Not found</html>", "3": gone, "4": gone, "5": good, "6": picture(3)}
    lines = [f"https://a.example/{n}\tCaption {n}\n" for n in range(5)]
    lines += ["https://b.example/6\tSame caption\n", "https://c.example/6\tSame caption\n"]
    settings.FETCH_CORPORA = True
    monkeypatch.setattr("workers.tasks.corpora_fetching.Fetcher", lambda: lambda url: answers[url.rpartition("/")[2]])
    corpus = register(url_corpus(tmp_path / "corpus", "".join(lines)))
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert run.counts["dropped"] == {"not_an_image": 1, "placeholder": 3}
    assert run.counts["in"] == run.counts["out"] + sum(run.counts["dropped"].values()) == 7
    vectors = opened(corpus, encoder)
    np.testing.assert_array_equal(vectors.rows(np.array([0]))[0], encoder.vector_of(good))
    assert len(vectors) == 3  # one address per mirror with the same caption is a mirror
    refused = Refusal.objects.filter(run=run).order_by("id")
    assert [one.name.rpartition(" ")[2] for one in refused] == ["000000000", "000000002", "000000003", "000000004"]
    assert all("2 other addresses" in one.message for one in refused if one.code == "placeholder")


@pytest.mark.nightly
@pytest.mark.parametrize("layout", ["tar", "parquet"])
def test_a_placeholder_that_was_downloaded_many_times_into_one_shard_is_left_out(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, layout: str
) -> None:
    """Rows 0, 2 and 3 are one image from three addresses; rows 4 and 5 are one image from one address."""
    images = [picture(n) for n in (1, 2, 1, 1, 5, 5, 6)]
    addresses = [f"https://a.example/{n}.jpg" for n in (0, 1, 2, 3, 4, 4, 6)]
    folder = tmp_path / "corpus"
    if layout == "parquet":
        parquet_corpus(folder, shards=(7,), jpg=pa.array(images), url=addresses)
    else:
        facts = [{"key": key(n), "caption": caption(n), "url": address} for n, address in enumerate(addresses)]
        members = {f"{key(n)}.jpg": image for n, image in enumerate(images)}
        members |= {f"{key(n)}.json": json.dumps(fact).encode() for n, fact in enumerate(facts)}
        folder.mkdir()
        write_tar(folder / "00000.tar", dict(sorted(members.items())))
    corpus = register(folder)
    run = embed()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert (run.counts["in"], run.counts["out"], run.counts["dropped"]) == (7, 4, {"placeholder": 3})
    np.testing.assert_array_equal(opened(corpus, encoder).rows(np.array([0]))[0], encoder.vector_of(images[1]))
    refused = Refusal.objects.filter(run=run, code="placeholder").order_by("id")
    assert [one.name.rpartition(" ")[2] for one in refused] == [key(0), key(2), key(3)]
    assert all("2 other addresses" in one.message for one in refused)


def test_addresses_are_fetched_by_many_within_the_memory_there_is_and_decoded_by_the_cores(
    register: Register, embed: Embed, encoder: MeanColours, tmp_path: Path, settings: Any, monkeypatch: Any
) -> None:
    """Room for five of the largest pictures: no more are ever under way, nor wait to be decoded."""
    lock, fetching, held, decoding, most = threading.Lock(), [0], [0], [0], Counter[str]()

    def step(of: list[int], by: int, what: str) -> None:
        with lock:
            of[0] += by
            most[what] = max(most[what], of[0])

    def fetch(url: str) -> bytes:
        step(held, 1, "held")
        step(fetching, 1, "fetching")
        time.sleep(0.01)
        step(fetching, -1, "fetching")
        return picture(int(url.rpartition("/")[2])).ljust(100_000, b"\0")

    def see_slowly(data: bytes) -> Seen:
        step(decoding, 1, "decoding")
        time.sleep(0.01)
        step(decoding, -1, "decoding")
        step(held, -1, "held")
        return see(data)

    settings.FETCH_CORPORA = True
    monkeypatch.setattr("workers.tasks.corpora_fetching.Fetcher", lambda: fetch)
    monkeypatch.setattr(corpora_shards, "see", see_slowly)
    monkeypatch.setattr(corpora_shards, "MOST_FETCHED", 100_000)
    monkeypatch.setattr(corpora_shards, "HELD", 500_000)
    corpus = register(
        url_corpus(tmp_path / "corpus", "".join(f"https://a.example/{n}\tA cat {n}\n" for n in range(60)))
    )
    assert embed().status == RunStatus.SUCCEEDED
    assert len(opened(corpus, encoder)) == 60
    assert most["decoding"] <= cores()
    assert 2 <= most["fetching"] <= 5
    assert most["held"] <= 5 + AHEAD * cores() + 1  # and what is decoded next
