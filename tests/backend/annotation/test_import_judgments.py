"""Judgments made elsewhere in a project of one's own: found by key or by image and text, counted like all others."""

from __future__ import annotations

import csv
import json
import threading
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from rest_framework.test import APIClient

from backend.annotation import submitting
from backend.annotation.forecast.forecasting import get_forecast
from backend.annotation.foreign import importing, storing
from backend.annotation.foreign.importing import Imported, import_judgments
from backend.annotation.holding import hold_standings
from backend.annotation.models import Assignment, Hit, HitItem, Judgment, Slot, Standing
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.methods.foreign.told import Told
from backend.people.models import User
from backend.projects.models import Membership, Project
from pages_in_hand import submit, take

pytestmark = pytest.mark.django_db


def keys(hit: Hit) -> list[str]:
    return list(HitItem.objects.filter(hit=hit).order_by("position").values_list("candidate__key", flat=True))


def of_workers(hit: Hit, *workers: str, label: str = "good") -> list[Told]:
    """What each worker says of every pair of the HIT."""
    return [Told(f"{worker} {n}", key, worker, label) for worker in workers for n, key in enumerate(keys(hit), start=1)]


def run(project: Project, told: list[Told]) -> Imported:
    return import_judgments(project=Project.objects.get(pk=project.pk), told=told)


def refusals(found: Imported) -> dict[str, str]:
    return {refused.where: refused.why for refused in found.refused}


def test_foreign_judgments_count_and_fill_the_places(project: Project, hit: Hit) -> None:
    found = run(project, of_workers(hit, "W1", "W2"))
    assert (found.n_new, found.n_people, found.refused) == (6, 2, [])
    assert counted_judgments(project=project).count() == 6
    assert not Slot.objects.filter(hit=hit, assignment=None).exists()
    assert Slot.objects.filter(hit=hit).count() == project.overlap
    assert not HitItem.objects.filter(hit=hit, is_open=True).exists()
    assert get_forecast(project=project).n_places == 0
    assert set(Standing.objects.values_list("user__display_name", "n_submitted")) == {("W1", 1), ("W2", 1)}


def test_a_person_of_the_house_goes_on_where_a_foreign_file_ends(project: Project, hit: Hit) -> None:
    run(project, of_workers(hit, "W1")[:2])
    assert Slot.objects.filter(hit=hit, assignment=None).count() == 1  # another for the third pair once that is filled
    assert get_forecast(project=project).left.judgments.mean == 4
    run(project, of_workers(hit, "W1"))
    assert Slot.objects.filter(hit=hit, assignment=None).count() == 1
    assert Assignment.objects.get().shown == list(
        HitItem.objects.order_by("position").values_list("candidate", flat=True)
    )


@pytest.fixture
def told(add_image: Callable[..., Image], build: Callable[..., list[Hit]]) -> list[Told]:
    """What two workers said of all pairs of two HITs."""
    add_image("pier", 3)
    add_image("cat", 3)
    return [each for hit in build() for each in of_workers(hit, "W1", "W2")]


def test_the_same_file_again_adds_nothing(project: Project, hit: Hit) -> None:
    run(project, of_workers(hit, "W1"))
    again = run(project, of_workers(hit, "W1"))
    assert (again.n_new, again.n_there, again.refused) == (0, 3, [])
    assert (Judgment.objects.count(), Standing.objects.get().n_submitted) == (3, 1)


