"""Answers as other tools write them: whose they are, which are votes, and what is no file of answers."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence

import pytest

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.columns import Columns, NobodyNamedError
from backend.methods.foreign.gold import read_gold
from backend.methods.foreign.reading import Rows, pooled, read_judgments, rows_of, tell_file, tell_judgments
from backend.methods.foreign.report import report_rows
from backend.methods.foreign.told import NotJudgmentsError

QUICK = Bootstrap(20)
REJECTED, SKIPPED = "The answer was rejected.", "The annotator skipped the task."
CANCELLED, UNFINISHED = "The answer was cancelled.", "The annotator did not finish the answer."
BOTH = {("t1", "ann", "good"), ("t1", "bob", "bad"), ("t2", "ann", "bad"), ("t2", "bob", "bad")}


def read(text: str, **columns: str) -> Rows:
    found = read_judgments(text, Columns(**columns))
    assert isinstance(found, Rows)
    return found


def left_out(rows: Rows) -> list[str]:
    return [each.why_not for each in rows.left_out]


def lines(*records: object) -> str:
    return "\n".join(map(json.dumps, records))


def csv(header: str, *rows: str) -> str:
    return "\n".join([header, *rows]) + "\n"


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("AssignmentStatus", "Rejected", REJECTED), ("Reject", "spam", REJECTED), ("RejectionTime", "Mon", REJECTED),
        ("ASSIGNMENT:status", "REJECTED", REJECTED), ("ASSIGNMENT:status", "SKIPPED", SKIPPED),
        ("ASSIGNMENT:status", "EXPIRED", UNFINISHED), ("ACCEPT:verdict", "-", REJECTED),
        ("Status", "RETURNED", UNFINISHED), ("Status", "TIMED-OUT", UNFINISHED), ("Status", "REJECTED", REJECTED),
        ("response.status", "discarded", SKIPPED), ("response_status", "draft", UNFINISHED),
        ("state", "rejected", REJECTED), ("_tainted", "true", REJECTED), ("was_cancelled", "True", CANCELLED),
        ("cancelled", "1", CANCELLED), ("is_skipped", "yes", SKIPPED), ("ignored", "x", SKIPPED),
        ("accepted", "false", REJECTED), ("is_valid", "0", REJECTED), ("Review status", "Cancelled", CANCELLED),
    ],
)  # fmt: skip
def test_what_a_column_says_is_no_vote_is_none(column: str, value: str, why: str) -> None:
    rows = read(csv(f"task,worker,label,{column}", f"t1,ann,good,{value}", "t1,bob,bad,"))
    assert (rows.rows, left_out(rows)) == ((("t1", "bob", "bad"),), [why])
    assert [each.why_not for each in tell_judgments(csv(f"task,worker,label,{column}", f"t1,a,good,{value}"))] == [why]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("AssignmentStatus", "Approved"), ("AssignmentStatus", "Submitted"), ("Status", "AWAITING REVIEW"),
        ("_tainted", "false"), ("Approve", "x"), ("Reject", ""), ("state", "CA"), ("accepted", "true"),
        ("was_cancelled", "False"), ("response.status", "submitted"), ("seconds", "0"),
    ],
)  # fmt: skip
def test_what_a_column_says_is_a_vote_is_one(column: str, value: str) -> None:
    assert len(read(csv(f"task,worker,label,{column}", f"t1,ann,good,{value}")).rows) == 1


def test_the_first_line_says_when_most_rows_are_left_out() -> None:
    rejected = [f"t{n},w{n % 3},good,{'Rejected' if n % 3 else 'Approved'}" for n in range(9)]
    told = report_rows(read(csv("task,worker,label,status", *rejected)), bootstrap=QUICK)
    assert (told[0].figure, told[0].ours) == ("most rows are left out", "6 of 9")
    few = report_rows(read(csv("task,worker,label,status", *rejected[:2], *rejected[3:4])), bootstrap=QUICK)
    assert few[0].figure == "judgments"


MTURK = csv(
    '"HITId","WorkerId","AssignmentStatus","Input.image_url","Input.caption","Answer.taskAnswers","Answer.fits"',
    'H1,A1,Approved,1.jpg,a pier,"[{""fits"": {""label"": ""good""}}]",good',
    'H1,A2,Approved,1.jpg,a pier,"[{""fits"": {""good"": false, ""bad"": true}}]",bad',
    'H1,A3,Rejected,1.jpg,a pier,"[{""fits"": {""label"": ""bad""}}]",bad',
)


@pytest.mark.parametrize("label", ["", "Answer.fits", "Answer.taskAnswers", "Answer.taskAnswers.fits"])
def test_a_batch_of_mechanical_turk_is_read_without_a_word_and_the_label_within_json(label: str) -> None:
    rows = read(MTURK, label=label)
    assert rows.rows == (("H1", "A1", "good"), ("H1", "A2", "bad"))
    assert (left_out(rows), rows.images) == ([REJECTED], {"H1": "1.jpg"})


def test_of_two_questions_in_json_one_is_asked_for() -> None:
    text = MTURK.replace('""fits"": {""label"": ""good""}', '""fits"": ""good"", ""tone"": ""calm""')
    with pytest.raises(NotJudgmentsError, match=r"several questions: fits, tone\. .*Answer\.taskAnswers\.NAME"):
        read(text, label="Answer.taskAnswers")
    assert read(text, label="Answer.taskAnswers.tone").rows[0] == ("H1", "A1", "calm")


def test_prodigys_answer_is_the_answer_to_a_proposal_and_else_says_whether_a_choice_counts() -> None:
    def row(task: int, who: str, answer: str, **more: object) -> dict[str, object]:
        return {"text": "x", "_input_hash": task, "_task_hash": task, "_annotator_id": who, "answer": answer, **more}

    chosen = read(
        lines(
            row(1, "ann", "accept", accept=["good"]), row(1, "bob", "reject", accept=["bad"]),
            row(2, "ann", "ignore", accept=[]), row(2, "bob", "accept", accept=["good", "bad"]),
        )
    )  # fmt: skip
    assert chosen.rows == (("1", "ann", "good"),)
    assert left_out(chosen) == [REJECTED, SKIPPED, "It has several choices: good, bad. An answer is only one."]
    proposed = read(lines(*(row(1, who, who, label="FITS") for who in ("accept", "reject", "ignore"))))
    assert proposed.rows == (("1", "accept", "accept"), ("1", "reject", "reject"))
    assert left_out(proposed) == [SKIPPED]


ARGILLA = [
    {"id": "t1", "status": "pending", "label.responses": ["good", "bad"], "label.responses.users": ["ann", "bob"],
     "label.responses.status": ["submitted", "submitted"]},
    {"id": "t2", "status": "completed", "label.responses": ["bad", "bad", "good"],
     "label.responses.users": ["ann", "bob", "eve"], "label.responses.status": ["submitted", "submitted", "discarded"]},
]  # fmt: skip


def test_argillas_records_are_read_flat_and_nested_and_what_was_discarded_is_left_out() -> None:
    flat = read(json.dumps(ARGILLA))
    assert (set(flat.rows), left_out(flat)) == (BOTH, [SKIPPED])

    def nested(name: str, value: object) -> dict[str, object]:
        return {"user_id": name, "values": {"label": {"value": value}}, "status": "submitted"}

    first = [{"id": "t1", "responses": [nested("ann", "good"), nested("bob", "bad")]},
             {"id": "t2", "responses": [nested("ann", "bad"), nested("bob", "bad"),
                                        nested("eve", "good") | {"status": "discarded"}]}]  # fmt: skip
    assert (set(read(json.dumps(first)).rows), left_out(read(json.dumps(first)))) == (BOTH, [SKIPPED])
    second = [
        {"id": task, "status": "pending", "responses": {"label": [
            {"user_id": who, "value": said} for of, who, said in sorted(BOTH) if of == task]}}
        for task in ("t1", "t2")
    ]  # fmt: skip
    assert set(read(json.dumps(second)).rows) == BOTH


def test_toloka_and_appen_are_read_by_their_own_names() -> None:
    names = ("INPUT:image", "OUTPUT:result", "GOLDEN:result", "task_id", "ASSIGNMENT:worker_id", "ASSIGNMENT:status")
    toloka = csv("\t".join(names), "1.jpg\tgood\tgood\tt1\tann\tAPPROVED", "1.jpg\tbad\tgood\tt1\tbob\tSKIPPED")
    rows = read(toloka)
    assert (rows.rows, rows.gold, left_out(rows)) == ((("t1", "ann", "good"),), {"t1": "good"}, [SKIPPED])
    appen = read(csv("_unit_id,_tainted,_worker_id,fits,fits_gold,image", "1,false,7,good,bad,a", "1,true,8,bad,bad,a"))
    assert (appen.rows, appen.gold, left_out(appen)) == ((("1", "7", "good"),), {"1": "bad"}, [REJECTED])


@pytest.mark.parametrize(
    "text",
    [
        csv("item,ann,bob", "t1,good,bad", "t2,bad,bad"),
        csv("which,Ann,BOB", "t1,Good,bad", "t2,bad,BAD").replace("Ann", "ann").replace("BOB", "bob").replace("G", "g")
        .replace("BAD", "bad"),
        csv("Participant,t1,t2,remark", "ann,good,bad,a long day", "bob,bad,bad,nice"),
        csv("task,worker,label", "t1,ann;bob,good;bad", "t2,ann|bob,bad|bad"),
        csv("task;worker;label", "t1;['ann', 'bob'];['good', 'bad']", "t2;['ann', 'bob'];['bad', 'bad']"),
        lines({"id": "t1", "annotators": ["ann", "bob"], "labels": ["good", "bad"]},
              {"id": "t2", "annotators": ["ann", "bob"], "labels": ["bad", "bad"]}),
        lines({"id": "t1", "labels": {"ann": "good", "bob": "bad"}},
              {"id": "t2", "labels": {"ann": "bad", "bob": "bad"}}),
        lines({"id": "t1", "annotations": [{"id": 1, "user": "ann", "label": "good"}, {"user": "bob", "label": "bad"}]},
              {"id": "t2", "annotations": [{"user": "ann", "label": "bad"}, {"user": "bob", "label": "bad"}]}),
        json.dumps([{"worker": "ann", "items": ["t1", "t2"], "label": ["good", "bad"]},
                    {"worker": "bob", "items": ["t1", "t2"], "label": "bad"}]),
        json.dumps({"ann": {"good": ["t1"], "bad": ["t2"]}, "bob": {"bad": ["t1", "t2"], "good": []}}),
    ],
    ids=["a column each", "any first column", "a row each", "parted cells", "lists as text", "lists", "by person",
         "old doccano", "lists of ids", "ids by label"],
)  # fmt: skip
def test_several_answers_in_one_row_are_told_one_by_one(text: str) -> None:
    rows = read(text)
    assert (set(rows.rows), [why for why in left_out(rows) if "no label" not in why]) == (BOTH, [])


def test_columns_of_people_may_be_named_where_numbers_could_be_scores() -> None:
    text = csv("item,ann,bob", "t1,3,4", "t2,5,5")
    with pytest.raises(NotJudgmentsError, match="write all these columns for worker"):
        read(text)
    assert set(read(text, worker="ann,bob").rows) == {
        ("t1", "ann", "3"), ("t1", "bob", "4"), ("t2", "ann", "5"), ("t2", "bob", "5"),
    }  # fmt: skip
    assert len(read(text.replace("ann", "rater 1").replace("bob", "rater 2")).rows) == 4


@pytest.mark.parametrize(
    ("people", "labels", "why"),
    [
        (["ann", "bob"], ["good"], "It has several people and only one answer."),
        (["a", "b", "c"], ["x", "y"], "Its lists of people and answers have different lengths."),
        (["ann"], ["good", "bad"], "It has several choices: good, bad. An answer is only one."),
        (["ann"], [[0, 5, "PER"]], "It marks a part of the text, and has no answer for the whole."),
    ],
)
def test_lists_that_do_not_fit_together_are_told(people: list[str], labels: list[object], why: str) -> None:
    usual = {"id": "t0", "annotators": ["ann", "bob"], "labels": ["good", "bad"]}
    assert left_out(read(lines(usual, {"id": "t1", "annotators": people, "labels": labels}))) == [why]
    same = {"id": "t1", "annotators": ["ann"], "labels": ["good", "good"]}
    assert len(read(lines(usual, same)).rows) == 3, "the same choice twice is one"


def test_numbers_of_votes_are_nobodys_answers() -> None:
    with pytest.raises(NotJudgmentsError, match="numbers of votes"):
        read(lines({"id": "t1", "votes": {"good": 2, "bad": 1}}, {"id": "t2", "votes": {"good": 0, "bad": 3}}))


def test_one_person_and_one_label_are_one_however_they_are_spelt() -> None:
    decomposed = unicodedata.normalize("NFD", "Zoë")
    rows = read(csv("task,worker,label", "1.0,Zoë,Café", f"2,{decomposed},cafe\u0301", "1,ZOË,tea", "2.0, bob ,CAFÉ"))
    assert rows.rows == (("1", "Zoë", "Café"), ("2", "Zoë", "cafe\u0301"), ("2", "bob", "CAFÉ"))
    assert left_out(rows) == ["This person already answered the task. The first answer counts."]
    told = {line.figure: line.ours for line in report_rows(rows, gold={"2": "café"}, bootstrap=QUICK)}
    assert (told["annotators"], told["labels"]) == ("2", "3 Café")
    assert told["single votes equal to the true label"] == "1.0000 n=2"


def test_a_file_that_names_nobody_is_one_persons_and_several_are_read_together() -> None:
    one = lines(*({"id": n, "text": "x", "label": ["good"], "Comments": []} for n in (1, 2)))
    with pytest.raises(NobodyNamedError) as problem:
        read(one)
    assert problem.value.is_doccano
    ledgers = {}
    for who, text in (("mia", one), ("Mia", one), ("jo", one.replace("good", "bad"))):
        told = tell_file(text, Columns(annotator=who))
        assert isinstance(told, tuple)
        ledgers[f"{who}.jsonl"] = told
    rows = rows_of(*pooled(ledgers))
    assert {(who, label) for _, who, label in rows.rows} == {("mia", "good"), ("jo", "bad")}
    assert [each.where for each in rows.left_out] == ["Mia.jsonl, line 1", "Mia.jsonl, line 2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (csv("task,gold", "t1,good"), "correct answers in the column gold"),
        (csv("image,caption,ground_truth", "1.jpg,a,good"), "correct answers in the column ground_truth"),
        (csv("image,caption,score", "1.jpg,a,0.23"), "scores and not answers"),
        (csv("task,rating", "t1,0.71"), "scores and not answers"),
        (csv("image,caption,clip,blip", "1.jpg,a,0.2,0.4"), "no column worker or label"),
        (csv("item,model_1,model_2", "t1,good,bad"), "no column worker or label"),
        (csv("item,rater_1,rater_2", "t1,0.21,0.35"), "no column worker or label"),
        (json.dumps({"1.jpg": {"clip": 0.23, "blip": 0.5}}), "scores of models"),
        (json.dumps({"7": {"1.jpg": [391895, 522418, 184613]}}), "look like ids"),
    ],
)  # fmt: skip
def test_what_holds_no_answers_of_people_is_not_taken_for_votes(text: str, says: str) -> None:
    with pytest.raises(NotJudgmentsError, match=says):
        read(text)


GOLD = {"t1": "good", "t2": "bad"}


@pytest.mark.parametrize(
    "text",
    [
        csv("task,gold", "t1,good", "t2,bad"), csv("item\tlabel", "t1\tgood", "t2\tbad"), "t1,good\nt2,bad\n",
        "t1\tgood\r\nt2\tbad\r\n", csv("id;x;truth", "t1;1;good", "t2;2;bad"), "{t1: good, t2: bad}",
        csv("label,item", "good,t1", "bad,t2"), csv("photo,gold", "t1,good", "t2,bad"),
        lines({"task": "t1", "gold": "good"}, {"task": "t2", "gold": "bad"}),
        json.dumps([{"item": "t1", "answer": "good"}, {"item": "t2", "answer": "bad"}]),
        csv("task,worker,label,gold", "t1,ann,bad,good", "t1,bob,bad,good", "t2,ann,good,bad"),
    ],
)  # fmt: skip
def test_correct_answers_may_be_any_table_of_items(text: str) -> None:
    assert read_gold(text) == GOLD


def test_correct_answers_of_pairs_are_found_by_image_and_caption_and_two_of_an_item_are_told() -> None:
    assert read_gold(csv("image,caption,gold", "1.jpg,a,good")) == {"1.jpg | a": "good"}
    assert read_gold(csv("page,line,gold", "1,2,good"), Columns(task="page,line")) == {"1 | 2": "good"}
    assert read_gold(csv("task,gold", "1.0,good", "1,bad")) == {"1": ""}
    for text in ("", csv("task,worker,label", "t1,ann,good"), csv("a,b,c", "1,2,3")):
        with pytest.raises(NotJudgmentsError, match="correct answers"):
            read_gold(text)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("labels", "share"),
    [
        (("good", "bad", "unsure"), {"value": "0.5000 n=4", "missing": "0.6667 n=3"}),
        (("cat", "dog", "fox"), {"": "0.5000 n=4"}),
    ],
)
def test_the_share_of_single_votes_that_are_true_is_told(labels: Sequence[str], share: dict[str, str]) -> None:
    first, second, third = labels
    rows = tuple(zip(("t1", "t1", "t2", "t2", "t3"), "ababa", (first, second, second, third, first), strict=True))
    told = report_rows(Rows(rows), gold={"t1": first, "t2": second}, bootstrap=QUICK)
    found = {line.figure: line.ours for line in told if line.figure.startswith("single votes")}
    name = "single votes equal to the true label"
    assert found == {f"{name}, unsure as {reading}" if reading else name: value for reading, value in share.items()}


def test_numbers_have_an_alpha_by_how_far_they_are_apart() -> None:
    rows = tuple((f"t{n}", who, str(n % 4 + at)) for n in range(8) for at, who in enumerate("ab"))
    told = {line.figure: line.ours for line in report_rows(Rows(rows), bootstrap=QUICK)}
    assert float(told["alpha_interval"].split()[0]) > float(told["alpha_nominal"].split()[0])
    assert "alpha_interval" not in {line.figure for line in report_rows(Rows((("t", "a", "1"), ("t", "b", "0"))))}


def test_what_prodigy_ignored_is_no_vote_also_where_columns_are_named() -> None:
    text = csv("text,_task_hash,_annotator_id,accept,answer", "a,1,ann,good,accept", "a,1,bob,bad,reject",
               "b,2,ann,bad,ignore")  # fmt: skip
    rows = read(text, task="_task_hash", worker="_annotator_id", label="accept")
    assert (rows.rows, left_out(rows)) == ((("1", "ann", "good"),), [REJECTED, SKIPPED])
    rows = read(text, task="_task_hash", worker="_annotator_id", label="answer")
    assert ([label for _, _, label in rows.rows], left_out(rows)) == (["accept", "reject"], [SKIPPED])


def test_a_person_may_be_called_as_a_part_of_no_persons_column_is() -> None:
    rows = read(csv("item,Maggie,Conny,majority,clip_score", "t1,good,bad,good,0.3", "t2,bad,bad,bad,0.2"))
    assert {worker for _, worker, _ in rows.rows} == {"Maggie", "Conny"}
