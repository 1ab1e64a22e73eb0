"""What is exported in a layout that Connote imports comes back equal, whatever the texts are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.methods.exports.full_tables import CANDIDATES, JUDGMENTS
from backend.methods.exports.judged import (
    CONFIG,
    Judged,
    read_judged,
    write_conqa,
    write_crowd_kit,
    write_label_studio,
)
from backend.methods.exports.parquet_file import ParquetFile
from backend.methods.foreign.conqa import read_query_words
from backend.methods.foreign.reading import tell_judgments

ODD = ["=1+1", "'=x", "\u2028", '"', "🌩️", "\n", "-", "@", "é", "a", ",", ";", "\t", "{", "'"]
TEXTS = st.lists(st.one_of(st.sampled_from(ODD), st.characters(codec="utf-8", exclude_characters="\x00\r")), min_size=1)
LABELS = st.sampled_from(["good", "bad", "unsure"])
PAIRS = st.lists(
    st.tuples(
        TEXTS.map("".join).filter(str.strip),
        st.dictionaries(st.integers(1, 4), LABELS, min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=6,
)
Pairs = list[tuple[str, dict[int, str]]]


def judged_of(pairs: Pairs) -> Iterator[Judged]:
    """Each pair has an image and a key of its own."""
    for n, (text, said) in enumerate(pairs, start=1):
        caption = {
            "image": f"{n:064x}", "key": f"{n:032x}", "split": "train", "text": text, "raw_text": text,
            "source": "human", "label": "good", "decided_by": "majority", "category": "good",
        }  # fmt: skip
        rows = [
            {
                "annotator": f"annotator-{who:03d}",
                "label": label,
                "seconds": 1.5,
                "lens": None,
                "edits": [],
                "comment": None,
            }
            for who, label in sorted(said.items())
        ]
        yield Judged(caption, rows)


def expected(pairs: Pairs) -> list[tuple[str, str, str]]:
    return [
        (f"{n:064x}", f"annotator-{who:03d}", label)
        for n, (_, said) in enumerate(pairs, start=1)
        for who, label in sorted(said.items())
    ]


@given(PAIRS)
@settings(deadline=None)
def test_label_studio_comes_back_equal(pairs: Pairs) -> None:
    with TemporaryDirectory() as folder:
        path = write_label_studio(Path(folder), judged_of(pairs))
        told = tell_judgments(path.read_bytes())
    assert [(each.image, each.worker, each.label) for each in told] == expected(pairs)
    assert [each.text for each in told] == [text for text, said in pairs for _ in said]
    assert not any(each.why_not for each in told)


@given(PAIRS)
@settings(deadline=None)
def test_rows_of_crowd_kit_come_back_equal(pairs: Pairs) -> None:
    with TemporaryDirectory() as folder:
        path = write_crowd_kit(Path(folder), judged_of(pairs))
        told = tell_judgments(path.read_bytes())
    assert [(each.task, each.worker, each.label) for each in told] == [
        (image[32:], worker, label) for image, worker, label in expected(pairs)
    ]


@pytest.mark.nightly
@given(PAIRS)
@settings(deadline=None)
def test_votes_of_conqa_come_back_equal(pairs: Pairs) -> None:
    with TemporaryDirectory() as folder:
        votes, seeds = write_conqa(Path(folder), judged_of(pairs))
        told = tell_judgments(votes.read_bytes(), queries=read_query_words(seeds.read_bytes()))
    assert Counter((each.image, each.label) for each in told) == Counter(
        (image, label) for image, _, label in expected(pairs)
    )
    words = {each.image: each.text for each in told}
    assert words == {f"{n:064x}": " ".join(text.split()) for n, (text, _) in enumerate(pairs, start=1)}


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_crowd_kit_aggregates_the_rows(tmp_path: Path) -> None:
    from crowdkit.aggregation import MajorityVote

    path = write_crowd_kit(tmp_path, judged_of([("a", {1: "good", 2: "good", 3: "bad"}), ("b", {1: "bad", 2: "bad"})]))
    labels = MajorityVote().fit_predict(pd.read_csv(path, dtype=str))
    assert labels.to_dict() == {f"{1:032x}": "good", f"{2:032x}": "bad"}


def test_the_tasks_of_label_studio_fit_their_configuration(tmp_path: Path) -> None:
    path = write_label_studio(tmp_path, judged_of([('Say "no"\u2028 & <b>', {1: "good", 2: "unsure"})]))
    config = ElementTree.parse(tmp_path / "label_config.xml").getroot()  # noqa: S314
    choices = config.find("Choices")
    assert choices is not None
    shown = {each.get("name"): each.get("value", "").lstrip("$") for each in config if each is not choices}
    for task in json.loads(path.read_text(encoding="utf-8")):
        assert {task["data"][field] for field in shown.values()} == {task["data"]["image"], task["data"]["caption"]}
        for (result,) in (annotation["result"] for annotation in task["annotations"]):
            assert (result["from_name"], result["to_name"]) == (choices.get("name"), choices.get("toName"))
            assert result["to_name"] in shown
            assert set(result["value"]["choices"]) <= {choice.get("value") for choice in choices}


def test_the_converter_of_label_studio_reads_the_tasks_and_we_read_what_it_writes(tmp_path: Path) -> None:
    from label_studio_sdk.converter.converter import Converter, Format

    pairs: Pairs = [('Say "no"\u2028 & <b>', {1: "good", 2: "unsure"}), ("=1+1, a\nb 🌩️", {1: "bad"})]
    tasks = write_label_studio(tmp_path, judged_of(pairs))
    converter = Converter(config=str(tmp_path / "label_config.xml"), project_dir=str(tmp_path))
    for kind in (Format.JSON, Format.JSON_MIN, Format.CSV):
        folder = tmp_path / kind.name
        converter.convert(str(tasks), str(folder), kind, is_dir=False)
        (path,) = folder.iterdir()
        told = list(tell_judgments(path.read_bytes()))
        assert [(each.image, each.worker, each.label) for each in told] == expected(pairs), kind
        assert [each.text for each in told] == [text for text, said in pairs for _ in said], kind


def table(path: Path, schema: Any, rows: list[dict[str, Any]]) -> Path:
    with ParquetFile(path, schema) as file:
        for row in rows:
            file.add(row)
    return path


def test_captions_meet_their_judgments_and_those_without_are_there(tmp_path: Path) -> None:
    captions = [{"image": "a", "key": "1"}, {"image": "a", "key": "2"}, {"image": "b", "key": "1"}]
    said = [
        {"image": "a", "caption": "2", "label": "good", "is_counted": True},
        {"image": "a", "caption": "2", "label": "bad", "is_counted": False},
        {"image": "b", "caption": "1", "label": "bad", "is_counted": True},
    ]
    judged = read_judged(
        table(tmp_path / "candidates.parquet", CANDIDATES, captions), table(tmp_path / "j.parquet", JUDGMENTS, said)
    )
    assert [(each.caption["key"], [row["label"] for row in each.judgments]) for each in judged] == [
        ("1", []), ("2", ["good"]), ("1", ["bad"]),
    ]  # fmt: skip


@pytest.mark.parametrize("write", [write_label_studio, write_conqa, write_crowd_kit])
def test_nothing_judged_is_an_empty_file(tmp_path: Path, write: Any) -> None:
    write(tmp_path, iter([]))
    assert {path.read_text() for path in tmp_path.iterdir()} <= {
        "[]\n", "{}\n", CONFIG, '"task","worker","label","image","split"\n',
    }  # fmt: skip
