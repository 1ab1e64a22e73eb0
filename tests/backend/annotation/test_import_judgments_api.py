"""A file of judgments over HTTP: what it came to, who may send one, and what is too much for a request."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.response import Response
from rest_framework.test import APIClient

from backend.annotation.hits import build_hits
from backend.annotation.models import Hit, HitItem, Judgment
from backend.candidates.queries import add_query
from backend.catalogue.models import Image, Query
from backend.foreign import files
from backend.methods.export_rows import JUDGMENT_COLUMNS, csv_lines
from backend.people.models import User
from backend.projects.models import Direction, Project
from backend.runs.models import Run
from foreign_judgments import keys
from world import World

Clients = Callable[..., APIClient]
Send = Callable[..., Response]
HALF = "\\ud83d"  # as JSON writes half a pair of surrogates


@pytest.fixture
def send(client_of: Clients, alice: User, project: Project) -> Send:
    """Of texts by the names of the form's fields; `name` is that of the file."""

    def post(text: str | bytes, *, name: str = "rows.csv", by: User = alice, **more: Any) -> Response:
        content = text.encode() if isinstance(text, str) else text
        form = {"file": SimpleUploadedFile(name, content)} | more
        address = f"/api/v1/projects/{project.slug}/judgments/import"
        return client_of(by).post(address, form, format="multipart")

    return post


def rows(hit: Hit, label: str = "good") -> str:
    keys = HitItem.objects.filter(hit=hit).order_by("position").values_list("candidate__key", flat=True)
    return "task,worker,label\n" + "".join(f"{key},{who},{label}\n" for key in keys for who in ("w1", "w2"))


def test_the_answer_says_what_the_file_came_to_and_again_adds_nothing(send: Send, hit: Hit) -> None:
    text = rows(hit) + "nowhere,w1,good\nelsewhere,w2,good\n"
    told = send(text).json()
    assert (told["n_new"], told["n_there"], told["n_people"], told["n_refused"]) == (6, 0, 2, 2)
    why = "No pair in a task has this key, or this image and text."
    assert told["refused"] == [{"code": "row_no_pair", "why": why, "n": 2, "places": "line 8, line 9"}]
    again = send(text).json()
    assert (again["n_new"], again["n_there"], Judgment.objects.count()) == (0, 6, 6)


def test_their_labels_may_be_said_in_ours(send: Send, hit: Hit) -> None:
    assert send(rows(hit, "misses"), labels="fits=good, misses = bad").json()["n_new"] == 6
    assert set(Judgment.objects.values_list("label", flat=True)) == {"bad"}
    wrong = send(rows(hit), labels="fits=splendid")
    assert (wrong.status_code, wrong.json()["details"]["labels"]) == (
        400, ["Write good, bad or unsure for fits, as in fits=good,misses=bad."],
    )  # fmt: skip


def table(hit: Hit, header: Sequence[str], *columns: str, **same: str) -> str:
    """A row for each pair of the HIT: these columns of the pair, and cells that are the same in all."""
    pairs = HitItem.objects.filter(hit=hit).order_by("position").values_list(*columns)
    return "".join(csv_lines([dict(zip(header, [*pair, *same.values()], strict=True)) for pair in pairs], header))


def test_a_table_of_images_and_captions_finds_its_pairs_and_so_does_one_of_a_release(send: Send, hit: Hit) -> None:
    columns = ("candidate__image__key", "candidate__text")
    told = send(table(hit, ("image", "caption", "worker", "label"), *columns, worker="w1", label="good")).json()
    assert (told["n_new"], told["n_refused"]) == (3, 0)
    released = ("candidate__image__digest", "candidate__key")
    told = send(table(hit, JUDGMENT_COLUMNS, *released, annotator="annotator-001", label="good")).json()
    assert (told["n_new"], told["n_refused"]) == (3, 0)
    other = table(hit, JUDGMENT_COLUMNS, *released, annotator="annotator-002", label="good")
    digest = hit.items.values_list("candidate__image__digest", flat=True)[0]
    assert send(other.replace(digest, "0" * 64)).json()["n_refused"] == 3


