"""Judgments made elsewhere: four layouts, and the figures that papers publish of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.reading import (
    NotJudgmentsError,
    PairVotes,
    Rows,
    read_csv,
    read_json_lines,
    read_nested,
)
from backend.methods.foreign.report import Line, beside_published, report_rows, report_votes

QUICK = Bootstrap(100)
THREE_ROWS = (("t1", "ann", "good"), ("t1", "bob", "bad"), ("t2", "ann", "good"))


def shown(lines: list[Line]) -> dict[str, str]:
    return {line.figure: line.ours for line in lines}


@pytest.mark.parametrize("header", ["task,worker,label", "item,worker,response", "unit,annotator,value"])
def test_rows_are_read_under_the_names_that_others_use(header: str) -> None:
    text = header + "\n" + "\n".join(",".join(row) for row in THREE_ROWS)
    assert read_csv(text) == Rows(THREE_ROWS)


def test_a_column_of_gold_is_read_too() -> None:
    assert read_csv("worker,item,response,gold\nann,1,0,1\nbob,1,1,1\n").gold == {"1": "1"}


def test_a_mapping_by_worker_and_lines_of_raters_give_the_same_rows() -> None:
    by_worker = read_nested({"ann": {"t1": "good", "t2": "good"}, "bob": {"t1": "bad"}})
    lines = read_json_lines(
        '{"identifier": "t1", "evals": {"ann": "good", "bob": "bad"}, "label": "good"}\n'
        '{"identifier": "t2", "evals": {"ann": "good"}, "label": "good"}'
    )
    assert isinstance(by_worker, Rows)
    assert sorted(by_worker.rows) == sorted(lines.rows) == sorted(THREE_ROWS)
    assert lines.gold == {"t1": "good", "t2": "good"}


def test_votes_of_queries_are_read_in_the_order_of_our_labels() -> None:
    read = read_nested({"0": {"7": [1, 2, 0]}, "1": {"7": [3, 0, 0], "9": [0, 0, 3]}})
    assert isinstance(read, PairVotes)
    assert (read.counts.tolist(), read.query, read.image) == (
        [[1, 2, 0], [3, 0, 0], [0, 0, 3]], ("0", "1", "1"), ("7", "7", "9"),
    )  # fmt: skip


@pytest.mark.parametrize("values", [[1, 2], {"0": [1, 2, 3]}, {"0": {"7": [1, 2]}}, {"0": {"7": [1, -2, 0]}}])
def test_what_holds_no_judgments_is_refused(values: object) -> None:
    with pytest.raises(NotJudgmentsError):
        read_nested(values)


def test_rows_without_a_column_are_refused_by_its_name() -> None:
    with pytest.raises(NotJudgmentsError, match="no column worker"):
        read_csv("task,label\n1,good\n")
    with pytest.raises(NotJudgmentsError, match="task or worker or label"):
        read_csv("")
    with pytest.raises(NotJudgmentsError, match="evals"):
        read_json_lines('{"identifier": "1"}')


def test_figures_that_a_paper_publishes_stand_beside_ours_and_those_we_cannot_make_say_why() -> None:
    lines = {line.figure: line for line in beside_published("mturk", [Line("queries", "80"), Line("pairs", "8,407")])}
    assert lines["queries"].published == "80 (ConQA (ECIR 2024))"
    assert lines["pairs"].published == ""
    assert lines["Cohen kappa, workers against controls"].ours == "-"
    assert "not released" in lines["Cohen kappa, workers against controls"].why


def test_gold_of_other_items_or_labels_gives_no_accuracy() -> None:
    for gold in ({"t1": "good"}, {"t1": "good", "t2": "fine"}):
        assert not any(name.startswith("accuracy") for name in shown(report_rows(Rows(THREE_ROWS, gold))))


def test_conqa_as_released(shared_data: Path) -> None:
    votes = read_nested(json.loads((shared_data / "conqa" / "mturk.json").read_text()))
    kinds = json.loads((shared_data / "conqa" / "seed.json").read_text())
    assert isinstance(votes, PairVotes)
    conceptual = {name for name, query in kinds.items() if query["Conceptual"]}
    found = shown(report_votes(votes, conceptual=conceptual, bootstrap=QUICK))
    assert found["votes: relevant, non-relevant, unsure"] == "15,657, 10,437, 3,556"
    assert (found["pairs"], found["images"], found["fewest votes of a pair"]) == ("8,407", "6,623", "3")
    assert found["cost in USD"] == "1155"
    assert found["median % of pairs Unsure by plurality, conceptual"] == "18.00"
    assert found["median % of pairs Unsure by plurality, descriptive"] == "13.66"
