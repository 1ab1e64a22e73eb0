"""Label Studio's exports, tables under names of their own, and what is no set of judgments."""

from __future__ import annotations

import csv
import gzip
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.columns import Columns
from backend.methods.foreign.reading import (
    ItemVotes,
    NotJudgmentsError,
    Rows,
    read_judgments,
    tell_judgments,
)
from backend.methods.foreign.report import report_item_votes, report_rows

QUICK = Bootstrap(100)
ROWS = (("1", "ann", "Good"), ("1", "bob", "Bad"), ("2", "ann", "Unsure"), ("2", "bob", "Good"))


def choice(label: str | None, name: str = "fit") -> dict[str, Any]:
    return {"from_name": name, "to_name": "image", "type": "choices", "value": {"choices": [label]}}


def annotation(who: Any, *labels: str, **more: Any) -> dict[str, Any]:
    return {"id": 7, "completed_by": who, "result": [choice(label) for label in labels], **more}


def task(number: int, *annotations: dict[str, Any], **data: str) -> dict[str, Any]:
    return {"id": number, "data": {"image": f"p{number}.jpg", **data}, "annotations": list(annotations)}


def export() -> list[dict[str, Any]]:
    by_task: dict[str, list[dict[str, Any]]] = {}
    for number, who, label in ROWS:
        by_task.setdefault(number, []).append(annotation({"id": who, "email": f"{who}@example.org"}, label))
    return [task(int(number), *each) for number, each in by_task.items()]


def minimal() -> list[dict[str, Any]]:
    return [
        {"image": f"p{number}.jpg", "caption": "a pier", "id": int(number), "fit": label, "annotator": who,
         "annotation_id": at, "created_at": "2024-05-01", "updated_at": "2024-05-01", "lead_time": 3.2}
        for at, (number, who, label) in enumerate(ROWS)
    ]  # fmt: skip


def table() -> str:
    return "task,worker,label\n" + "\n".join(map(",".join, ROWS))


def by_worker() -> dict[str, dict[str, str]]:
    said: dict[str, dict[str, str]] = {}
    for number, who, label in ROWS:
        said.setdefault(who, {})[number] = label
    return said


def raters() -> str:
    evals = {number: {w: la for n, w, la in ROWS if n == number} for number, _, _ in ROWS}
    return "\n".join(json.dumps({"identifier": number, "evals": each}) for number, each in evals.items())


@pytest.mark.nightly
@pytest.mark.parametrize(
    "text",
    [json.dumps(export()), json.dumps(minimal()), table(), json.dumps(by_worker()), raters(),
     "ann: {'1': Good, '2': Unsure}\nbob: {'1': Bad, '2': Good}\n"],
    ids=["Label Studio JSON", "JSON_MIN", "rows", "by worker", "raters", "YAML"],
)  # fmt: skip
def test_every_layout_is_told_by_its_content_and_gets_the_same_report(text: str) -> None:
    read = read_judgments(text)
    assert isinstance(read, Rows)
    assert sorted(read.rows) == sorted(ROWS)
    assert report_rows(replace(read, images={}), bootstrap=QUICK) == report_rows(Rows(ROWS), bootstrap=QUICK)


def test_both_exports_of_one_project_know_people_by_the_same_name() -> None:
    """One by id with an e-mail beside it, the other by id alone: they counted as two crowds."""
    by_id = {who: n for n, who in enumerate(sorted({who for _, who, _ in ROWS}))}
    numbered = [{**record, "annotator": by_id[record["annotator"]]} for record in minimal()]
    whole = export()
    for each in (annotation for task in whole for annotation in task["annotations"]):
        each["completed_by"]["id"] = by_id[each["completed_by"]["id"]]
    told, flat = (tell_judgments(json.dumps(each)) for each in (whole, numbered))
    assert {(each.task, each.worker, each.label) for each in told} == {
        (each.task, each.worker, each.label) for each in flat
    }
    assert {each.worker for each in told} == {"0", "1"}
    nameless = annotation({"id": None, "email": "ann@example.org"}, "Good")
    assert tell_judgments(json.dumps([task(1, nameless)]))[0].worker == "ann@example.org"


def test_what_nobody_is_named_for_is_told_and_no_second_word_of_one_person() -> None:
    said = [annotation(None, "Good"), annotation(None, "Bad"), annotation(3, "Good"), annotation({}, "Bad")]
    told = tell_judgments(json.dumps([task(1, *said, annotation(None, "Good", ground_truth=True))]))
    nobody = "It does not name the annotator."
    assert [each.why_not for each in told] == [nobody, nobody, "", nobody, ""]
    assert told[4].is_gold
    records = [{**record, "annotator": None} if at else record for at, record in enumerate(minimal())]
    assert [each.why_not for each in tell_judgments(json.dumps(records))] == ["", nobody, nobody, nobody]


