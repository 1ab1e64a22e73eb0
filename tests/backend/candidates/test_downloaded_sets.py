"""Real inputs by the commands that people run: which images and captions there are then, and what was said of the rest.

The inputs are `../shared/cases`; each has a README that says what is right.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pyarrow
import pytest
from django.core.management import CommandError, call_command
from pyarrow import parquet

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Run
from drawn import draw, write_zip

pytestmark = pytest.mark.django_db(transaction=True)
Import = Callable[..., str]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: pytest.FixtureRequest) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"  # type: ignore[attr-defined]


@pytest.fixture
def take(project: Project, shared_cases: Path) -> Import:
    """Import images and captions of a case, and give back what the commands printed."""

    def run(case: str, *stages: str, licence: str = "") -> str:
        path = next(shared_cases.glob(case))
        out = StringIO()
        for stage in stages or ("import_images", "import_candidates"):
            more = {"default_licence": licence} if stage == "import_images" else {}
            try:
                call_command(stage, str(path), project="skies", stdout=out, stderr=StringIO(), **more)
            except CommandError as error:
                out.write(f"{error}\n")
        return out.getvalue()

    return run


def captions() -> dict[str, list[str]]:
    """The captions of each image by its id."""
    found: dict[str, list[str]] = {key: [] for key in Image.objects.order_by("pk").values_list("key", flat=True)}
    for key, text in Candidate.objects.order_by("pk").values_list("image__key", "raw_text"):
        found[key].append(text)
    return found


def test_signs_of_the_web_do_not_cut_a_caption_and_line_ends_do(take: Import) -> None:
    take("04-*/seps.tar", licence="CC0")
    assert captions() == {
        "0001": ["A red corner\u2028and a white band"],
        "0002": ["Seen from\x0bthe north side"],
        "0003": ["Old town\x85in the evening light"],
        "0004": ["One line", "and another caption"],
    }


def test_images_in_an_archive_beside_the_metadata_are_found(take: Import) -> None:
    take("08-*/in")
    assert captions() == {"g1.jpg": ["Picture number 1 in a row"], "g2.jpg": ["Picture number 2 in a row"]}


def test_a_name_of_two_files_is_refused_with_both_and_the_import_fails(take: Import) -> None:
    said = take("09-*/in", "import_images")
    assert "several files with the name 0001.jpg: train/0001.jpg, val/0001.jpg" in said
    assert Run.objects.get().status == "failed" and "did not succeed" in said


def test_letters_in_another_case_mean_the_only_file(take: Import) -> None:
    take("11-*/in")
    assert captions() == {"IMG_0001.jpg": ["A red corner"], "img_0002.jpeg": ["A black dot"]}


@pytest.mark.parametrize("kind", ["no-list", "empty-list", "empty-entry", "null"])
def test_a_licence_number_of_nothing_is_no_licence(take: Import, kind: str) -> None:
    take(f"15-*/{kind}", "import_images", licence="CC-BY-4.0")
    assert list(Image.objects.values_list("licence", flat=True)) == ["CC-BY-4.0"]


def test_a_licence_that_is_named_and_not_known_is_refused(take: Import) -> None:
    assert "does not know the licence Unknown" in take("15-*/unknown-name", "import_images", licence="CC-BY-4.0")
    assert not Image.objects.exists()


def test_an_id_that_became_a_decimal_means_its_image(take: Import) -> None:
    take("18-*/in", "import_images")
    said = take("18-*/caps/captions.csv", "import_candidates")
    assert captions() == {"391895": ["A red corner"], "522418": ["A black dot"]}
    assert "but 1 row was rejected" in said and "refused line 4" in said


def test_an_id_that_differs_where_the_file_is_the_same_is_the_captions(take: Import) -> None:
    assert "rejected" not in take("20-*/in")
    assert captions() == {
        "q1.jpg": ["A red corner", "A white band above"],
        "q2.jpg": ["A black dot", "A dot beside a corner"],
    }


def test_other_members_of_a_sample_are_told_and_hide_no_picture(take: Import) -> None:
    said = take("36-*/emb.tar", "import_images", licence="CC0")
    assert set(captions()) == {"s1", "s2"} and "ignored line 1, s1.emb.pth" in said
    said = take("36-*/stereo.tar", "import_images", licence="CC0")
    assert "s1.right.png: The sample has several images. Connote takes the first one, s1.left.png" in said


def test_the_sentences_of_karpathys_split_are_captions(take: Import) -> None:
    take("38-*/in", licence="CC-BY-4.0")
    assert captions() == {n: [f"First sentence of {n}.", f"Second sentence of {n}."] for n in "12"}


def test_a_picture_that_no_row_names_is_told(take: Import) -> None:
    said = take("44-*/in")
    assert set(captions()) == {"m1.jpg", "m2.jpg"}
    assert "ignored line 3, m3.jpg: No row of the table names this image." in said


FLICKR = '1.jpg#0\tA red corner , "seen close .\n1.jpg#1\tA white\u2028band .\n2.jpg#0\tA black dot .\n'


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("results.token", FLICKR,
         {"1.jpg": ['A red corner , "seen close .', "A white\u2028band ."], "2.jpg": ["A black dot ."]}),
        ("captions.txt", 'image,caption\n1.jpg,A red corner, seen close\n2.jpg,"A dot, black"\n',
         {"1.jpg": ["A red corner, seen close"], "2.jpg": ["A dot, black"]}),
        ("results.csv", "image_name| comment_number| comment\n1.jpg| 0| A corner , red .\n2.jpg| 0| A dot .\n",
         {"1.jpg": ["A corner , red ."], "2.jpg": ["A dot ."]}),
        ("captions.tsv", "a red corner\thttps://site.org/1.jpg\na black dot\thttps://site.org/2.jpg\n",
         {"1.jpg": ["a red corner"], "2.jpg": ["a black dot"]}),
        ("captions.json", json.dumps({"1.jpg": ["one", "two"], "2.jpg": "three"}),
         {"1.jpg": ["one", "two"], "2.jpg": ["three"]}),
        ("TextCaps_0.1_val.json", json.dumps({"dataset_name": "textcaps", "data": [
            {"image_id": "1", "caption_str": "It says 1", "reference_strs": ["It says 1", "One"]}]}),
         {"1.jpg": ["It says 1"], "2.jpg": []}),
        ("sbu.json", json.dumps({"image_urls": ["https://site.org/1.jpg", "https://site.org/2.jpg"],
         "user_ids": ["u", "v"], "captions": ["one", "two"]}), {"1.jpg": ["one"], "2.jpg": ["two"]}),
    ],
)  # fmt: skip
def test_captions_come_as_well_known_sets_are_published(
    project: Project, tmp_path: Path, name: str, content: str, expected: dict[str, list[str]]
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for n in (1, 2):
        (pictures / f"{n}.jpg").write_bytes(draw(n, format="JPEG"))
    table = tmp_path / name
    table.write_text(content)
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("import_images", str(pictures), project="skies", default_licence="CC0", **quiet)
    call_command("import_candidates", str(table), project="skies", **quiet)
    assert captions() == expected


def test_the_answers_of_conversations_are_captions_and_every_other_turn_is_told(
    project: Project, tmp_path: Path
) -> None:
    def talk(*turns: tuple[str, str], **record: object) -> dict[str, object]:
        return record | {"conversations": [{"from": who, "value": text} for who, text in turns]}

    asked, answered = ("human", "<image>\nWhat is there?"), ("gpt", "A red corner.\nIt is small.")
    for n in (1, 2):
        (tmp_path / f"{n}.jpg").write_bytes(draw(n, format="JPEG"))
    sets = [
        talk(asked, answered, ("human", "And above?"), ("gpt", "A white band."), id="000001", image="1.jpg"),
        talk(asked, ("gpt", "A black dot."), id="000002", image=["2.jpg"]),
        talk(("system", "Be short."), ("gpt", " "), ("tool", "x"), id="000003", image="2.jpg"),
        talk(("human", "Tell a joke."), ("gpt", "No."), id="joke"),
        talk(asked, ("gpt", "Two."), id="two", image=["1.jpg", "2.jpg"]),
        talk(id="000005", image="1.jpg"),
    ]
    (tmp_path / "llava.json").write_text(json.dumps(sets))
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("import_images", str(tmp_path), project="skies", default_licence="CC0", **quiet)
    call_command("import_candidates", str(tmp_path), project="skies", **quiet)
    found = captions()
    assert sorted(map(sorted, found.values())) == [["A black dot."], ["A red corner.\nIt is small.", "A white band."]]
    assert set(Candidate.objects.values_list("source", "source_ref")) == {
        ("gpt", "000001#2"), ("gpt", "000001#4"), ("gpt", "000002#2"),
    }  # fmt: skip
    run = Run.objects.get(stage="import_candidates")
    told = Counter(run.refusals.values_list("code", "is_ignored"))
    assert told == {
        ("turn_question", True): 4, ("conversation_no_image", True): 1,
        ("turn_unread", False): 2, ("conversation_images", False): 1, ("no_caption", False): 1,
    }  # fmt: skip
    assert run.counts["in"] == 3 + told.total()


def test_an_object_of_something_else_fails_the_import_and_names_what_is_in_it(project: Project, tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(draw(1, format="JPEG"))
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("import_images", str(tmp_path), project="skies", default_licence="CC0", **quiet)
    (tmp_path / "settings.json").write_text(json.dumps({"model": {"name": "x"}, "epochs": 3}))
    with pytest.raises(CommandError, match="did not succeed"):
        call_command("import_candidates", str(tmp_path / "settings.json"), project="skies", **quiet)
    assert "It has: model, epochs" in quiet["stdout"].getvalue()


def test_the_metadata_of_an_imagefolder_may_be_parquet(project: Project, tmp_path: Path) -> None:
    write_zip(tmp_path / "images.zip", {"1.jpg": draw(1, format="JPEG"), "2.jpg": draw(2, format="JPEG")})
    rows = pyarrow.table({"file_name": ["1.jpg", "2.jpg"], "text": ["one", "two"]})
    parquet.write_table(rows, tmp_path / "metadata.parquet")
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("import_images", str(tmp_path), project="skies", default_licence="CC0", **quiet)
    call_command("import_candidates", str(tmp_path), project="skies", **quiet)
    assert captions() == {"1.jpg": ["one"], "2.jpg": ["two"]}


def test_the_split_in_the_name_of_a_coco_file_tells_equal_file_names_apart(project: Project, tmp_path: Path) -> None:
    for n, split in enumerate(("train2017", "val2017"), start=1):
        (tmp_path / split).mkdir()
        (tmp_path / split / "9.jpg").write_bytes(draw(n, format="JPEG"))
        told = {"image_id": n, "id": n, "caption": f"Of {split}"}
        coco = {"images": [{"id": n, "file_name": "9.jpg"}], "annotations": [told]}
        (tmp_path / f"captions_{split}.json").write_text(json.dumps(coco))
        (tmp_path / f"instances_{split}.json").write_text(json.dumps({"images": [], "annotations": []}))
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("import_images", str(tmp_path), project="skies", default_licence="CC0", **quiet)
    assert dict(Image.objects.values_list("key", "digest")) == {
        str(n): hashlib.sha256(draw(n, format="JPEG")).hexdigest() for n in (1, 2)
    }
    call_command("import_candidates", str(tmp_path), project="skies", **quiet)
    assert captions() == {"1": ["Of train2017"], "2": ["Of val2017"]}


def test_an_import_that_took_nothing_starts_again_when_it_is_retried(project: Project, tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_text("image,caption\n2.jpg,A dot\n")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    quiet = {"stdout": StringIO(), "stderr": StringIO()}
    for n in (1, 2):
        (pictures / f"{n}.jpg").write_bytes(draw(n, format="JPEG"))
        call_command("import_images", str(pictures), project="skies", default_licence="CC0", **quiet)
        if n == 1:
            with pytest.raises(CommandError):
                call_command("import_candidates", str(tmp_path / "captions.csv"), project="skies", **quiet)
    failed = Run.objects.get(stage="import_candidates")
    assert failed.error is not None and (failed.status, failed.error["code"]) == ("failed", "all_rejected")
    again = services.retry_run(run=failed, started_by=None)
    again.refresh_from_db()
    assert (again.status, again.counts["out"], again.refusals.count()) == ("succeeded", 1, 0)
    assert captions()["2.jpg"] == ["A dot"]
