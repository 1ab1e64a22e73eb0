"""What a file's votes come to, item by item, as crowd-kit finds it from the same rows."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene, MajorityVote

from backend.methods.aggregation import fit_dawid_skene
from backend.methods.aggregation.category_readings import label_under
from backend.methods.agreement import Bootstrap
from backend.methods.consensus import LABELS, Votes
from backend.methods.foreign import report, verdicts
from backend.methods.foreign.reading import PairVotes, Rows, read_judgments
from backend.methods.foreign.report import report_rows, report_votes
from backend.methods.foreign.verdicts import middle_shares

QUICK = Bootstrap(50)


@pytest.fixture(params=range(5))
def rows(request: pytest.FixtureRequest) -> tuple[tuple[str, str, str], ...]:
    """Seven workers on 40 tasks, three right in four times, a third of the answers missing."""
    dice = np.random.default_rng(request.param)
    return tuple(
        (f"t{task:02}", f"w{worker}", LABELS[task % 3 if dice.random() < 0.75 else dice.integers(3)])
        for task in range(40)
        for worker in range(7)
        if dice.random() < 0.66
    )


def said(read: Rows | PairVotes) -> dict[str, str]:
    make = report_rows if isinstance(read, Rows) else report_votes
    return {line.figure: line.ours for line in make(read, bootstrap=QUICK)}  # type: ignore[operator]


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of crowd-kit on pandas 3
def test_majority_and_dawid_skene_are_those_of_crowd_kit(rows: tuple[tuple[str, str, str], ...]) -> None:
    lines, table = said(Rows(rows)), pd.DataFrame(rows, columns=["task", "worker", "label"])
    shares = MajorityVote().fit_predict_proba(table)
    is_open = np.isclose(shares.to_numpy(), shares.max(axis=1).to_numpy()[:, None]).sum(axis=1) > 1
    counted = Counter(shares.idxmax(axis=1)[~is_open])
    assert lines["items by majority, unsure as value"] == ", ".join(f"{counted[label]} {label}" for label in LABELS) + (
        f", {is_open.sum()} open"
    )
    counted = Counter(DawidSkene(n_iter=200).fit_predict(table))
    ours = dict(each.split()[::-1] for each in lines["items by Dawid-Skene, unsure as value"].split(", "))
    assert sum(abs(int(ours[label]) - counted[label]) for label in LABELS) <= 2, "smoothing may turn a doubtful one"


def test_categories_are_conqas_under_both_readings_of_most_and_all_three_of_unsure() -> None:
    votes = '{"0": {"a": [3, 0, 0], "b": [0, 3, 0], "c": [2, 1, 0], "d": [2, 1, 1], "e": [1, 1, 1], "f": [0, 0, 0]}}'
    lines = said(read_judgments(votes))  # type: ignore[arg-type]
    assert lines["pairs by category, unsure as value, most as plurality"] == (
        "1 fully non relevant, 1 fully relevant, 2 majority relevant, 1 unsure, 1 without votes"
    )
    assert lines["pairs by category, unsure as value, most as majority"] == (
        "1 fully non relevant, 1 fully relevant, 1 majority relevant, 2 unsure, 1 without votes"
    )
    assert lines["pairs by category, unsure as missing"] == (
        "1 fully non relevant, 1 fully relevant, 2 majority relevant, 1 unsure, 1 without votes"
    )
    assert lines["pairs by category, unsure as middle"] == (
        "1 fully non relevant, 1 fully relevant, 1 majority relevant, 2 unsure, 1 without votes"
    )


def test_who_is_in_the_middle_is_the_label_of_that_reading_and_half_and_half_where_two_are() -> None:
    votes = [Votes(*row) for row in product(range(5), repeat=3)]
    shares = middle_shares(np.array([[each.good, each.bad, each.unsure] for each in votes]))
    for each, share in zip(votes, shares, strict=True):
        label = label_under(each, "middle")
        assert share.sum() == pytest.approx(1)
        assert (LABELS[share.argmax()] if share.max() == 1 else None) == label, each


def test_verdicts_stand_under_all_three_readings_and_models_that_know_no_order_say_so() -> None:
    """Three judge ten items; one is unsure of everything, and two of the last alone."""
    rows = [(f"t{n}", who, "good" if n % 2 else "bad") for n in range(9) for who in "ab"]
    rows += [(f"t{n}", "c", "unsure") for n in range(10)] + [("t9", "a", "unsure")]
    lines = {line.figure: line for line in report_rows(Rows(tuple(rows)), bootstrap=QUICK)}
    assert lines["items by majority, unsure as value"].ours == "4 good, 5 bad, 1 unsure, 0 open"
    assert lines["items by majority, unsure as missing"].ours == "4 good, 5 bad, 1 open"
    assert lines["items by majority, unsure as middle"].ours == "4 good, 5 bad, 1 unsure, 0 open"
    for model in ("Dawid-Skene", "MACE"):
        assert lines[f"items by {model}, unsure as missing"].ours == "4 good, 5 bad, 1 open", "nobody said so of t9"
        none = lines[f"items by {model}, unsure as middle"]
        assert (none.ours, "no order of labels" in none.why) == ("-", True)


@pytest.mark.parametrize("labels", [("good", "bad", "unsure"), ("cat", "dog", "fox")])
def test_models_say_nothing_of_a_file_in_which_no_two_judged_the_same(labels: tuple[str, ...]) -> None:
    """As a project refuses them there; the majority is what the one person said."""
    rows = tuple((f"t{n}", "ann", labels[n % 3]) for n in range(6))
    lines = {line.figure.partition(",")[0]: line for line in report_rows(Rows(rows), bootstrap=QUICK)}
    assert lines["items by majority"].ours.startswith("2 ")
    for model in ("Dawid-Skene", "MACE"):
        assert lines[f"items by {model}"].ours == "-"
    values = [line for line in report_rows(Rows(rows), bootstrap=QUICK) if line.figure.startswith("items by Dawid")]
    assert "the method needs items that two people answered" in values[0].why


@pytest.mark.nightly
def test_very_many_pairs_of_annotators_have_the_same_mean_kappas_without_an_interval(
    rows: tuple[tuple[str, str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = said(Rows(rows))
    monkeypatch.setattr(report, "MOST_PAIRS", 20)
    many = {line.figure: line for line in report_rows(Rows(rows), bootstrap=QUICK)}
    kappas = [name for name in whole if name.startswith("cohen")]
    assert len(kappas) == 4
    for name in kappas:
        value, *_, n = whole[name].split()
        assert many[name].ours == f"{value} {n}"
        assert "21 pairs of annotators are too many" in many[name].why


def test_the_report_says_when_dawid_skene_did_not_reach_its_fixed_point(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Rows(tuple((f"t{n}", who, "yn"[(n * k) % 3 == 0]) for n in range(9) for k, who in enumerate("abc", start=1)))
    assert not [line for line in report_rows(data, bootstrap=QUICK) if "fixed point" in line.why]
    monkeypatch.setitem(verdicts.MODELS, "Dawid-Skene", partial(fit_dawid_skene, max_rounds=2))
    [line] = [line for line in report_rows(data, bootstrap=QUICK) if "fixed point" in line.why]
    assert line.figure == "items by Dawid-Skene"
    assert line.why.startswith("Dawid-Skene did not reach its fixed point in 2 rounds. Its probabilities still change")