def test_columns_of_other_names_may_be_said(send: Send, hit: Hit) -> None:
    header = ("photo", "words", "who", "mood")
    text = table(hit, header, "candidate__image__key", "candidate__key", who="w1", mood="good")
    unsaid = send(text)
    assert (unsaid.status_code, "--" in unsaid.json()["message"]) == (400, False)
    assert "Choose the columns for task and worker and label" in unsaid.json()["message"]
    told = send(text, task="words", worker=" who ", label="mood").json()
    assert (told["n_new"], told["n_refused"]) == (3, 0)
    assert "no column which" in send(text, task="words", worker="which", label="mood").json()["message"]


@pytest.mark.nightly
@pytest.mark.parametrize("is_flat", [True, False])
def test_which_of_two_choices_of_label_studio_is_the_label_may_be_said(send: Send, hit: Hit, is_flat: bool) -> None:
    pair = {"image": "pier", "caption": "pier caption 1"}
    said = {"fits": "good", "mood": "gay"}
    result = [{"from_name": name, "value": {"choices": [choice]}} for name, choice in said.items()]
    task = {"id": 1, "data": pair, "annotations": [{"id": 1, "completed_by": 3, "result": result}]}
    text = json.dumps([pair | said | {"id": 1, "annotator": 3, "annotation_id": 1} if is_flat else task])
    assert "as the label: fits, mood." in send(text, name="export.json").json()["message"]
    assert send(text, name="export.json", label="fits").json()["n_new"] == 1


def test_votes_without_names_find_their_queries_by_the_words_of_another_file(send: Send, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(direction=Direction.IMAGES_OF_A_QUERY)
    project.refresh_from_db()
    images: dict[str, Image] = {image.key: image for image in World(project).photos(2)}
    add_query(project=project, text="solitude", images=list(images))
    run = Run.objects.create(project=project, stage="build_hits")
    build_hits(project=project, run=run, subjects=list(Query.objects.filter(project=project)))
    votes = {"7": dict(zip(images, ([2, 1, 0], [0, 0, 3]), strict=True))}
    seeds = json.dumps({"7": {"Text": "solitude", "Conceptual": True, "Seeds": []}}).encode()
    queries = SimpleUploadedFile("seed.json", seeds)
    told = send(json.dumps(votes), name="mturk.json", queries=queries).json()
    assert (told["n_new"], told["n_people"], told["n_refused"]) == (6, 0, 0)
    unread = send(json.dumps(votes), name="mturk.json", queries=SimpleUploadedFile("seed.json", b"[]"))
    assert (unread.status_code, unread.json()["code"]) == (400, "no_judgments")


@pytest.mark.parametrize("name", ["bob", "dora"])
def test_only_curators_send_judgments(send: Send, hit: Hit, name: str) -> None:
    assert send(rows(hit), by=User.objects.get(username=name)).status_code == 403
    assert not Judgment.objects.exists()


def test_others_do_not_even_see_that_there_is_a_project(send: Send, hit: Hit, charlie: User) -> None:
    assert send(rows(hit), by=charlie).status_code == 404


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("a,b\n1,2\n", "rows.csv", "task"),
        ("", "rows.csv", "empty"),
        ("task,worker,label\n", "rows.csv", "no rows"),
        ("\0\1", "rows.csv", "not a table"),
        ("{", "rows.json", "JSON"),
        ("task,worker,label\n", "rows.doc", "not a CSV, TSV, JSON, Excel or Parquet"),
        (gzip.compress(b"task,worker,label\n", mtime=0), "rows.csv", "no rows"),
        (f"[{'1' * 5000}]", "rows.json", "digits"),
        ("w1: {i1: good}\n", "rows.csv", "not JSON or CSV"),
        ("[1, 2", "rows.json", "not JSON or CSV"),
        (json.dumps({"i1": {"mturk": {"good": 1}}}), "rows.json", "votes on items"),
        (json.dumps({"i1": {"human_scores": [1, 2]}}), "rows.json", "votes on items"),
        (json.dumps([{f"n{n}": n} for n in range(201)]), "rows.json", "201 columns"),
        ("\n".join(json.dumps({f"n{n}": n}) for n in range(201)), "rows.jsonl", "201 columns"),
        (json.dumps(dict.fromkeys(["task", "worker", "label", *map(str, range(198))])), "rows.json", "201 columns"),
        (f"task,worker,label{',' * 198}\n", "rows.csv", "201 columns"),
    ],
)
def test_what_holds_no_judgments_is_told_in_a_sentence(
    send: Send, hit: Hit, text: str | bytes, name: str, said: str
) -> None:
    """Nor is anything read here that may take far longer than its size tells."""
    answer = send(text, name=name)
    assert (answer.status_code, answer.json()["code"]) in {
        (400, "no_judgments"),
        (400, "no_table"),
        (400, "line_unread"),
        (400, "invalid"),
        (400, "file_lacks_columns"),
    }
    assert said in str(answer.json())


