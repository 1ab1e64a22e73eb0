"""`manage.py calibrate`: a table of pictures and captions in, a record of the model's threshold out."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from drawn import draw
from encoder_models import save_tiny_clip
from panels import StandIn, seat
from workers.engines import clip_encoder
from workers.engines.calibrations import (
    NotCalibratedModelError,
    find_record,
    own_place,
    places_of,
    read_record,
    write_record,
)
from workers.engines.registry import forget, image_encoder, use_image_encoder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sixteen drawn pictures of different colours under different captions."""
    (tmp_path / "images").mkdir()
    lines = []
    for n in range(16):
        (tmp_path / "images" / f"{n}.png").write_bytes(draw(15 * n))
        lines.append({"file_name": f"images/{n}.png", "caption": f"photograph number {n}"})
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    return file


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    save_tiny_clip(folder, seed=1)
    return f"local-dir:{folder}"


def calibrate(*arguments: str, **options: Any) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("calibrate", *arguments, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_real_model_gets_a_record_that_the_stage_finds_and_accepts(
    tiny: str, table: Path, settings: Any, tmp_path: Path
) -> None:
    settings.CALIBRATIONS = tmp_path / "calibrations"
    printed, _ = calibrate(tiny, pairs=str(table), batch_size=4)
    record = find_record(tiny, settings.CALIBRATIONS)
    encoder = image_encoder(tiny)
    record.check(encoder, name=tiny)
    forget(tiny)
    assert (record.model, record.digest) == ("tiny", encoder.digest)
    assert (record.calibration.n_pairs, record.calibration.batch_size) == (16, 4)
    assert record.calibration.n_negatives == 16 * 3
    assert record.pairs == "16 pairs of pairs.jsonl"
    assert f"yes from {record.calibration.threshold:.4f}" in printed
    assert str(tmp_path) not in own_place(tiny, settings.CALIBRATIONS).read_text()


def test_both_towers_are_read_from_the_weights_at_once(
    tiny: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, load = [], clip_encoder._load
    monkeypatch.setattr(clip_encoder, "_load", lambda source: loaded.append(source.name) or load(source))
    forget(tiny)
    calibrate(tiny, pairs=str(table), batch_size=4, output=tmp_path / "tiny.json")
    assert loaded == ["tiny"]


def test_the_same_pairs_and_seed_give_the_same_record(tiny: str, table: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        calibrate(tiny, pairs=str(table), batch_size=4, seed=3, output=tmp_path / f"{name}.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


@pytest.mark.django_db
def test_pictures_are_shown_as_the_difficulty_stage_shows_them(table: Path, settings: Any, tmp_path: Path) -> None:
    settings.CALIBRATIONS = tmp_path
    model = seat(StandIn("watching", lambda text: int(text.split()[-1]) / 100), folder=tmp_path, threshold=None)
    tower, given = image_encoder("watching"), []

    def watch(pictures: Any) -> Any:
        given.extend(pictures)
        yield from tower.encode(given)

    use_image_encoder(
        "watching", type("Tower", (), {**vars(tower), "digest": model.digest, "encode": staticmethod(watch)})()
    )
    calibrate("watching", pairs=str(table), batch_size=4)
    files = {f"images/{n}.png": (tmp_path / "images" / f"{n}.png").read_bytes() for n in range(16)}
    assert sorted(data for _, data in given) == sorted(files.values())


def test_a_picture_that_cannot_be_read_is_named_and_loses_nothing_else(tiny: str, table: Path, tmp_path: Path) -> None:
    (tmp_path / "no-picture.jpg").write_text("words")
    with table.open("a") as file:
        file.write('\n{"file_name": "no-picture.jpg", "caption": "photograph number 17"}')
    _, complaints = calibrate(tiny, pairs=str(table), batch_size=4, output=tmp_path / "model.json")
    assert "no-picture.jpg: " in complaints
    assert json.loads((tmp_path / "model.json").read_text())["n_pairs"] == 16


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"batch_size": 17}, "16 pairs do not fill one batch of 17"),
        ({"most": 3, "batch_size": 4}, "3 pairs do not fill one batch of 4"),
        ({"pairs": "/nowhere/at/all.csv"}, "The file or folder /nowhere/at/all.csv does not exist"),
    ],
)
def test_what_gives_no_threshold_is_said_in_a_sentence(
    table: Path, tmp_path: Path, options: dict[str, Any], sentence: str
) -> None:
    seat(StandIn("model", lambda text: 0.3), folder=tmp_path, threshold=None)
    with pytest.raises(CommandError, match=sentence):
        calibrate("model", output=tmp_path / "model.json", **{"pairs": str(table)} | options)
    assert not (tmp_path / "model.json").exists()


def test_a_model_that_cannot_be_had_is_said_in_a_sentence(table: Path) -> None:
    with pytest.raises(CommandError, match="Use a local path"):
        calibrate("local-dir:/no/such/folder", pairs=str(table))


def test_records_lie_beside_weights_and_one_made_here_goes_first(tmp_path: Path) -> None:
    mine, here = tmp_path / "mine", tmp_path / "here"
    mine.mkdir()
    assert places_of(f"local-dir:{mine}", here) == (own_place(str(mine), here), mine / "calibration.json")
    assert places_of(str(mine), here) == places_of(f"local-dir:{mine}", here)
    assert places_of("postcards-1-rn", here)[1].parts[-3:] == ("models", "postcards-1-rn", "calibration.json")
    assert own_place("ViT-B-32/laion2b_s34b_b79k", here).name == "ViT-B-32--laion2b_s34b_b79k.json"
    assert own_place("hf-hub:org/name", here).name == "org--name.json"
    assert own_place("postcards-1-rn", here).name == "postcards-1-rn.json"


def test_two_models_called_alike_at_two_places_have_two_records(tmp_path: Path) -> None:
    names = [
        "/srv/a/mine",
        "/srv/b/mine",
        "local-dir:mine",
        "ViT-B-32//srv/a/mine.pt",
        "ViT-B-32//srv/b/mine.pt",
        "mine",
    ]
    places = [own_place(name, tmp_path) for name in names]
    assert len(set(places)) == len(names)
    assert all(place.parent == tmp_path and "srv" not in place.name for place in places)


def test_a_record_that_could_not_be_written_leaves_the_old_one(
    tiny: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full once some of the new record is written."""
    file = tmp_path / "tiny.json"
    calibrate(tiny, pairs=str(table), batch_size=4, output=file)
    record = read_record(file)

    def fill(path: Path, text: str, **_: Any) -> int:
        path.write_bytes(text[:20].encode())
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_text", fill)
    with pytest.raises(OSError, match="No space left"):
        write_record(file, replace(record, pairs="others"))
    assert read_record(file) == record


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("{", "cannot read the calibration record"),
        ('{"format": "connote-calibration/2"}', "connote-calibration/1"),
        ('{"format": "connote-calibration/1", "model": "m"}', "lacks one of model, digest"),
        (
            '{"format": "connote-calibration/1", "model": "m", "digest": "d", "preprocessing": "p", "pairs": "q"}',
            "lacks a number for threshold",
        ),
    ],
)
def test_a_damaged_record_is_refused_with_what_to_do(tmp_path: Path, written: str, reason: str) -> None:
    (tmp_path / "m.json").write_text(written)
    with pytest.raises(NotCalibratedModelError, match=reason) as refused:
        find_record("m", tmp_path)
    assert "manage.py calibrate m --pairs TABLE" in str(refused.value)
