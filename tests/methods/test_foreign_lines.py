"""What a line of a report tells of a figure, its labels and what was drawn; and beside which files papers stand."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import krippendorff
import numpy as np
import pytest
from scipy.stats import spearmanr

from backend.methods.agreement import Bootstrap, Figure, Interval
from backend.methods.foreign.associations import association_lines
from backend.methods.foreign.columns import Columns
from backend.methods.foreign.labels import by_value, one_spelling
from backend.methods.foreign.lines import agreement_line
from backend.methods.foreign.reading import ItemVotes, NotJudgmentsError, PairVotes, Rows, read_judgments
from backend.methods.foreign.released import SIZES
from backend.methods.foreign.report import beside_published, pair_lines, report_item_votes, report_rows, report_votes
from backend.methods.foreign.told import Line

QUICK = Bootstrap(200)


def lines_of(rows: Rows, *, bootstrap: Bootstrap = QUICK) -> dict[str, Line]:
    return {line.figure: line for line in report_rows(rows, bootstrap=bootstrap)}


def read_rows(text: str, columns: Columns = Columns()) -> Rows:  # noqa: B008  # it is frozen
    found = read_judgments(text, columns)
    assert isinstance(found, Rows)
    return found


def test_a_scale_to_ten_is_ordered_by_value_and_not_as_text() -> None:
    dice = np.random.default_rng(1)
    said = np.clip(dice.integers(2, 10, size=60) + dice.integers(-1, 2, size=(3, 60)), 1, 10)
    rows = [f"t{n},w{who},{label}" for (who, n), label in np.ndenumerate(said)]
    lines = lines_of(read_rows("\n".join(["task,worker,label", *rows]), Columns(is_ordered=True)))
    ordinal = krippendorff.alpha(said, level_of_measurement="ordinal")
    assert float(lines["alpha_ordinal"].ours.split()[0]) == pytest.approx(ordinal, abs=1e-4)
    assert lines["labels, lowest first"].ours == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"


def test_what_rounds_to_nothing_has_no_sign() -> None:
    said = Interval(-0.00004, 0.00004, 0.95, 200, 0.0, 9, 0)
    figure = Figure("alpha_nominal", "as given", -1e-9, None, said, 9, 18, {})
    assert agreement_line(figure).ours == "0.0000 [0.0000, 0.0000] n=9"
    assert agreement_line(replace(figure, value=-0.05, interval=None)).ours == "-0.0500 n=9"


def test_labels_that_are_words_keep_the_order_of_their_names() -> None:
    rows = tuple((f"t{n}", who, label) for n, label in enumerate("BAC") for who in ("ann", "bob"))
    lines = lines_of(Rows(rows, is_ordered=True))
    assert lines["labels, lowest first"].ours == "A, B, C"


def test_one_number_written_in_two_ways_is_one_label_of_judgments_and_of_true_ones() -> None:
    rows = (("t1", "ann", "1"), ("t1", "bob", "1.0"), ("t2", "ann", "2"), ("t2", "bob", "2.00"))
    lines = {line.figure: line for line in report_rows(Rows(rows), gold={"t1": "1.0", "t2": "02"}, bootstrap=QUICK)}
    assert lines["items by majority"].ours == '1 "1", 1 "2", 0 open'
    assert lines["accuracy of the majority, ties split"].ours == "1.0000 n=2"
    names = tuple((f"t{n}", who, "9" * 20 + str(n)) for n in range(3) for who in "ab")
    assert lines_of(Rows(names))["items by majority"].ours.count("9" * 20) == 3, "so long a number is a name"


def test_numbers_keep_their_value_however_they_are_written() -> None:
    for label in ("1", "-2.50", "+3", ".5", "100", "1200.0", "0", "-0", "007"):
        assert float(one_spelling(label)) == float(label)
    ordered = [float(each) for each in by_value({"10", "9", "-3", "0.5", "100"})]
    assert all(low < high for low, high in pairwise(ordered))


def test_a_figure_tells_how_often_each_label_was_said_and_how_many_drawings_had_none() -> None:
    rows = tuple((f"t{n}", who, "x" if n or who == "a" else "y") for n in range(12) for who in "abc")
    line = lines_of(Rows(rows))["alpha_nominal"]
    assert "Labels: 94.4% x, 5.6% y." in line.why
    share = float(line.why.partition("y. ")[2].partition("%")[0])
    assert 25 < share < 50, "about one drawing in e lacks the one item that differs"
    assert line.why.endswith("of the samples have no figure and are left out.")
    even = tuple((f"t{n}", who, "xy"[(n + (who == "c")) % 2]) for n in range(40) for who in "abc")
    assert "drawings" not in lines_of(Rows(even))["alpha_nominal"].why


def test_a_mean_kappa_tells_over_how_many_pairs_it_is_where_some_have_none() -> None:
    rows = [(f"t{n}", who, "xy"[(n + (who == "b" and n == 3)) % 2]) for n in range(6) for who in "ab"]
    rows += [("t9", "c", "x"), ("t9", "d", "y")]
    line = lines_of(Rows(tuple(rows)))["cohen"]
    assert "n=7" in line.ours
    assert "1 of 2 pairs of annotators have a kappa, over 6 of these items." in line.why


def test_pairs_of_annotators_stand_under_all_three_readings() -> None:
    rows = tuple(
        (f"t{n}", who, ("good", "bad", "unsure")[n % 3 if who == "a" else n % 2]) for n in range(9) for who in "ab"
    )
    figures = [line.figure for line in pair_lines(Rows(rows), most=1, bootstrap=QUICK)]
    assert figures == [
        "cohen, unsure as value, a with b", "cohen, unsure as missing, a with b",
        "cohen_linear, unsure as middle, a with b", "cohen_quadratic, unsure as middle, a with b",
    ]  # fmt: skip
    plain = tuple((task, who, "yes" if label == "good" else "no") for task, who, label in rows)
    assert [line.figure for line in pair_lines(Rows(plain), most=1, bootstrap=QUICK)] == ["cohen, a with b"]


def votes_by_query() -> dict[str, dict[str, list[int]]]:
    """Eight queries: of all images of four everybody says that they fit, of the others nobody does; a tenth differ."""
    return {
        str(query): {str(100 * query + n): [3, 0, 0] if (query % 2) != (n == 0) else [1, 2, 0] for n in range(10)}
        for query in range(8)
    }


def test_votes_are_drawn_by_query_as_in_a_project() -> None:
    votes = read_judgments(json.dumps(votes_by_query()))
    assert isinstance(votes, PairVotes)
    by_query = next(line for line in report_votes(votes, bootstrap=QUICK) if line.figure.startswith("alpha_nominal"))
    assert by_query.ours.endswith("n=80 by query")
    apart = {
        f"{query} {image}": {image: each}
        for query, images in votes_by_query().items()
        for image, each in images.items()
    }
    split = read_judgments(json.dumps(apart))
    assert isinstance(split, PairVotes)
    by_pair = next(line for line in report_votes(split, bootstrap=QUICK) if line.figure.startswith("alpha_nominal"))
    assert width_of(by_query.ours) > 1.4 * width_of(by_pair.ours)


@pytest.mark.nightly
def test_a_table_with_a_query_is_drawn_by_query_and_one_with_a_caption_by_image() -> None:
    rows = [
        f"{image}.jpg,{query},w{who},{'good' if who < votes[0] else 'bad'}"
        for query, images in votes_by_query().items()
        for image, votes in images.items()
        for who in range(3)
    ]
    by_query, by_image = (
        lines_of(read_rows("\n".join([f"image,{text},worker,label", *rows]))) for text in ("query", "caption")
    )
    assert by_query["alpha_nominal, unsure as value"].ours.endswith("by query")
    assert by_image["alpha_nominal, unsure as value"].ours.endswith("by image")
    assert (by_query["queries"].ours, "queries" in by_image) == ("8", False)


@pytest.mark.nightly
@pytest.mark.parametrize(("text", "by"), [("query", " by query"), ("caption", " by image")])
def test_label_studios_queries_are_drawn_as_such(text: str, by: str) -> None:
    flat = [
        {"id": n, "image": f"{n % 7}.jpg", text: f"words {n % 3}", "annotator": who, "annotation_id": 10 * n + who,
         "choice": ("good", "bad", "unsure")[(n + who * (n % 2)) % 3]}
        for n in range(21) for who in (1, 2)
    ]  # fmt: skip
    lines = lines_of(read_rows(json.dumps(flat), Columns(label="choice")))
    assert lines["alpha_nominal, unsure as value"].ours.endswith(f"n=21{by}")


@pytest.mark.nightly
def test_labels_are_counted_even_where_no_two_people_judged_the_same_and_not_without_end() -> None:
    alone = tuple((f"t{n}", "ann", "good" if n else "bad") for n in range(9))
    assert lines_of(Rows(alone))["labels"].ours == "8 good, 1 bad, 0 unsure"
    many = tuple((f"t{n}", who, f"label {n:02}") for n in range(30) for who in "ab")
    lines = lines_of(Rows(many))
    assert lines["labels"].ours.endswith("2 label 19, and 10 more")
    assert "and 10 more." in lines["alpha_nominal"].why


def width_of(said: str) -> float:
    low, high = (float(each.strip("[],")) for each in said.split()[1:3])
    return high - low


@pytest.mark.parametrize("name", ["mturk", "existence", "rte_labels", "sighted_data_all"])
def test_papers_stand_beside_a_set_and_not_beside_another_file_of_its_name(name: str) -> None:
    whole = [Line(figure, size) for figure, size in SIZES[name].items()]
    assert any(line.published for line in beside_published(name, whole))
    part = [Line(whole[0].figure, "7"), *whole[1:]]
    for other in (part, whole[1:], [Line("judgments", "120"), Line("alpha_nominal", "0.4862")]):
        assert beside_published(name, other) == other


def test_what_models_score_stands_against_people() -> None:
    dice = np.random.default_rng(0)
    people = dice.integers(1, 6, size=(30, 2))
    model = people.mean(axis=1) + dice.normal(size=30)
    items = {
        f"i{n}": {"human_scores": pair, "human_avg": sum(pair) / 2, "model": score, "flat": 1, "text": "a pier"}
        for n, (pair, score) in enumerate(zip(people.tolist(), model.tolist(), strict=True))
    }
    read = read_judgments(json.dumps(items))
    assert isinstance(read, ItemVotes)
    lines = {line.figure: line for line in report_item_votes(read, bootstrap=QUICK)}
    spearman = spearmanr(people.mean(axis=1), model).statistic
    assert lines["model against people"].ours.startswith(f"Spearman {spearman:.4f}, Kendall ")
    assert lines["flat against people"].ours == "-"
    assert "human_avg against people" not in lines


def test_scores_that_differ_late_keep_names_of_their_own_and_their_value() -> None:
    """They were cut to six digits: two points of a scale had one name, and a mean of the scores was another number."""
    scores = [[0.12345671, 0.12345672], [1234567, 1234568.0], [2.50, 1e-7]]
    items = {f"i{n}": {"human_scores": pair, "human_avg": sum(pair) / 2} for n, pair in enumerate(scores)}
    read = read_judgments(json.dumps(items))
    assert isinstance(read, ItemVotes)
    assert read.labels == ("1e-07", "0.12345671", "0.12345672", "2.5", "1234567", "1234568")
    lines = {line.figure: line for line in report_item_votes(read, bootstrap=QUICK)}
    assert lines["alpha_ordinal"].why.startswith('Labels: 16.7% "1e-07", 16.7% "0.12345671", 16.7% "0.12345672", ')
    assert "human_avg against people" not in lines


def test_a_number_too_large_to_be_compared_is_told_with_its_place() -> None:
    items = {"i1": {"human_scores": [1, 2], "clip": 3}, "i2": {"human_scores": [2, 2], "clip": 10**400}}
    with pytest.raises(NotJudgmentsError, match="The number under clip of i2 is too large"):
        read_judgments(json.dumps(items))


def test_associations_tell_how_far_picks_overlap_and_that_nobodys_answer_is_there() -> None:
    head = "cue,associations,solvers_jaccard_mean,clip_predictions\n"
    text = head + 'war,"[""a"", ""b""]",0.9,"[""a"", ""c""]"\nsea,"[""d""]",0.7,"[""d""]"\n'
    lines = {line.figure: line for line in association_lines(text.encode()) or ()}
    assert lines["Jaccard index of people, mean"].ours == "0.8000"
    assert lines["Jaccard index of clip, mean"].ours == f"{(1 / 3 + 1) / 2:.4f}"
    assert (lines["agreement"].ours, "a mean" in lines["agreement"].why) == ("-", True)
    assert association_lines(b"task,worker,label\nt,w,good\n") is None
    for damaged in (head, head + 'war,"[""a""",0.9,"[]"\n', head + 'war,"[]",much,"[]"\n', head + "war\n"):
        with pytest.raises(NotJudgmentsError):
            association_lines(damaged.encode())
