"""Labels of Labelbox and classifications of Zooniverse, as these tools export them."""

from __future__ import annotations

import json

import pytest

from backend.methods.foreign.columns import Columns
from backend.methods.foreign.reading import Rows, read_judgments, tell_judgments
from backend.methods.foreign.told import NotJudgmentsError

REJECTED, SKIPPED = "The answer was rejected.", "The annotator skipped the task."


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


def labelbox(key: str, *labels: object, status: str = "DONE", project: str = "p1") -> dict[str, object]:
    return {
        "data_row": {"id": f"cl-{key}", "global_key": key, "external_id": "1.jpg", "row_data": "https://a.org/1.jpg"},
        "media_attributes": {"height": 2, "width": 3, "mime_type": "image/jpeg"}, "attachments": [],
        "metadata_fields": [{"schema_id": "m1", "schema_name": "caption", "value": f"of {key}"}],
        "projects": {project: {"name": "Fits", "labels": list(labels), "project_details": {"workflow_status": status}}},
    }  # fmt: skip


def labelled(who: str, *answers: object, kind: str = "radio_answer", day: int = 1, **more: object) -> dict[str, object]:
    asked = [
        {"feature_id": "f1", "feature_schema_id": "s1", "name": name, "value": name, kind: answer}
        for name, answer in zip(("fits", "tone"), answers, strict=False)
    ]
    return {
        "label_kind": "Default", "version": "1.0.0", "id": f"{who}-{day}",
        "label_details": {"created_at": f"2026-01-0{day}T09:00:00.000+00:00", "created_by": who, "reviews": []} | more,
        "performance_details": {"seconds_to_create": 9, "skipped": more.get("skipped", False)},
        "annotations": {"objects": [], "classifications": asked, "relationships": []},
    }  # fmt: skip


def option(name: str, *inner: object) -> dict[str, object]:
    return {"feature_id": "f2", "name": name, "value": name.lower(), "classifications": list(inner)}


def test_labelboxs_labels_are_one_persons_each_and_those_that_are_no_votes_are_told() -> None:
    good, bad = option("Good"), option("Bad")
    no, yes = {"reviewed_at": "2026-01-02", "approved": False}, {"reviewed_at": "2026-01-03", "approved": True}
    text = lines(
        labelbox("t1", labelled("ann", good), labelled("bob", bad), labelled("eve", good, skipped=True)),
        labelbox("t2", labelled("ann", good), labelled("ann", bad, day=2), labelled("bob", good, reviews=[yes, no])),
        labelbox("t3", labelled("ann", good), status="IN_REWORK"), labelbox("t4"), {"data_row": {"id": "x"}},
        labelbox("t5", labelled("ann", [good, bad], kind="checklist_answers"), labelled("bob"), "odd"),
        labelbox("t6", labelled("", good), labelled("qa", bad, is_benchmark_reference=True)),
    )  # fmt: skip
    rows = read(text)
    assert rows.rows == (("t1", "ann", "Good"), ("t1", "bob", "Bad"), ("t2", "ann", "Bad"), ("t2", "bob", "Good"))
    assert (rows.gold, rows.images["t1"]) == ({"t6": "Bad"}, "1.jpg")
    assert [(each.where, each.why_not) for each in rows.left_out] == [
        ("line 1, label 3", SKIPPED), ("line 2, label 1", "The same person answered the task again later."),
        ("line 3", REJECTED), ("line 4", "It has no annotation."), ("line 5", "It has no data row, or no projects."),
        ("line 6, label 1", "It has several choices: Good, Bad. An answer is only one."),
        ("line 6, label 2", "It has no choice."),
        ("line 6, label 3", "Its label is not written as Labelbox writes labels."),
        ("line 7, label 1", "It does not name the annotator."),
        ("line 7, label 2", "It is marked as the true label, so it does not count as an answer."),
    ]  # fmt: skip
    assert len(rows.rows) + len(rows.left_out) == 14, "every label, and every row without one"
    told = tell_judgments(json.dumps([json.loads(line) for line in text.splitlines()]))
    assert [each.text for each in told[:1]] == ["of t1"] and len(told) == 14
    assert read(text.splitlines()[0]).rows == (("t1", "ann", "Good"), ("t1", "bob", "Bad")), "a file of one line"