@pytest.mark.parametrize(
    "result", [5, "x", True, {"choices": ["Good"]}, None, [choice(None)], [{"value": {"taxonomy": [[None]]}}]]
)
def test_a_result_that_is_no_list_and_an_empty_choice_hold_no_choice(result: Any) -> None:
    said = [{**annotation(1), "result": result}, annotation(2, "Good")]
    assert [(each.label, each.why_not) for each in tell_judgments(json.dumps([task(1, *said)]))] == [
        ("", "It has no choice."), ("Good", ""),
    ]  # fmt: skip


@pytest.mark.nightly
def test_labels_of_ours_get_the_three_readings_of_unsure_however_they_are_written() -> None:
    figures = [line.figure for line in report_rows(Rows(ROWS), bootstrap=QUICK)]
    for reading in ("value", "missing", "middle"):
        assert sum(figure.endswith(f"unsure as {reading}") for figure in figures) >= 3
    assert not any("unsure" in line.figure for line in report_rows(Rows((("1", "ann", "fine"),)), bootstrap=QUICK))


def test_cancelled_annotations_say_nothing_and_ground_truth_is_gold() -> None:
    tasks = [
        task(
            1,
            annotation(1, "Good"),
            annotation(2, "Bad", was_cancelled=True),
            annotation(3, "Good", ground_truth=True),
            annotation(4),
        )
    ]
    read = read_judgments(json.dumps(tasks))
    assert isinstance(read, Rows)
    assert (read.rows, read.gold) == ((("1", "1", "Good"),), {"1": "Good"})
    reasons = [told.why_not for told in tell_judgments(json.dumps(tasks))]
    assert reasons == ["", "The answer was cancelled.", "", "It has no choice."]


def test_a_task_that_nobody_annotated_is_told() -> None:
    told = tell_judgments(json.dumps([task(1), task(2, annotation(1, "Good")), {"id": 3, "completions": []}]))
    assert [(each.where, each.why_not) for each in told if each.why_not] == [
        ("task 1", "It has no annotation."), ("task 3", "It has no annotation."),
    ]  # fmt: skip


def test_of_two_annotations_by_one_person_the_newest_is_told() -> None:
    dated = [
        annotation(1, "Bad", updated_at="2024-05-02T08:00:00Z"),
        annotation(1, "Good", updated_at="2024-05-01T08:00:00Z"),
        annotation(2, "Good"),
    ]
    told = tell_judgments(json.dumps([task(1, *dated)]))
    assert [each.label for each in told if not each.why_not] == ["Bad", "Good"]
    assert [each.why_not for each in told] == ["", "The same person answered the task again later.", ""]


@pytest.mark.parametrize("nameless", [{}, {"id": None}, {"id": ""}])
def test_tasks_without_an_id_are_told_apart_and_taken_for_none_that_has_one(nameless: dict[str, Any]) -> None:
    """As in a file to be imported there: all but each person's last judgment was dropped for a later one."""
    there = [task(5, annotation(1, "Good")), task(6, annotation(1, "Good"), annotation(2, "Bad"))]
    given = {**task(7, annotation(1, "Bad")), "id": "#2"}
    bare = [{**{name: held for name, held in each.items() if name != "id"}, **nameless} for each in there]
    told = tell_judgments(json.dumps([*bare, given]))
    assert [(each.task, each.label, each.why_not) for each in told] == [
        ("#1", "Good", ""), ("##2", "Good", ""), ("##2", "Bad", ""), ("#2", "Bad", ""),
    ]  # fmt: skip
    assert told[0].where == "task #1, annotation 7"
    flat = [{"image": "p.jpg", "fit": fit, "annotator": 1, "annotation_id": 3, **nameless} for fit in ("Good", "Bad")]
    assert [(each.task, each.label, each.why_not) for each in tell_judgments(json.dumps(flat))] == [
        ("#1", "Good", ""), ("#2", "Bad", ""),
    ]  # fmt: skip


def test_what_is_no_single_choice_is_told_where_it_stands_and_the_others_are_read() -> None:
    several = {**annotation(1), "result": [{**choice("Good"), "value": {"choices": ["Good", "Bad"]}}]}
    nested = {**annotation(2), "result": [{"from_name": "kind", "value": {"taxonomy": [["Fits", "Well"]]}}]}
    rated = {**annotation(3), "result": [{"from_name": "stars", "value": {"rating": 4}}, None, {"type": "relation"}]}
    export = [
        {**task(1, several, nested, rated), "predictions": [annotation(9, "Bad")], "drafts": [annotation(8, "Bad")]}
    ]
    export[0]["annotations"].append(17)
    told = tell_judgments(json.dumps(export))
    assert [each.label for each in told] == ["", "Fits > Well", "4", ""]
    assert told[0].why_not == "It has several choices: Good, Bad. An answer is only one."
    assert (told[3].where, told[3].why_not) == ("task 1, annotation 17", "It has only a number, and no choice.")


