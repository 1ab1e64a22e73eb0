"""`manage.py encode`: shards per model, speeds and broken pictures printed, a kill loses nothing that was finished."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from PIL import Image

from encoder_models import save_tiny_clip
from workers.engines import registry
from workers.engines.shards import ShardRefusedError, read_shards
from workers.management.commands.encode import folder_name

ROOT = Path(__file__).resolve().parents[2]
# open_clip, timm and torch deprecate their own corners at import; none of it is ours.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "tiny-one"
    save_tiny_clip(folder, seed=1)
    return f"local-dir:{folder}"


@pytest.fixture(scope="module")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "tiny-two"
    save_tiny_clip(folder, seed=2)
    return f"local-dir:{folder}"


def draw(folder: Path, n: int) -> Path:
    """`n` JPEGs that all differ, half of them in a folder of their own."""
    (folder / "more").mkdir(parents=True)
    rng = np.random.default_rng(0)
    for place in range(n):
        noise = Image.fromarray(rng.integers(0, 256, (40, 60, 3), dtype=np.uint8))
        noise.save(folder / ("more" if place % 2 else ".") / f"{place:04}.jpg")
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = draw(tmp_path / "pictures", 11)
    (folder / "more" / "0005.jpg").write_bytes((folder / "more" / "0005.jpg").read_bytes()[:300])
    (folder / "notes.txt").write_text("not a picture")
    (folder / ".hidden.jpg").write_bytes(b"nor this")
    return folder


def encode(*args: object, out: Path) -> str:
    said, bars = StringIO(), StringIO()
    call_command("encode", *map(str, args), "--out", str(out), stdout=said, stderr=bars)
    return said.getvalue()


def identity(folder: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.glob("shard-*")}


def test_a_folder_becomes_shards_and_the_broken_picture_is_named(pictures: Path, model: str, tmp_path: Path) -> None:
    said = encode(pictures, "--models", model, "--shard-size", 4, out=tmp_path / "out")
    shards = read_shards(tmp_path / "out" / "tiny-one")
    keys = [path.relative_to(pictures).as_posix() for path in sorted(pictures.rglob("[!.]*.jpg"))]
    keys.remove("more/0005.jpg")
    assert shards.keys(np.arange(len(shards))) == sorted(keys)
    assert "images/s, 11 images; 3 shards computed, 0 existed" in said
    assert "1 of 11 images are broken" in said and "more/0005.jpg: The file is not complete" in said
    assert "1 files do not have the name of an image" in said


def test_names_that_are_not_utf_8_are_written_out_and_lose_nothing(model: str, tmp_path: Path) -> None:
    """One of them is broken, and one is called as another is written out."""
    folder, out = draw(tmp_path / "pictures", 4), tmp_path / "out"
    good = (folder / "0000.jpg").read_bytes()
    for name in (rb"caf\xe9.jpg", b"caf\xe9.jpg", b"m\xfcde.jpg"):
        (folder / os.fsdecode(name)).write_bytes(good[:300] if name.startswith(b"m") else good)
    said = encode(folder, "--models", model, "--shard-size", 4, out=out)
    shards = read_shards(out / "tiny-one")
    keys = shards.keys(np.arange(len(shards)))
    assert keys == ["0000.jpg", "0002.jpg", r"caf\xe9.jpg", r"caf\xe9.jpg~", "more/0001.jpg", "more/0003.jpg"]
    assert r"m\xfcde.jpg: The file is not complete" in said
    assert "0 shards computed, 2 existed" in encode(folder, "--models", model, "--shard-size", 4, out=out)
    (folder / os.fsdecode(b"caf\xe9.jpg")).write_bytes(good[:300])
    assert "1 shards computed, 1 existed" in encode(folder, "--models", model, "--shard-size", 4, out=out)


def test_the_rows_are_the_encoders_own_vectors(pictures: Path, model: str, tmp_path: Path) -> None:
    encode(pictures, "--models", model, "--shard-size", 4, out=tmp_path / "out")
    shards = read_shards(tmp_path / "out" / "tiny-one")
    encoder = registry.image_encoder(model)
    given = [(key, pictures / key) for key in shards.keys(np.arange(len(shards)))]
    vectors = np.concatenate([block.vectors for block in encoder.encode(given)])
    assert np.abs(shards.rows(np.arange(len(shards))) - vectors).max() < 1e-5
    assert (shards.recipe.model_digest, shards.recipe.preprocessing) == (encoder.digest, encoder.preprocessing)


def test_a_second_time_there_is_nothing_to_do(pictures: Path, model: str, tmp_path: Path) -> None:
    encode(pictures, "--models", model, "--shard-size", 4, out=tmp_path / "out")
    before = identity(tmp_path / "out" / "tiny-one")
    said = encode(pictures, "--models", model, "--shard-size", 4, out=tmp_path / "out")
    assert "nothing to do; 0 shards computed, 3 existed" in said and "1 of 11 images are broken" in said
    assert identity(tmp_path / "out" / "tiny-one") == before


def test_a_picture_that_was_changed_is_encoded_again_with_its_shard_only(
    pictures: Path, model: str, tmp_path: Path
) -> None:
    encode(pictures, "--models", model, "--shard-size", 4, out=tmp_path / "out")
    Image.new("RGB", (50, 50), "red").save(pictures / "0000.jpg")
    assert "4 images; 1 shards computed, 2 existed" in encode(
        pictures, "--models", model, "--shard-size", 4, out=tmp_path / "out"
    )


def test_one_model_that_cannot_be_had_does_not_keep_the_others_from_their_work(
    pictures: Path, model: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="no-such-model-anywhere"):
        encode(pictures, "--models", f"no-such-model-anywhere,{model}", out=tmp_path / "out")
    assert len(read_shards(tmp_path / "out" / "tiny-one")) == 10


def test_two_models_never_share_a_folder(pictures: Path, model: str, other_model: str, tmp_path: Path) -> None:
    encode(pictures, "--models", f"{model},{other_model}", out=tmp_path / "out")
    one, two = tmp_path / "out" / "tiny-one", tmp_path / "out" / "tiny-two"
    with pytest.raises(ShardRefusedError, match=r"'tiny-two'.*'tiny-one'"):
        read_shards(one, two)
    two.rename(tmp_path / "moved")
    (tmp_path / "moved").rename(tmp_path / "out" / "tiny-one.old")
    one.rename(two)
    with pytest.raises(CommandError, match=r"'tiny-one'.*not from 'tiny-two'"):
        encode(pictures, "--models", other_model, out=tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("ViT-B-32/laion2b_s34b_b79k", "ViT-B-32--laion2b_s34b_b79k"),
        ("../../etc", "etc"),
        ("hf-hub:a/b", "hf-hub--a--b"),
    ],
)
def test_a_models_folder_lies_in_the_folder_asked_for(name: str, folder: str) -> None:
    assert folder_name(name) == folder


def test_what_was_asked_wrongly_is_said(pictures: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="does not exist"):
        encode(tmp_path / "nowhere", out=tmp_path / "out")
    (tmp_path / "bare").mkdir()
    with pytest.raises(CommandError, match="There are no images"):
        encode(tmp_path / "bare", out=tmp_path / "out")
    with pytest.raises(CommandError, match="not a number of images"):
        encode(pictures, "--shard-size", 0, out=tmp_path / "out")
    with pytest.raises(CommandError, match="name at least one model"):
        encode(pictures, "--models", ",", out=tmp_path / "out")


def in_a_process(*arguments: object) -> subprocess.Popen[bytes]:
    settings = {"DJANGO_SETTINGS_MODULE": "settings_for_tests", "PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'support'}"}
    command = [sys.executable, "manage.py", "encode", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


@pytest.mark.nightly
def test_killed_half_way_it_goes_on_and_leaves_finished_shards_alone(model: str, tmp_path: Path) -> None:
    folder, out = draw(tmp_path / "pictures", 750), tmp_path / "out"
    asked = (folder, "--models", model, "--shard-size", 30, "--out", out)
    killed = in_a_process(*asked)
    shards = out / "tiny-one"
    deadline = time.monotonic() + 90
    while len(list(shards.glob("shard-*.json"))) < 4 and time.monotonic() < deadline:
        assert killed.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    finished = {path.stem for path in shards.glob("shard-*.json")}
    before = {name: seen for name, seen in identity(shards).items() if Path(name).stem in finished}
    assert 4 <= len(finished) < 25
    with pytest.raises(ShardRefusedError, match="are not complete"):
        read_shards(shards)

    said = encode(*asked[:-2], out=out)
    assert f"{25 - len(finished)} shards computed, {len(finished)} existed" in said
    assert {name: seen for name, seen in identity(shards).items() if name in before} == before
    assert len(read_shards(shards)) == 750
    assert not [path for path in shards.iterdir() if path.name.startswith(".")]


WITHOUT_TORCH = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "open_clip"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
"""


@pytest.mark.nightly
def test_where_torch_is_missing_manage_py_works_and_encode_says_what_to_install(pictures: Path, tmp_path: Path) -> None:
    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WITHOUT_TORCH, *map(str, arguments)]
        settings = {
            "DJANGO_SETTINGS_MODULE": "settings_for_tests",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'support'}",
        }
        return subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)

    listed = run("help", "--commands")
    assert listed.returncode == 0 and {"encode", "walk"} <= set(listed.stdout.split())
    refused = run("encode", pictures, "--models", "ViT-B-32/openai", "--out", tmp_path / "out")
    assert refused.returncode == 1 and "pip install -r workers/requirements.txt" in refused.stderr
    assert "Traceback" not in refused.stderr