def test_of_several_questions_projects_or_workflows_one_is_asked_for() -> None:
    tone = {"name": "tone", "value": "tone", "radio_answer": option("calm")}
    text = lines(labelbox("t1", labelled("ann", option("Bad", tone))), labelbox("t2", labelled("ann", option("Good"))))
    with pytest.raises(NotJudgmentsError, match=r"several questions.*as the label: fits, tone"):
        read(text)
    assert read(text, label="fits").rows == (("t1", "ann", "Bad"), ("t2", "ann", "Good"))
    assert read(text, label="tone").rows == (("t1", "ann", "calm"),)
    with pytest.raises(NotJudgmentsError, match="labels of several projects"):
        read(
            lines(
                labelbox("t1", labelled("ann", option("a"))), labelbox("t1", labelled("ann", option("b")), project="q")
            )
        )
    with pytest.raises(NotJudgmentsError, match="old version of Labelbox"):
        read(json.dumps([{"ID": "1", "DataRow ID": "2", "Labeled Data": "u", "Label": {"objects": []}}]))
    rows = [zooniverse("ann", [said("Yes")]), zooniverse("ann", [said("Yes")], workflow="9")]
    with pytest.raises(NotJudgmentsError, match="answers of several workflows: Fits, 9"):
        read(csv(ZOONIVERSE, *rows).replace("9,Fits", "9,"))
    two = csv(ZOONIVERSE, zooniverse("ann", [said("Yes"), said("calm", "T1", "Tone?")]))
    with pytest.raises(NotJudgmentsError, match=r"as the label: T0 \(Fits\?\), T1 \(Tone\?\)"):
        read(two)
    assert read(two, label="T1").rows == read(two, label="Tone?").rows == (("7", "ann", "calm"),)


ZOONIVERSE = (
    "classification_id,user_name,user_id,user_ip,workflow_id,workflow_name,workflow_version,created_at,gold_standard,"
    "expert,metadata,annotations,subject_data,subject_ids"
)


def said(value: object, task: str = "T0", words: str = "Fits?") -> dict[str, object]:
    return {"task": task, "task_label": words, "value": value}


def zooniverse(who: str, told: object, *, gold: str = "", workflow: str = "5", subjects: object = None) -> str:
    about = subjects or {"7": {"retired": None, "#image": "1.jpg", "Caption": 'a "red" pier, left'}}
    cells = [json.dumps(each).replace('"', '""') for each in ({"session": "s"}, told, about)]
    quoted = ",".join(f'"{cell}"' for cell in cells)
    return f"1,{who},,2c61,{workflow},Fits,28.30,2026-02-20 10:44:42 UTC,{gold},,{quoted},7"


def test_zooniverses_classifications_are_read_out_of_the_json_in_their_cells() -> None:
    rows = read(
        csv(
            ZOONIVERSE, zooniverse("ann", [said("![](https://a.org/x.png) Yes")]),
            zooniverse("not-logged-in-2c61", [said(["No"])]), zooniverse("bob", [said(None)]),
            zooniverse("eve", [said([{"x": 3, "y": 4, "tool": 0}])]), zooniverse("jo", [said(["Yes", "No"])]),
            zooniverse("", [said("Yes")]), zooniverse("ann", [said("No")]),
            zooniverse("mia", [said([said("Yes")], "T9", "")]), zooniverse("qa", [said("Yes")], gold="true"),
            zooniverse("kim", [said("Yes")], subjects={"7": {}, "8": {}}),
            zooniverse("kim", [said("Yes")]).replace("[{", "[{,"),
        )
    )  # fmt: skip
    assert rows.rows == (("7", "ann", "Yes"), ("7", "not-logged-in-2c61", "No"), ("7", "mia", "Yes"))
    assert (rows.gold, rows.images) == ({"7": "Yes"}, {"7": "1.jpg"})
    assert left_out(rows) == [
        "It has no choice.", "It has marks or a survey, and no choice.",
        "It has several choices: Yes, No. An answer is only one.", "It does not name the annotator.",
        "This person already answered the task. The first answer counts.",
        "It is marked as the true label, so it does not count as an answer.",
        "It is about several subjects. An answer is about one.",
        "Its annotations or subject_data are not valid JSON.",
    ]  # fmt: skip
    (told,) = tell_judgments(csv(ZOONIVERSE, zooniverse("ann", [said("Yes")])))
    assert (told.image, told.text) == ("1.jpg", 'a "red" pier, left')