def test_fields_of_a_minimal_export_may_hold_one_choice_in_any_form() -> None:
    records = minimal()
    for record, fit in zip(records, ({"choices": ["Good", "Bad"]}, [["Fits", "Well"]], 3, None), strict=True):
        record["fit"] = fit
    told = tell_judgments(json.dumps(records), Columns(label="fit"))
    assert [(each.label, bool(each.why_not)) for each in told] == [
        ("", True), ("Fits > Well", False), ("3", False), ("", True),
    ]  # fmt: skip


def test_ratings_taxonomies_and_choices_of_regions_stand_in_lists_of_a_minimal_export() -> None:
    """As its converter writes all but a single choice: a rating was read as the label `{'rating': 4}`."""
    records = minimal()
    several, region = [{"choices": ["Good", "Bad"]}], [{"rectanglelabels": ["Cat"], "x": 1}]
    said: list[Any] = [[{"rating": 4}], [{"taxonomy": [["Fits", "Well"]]}], several, region]
    for record, fit in zip(records, said, strict=True):
        record["fit"] = fit
    told = tell_judgments(json.dumps(records), Columns(label="fit"))
    assert [(each.label, each.why_not) for each in told] == [
        ("4", ""),
        ("Fits > Well", ""),
        ("", "It has several choices: Good, Bad. An answer is only one."),
        ("", "It has no choice."),
    ]


def test_a_choice_may_stand_without_a_list() -> None:
    """As other tools write it: it was said to hold no choice."""
    told = tell_judgments(
        json.dumps([task(1, {**annotation(1), "result": [{**choice(""), "value": {"choices": "Good"}}]})])
    )
    assert [(each.label, each.why_not) for each in told] == [("Good", "")]


def test_a_judgment_keeps_its_place_image_and_text() -> None:
    told = tell_judgments(json.dumps([task(4, annotation(9, "Good"), caption="a pier")]))[0]
    assert (told.where, told.image, told.text, told.worker) == ("task 4, annotation 7", "p4.jpg", "a pier", "9")
    row = tell_judgments("task,worker,label,image,caption\n1,ann,good,p1.jpg,a pier\n")[0]
    assert (row.where, row.image, row.text) == ("line 2", "p1.jpg", "a pier")


def test_one_of_several_choices_is_named() -> None:
    both = {"id": 7, "completed_by": 1, "result": [choice("Good"), choice("Clear", "quality")]}
    with pytest.raises(NotJudgmentsError, match="as the label: fit, quality"):
        read_judgments(json.dumps([task(1, both)]))
    read = read_judgments(json.dumps([task(1, both)]), Columns(label="quality"))
    assert isinstance(read, Rows)
    assert read.rows == (("1", "1", "Clear"),)