def by_worker(key: str) -> str:
    return f'{{"w{HALF}": {{"{key}": "good"}}, "w1": {{"{key}": "good", "x{HALF}": "bad"}}}}'


def by_raters(key: str) -> str:
    first = f'{{"identifier": "{key}", "evals": {{"r{HALF}": "good", "r2": "good"}}}}'
    return f'{first}\n{{"identifier": "{HALF}", "evals": {{"r2": "good"}}}}'


def by_task(key: str) -> str:
    said = '{"completed_by": 1, "result": [{"value": {"choices": ["good"]}}]}'
    return f'[{{"id": "t{HALF}", "data": {{}}, "annotations": [{said}]}}, {{"id": "{HALF}", "annotations": []}}]'


def by_votes(key: str) -> str:
    return f'{{"q{HALF}": {{"a": [1, 0, 0]}}, "pier caption 1": {{"a{HALF}": [1, 0, 0]}}}}'


@pytest.mark.nightly
@pytest.mark.parametrize(("write", "came_to"), [(by_worker, (1, 2)), (by_raters, (1, 2)), (by_task, (0, 2)),
                                                (by_votes, (0, 2))])  # fmt: skip
def test_half_a_character_in_a_name_is_refused_with_its_place_and_the_rest_is_taken(
    send: Send, hit: Hit, write: Callable[[str], str], came_to: tuple[int, int]
) -> None:
    """No answer can hold it: what was good in the file was stored, and its sender told that all had broken."""
    key = HitItem.objects.filter(hit=hit).values_list("candidate__key", flat=True)[0]
    answer = send(write(key), name="rows.json")
    told = answer.json()
    assert (answer.status_code, told["n_new"], told["n_refused"]) == (200, *came_to)
    assert "\ufffd" in told["refused"][0]["places"]


def test_half_a_character_in_the_name_of_a_column_is_told(send: Send, hit: Hit) -> None:
    answer = send(f'[{{"tas{HALF}": "x"}}]', name="rows.json")
    assert (answer.status_code, answer.json()["code"]) == (400, "file_lacks_columns")
    assert "Its columns: tas\ufffd." in answer.json()["message"]


def test_queries_that_are_nested_too_deep_are_refused(send: Send, hit: Hit) -> None:
    answer = send(rows(hit), queries=SimpleUploadedFile("seed.json", b"[" * 100_000))
    assert (answer.status_code, answer.json()["code"]) == (400, "no_judgments")
    assert "seed.json" in answer.json()["message"]


def test_what_is_too_much_for_a_request_is_refused_before_anything_is_stored(
    send: Send, hit: Hit, monkeypatch: pytest.MonkeyPatch
) -> None:
    billions = json.dumps({"solitude": {f"{n}.jpg": [10**9, 0, 0] for n in range(100)}})
    answers = [send(billions, name="votes.json")]
    monkeypatch.setattr(files, "MOST_JUDGMENTS", 5)
    answers.append(send(rows(hit)))
    by_column = {name: {str(n): "1" for n in range(6)} for name in ("task", "worker", "label")}
    answers.append(send(json.dumps(by_column), name="rows.json"))
    monkeypatch.setattr(files, "MOST_MB", 0)
    answers.append(send(rows(hit)))
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        *[(413, "too_many_answers")] * 3,
        (413, "file_too_large"),
    ]
    assert "more than 20,000 answers" in answers[0].json()["message"]
    assert "manage.py import_judgments" in answers[1].json()["message"]
    assert not Judgment.objects.exists()


