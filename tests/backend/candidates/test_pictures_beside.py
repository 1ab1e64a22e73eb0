"""Two sources use one name for two pictures: the caption goes to the picture that lies beside it, or to none."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run
from drawn import draw, write_tar, write_zip

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_engines]
Written = Callable[[Path, bytes, str], Path]
DOG, CAT = draw(1), draw(2)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: pytest.FixtureRequest) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"  # type: ignore[attr-defined]


def shard(folder: Path, picture: bytes, text: str) -> Path:
    return write_tar(folder / "00000.tar", {"000.png": picture, "000.txt": text.encode()})


def table(folder: Path, picture: bytes, text: str) -> Path:
    (folder / "000.png").write_bytes(picture)
    with (folder / "captions.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("image", "caption"), ("000.png", text)])
    return folder / "captions.csv"


def folder_of_ids(folder: Path, picture: bytes, text: str) -> Path:
    (folder / "images").mkdir()
    (folder / "images" / "000.png").write_bytes(picture)
    (folder / "captions.jsonl").write_text(json.dumps({"image_id": "000", "caption": text}))
    return folder


def coco(folder: Path, picture: bytes, text: str) -> Path:
    images, annotations = [{"id": 7, "file_name": "000.png"}], [{"id": 1, "image_id": 7, "caption": text}]
    rows = json.dumps({"images": images, "annotations": annotations}).encode()
    return write_zip(folder / "coco.zip", {"000.png": picture, "captions.json": rows})


def packed(folder: Path, picture: bytes, text: str) -> Path:
    out = io.BytesIO()
    rows = [{"image": {"bytes": picture, "path": "000.png"}, "caption": text}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    (folder / "train.parquet").write_bytes(out.getvalue())
    return folder / "train.parquet"


@pytest.fixture
def take(project: Project) -> Callable[..., Run]:
    def run(stage: str, source: Path, **more: str) -> Run:
        more |= {"default_licence": "CC0-1.0"} if stage == "import_images" else {}
        run = services.start_run(project=project, stage=stage, parameters={"source": str(source), **more})
        run.refresh_from_db()
        return run

    return run


def said() -> list[tuple[str, str]]:
    """The captions, each with the digest of its image."""
    return list(Candidate.objects.order_by("pk").values_list("image__digest", "raw_text"))


def sources(write: Written, tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        folder.mkdir()
    return write(folders[0], DOG, "A dog"), write(folders[1], CAT, "A cat")


@pytest.mark.parametrize("write", [shard, table, folder_of_ids, coco, packed])
def test_captions_never_go_to_another_picture_of_the_same_name(
    write: Written, tmp_path: Path, take: Callable[..., Run]
) -> None:
    dogs, cats = sources(write, tmp_path)
    take("import_images", dogs)
    assert list(take("import_images", cats).refusals.values_list("code", flat=True)) == ["duplicate_id"]
    take("import_candidates", cats)
    assert said() == []
    refusal = Refusal.objects.get(run__stage="import_candidates")
    assert refusal.code == "other_picture" and refusal.params["key"] in refusal.message
    take("import_candidates", dogs)
    assert said() == [(Image.objects.get().digest, "A dog")]


@pytest.mark.nightly
def test_the_bytes_find_an_image_that_has_another_name(tmp_path: Path, take: Callable[..., Run]) -> None:
    dogs, cats = sources(shard, tmp_path)
    take("import_images", dogs)
    take("import_images", write_tar(tmp_path / "cats.tar", {"cat.png": CAT}))
    take("import_candidates", cats)
    assert said() == [(Image.objects.get(key="cat.png").digest, "A cat")]


@pytest.mark.nightly
def test_a_text_whose_own_picture_is_missing_goes_to_no_other(tmp_path: Path, take: Callable[..., Run]) -> None:
    dogs, _ = sources(shard, tmp_path)
    take("import_images", dogs)
    torn = write_tar(tmp_path / "torn.tar", {"000.txt": b"A cat", "001.png": CAT, "001.txt": b"A cat"})
    take("import_candidates", torn)
    assert said() == []
    assert set(Refusal.objects.values_list("code", flat=True)) == {"sample_without_image", "unknown_image"}


def test_texts_without_pictures_go_by_name(tmp_path: Path, take: Callable[..., Run]) -> None:
    dogs, _ = sources(shard, tmp_path)
    take("import_images", dogs)
    texts = write_tar(tmp_path / "texts.tar", {"000.txt": b"A dog runs"})
    assert take("import_candidates", texts, layout="webdataset").counts["out"] == 1
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "captions.csv").write_text("image,caption\n000.png,A dog sleeps\n")
    assert take("import_candidates", tmp_path / "more" / "captions.csv").counts["out"] == 1


def test_an_id_that_is_the_file_name_of_another_image_is_refused(tmp_path: Path, take: Callable[..., Run]) -> None:
    """The ids came from a table of the images. The captions are imported alone, and have ids only."""
    (tmp_path / "1.png").write_bytes(DOG)
    (tmp_path / "2.png").write_bytes(CAT)
    (tmp_path / "images.csv").write_text("id,file\n1,2.png\n2,1.png\n")
    take("import_images", tmp_path / "images.csv")
    (tmp_path / "captions.csv").write_text("image_id,caption\n1,A cat\n")
    take("import_candidates", tmp_path / "captions.csv")
    assert said() == []
    refusal = Refusal.objects.get(run__stage="import_candidates")
    assert refusal.code == "images_differ" and "1, 1.png" in refusal.message
    take("import_candidates", tmp_path)
    assert said() == [(Image.objects.get(key="1").digest, "A cat")], "with the table of images it is known"
