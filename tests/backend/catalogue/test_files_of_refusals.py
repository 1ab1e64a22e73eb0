"""Where a source has several files of rows, each refused row says which of them it stands in."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.runs.models import Refusal, Run
from backend.runs.services import start_run
from drawn import draw
from world import World

pytestmark = pytest.mark.django_db(transaction=True)


def coco(*images: str, captions: dict[str, str]) -> str:
    ids = {name: n for n, name in enumerate(images)} | {"nowhere.png": 77}
    return json.dumps(
        {
            "images": [{"id": ids[name], "file_name": name} for name in images],
            "annotations": [
                {"id": n, "image_id": ids[name], "caption": text} for n, (name, text) in enumerate(captions.items())
            ],
        }
    )


def told() -> list[tuple[str, str]]:
    return sorted(Refusal.objects.filter(is_ignored=False).values_list("name", "code"))


@pytest.fixture
def import_captions(project: Project) -> Callable[[Path], Run]:
    World(project).images("0.png", "1.png")
    return lambda source: start_run(project=project, stage="import_candidates", parameters={"source": str(source)})


def test_pictures_of_two_tables(picture_folder: Callable[..., Path], import_from: Callable[..., Run]) -> None:
    folder = picture_folder(2)
    (folder / "1.png").write_bytes(b"no picture")
    for path in folder.iterdir():
        if path.suffix != ".png":
            path.unlink()
    (folder / "train.csv").write_text("file_name,licence\n0.png,CC0\n")
    (folder / "val.csv").write_text("file_name,licence\n1.png,CC0\n2.png,CC0\n0.png,my own\n")
    import_from(folder)
    names = [name for name, _ in told()]
    assert names and all(name.startswith("val.csv: ") for name in names), told()


def test_captions_of_two_tables(folder: Path, import_captions: Callable[[Path], Run]) -> None:
    (folder / "captions_train.json").write_text(coco("0.png", captions={"0.png": "A pier.", "nowhere.png": "A cat."}))
    (folder / "captions_val.json").write_text(coco("1.png", captions={"1.png": "", "nowhere.png": "A dog."}))
    import_captions(folder)
    files = {name.partition(": ")[0] for name, _ in told()}
    assert files == {"captions_train.json", "captions_val.json"}
    assert not any(name.count(".json") > 1 for name, _ in told())


def test_captions_of_two_shards(folder: Path, import_captions: Callable[[Path], Run]) -> None:
    for shard, key in (("00000.tar", "0"), ("00001.tar", "9")):
        with tarfile.open(folder / shard, "w") as tar:
            for ending, data in (("png", draw(int(key))), ("txt", b"A pier.")):
                member = tarfile.TarInfo(f"{key}.{ending}")
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
    Image.objects.filter(key="0.png").update(digest=sha256(draw(0)).hexdigest())
    import_captions(folder)
    assert [name for name, _ in told()] == ["00001.tar: 9"]