def doccano(hit: Hit, label: str) -> str:
    return "\n".join(json.dumps({"id": key, "text": "x", "label": [label], "Comments": []}) for key in keys(hit))


@pytest.mark.nightly
def test_a_file_of_doccano_is_of_the_annotator_whom_its_name_says(send: Send, hit: Hit) -> None:
    assert send(doccano(hit, "good"), name="mia.jsonl").json()["n_new"] == 3
    assert send(doccano(hit, "bad"), name="jo.jsonl").json()["n_new"] == 3
    assert send(doccano(hit, "good"), name="Mia.jsonl").json()["n_there"] == 3
    names = {"mia": "good", "jo": "bad"}
    assert dict(Judgment.objects.values_list("annotator__display_name", "label")) == names


def packed(**files: str | bytes) -> bytes:
    with zipfile.ZipFile(kept := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return kept.getvalue()


def test_an_archive_of_doccano_has_a_file_of_each_annotator(send: Send, hit: Hit) -> None:
    archive = packed(mia__jsonl=doccano(hit, "good"), jo__jsonl=doccano(hit, "bad"), readme__md="x")
    assert send(archive, name="project.zip").json()["n_new"] == 6
    names = {"mia": "good", "jo": "bad"}
    assert dict(Judgment.objects.values_list("annotator__display_name", "label")) == names
    assert send(packed(mia__jsonl=doccano(hit, "good")), name="one.zip").json()["n_there"] == 3


@pytest.mark.parametrize(
    ("archive", "code"),
    [
        (packed(a__csv="task,worker,label\n", b__csv=b"1" * 11 * 1024 * 1024), "text_too_long"),
        (packed(a__csv="task,worker,label\n1,w,good\n")[:-30], "file_damaged"),
        (packed(readme__md="x"), "no_table_inside"),
    ],
)
def test_an_archive_that_cannot_be_read_is_refused(send: Send, archive: bytes, code: str) -> None:
    answer = send(archive, name="rows.zip")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not Judgment.objects.exists()


def test_of_another_file_that_names_nobody_the_annotator_is_asked_for(send: Send, hit: Hit) -> None:
    text = "\n".join(
        line.replace(",w1,", ",") for line in rows(hit).replace("worker,", "").split("\n") if "w2" not in line
    )
    asked = send(text, name="mia.csv")
    assert (asked.status_code, asked.json()["code"]) == (400, "file_of_nobody")
    assert "If one annotator made the file, give the name" in asked.json()["message"]
    assert send(text, name="mia.csv", annotator="mia").json()["n_new"] == 3


@pytest.mark.parametrize(
    ("text", "code"), [("task,gold\n1,good\n", "file_of_gold"), ("image,caption,score\n1,a,0.3\n", "file_of_scores")]
)
def test_what_is_no_file_of_answers_is_told_with_a_code(send: Send, text: str, code: str) -> None:
    answer = send(text)
    assert (answer.status_code, answer.json()["code"], bool(answer.json()["details"]["column"])) == (400, code, True)


@pytest.mark.nightly
def test_what_another_tool_rejected_is_told_and_not_stored(send: Send, hit: Hit) -> None:
    header, *lines = rows(hit).splitlines()
    text = "\n".join(
        [f"{header},AssignmentStatus", *(f"{each},{'Rejected' if ',w2,' in each else ''}" for each in lines)]
    )
    told = send(text).json()
    assert (told["n_new"], [(each["code"], each["n"]) for each in told["refused"]]) == (3, [("row_rejected", 3)])
