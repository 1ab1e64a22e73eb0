"""True labels of a foreign file: accuracy over the items that have one, and nothing lost without a word."""

from __future__ import annotations

import json

import pytest

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.reading import Rows, read_judgments
from backend.methods.foreign.report import report_rows
from backend.methods.foreign.told import Line

QUICK = Bootstrap(20)
ACCURACY = "accuracy of the majority, ties split"
# Both say cat of the even ones and dog of the odd ones.
ANIMALS = tuple((f"t{n}", who, "dog" if n % 2 else "cat") for n in range(8) for who in ("ann", "bob"))


def lines_of(rows: Rows, gold: dict[str, str] | None = None) -> dict[str, Line]:
    return {line.figure: line for line in report_rows(rows, gold=gold, bootstrap=QUICK)}


def read(text: str) -> Rows:
    found = read_judgments(text)
    assert isinstance(found, Rows)
    return found


def test_accuracy_is_over_the_items_whose_true_label_is_known() -> None:
    lines = lines_of(Rows(ANIMALS), {"t0": "cat", "t1": "dog", "t2": "dog"})
    for method in ("the majority, ties split", "Dawid-Skene, no smoothing", "Dawid-Skene", "MACE"):
        assert lines[f"accuracy of {method}"].ours == "0.6667 n=3"
    assert "3 of 8 items" in lines[ACCURACY].why


def test_a_true_label_that_nobody_gave_is_found_by_no_method() -> None:
    lines = lines_of(Rows(ANIMALS, {f"t{n}": "fox" if n == 3 else "cat" for n in range(8)}))
    assert (lines[ACCURACY].ours, "1 of them have no answer with" in lines[ACCURACY].why) == ("0.5000 n=8", True)


@pytest.mark.parametrize("gold", [{}, {"t88": "cat"}])
def test_true_labels_of_no_item_say_why_there_is_no_accuracy(gold: dict[str, str]) -> None:
    lines = lines_of(Rows(ANIMALS), gold)
    assert (lines[ACCURACY].ours, "no item" in lines[ACCURACY].why) == ("-", True)
    if gold:
        assert lines["true labels of items without an answer"].why == "See t88"


def test_without_any_true_label_there_is_nothing_to_say() -> None:
    assert not any("accuracy" in figure or "true label" in figure for figure in lines_of(Rows(ANIMALS)))


def test_an_item_with_two_true_labels_counts_in_no_accuracy_until_somebody_decides() -> None:
    """The last one won, wherever it stood."""
    text = "task,worker,label,gold\nt1,ann,cat,cat\nt1,bob,cat,dog\nt1,cy,cat,cat\nt2,ann,dog,dog\nt2,bob,dog,\n"
    twice = read(text)
    lines = lines_of(twice)
    assert (lines["items with two true labels"].ours, lines[ACCURACY].ours) == ("1", "1.0000 n=1")
    assert lines["items with two true labels"].why.endswith("See t1")
    decided = lines_of(twice, {"t1": "dog"})
    assert (decided.get("items with two true labels"), decided[ACCURACY].ours) == (None, "0.5000 n=2")
    raters = [{"identifier": "t1", "evals": {who: "cat", "bob": "cat"}, "label": label}
              for who, label in (("ann", "cat"), ("cy", "dog"))]  # fmt: skip
    assert read("\n".join(map(json.dumps, raters))).gold == {"t1": ""}


@pytest.mark.nightly
def test_what_label_studio_marks_as_ground_truth_is_told_as_left_out_of_the_judgments() -> None:
    def said(of: int, who: int, label: str, *, is_truth: bool = False) -> dict[str, object]:
        value = [{"from_name": "c", "type": "choices", "value": {"choices": [label]}}]
        return {"id": 10 * of + who, "completed_by": who, "ground_truth": is_truth, "result": value}

    tasks = [
        {"id": n, "data": {}, "annotations": [said(n, 1, "good"), said(n, 2, "bad"), said(n, 9, "good", is_truth=True)]}
        for n in range(4)
    ]
    lines = lines_of(read(json.dumps(tasks)))
    assert (lines["annotators"].ours, lines["left out"].ours) == ("2", "4")
    assert lines["left out"].why.startswith("It is marked as the true label")
    assert lines[f"{ACCURACY}, unsure as value"].ours == "0.5000 n=4"


@pytest.mark.nightly
def test_with_unsure_missing_what_is_truly_unsure_is_left_out() -> None:
    rows = tuple((f"t{n}", who, label) for n, label in enumerate(("good", "bad", "unsure")) for who in "ab")
    lines = lines_of(Rows(rows), {"t0": "Good", "t1": "good", "t2": "unsure"})
    assert lines[f"{ACCURACY}, unsure as value"].ours == "0.6667 n=3"
    assert lines[f"{ACCURACY}, unsure as missing"].ours == "0.5000 n=2"
    assert lines[f"{ACCURACY}, unsure as middle"].ours == "0.6667 n=3"