def test_an_import_that_is_stopped_keeps_whole_hits_and_goes_on(
    project: Project, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = storing._store_turns
    monkeypatch.setattr(storing, "ROWS", 1)

    def stop_at_the_second(project: Project, said: Any) -> None:
        if Judgment.objects.exists():
            raise KeyboardInterrupt
        store(project, said)

    monkeypatch.setattr(storing, "_store_turns", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        run(project, told)
    assert (Judgment.objects.count(), Assignment.objects.count()) == (6, 2)
    monkeypatch.setattr(storing, "_store_turns", store)
    rest = run(project, told)
    assert (rest.n_new, rest.n_there, rest.refused) == (6, 6, [])
    assert set(Standing.objects.values_list("n_submitted", flat=True)) == {2}


def test_many_rows_take_few_statements(
    project: Project, hit: Hit, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    told = of_workers(hit, *(f"W{n}" for n in range(60)))
    with django_assert_max_num_queries(30):
        assert run(project, told).n_new == 180
    assert Slot.objects.filter(hit=hit).values("number").distinct().count() == 60


@pytest.mark.parametrize("batch", [1, 1000])
def test_pairs_of_many_keys_are_found_in_one_statement_as_those_of_few_are(
    project: Project, hit: Hit, django_assert_num_queries: Callable[..., Any], monkeypatch: pytest.MonkeyPatch,
    batch: int, charlie: User,
) -> None:  # fmt: skip
    """A thousand keys a statement read a project of 100,000 pairs a hundred times."""
    monkeypatch.setattr(importing, "BATCH", batch)
    asked = [*keys(hit)[:2], "nothing", ""]
    with django_assert_num_queries(1):
        found = importing._pairs_by_key(project, asked)
    assert list(found) == asked[:2]
    assert {pair.hit_id for pair in found.values()} == {hit.pk}
    assert not importing._pairs_by_key(Project.objects.get(slug="elsewhere"), asked)


def test_what_was_imported_stands(project: Project, hit: Hit) -> None:
    run(project, of_workers(hit, "W1"))
    other = run(project, of_workers(hit, "W1", label="bad"))
    assert set(refusals(other).values()) == {"It was imported before as good, and that stands."}
    assert set(Judgment.objects.values_list("label", flat=True)) == {"good"}


def test_pairs_are_found_by_image_and_text(project: Project, hit: Hit) -> None:
    images = (
        "pier",
        "/data/upload/3/1a2b3c4d-pier",
        "https://example.org/photos/pier?x=1",
        "http://studio:8080/data/local-files/?d=photos/p%69er",
    )
    told = [
        Told(f"task {n}", str(n), f"W{n}", "Good", image=image, text=f"pier caption {at}")
        for n, image in enumerate(images)
        for at in (1, 2, 3)
    ]
    assert run(project, told).refused == []
    assert set(Judgment.objects.values_list("candidate__text", "label")) == {
        (f"pier caption {n}", "good") for n in (1, 2, 3)
    }


def test_what_cannot_be_taken_is_told_with_its_place(
    project: Project, hit: Hit, add_image: Callable[..., Image], charlie: User
) -> None:
    key = keys(hit)[0]
    loose = Candidate.objects.filter(image=add_image("gull", 1)).get()
    elsewhere = Candidate.objects.filter(image=add_image("pier", 1, into=Project.objects.get(slug="elsewhere"))).get()
    told = [
        Told("line 2", key, "W1", "good"),
        Told("line 3", key, "W1", "bad"),
        Told("line 4", key, "W2", "maybe"),
        Told("line 5", key, "", "good"),
        Told("line 6", loose.key, "W1", "good"),
        Told("line 7", f"{elsewhere.key}x", "W1", "good"),
        Told("line 8", key, "W3", "good", is_gold=True),
        Told("line 9", key, "W3", "", why_not="It was cancelled: its maker said nothing."),
        Told("line 10", key, "W\0", "good"),
        Told("line 11", key, "W\ud83d", "good"),
    ]
    found = run(project, told)
    assert found.n_new == 1
    assert refusals(found) == {
        "line 3": "This person judged the pair before: line 2.",
        "line 4": "The label is none of 0, 1, bad, false, good, irrelevant, no, non-relevant, relevant, true, unsure, "
        "yes: 'maybe'.",
        "line 5": "It does not say who judged.",
        "line 6": "No pair that stands in a HIT of this project has this key, or this image and text.",
        "line 7": "No pair that stands in a HIT of this project has this key, or this image and text.",
        "line 8": "It is marked as ground truth: make it a control instead.",
        "line 9": "It was cancelled: its maker said nothing.",
        "line 10": "It holds characters that no text can hold.",
        "line 11": "It holds characters that no text can hold.",
    }


def test_a_foreign_worker_cannot_sign_in_and_belongs_to_nothing(project: Project, hit: Hit, client: APIClient) -> None:
    run(project, of_workers(hit, "W1"))
    user = User.objects.get(display_name="W1")
    assert (user.is_active, user.has_usable_password()) == (False, False)
    assert authenticate(username=user.username, password="") is None
    assert not Membership.objects.filter(user=user).exists()


def test_a_worker_is_one_person_in_a_project_and_another_in_the_next(
    project: Project, hit: Hit, charlie: User, add_image: Callable[..., Image], build: Callable[..., list[Hit]]
) -> None:
    elsewhere = Project.objects.get(slug="elsewhere")
    add_image("pier", 3, into=elsewhere)
    run(project, of_workers(hit, "W1"))
    run(elsewhere, of_workers(build(elsewhere)[0], "W1"))
    assert User.objects.filter(display_name="W1").count() == 2


def command(*arguments: Any) -> str:
    out = StringIO()
    call_command("import_judgments", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_the_command_reads_rows_and_says_what_it_refused(project: Project, hit: Hit, tmp_path: Path) -> None:
    rows = "\n".join(f"{key},W1,fits" for key in (*keys(hit), "nothing"))
    (tmp_path / "rows.csv").write_text(f"task,worker,label\n{rows}\n")
    told = command(project.slug, tmp_path / "rows.csv", "--labels", "fits=good,misses=bad")
    assert "3 judgments of 1 people are new, 0 were there, 1 are refused." in told
    assert told.splitlines()[1] == (
        "  1: No pair that stands in a HIT of this project has this key, or this image and text. See line 5"
    )


def test_a_wrong_file_is_told_by_reason_and_every_row_of_it_where_that_is_asked(
    project: Project, hit: Hit, tmp_path: Path
) -> None:
    """Each refused row had a line of its own: half a million of them for a file with another label column."""
    rows = [f"{keys(hit)[0]},W{n},fits {n}" for n in range(300)] + [f"none,=W{n},good" for n in range(7)]
    (tmp_path / "rows.csv").write_text("\n".join(["task,worker,label", *rows]))
    told = command(project.slug, tmp_path / "rows.csv", "--refused", tmp_path / "refused.csv").splitlines()
    assert (len(told), told[0][-16:]) == (3, "307 are refused.")
    assert told[1].startswith("  300: The label is none of 0, 1, bad, ")
    assert told[1].endswith("See line 2 ('fits 0'), line 3 ('fits 1'), line 4 ('fits 2'), line 5 ('fits 3'), "
                            "line 6 ('fits 4'), ...")  # fmt: skip
    with (tmp_path / "refused.csv").open(newline="") as file:
        written = list(csv.DictReader(file))
    assert len(written) == 307
    assert written[0]["file"] == "rows.csv"
    assert (written[299]["where"], written[299]["why"][-13:]) == ("line 301", ": 'fits 299'.")


def test_where_refused_rows_cannot_be_written_nothing_is_imported(project: Project, hit: Hit, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(f"task,worker,label\n{keys(hit)[0]},W1,good\n")
    with pytest.raises(CommandError, match="is one of the files to be read"):
        command(project.slug, rows, "--refused", tmp_path / "." / "rows.csv")
    with pytest.raises(CommandError, match=r"refused\.csv cannot be written: No such file or directory"):
        command(project.slug, rows, "--refused", tmp_path / "nowhere" / "refused.csv")
    assert not Judgment.objects.exists()
    assert rows.read_text().endswith("W1,good\n")


def test_what_is_done_is_told_as_it_is_done(
    project: Project, told: list[Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(project, told[:2])
    monkeypatch.setattr(storing, "ROWS", 1)
    steps: list[tuple[int, int]] = []
    import_judgments(project=project, told=told, progress=lambda n, n_all: steps.append((n, n_all)))
    assert steps == [(6, 12), (6, 12)]


def test_what_no_terminal_takes_is_spelt_out_and_a_novel_is_cut(project: Project, hit: Hit, tmp_path: Path) -> None:
    """A half character in a worker's name ended the command after it had stored everything, without a word of it."""
    key = keys(hit)[0]
    (tmp_path / "said.json").write_text(json.dumps({"W\ud83d": {key: "good"}, "W1": {key: "x" * 1_000_000}}))
    told = command(project.slug, tmp_path / "said.json").encode()
    assert b"W\\ud83d of " in told
    assert len(told) < 1000


def test_the_command_reads_label_studio(project: Project, hit: Hit, tmp_path: Path) -> None:
    tasks = [
        {
            "id": n,
            "data": {"image": "/data/upload/1/1a2b3c4d-pier", "caption": f"pier caption {n}"},
            "annotations": [
                {"id": 10 * n + who, "completed_by": who, "result": [{"from_name": "fit", "type": "choices",
                 "value": {"choices": [label]}}]}
                for who, label in ((1, "Good"), (2, "Bad"))
            ],
        }
        for n in (1, 2, 3)
    ]  # fmt: skip
    (tmp_path / "export.json").write_text(json.dumps(tasks))
    assert "6 judgments of 2 people are new, 0 were there, 0 are refused." in command(
        project.slug, tmp_path / "export.json"
    )


@pytest.mark.parametrize(
    ("name", "text", "options", "says"),
    [
        ("votes.json", '{"0": {"mturk": {"caption": 2}}}', (), "voters are not named"),
        ("votes.json", '{"0": {"7": [2, 1, 0]}}', ("--queries", __file__), "The queries are no"),
        ("odd.csv", "a,b\n1,2\n", (), "no column task"),
        ("nothing.json", "{}", (), "Nobody has said anything"),
        ("rows.csv", "task,worker,label\n1,2,3\n", ("--labels", "3=fine"), "whether it is good, bad or unsure"),
        ("rows.csv", "task,worker,label\n1,2,3\n", ("--labels", "=good"), "Say of each label whether"),
        ("rows.csv", "task,worker,label\n1,2,3\n", ("--labels", "fits=good,Fits=bad"), "Say of Fits once which it is"),
    ],
)
def test_files_and_labels_that_cannot_be_used_are_told(
    project: Project, tmp_path: Path, name: str, text: str, options: tuple[str, ...], says: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CommandError, match=says):
        command(project.slug, tmp_path / name, *options)


def test_a_project_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no project nowhere"):
        command("nowhere", tmp_path / "rows.csv")


@pytest.mark.django_db(transaction=True)
def test_a_file_and_an_audit_of_controls_do_not_lock_each_other_out(
    project: Project, add_image: Callable[..., Image], build: Callable[..., list[Hit]], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_image("pier", 3)
    add_image("cat", 3)
    first, second = build()
    run(project, of_workers(first, "W1", "W2"))
    found: list[int] = []
    store, auditing = storing._store_turns, threading.Thread(target=audit, args=(project, found))

    def store_slowly(*args: Any) -> None:
        store(*args)
        if auditing.ident is None:
            auditing.start()
            auditing.join(timeout=0.5)

    monkeypatch.setattr(storing, "_store_turns", store_slowly)
    assert run(project, of_workers(second, "W2", "W1")).n_new == 6
    auditing.join(timeout=30)
    assert found == [2]


def audit(project: Project, found: list[int]) -> None:
    try:
        with transaction.atomic():
            found.append(len(hold_standings(project)))
    finally:
        connection.close()


@pytest.fixture
def held(project: Project, hit: Hit, dora: User) -> Assignment:
    """A page in dora's hands, of a project without controls: nobody settles a HIT there whose pages show all of it."""
    Project.objects.filter(pk=project.pk).update(control_rate=0)
    return take(Project.objects.get(pk=project.pk), dora)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_page_submitted_while_a_file_comes_in_leaves_no_pair_open_that_has_its_judgments(
    project: Project, hit: Hit, bob: User, held: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file counts the page as held, and the submit finds no page of the file yet."""
    settle, sent = storing.settle_hits, threading.Thread(target=submit_and_close, args=(held,))

    def settle_slowly(**asked: Any) -> None:
        monkeypatch.setattr(storing, "settle_hits", settle)
        settle(**asked)
        sent.start()
        sent.join(timeout=30)

    monkeypatch.setattr(storing, "settle_hits", settle_slowly)
    assert run(project, of_workers(hit, "W1")[:1]).n_new == 1
    held.refresh_from_db()
    assert held.status == "submitted"
    assert len(take(project, bob).shown) == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_being_submitted_when_a_file_has_come_in_is_waited_for(
    project: Project, hit: Hit, bob: User, held: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, store_turns = submitting.settle_when_full, storing._store_turns
    looked, sent = threading.Event(), threading.Thread(target=submit_and_close, args=(held,))

    def settle_and_wait(**asked: Any) -> None:
        record(**asked)
        looked.set()
        time.sleep(1)

    def begin(*args: Any) -> None:
        store_turns(*args)
        sent.start()
        assert looked.wait(timeout=30)

    monkeypatch.setattr(submitting, "settle_when_full", settle_and_wait)
    monkeypatch.setattr(storing, "_store_turns", begin)
    assert run(project, of_workers(hit, "W1")[:1]).n_new == 1
    sent.join(timeout=30)
    assert len(take(project, bob).shown) == 2


def submit_and_close(page: Assignment) -> None:
    try:
        submit(page)
    finally:
        connection.close()
