"""`manage.py compare` and `manage.py describe_queries`."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.methods.wordnet import DEBIANS


def run(*words: Any) -> str:
    out = StringIO()
    call_command(*map(str, words), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "set.jsonl"
    rows = [{"image": f"i{n}", "captions": [f"{n} a", f"{n} b"]} for n in range(40)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def measured(data: Path, out: Path, *options: str) -> Path:
    run("evaluate", "retrieval", "--data", data, "--model", "mock", "--set", "draws=20", "--out", out, *options)
    return out / "result.json"


def test_shared_queries_are_compared_in_pairs_and_models_that_are_level_are_named(lines: Path, tmp_path: Path) -> None:
    paths = [
        measured(lines, tmp_path / name, "--set", f"strength={strength}", "--set", f"seed={seed}")
        for name, strength, seed in (("weak", 0.3, 0), ("strong", 2, 0), ("other", 2, 1))
    ]
    asked = ("hit@1", "mrr", "rank_all_median", "rank_best_mean", "rsum")
    options = ("--draws", "300", "--measure", *asked, "--out", tmp_path / "compared.json")
    said = run("compare", *paths, *options)
    found = json.loads((tmp_path / "compared.json").read_text())
    part = found["text_to_image"]["measures"]["mrr"]
    assert found["text_to_image"]["shared"]
    assert part["level"] == [["mock (2)", "mock (3)"], ["mock"]] or part["level"] == [
        ["mock (3)", "mock (2)"],
        ["mock"],
    ]
    body = json.loads(paths[1].read_text())
    for way, each in (("text_to_image", "mrr"), ("image_to_text", "rank_all_median"), ("both", "rsum")):
        of = found[way]["measures"][each]
        assert of["means"]["mock (2)"] == pytest.approx(body["metrics"][way][each]["value"])
        assert of["pairs"][0]["value"] == pytest.approx(of["means"]["mock (2)"] - of["means"]["mock"])
        assert of["level"][0] != ["mock"] and of["pairs"][0]["is_real"], each
    assert {tuple(row["models"]): row["is_real"] for row in part["pairs"]} == {
        ("mock", "mock (2)"): True, ("mock", "mock (3)"): True, ("mock (2)", "mock (3)"): False,
    }  # fmt: skip
    assert "mock (2) - mock: +0." in said and "text to image, the same queries" in said
    assert run("compare", *paths, *options) == said


def test_other_queries_are_compared_by_mann_whitney(lines: Path, tmp_path: Path) -> None:
    paths = [measured(lines, tmp_path / "a"), measured(lines, tmp_path / "b", "--limit", "10", "--set", "strength=3")]
    said = run("compare", *paths, "--measure", "mrr")
    assert "different queries" in said and "mock (2) over mock: rank-biserial 0." in said


@pytest.mark.nightly
def test_auprc_is_compared_on_the_same_pairs_and_above_chance_on_others(lines: Path, tmp_path: Path) -> None:
    rows = [
        {"image": f"i{n}", "captions": [f"{n} a", f"{n} b"], "rejected": [f"{n} wrong"], "categories": ["odd", "even"]}
        for n in range(60)
    ]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    paths = []
    for name, options in {"weak": "0.2", "same": "0.2", "strong": "2"}.items():
        out = tmp_path / name
        words = ("auprc", "--data", lines, "--model", "mock", "--set", "draws=20", "--set", f"strength={options}")
        run("evaluate", *words, "--out", out)
        paths.append(out)
    said = run("compare", *paths, "--draws", "200", "--out", tmp_path / "found.json")
    found = json.loads((tmp_path / "found.json").read_text())["pairs"]
    part = found["measures"]["auprc"]
    told = {tuple(row["models"]): row for row in part["pairs"]}
    assert found["shared"] and part["level"] == [["mock (3)"], ["mock", "mock (2)"]]
    assert told["mock", "mock (2)"]["value"] == 0 and told["mock", "mock (2)"]["p"] == 1
    body = json.loads((paths[2] / "result.json").read_text())
    assert part["means"]["mock (3)"] == pytest.approx(body["metrics"]["pairs"]["auprc"]["value"])
    row = told["mock", "mock (3)"]
    assert row["is_real"] and 0 < row["low"] < row["value"] < row["high"] and "pairs, the same queries" in said
    for category, figures in body["categories"].items():
        means = found["categories"][category]["measures"]["auprc"]["means"]
        assert means["mock (3)"] == pytest.approx(figures["pairs"]["auprc"]["value"])
        assert f"pairs, {category}, the same queries" in said
    assert len(found["categories"]) == len(body["categories"]) == 2

    run("evaluate", *words, "--limit", "40", "--out", tmp_path / "fewer")
    said = run("compare", paths[0], tmp_path / "fewer", "--draws", "200")
    assert "above_chance: mock (2)" in said and ": real; smallest to see" in said
    ranks = measured(lines, tmp_path / "ranks")
    with pytest.raises(CommandError, match="Compare results of one task"):
        run("compare", paths[0], ranks)


def test_what_cannot_be_compared_is_refused(lines: Path, tmp_path: Path) -> None:
    path = measured(lines, tmp_path / "a")
    for arguments, why in (
        ((path,), "Give at least two results"),
        ((path, tmp_path / "gone.json"), "Connote cannot read"),
        ((path, path, "--measure", "hot@1"), "There is no measure 'hot@1'"),
    ):
        with pytest.raises(CommandError, match=why):
            run("compare", *arguments)
    body = json.loads(path.read_text())
    path.write_text(json.dumps(body | {"format": "other"}))
    with pytest.raises(CommandError, match=r"not one of Connote: \$.format"):
        run("compare", path, path)


@pytest.mark.nightly
@pytest.mark.shared_data
def test_the_queries_of_conqa_have_the_depths_of_its_second_table(shared_data: Path) -> None:
    said = run("describe_queries", shared_data / "conqa", "--wordnet", DEBIANS)
    conceptual, descriptive = said.split("query=conceptual")[1].split("query=descriptive")
    for part, depths in (
        (conceptual, ("2.9629 ± 1.9359", "4.8784 ± 1.5676", "6.7277 ± 1.7891")),
        (descriptive, ("3.5627 ± 2.3000", "5.9858 ± 1.3458", "8.0319 ± 1.4300")),
    ):
        found = [line.split("  ")[-1].strip() for line in part.splitlines() if "depth in WordNet" in line]
        assert found == list(depths)
    assert "words: fewest, median, mean, most" in said and "fully relevant" in said


def test_texts_that_are_ids_alone_cannot_be_described(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q 0 d 1\n")
    with pytest.raises(CommandError, match="without their words"):
        run("describe_queries", tmp_path / "qrels")
