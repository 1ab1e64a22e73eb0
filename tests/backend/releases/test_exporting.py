"""`manage.py export`: a release in the layout of another tool, whole or not at all."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from PIL import Image as Pillow

from backend.catalogue.models import Image
from backend.releases import exporting
from backend.releases.exporting import FORMATS, NotEmpty, export_release
from backend.releases.models import Release
from backend.runs.models import Run
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

pytestmark = pytest.mark.both_engines
RunStage = Callable[..., Run]


@pytest.fixture
def with_files(release: Release) -> Release:
    """The files of its images, but for the last."""
    for n, image in enumerate(Image.objects.filter(project=release.project).order_by("digest")[:2]):
        out = io.BytesIO()
        Pillow.new("RGB", (9 + n, 9)).save(out, "JPEG")
        default_storage.save(image.original, ContentFile(out.getvalue()))
    return release


def test_every_format_is_written_with_card_credits_and_checksums(
    with_files: Release, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    everywhere = {"README.md", "ATTRIBUTION.csv", "manifest.json", "SHA256SUMS"}
    for name in FORMATS:
        folder = tmp_path / name / "here"
        call_command("export", project="skies", format=name, to=folder)
        assert everywhere <= {path.name for path in folder.iterdir()}, name
        checked = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder)
        assert checked.returncode == 0, name
        assert [path.name for path in folder.parent.iterdir()] == ["here"]
        assert "Version 1.0.0:" in capsys.readouterr().out


def test_the_same_release_gives_the_same_bytes_later(with_files: Release, tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_release(release=with_files, format="parquet", folder=tmp_path / name)
    sums = [(tmp_path / name / "SHA256SUMS").read_bytes() for name in ("one", "two")]
    assert sums[0] == sums[1]


def test_an_image_that_left_the_project_or_has_no_file_goes_out_without_bytes(
    with_files: Release, tmp_path: Path
) -> None:
    first = Image.objects.filter(project=with_files.project).earliest("digest")
    Image.objects.filter(pk=first.pk).update(digest="0" * 64)
    export_release(release=with_files, format="parquet", folder=tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "data").to_pylist()
    assert [row["image"] is None for row in rows] == [True, False, True]
    assert [row["digest"] for row in rows] == [entry.digest for entry in with_files.entries.order_by("position")]


def test_a_folder_that_holds_something_is_left_alone(release: Release, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(NotEmpty):
        export_release(release=release, format="coco", folder=tmp_path)
    with pytest.raises(CommandError, match="Choose a new folder"):
        call_command("export", project="skies", format="coco", to=tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name != "media"] == ["mine.txt"]


def test_a_killed_export_leaves_no_folder_and_the_next_one_is_whole(
    with_files: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pull_the_plug(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(exporting, "_carry", pull_the_plug)
        export_release(release=with_files, format="coco", folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / ".out.part").mkdir()
    (tmp_path / ".out.part" / "half").write_text("half")
    export_release(release=with_files, format="coco", folder=tmp_path / "out")
    assert len(json.loads((tmp_path / "out" / "captions.json").read_text(encoding="utf-8"))["annotations"]) == 15
    assert not (tmp_path / "out" / "half").exists()


def test_a_release_that_does_not_exist_is_a_sentence(release: Release, tmp_path: Path) -> None:
    for wrong in ({"project": "nowhere"}, {"project": "skies", "release": "7"}):
        with pytest.raises(CommandError, match="no such release"):
            call_command("export", format="coco", to=tmp_path / "out", **wrong)


def test_the_hub_finds_the_splits_and_the_benchmark(with_files: Release, tmp_path: Path, run_stage: RunStage) -> None:
    export_release(release=with_files, format="parquet", folder=tmp_path / "one")
    head = yaml.safe_load((tmp_path / "one" / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert head["configs"][0]["data_files"] == [{"split": "train", "path": "data/train-*.parquet"}]
    assert not (tmp_path / "one" / "eval.yaml").exists()
    export_release(release=with_files, format="webdataset", folder=tmp_path / "tars")
    head = yaml.safe_load((tmp_path / "tars" / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    assert head["configs"][0]["data_files"] == [{"split": "train", "path": "train-*.tar"}]
    assert [column["name"] for column in head["dataset_info"]["features"]] == ["jpg", "json", "__key__", "__url__"]
    run_stage(with_files.project, "release", shares="0,0,100")
    export_release(release=Release.objects.get(version=2), format="parquet", folder=tmp_path / "two")
    told = yaml.safe_load((tmp_path / "two" / "eval.yaml").read_text(encoding="utf-8"))
    assert {task["split"] for task in told["tasks"]} == {"test"}