def test_the_field_of_a_minimal_export_is_asked_for_where_it_cannot_be_told() -> None:
    records = [{**record, "mood": record["fit"].upper()} for record in minimal()]
    with pytest.raises(NotJudgmentsError, match="as the label: fit, mood"):
        read_judgments(json.dumps(records))
    read = read_judgments(json.dumps(records), Columns(label="fit"))
    assert isinstance(read, Rows)
    assert sorted(read.rows) == sorted(ROWS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("[1, 2]", "no answers in a known format"),
        (json.dumps([task(1), {"id": 2}]), "Task 2 has no list of annotations"),
        (json.dumps([task(1)]), "This file has no answers"),
        (json.dumps([task(1, annotation(1, "a", "b"))]), "annotation 7: It has several choices: a, b"),
        ("{", "^Line 1: The row is not JSON from character 2 on"),
        ("task,label\n1,good\n", "no column worker"),
        ('{"0": {"7": [1, 2]}}', "three whole numbers for a pair"),
        ('{"0": {"mturk": {"caption": -1}}}', "whole numbers by label"),
        ('{"0": {"human_scores": ["5"]}}', "numbers on one scale"),
        ('{"0": {"human_scores": [NaN, 4]}}', "numbers on one scale"),
        ('{"0": {"human_scores": [-Infinity, 4]}}', "numbers on one scale"),
        (f'{{"0": {{"human_scores": [{10**400}, 4]}}}}', "numbers on one scale"),
        ("w1:\n  i1: good\n  i1: bad\n", "The name 'i1' is twice"),
        ("w1: {i1: good}\nw1: {i2: bad}\n", "The name 'w1' is twice"),
        ('""', "no answers in a known format"),
        ('{"1": null}', "no answers in a known format"),
        ('{"1": null, "2": {"a": [1, 2, 0]}}', "1 has no answers by name, but others do. It has: None"),
        ('{"1": {"a": [1, 0, 0]}, "2": [1, 2]}', r"2 has no answers .* \[1, 2\]"),
        ("w1:\n  a: good\nw2: ~\n", "w2 has no answers by name"),
        ('[{"id": 1, "annotator": 1, "annotation_id": 2}]', "no field for an answer"),
        ("x" * 140_000 + ",b\n1,2\n", f"Its columns: {40 * 'x'}, b"),
        ('{"evals": {"1": "x"}}\n{"evals": 3}', "Line 1 has no `identifier`"),
        ('{"identifier": 1', "^Line 1: The row is not JSON from character 17 on"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(NotJudgmentsError, match=says):
        read_judgments(text)


def test_only_a_line_break_parts_records() -> None:
    text = '{"identifier": "a\u2028b", "evals": {"1": "True"}}\r\n{"identifier": "c\x85", "evals": {"1": "False"}}\r'
    read = read_judgments(text)
    assert isinstance(read, Rows)
    assert [task for task, _, _ in read.rows] == ["a\u2028b", "c\x85"]


def test_votes_of_items_are_no_judgments_of_a_project() -> None:
    votes = '{"0": {"mturk": {"caption": 2, "foil": 1}}}'
    assert isinstance(read_judgments(votes), ItemVotes)
    with pytest.raises(NotJudgmentsError, match="without names of voters"):
        tell_judgments(votes)


def test_a_table_under_names_of_its_own() -> None:
    text = "page,photo,who,score\na,1,ann,3\na,1,bob,5\nb,1,ann,4\n"
    read = read_judgments(text, Columns(task="page,photo", worker="who", label="score", is_ordered=True))
    assert isinstance(read, Rows)
    assert read.rows == (("a | 1", "ann", "3"), ("a | 1", "bob", "5"), ("b | 1", "ann", "4"))
    assert any(line.figure == "alpha_ordinal" for line in report_rows(read, bootstrap=QUICK))
    with pytest.raises(NotJudgmentsError, match="no column place"):
        read_judgments(text, Columns(task="place", worker="who", label="score"))


def test_quoted_cells_with_line_breaks_are_one_row() -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("task", "worker", "label"), ("a\nb", "ann", "good")])
    read = read_judgments(out.getvalue())
    assert isinstance(read, Rows)
    assert read.rows == (("a\nb", "ann", "good"),)


@pytest.mark.parametrize(
    ("name", "n_items", "n_valid", "alpha"),
    [("existence", 534, 505, "0.2068"), ("actant-swap", 1042, 949, "0.2599"), ("coreference-hard", 141, 104, "0.2904")],
)
def test_valse_as_released(shared_data: Path, name: str, n_items: int, n_valid: int, alpha: str) -> None:
    """The figures of ORACLES.json; the valid items are those the paper counts."""
    read = read_judgments(gzip.decompress((shared_data / "valse" / f"{name}.json.gz").read_bytes()).decode())
    assert isinstance(read, ItemVotes)
    lines = {line.figure: line.ours for line in report_item_votes(read, bootstrap=QUICK)}
    assert lines["items"] == f"{n_items:,}"
    assert lines["items with caption from two voters or more"] == f"{n_valid:,}"
    assert lines["alpha_nominal"].startswith(alpha)


def test_scores_on_a_scale_are_votes_for_its_points_in_their_order() -> None:
    read = read_judgments('{"a": {"human_scores": [5, 5]}, "b": {"human_scores": [1, 3.5]}}')
    assert isinstance(read, ItemVotes)
    assert (read.labels, read.counts.tolist()) == (("1", "3.5", "5"), [[0, 0, 2], [1, 1, 0]])
    figures = {line.figure: line for line in report_item_votes(read, bootstrap=QUICK)}
    assert "alpha_ordinal" in figures
    assert not any("two voters" in name for name in figures)


def test_ratings_of_descriptions_in_context_as_released(shared_data: Path) -> None:
    text = (shared_data / "context_descriptions" / "sighted_data_all.csv").read_text(encoding="utf-8")
    columns = Columns("context,img_id,description", "anon_worker_id", "q_overall.preimg", is_ordered=True)
    read = read_judgments(text, columns)
    assert isinstance(read, Rows)
    assert (len(read.rows), len({worker for _, worker, _ in read.rows})) == (1102, 58)
