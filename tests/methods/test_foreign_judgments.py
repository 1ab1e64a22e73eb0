"""Judgments made elsewhere: four layouts, and the figures that papers publish of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.columns import Columns
from backend.methods.foreign.conqa import curated_lines, read_seed_queries
from backend.methods.foreign.published import NOT_HELD, PUBLISHED
from backend.methods.foreign.reading import (
    ItemVotes,
    NotJudgmentsError,
    PairVotes,
    Rows,
    read_judgments,
)
from backend.methods.foreign.released import SIZES
from backend.methods.foreign.report import beside_published, pair_lines, report_item_votes, report_rows, report_votes
from backend.methods.foreign.told import Line, by_reason
from rated_tables import LETTERS, OURS, TOY, TOY_GAPS

QUICK = Bootstrap(100)
THREE_ROWS = (("t1", "ann", "good"), ("t1", "bob", "bad"), ("t2", "ann", "good"))


def shown(lines: list[Line]) -> dict[str, str]:
    return {line.figure: line.ours for line in lines}


@pytest.mark.parametrize("header", ["task,worker,label", "item,worker,response", "unit,annotator,value"])
def test_rows_are_read_under_the_names_that_others_use(header: str) -> None:
    text = header + "\n" + "\n".join(",".join(row) for row in THREE_ROWS)
    assert read_judgments(text) == Rows(THREE_ROWS)


def test_a_column_of_gold_is_read_too() -> None:
    assert read_judgments("worker,item,response,gold\nann,1,0,1\nbob,1,1,1\n").gold == {"1": "1"}


def test_a_mapping_by_worker_and_lines_of_raters_give_the_same_rows() -> None:
    by_worker = read_judgments(json.dumps({"ann": {"t1": "good", "t2": "good"}, "bob": {"t1": "bad"}}))
    lines = read_judgments(
        '{"identifier": "t1", "evals": {"ann": "good", "bob": "bad"}, "label": "good"}\n'
        '{"identifier": "t2", "evals": {"ann": "good"}, "label": "good"}'
    )
    assert isinstance(by_worker, Rows)
    assert sorted(by_worker.rows) == sorted(lines.rows) == sorted(THREE_ROWS)
    assert lines.gold == {"t1": "good", "t2": "good"}


def test_votes_of_queries_are_read_in_the_order_of_our_labels() -> None:
    read = read_judgments(json.dumps({"0": {"7": [1, 2, 0]}, "1": {"7": [3, 0, 0], "9": [0, 0, 3]}}))
    assert isinstance(read, PairVotes)
    assert (read.counts.tolist(), read.query, read.image) == (
        [[1, 2, 0], [3, 0, 0], [0, 0, 3]], ("0", "1", "1"), ("7", "7", "9"),
    )  # fmt: skip


@pytest.mark.parametrize("values", [
    [1, 2], {"0": [1, 2, 3]}, {"0": {"7": [1, 2]}}, {"0": {"7": [1, -2, 0]}}, {}, {"0": {}}, {"ann": {"t1": None}},
    {"i": {"mturk": {}}}, {"i": {"human_scores": []}},
])  # fmt: skip
def test_what_holds_no_judgments_is_refused(values: object) -> None:
    with pytest.raises(NotJudgmentsError):
        read_judgments(json.dumps(values))


def test_rows_without_a_column_are_refused_by_its_name() -> None:
    with pytest.raises(NotJudgmentsError, match="no column worker"):
        read_judgments("task,label\n1,good\n")
    with pytest.raises(NotJudgmentsError, match="task or worker or label"):
        read_judgments("who,what\nann,good\n")
    with pytest.raises(NotJudgmentsError, match="a header and no rows"):
        read_judgments("task,worker,label\n")
    with pytest.raises(NotJudgmentsError, match="evals"):
        read_judgments('{"identifier": "1", "evals": {"ann": "good"}}\n{"identifier": "2"}')


def as_released(name: str, *others: Line) -> list[Line]:
    """The lines that tell a set by its sizes, and others."""
    return [*(Line(figure, size) for figure, size in SIZES[name].items()), *others]


def test_figures_that_a_paper_publishes_stand_beside_ours_and_those_we_cannot_make_say_why() -> None:
    lines = {line.figure: line for line in beside_published("mturk", as_released("mturk"))}
    assert lines["queries"].published == "published 80 (ConQA, ECIR 2024, section 1)"
    assert lines["pairs"].published == ""
    assert lines["Cohen kappa, workers against controls"].ours == "-"
    assert "Not released" in lines["Cohen kappa, workers against controls"].why


def test_a_figure_without_a_place_where_it_can_be_read_is_not_called_published() -> None:
    for name, figures in PUBLISHED.items():
        for each in figures:
            assert bool(each.value) == bool(each.where), (name, each.figure)
            told = ("section", "table", "notebook", "as remembered in ORACLES.json, not in the papers held")
            assert any(where in each.where for where in told) if each.value else each.said == NOT_HELD
    [alpha] = [
        line
        for line in beside_published("rte_labels", as_released("rte_labels", Line("alpha_nominal", "0.2415")))
        if line.figure == "alpha_nominal"
    ]
    assert (alpha.published, alpha.why) == (NOT_HELD, "Other code on the same labels: 0.2415.")


def test_figures_that_nobody_here_can_read_up_are_called_remembered_and_stand_beside_ours() -> None:
    """Accuracies on textual entailment and birds, and five counts of VALSE: what ORACLES.json publishes from memory."""
    remembered = {
        (name, each.figure): each.value
        for name, figures in PUBLISHED.items()
        for each in figures
        if "remembered" in each.where
    }
    assert {name for name, _ in remembered} == {
        "rte_labels", "bluebirds_labels", "existence", "counting-hard", "counting-adversarial", "actant-swap",
        "coreference-hard", "game_5_6_with_predictions", "swow_with_predictions",
    }  # fmt: skip
    lines = as_released("rte_labels", Line("accuracy of Dawid-Skene, no smoothing", "0.9275"))
    line = beside_published("rte_labels", lines)[3]
    assert line.ours == "0.9275"
    assert line.published.startswith("published 0.9275 (") and "not in the papers held" in line.published


def test_what_stands_in_conqas_paper_and_cannot_be_told_here_says_what_it_would_need() -> None:
    lines = {line.figure: line for line in beside_published("mturk", as_released("mturk"))}
    said = {
        "curated images": ("43,413", "--curated"),
        "% of workers without a control": ("one third", "without their workers"),
        "HITs a query, conceptual and descriptive": ("60 and 75", "--queries"),
        "cost in USD, with trials of the HITs": ("1500", "not released"),
    }
    for figure, (value, why) in said.items():
        assert value in lines[figure].published and why in lines[figure].why, figure


ON_IMAGES = [
    (f"{image}.jpg", f"caption {caption}", worker, label)
    for image in range(12)
    for caption in range(5)
    for worker, label in zip(
        "abc", ("good" if image % 2 else "bad", "good", "bad" if image % 3 else "good"), strict=True
    )
]


@pytest.mark.nightly
def test_captions_of_one_image_are_drawn_together_and_the_line_says_so() -> None:
    """Five captions of an image judged alike are one image, not five items; also of pairs of annotators."""
    rows = [f"{image} {caption},{worker},{label},{image}" for image, caption, worker, label in ON_IMAGES]
    clustered, alone = (
        read_judgments("\n".join([f"task,worker,label,{column}", *rows])) for column in ("image", "what it was about")
    )
    assert isinstance(clustered, Rows)
    assert isinstance(alone, Rows)
    for name in ("alpha_nominal, unsure as value", "cohen, unsure as value", "fleiss, unsure as value"):
        by_image, by_item = (shown(report_rows(each, bootstrap=QUICK))[name] for each in (clustered, alone))
        assert by_image.endswith("n=60 by image")
        assert by_item.endswith("n=60")
        assert width_of(by_image) > 1.4 * width_of(by_item)
    (pair, *_), (other, *_) = (list(pair_lines(each, most=1, bootstrap=QUICK)) for each in (clustered, alone))
    assert pair.ours.endswith("by image") == (not other.ours.endswith("by image"))


def test_an_image_of_many_captions_is_its_cluster_whichever_columns_name_the_task() -> None:
    text = "\n".join(["img,text,who,score", *map(",".join, ON_IMAGES)])
    read = read_judgments(text, Columns("img,text", "who", "score"))
    assert isinstance(read, Rows)
    assert len(set(read.clusters_of([task for task, _, _ in read.rows]))) == 12
    unknown = read_judgments(text.replace("img", "where"), Columns("where,text", "who", "score"))
    assert isinstance(unknown, Rows)
    assert len(set(unknown.clusters_of([task for task, _, _ in unknown.rows]))) == 60


def test_the_worked_interval_comes_out_of_a_file_whatever_its_items_are_called() -> None:
    """SCIENCE 3: items are drawn as the file goes, not by name, where 10 comes before 2."""
    rows = [
        f"{item},{annotator},{LETTERS[letter]}"
        for annotator, letters in TOY.items()
        for item, letter in enumerate(letters, start=1)
        if (annotator, item) not in TOY_GAPS
    ]
    read = read_judgments("task,worker,label\n" + "\n".join(rows))
    assert isinstance(read, Rows)
    assert shown(report_rows(read))["alpha_nominal, unsure as value"] == "0.6145 [0.1750, 0.8831] n=9"


def width_of(said: str) -> float:
    low, high = (float(each.strip("[],")) for each in said.split()[1:3])
    return high - low


@pytest.mark.nightly
@pytest.mark.parametrize(
    "words", [("relevant", "non-relevant", "unsure"), ("Relevant", " IRRELEVANT", "Unsure"), ("GOOD", "Bad", "unsure"),
              ("yes", "no", "unsure"), ("1.0", "0.0", "unsure")],
)  # fmt: skip
def test_words_that_an_import_takes_for_ours_are_ours_in_the_report(words: tuple[str, str, str]) -> None:
    """Three readings of unsure and the categories, with the figures of good, bad and unsure."""
    ours = [(f"t{n}", who, OURS[(n * n + at * (n % 2)) % 3]) for n in range(9) for at, who in enumerate("abc")]
    theirs = [(task, who, words[OURS.index(label)]) for task, who, label in ours]
    assert report_rows(Rows(tuple(theirs)), bootstrap=QUICK) == report_rows(Rows(tuple(ours)), bootstrap=QUICK)
    gold = [report_rows(Rows(tuple(theirs)), gold={f"t{n}": words[n % 2] for n in range(9)}, bootstrap=QUICK)]
    assert any(line.figure == "accuracy of MACE, unsure as value" for line in gold[0])


@pytest.mark.parametrize("labels", [("yes", "no"), ("1", "0"), ("True", "False")])
def test_answers_alone_stay_as_they_are_given(labels: tuple[str, str]) -> None:
    rows = tuple((f"t{n}", who, labels[(n + at) % 2]) for n in range(4) for at, who in enumerate("abc"))
    lines = shown(report_rows(Rows(rows), bootstrap=QUICK))
    assert "alpha_nominal" in lines and not any("unsure" in figure for figure in lines)


@pytest.mark.nightly
def test_rows_that_are_no_judgments_are_left_out_and_told_with_their_lines() -> None:
    read = read_judgments(
        "task,worker,label\nt1,ann,good\nt2,,good\nt3,ann\n\nt1,bob,bad\nt1,cy,bad,more\nt1,ann,bad\n"
    )
    assert isinstance(read, Rows)
    assert read.rows == (("t1", "ann", "good"), ("t1", "bob", "bad"))
    assert [(each.where, each.why_not) for each in read.left_out] == [
        ("line 3", "It has no worker."),
        ("line 4", "It has no label."),
        ("line 7", "The row has 4 cells, but the header has 3. Put text with the separator into quotes."),
        ("line 8", "This person already answered the task. The first answer counts."),
    ]
    lines = [line for line in report_rows(read, bootstrap=QUICK) if line.figure == "left out"]
    assert [line.ours for line in lines] == ["1"] * 4
    assert lines[0].why == "It has no worker. See line 3"


def test_a_query_without_images_is_told_and_changes_no_figure() -> None:
    votes = {"0": {"7": [2, 1, 0], "8": [0, 2, 1]}, "6": {"7": [3, 0, 0]}}
    whole, holed = (read_judgments(json.dumps(each)) for each in (votes, {"4": {}, **votes, "5": {}}))
    assert isinstance(whole, PairVotes)
    assert isinstance(holed, PairVotes)
    plain, lines = (report_votes(each, bootstrap=QUICK) for each in (whole, holed))
    told = [line for line in lines if line not in plain]
    assert [(line.figure, line.ours) for line in told] == [("left out", "2")]
    assert told[0].why == "This query has no image. See query 4, query 5"


def test_a_worker_who_said_nothing_is_told() -> None:
    read = read_judgments(json.dumps({"ann": {"t1": "good"}, "bob": {}}))
    assert isinstance(read, Rows)
    assert [(each.where, each.why_not) for each in read.left_out] == [("bob", "This worker has no answers.")]


def test_what_nobody_judged_is_told_in_every_layout() -> None:
    """An item of raters, of counts or of scores under which nothing stands was told nowhere; of counts and scores it
    even was one with all votes alike."""
    lines = '{"identifier": "t1", "evals": {"ann": "good", "bob": "bad"}}\n{"identifier": "t2", "evals": {}}'
    counts = json.dumps({"t1": {"mturk": {"caption": 2, "foil": 1}}, "t2": {"mturk": {}}, "t3": {"mturk": {"foil": 0}}})
    scores = json.dumps({"t1": {"human_scores": [4, 5]}, "t2": {"human_scores": []}})
    for text, places in ((lines, ["line 2"]), (counts, ["t2", "t3"]), (scores, ["t2"])):
        read = read_judgments(text)
        assert not isinstance(read, PairVotes)
        assert [(each.where, each.why_not) for each in read.left_out] == [(at, "It has no answer.") for at in places]
    voted = read_judgments(counts)
    assert isinstance(voted, ItemVotes)
    found = report_item_votes(voted, bootstrap=QUICK)
    assert (shown(found)["items"], shown(found)["items with all votes alike"]) == ("1", "0")
    assert [line.why for line in found if line.figure == "left out"] == ["It has no answer. See t2, t3"]


def test_reasons_are_told_from_the_most_frequent_on_and_no_more_than_one_reads() -> None:
    rows = [(f"line {n}", f"fault {n}") for n in range(100)] + [("w" * 200, "often")] * 7
    first, *others, rest = by_reason(rows)
    assert (first.why, first.n) == ("often", 7)
    assert first.places == ", ".join(["w" * 80 + "..."] * 5 + ["..."])
    assert (len(others), rest.why, rest.n) == (19, "81 other reasons, each with no more rows than these.", 81)
    assert rest.places == "line 19, line 20, line 21, line 22, line 23, ..."


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((("t1", "ann", "good"), ("t2", "ann", "bad")), r"No pair has two answers\."),
        (
            (("t1", "ann", "good"), ("t1", "bob", "good"), ("t2", "ann", "good"), ("t2", "bob", "good")),
            "are the same|with different answers",
        ),
    ],
)
def test_one_annotator_or_one_label_has_no_figure_and_a_sentence_why(
    rows: tuple[tuple[str, str, str], ...], why: str
) -> None:
    lines = [line for line in report_rows(Rows(rows), bootstrap=QUICK) if "unsure as" in line.figure]
    figures = [line for line in lines if line.figure.startswith(("cohen", "fleiss", "alpha"))]
    assert len(figures) == 10
    assert {line.ours for line in figures} == {"-"}
    assert all(re.search(f"{why}|no order of answers", line.why) for line in figures)


@pytest.mark.nightly
def test_one_item_has_no_figure_and_says_why() -> None:
    lines = {line.figure: line for line in report_rows(Rows(THREE_ROWS), bootstrap=QUICK)}
    for name, why in (("cohen", "No two annotators share"), ("alpha_nominal", "Only one pair has two")):
        figure = lines[f"{name}, unsure as value"]
        assert figure.ours == "-" and figure.why.startswith(f"No figure: {why}")
    assert lines["items that two annotators share, median"].ours == "1"


def test_who_judged_a_task_twice_is_named() -> None:
    with pytest.raises(ValueError, match="ann judged the item 't1' 2 times"):
        report_rows(Rows((("t1", "ann", "good"), ("t1", "ann", "bad"))))


def test_conqa_as_released(shared_data: Path) -> None:
    votes = read_judgments((shared_data / "conqa" / "mturk.json").read_text())
    queries = read_seed_queries((shared_data / "conqa" / "seed.json").read_bytes())
    assert isinstance(votes, PairVotes)
    found = shown(report_votes(votes, queries=queries, bootstrap=QUICK))
    assert found["votes: relevant, non-relevant, unsure"] == "15,657, 10,437, 3,556"
    assert (found["pairs"], found["images"], found["fewest votes of a pair"]) == ("8,407", "6,623", "3")
    assert found["cost in USD"] == "1155"
    assert found["median % of pairs Unsure by plurality, conceptual"] == "18.00"
    assert found["median % of pairs Unsure by plurality, descriptive"] == "13.66"
    assert found["queries, conceptual and descriptive"] == "50 and 30"
    assert (found["words a query: fewest, median, most"], found["words a query, mean"]) == ("1, 3, 7", "3.4")
    assert (found["images that are no query's seed"], found["images a query, mean"]) == ("6,390", "105.1")
    assert found["relevant images a query, all votes relevant"] == "22.5"
    found |= shown(list(curated_lines(votes, (shared_data / "conqa" / "vg_subset.txt").read_text())))
    assert (found["curated images"], found["images with votes that are not curated"]) == ("43,413", "0")
    assert found["HITs a query, conceptual and descriptive"] == "60 and 75"
    assert found["queries with a relevant image, conceptual and descriptive"] == "49 and 29"
    told = {each.figure for each in PUBLISHED["mturk"] if not re.search("ot released|WordNet", each.why + each.without)}
    assert told <= set(found)


@pytest.mark.parametrize("text", ["[]", "{", '{"0": {"Text": "war"}}', '{"0": 3}'])
def test_queries_in_another_shape_are_refused(text: str) -> None:
    with pytest.raises(NotJudgmentsError, match=r"seed\.json"):
        read_seed_queries(text.encode())


def test_votes_of_queries_that_are_not_told_are_refused() -> None:
    votes = read_judgments(json.dumps({"7": {"1": [3, 0, 0]}}))
    assert isinstance(votes, PairVotes)
    with pytest.raises(NotJudgmentsError, match="lacks some queries"):
        report_votes(votes, queries={}, bootstrap=QUICK)
