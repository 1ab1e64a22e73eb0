"""The corpus, its controls and its files: resembling the targets, known in truth, and picked up where it was killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from backend.catalogue.sources import CaptionRow, ImageRow, open_source
from backend.methods.licences import CC0, parse_licence
from nightly import examples
from workers.training.postcards import __main__ as command
from workers.training.postcards import exports
from workers.training.postcards.captions import Kind, caption, is_true_of
from workers.training.postcards.controls import accepted, controls, truth
from workers.training.postcards.corpus import MIX, Pair, Target, corpus, pools, targets
from workers.training.postcards.exports import Order, export
from workers.training.postcards.moods import generic
from workers.training.postcards.world import DEMO, scene_of

pytestmark = pytest.mark.nightly

SEEDS = st.integers(0, 10**6)
SMALL = Order(targets=2, corpus=6, seed=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("postcards")
    list(export(place, SMALL, processes=1))
    return place


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_targets_hold_two_things_and_come_from_the_seeds_of_the_demo() -> None:
    drawn = targets(60, 1)

    assert len({target.scene for target in drawn}) == 60
    assert all(target.scene.seed >= DEMO for target in drawn)
    assert all(len(target.scene.facts().keys() & {"animals", "person", "vehicle", "building"}) >= 2 for target in drawn)
    assert drawn[:20] == targets(20, 1)
    assert not {target.scene.seed for target in drawn} & {target.scene.seed for target in targets(60, 2)}


def test_each_pair_has_its_own_scene_and_a_caption_that_is_true_of_it() -> None:
    pairs = list(corpus(targets(60, 1), 1000, 1))

    assert len({pair.id for pair in pairs}) == len({pair.scene.seed for pair in pairs}) == 1000
    assert not {pair.scene.seed for pair in pairs} & {target.scene.seed for target in targets(60, 1)}
    assert all(is_true_of(pair.caption, pair.scene) for pair in pairs)


def test_kinds_are_mixed_and_most_scenes_are_siblings() -> None:
    pairs = list(corpus(targets(60, 1), 3000, 1))
    kinds = Counter(pair.kind for pair in pairs)

    assert kinds.keys() == MIX.keys()
    assert all(abs(kinds[kind] / 3000 - weight / 100) < 0.04 for kind, weight in MIX.items())
    assert abs(sum(pair.near is not None for pair in pairs) / 3000 - 0.7) < 0.04


def test_pair_i_is_the_same_however_many_are_asked_for() -> None:
    some = targets(5, 3)

    assert list(corpus(some, 20, 3)) == list(islice(corpus(some, 1_000_000, 3), 20))


def test_a_corpus_without_targets_is_all_background() -> None:
    assert {pair.near for pair in corpus([], 20, 1)} == {None}


def test_a_pool_holds_what_resembles_its_target_most_and_nothing_better_is_left_out() -> None:
    some = targets(10, 2)
    pairs = list(corpus(some, 1000, 2))
    for target, pool in pools(some, iter(pairs), 10).items():
        scores = [score for score, _ in pool]
        assert len(pool) == 10 and scores == sorted(scores, reverse=True)
        assert sum(pair.scene.land == target.scene.land for _, pair in pool) >= 9
        left = {pair.id: pair for pair in pairs}.keys() - {pair.id for _, pair in pool}
        assert max(_likeness(target, pair) for pair in pairs if pair.id in left) <= scores[-1]


def _likeness(target: Target, pair: Pair) -> float:
    one, other = (set(scene.facts().items()) for scene in (target.scene, pair.scene))
    return len(one & other) / len(one | other)


@pytest.mark.parametrize("n", [0, 3])
def test_a_pool_is_no_larger_than_the_corpus(n: int) -> None:
    some = targets(2, 2)

    assert [len(pool) for pool in pools(some, corpus(some, n, 2), 10).values()] == [n, n]


@pytest.mark.parametrize("seed", [-1, -100])
def test_a_negative_seed_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="zero or more"):
        targets(1, seed)


@pytest.mark.parametrize("n", [-1, 10_001])
def test_a_number_of_targets_that_has_no_seeds_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="can be drawn"):
        targets(n, 0)


@given(SEEDS, SEEDS)
def test_controls_are_true_or_plainly_false(scene: int, seed: int) -> None:
    target = scene_of(scene)
    by_why = {control.why: control for control in controls(target, seed)}

    assert truth(by_why["true"].caption, target) == "good" and by_why["true"].accepted == ("good",)
    assert not set(by_why["elsewhere"].caption.claims) & set(target.facts().items())
    for why in by_why.keys() - {"true"}:
        assert truth(by_why[why].caption, target) == "bad" and by_why[why].accepted == ("bad",)


@given(SEEDS, SEEDS, SEEDS, st.sampled_from(list(Kind)))
def test_the_right_verdict_is_among_the_accepted_ones(scene: int, other: int, seed: int, kind: Kind) -> None:
    said, target = caption(scene_of(other), kind, seed), scene_of(scene)
    if said:
        assert truth(said, target) in accepted(said, target)
        assert truth(said, target) != "good" or is_true_of(said, target)


@given(SEEDS, SEEDS)
def test_a_generic_caption_is_true_and_yet_no_good(scene: int, seed: int) -> None:
    target = scene_of(scene)

    assert is_true_of(generic(target, seed), target) and truth(generic(target, seed), target) == "bad"


def test_a_figure_that_holds_in_part_leaves_people_free() -> None:
    dusk = next(scene for scene in map(scene_of, range(999)) if (scene.time, scene.weather) == ("dusk", "rain"))
    night = next(scene for scene in map(scene_of, range(999)) if (scene.time, scene.weather) == ("night", "rain"))
    told = (caption(dusk, Kind.FIGURATIVE, seed) for seed in range(999))
    said = next(one for one in told if one and dict(one.claims).keys() == {"time", "weather"})

    assert truth(said, dusk) == "good" and accepted(said, dusk) == ("good",)
    assert truth(said, night) == "unsure" and set(accepted(said, night)) == {"good", "bad", "unsure"}


@pytest.mark.parametrize(("part", "n"), [("targets", 2), ("corpus", 6)])
def test_what_is_written_is_what_the_import_reads(folder: Path, part: str, n: int) -> None:
    source = open_source(folder / part)
    images, captions = list(source.images()), list(source.captions())

    assert source.layout == "imagefolder"
    assert [type(row) for row in images] == [ImageRow] * n
    assert all(isinstance(row, CaptionRow) for row in captions) and len(captions) >= n
    for row in images:
        assert isinstance(row, ImageRow) and row.read()[:2] == b"\xff\xd8"
        assert row.attribution == "Connote Postcards" and parse_licence(row.licence[0]) == CC0


def test_pictures_have_the_width_they_should(folder: Path) -> None:
    for part, size in (("targets", (768, 512)), ("corpus", (192, 128))):
        for path in (folder / part / "images").iterdir():
            with Image.open(path) as picture:
                assert (picture.format, picture.size) == ("JPEG", size)


def test_candidates_are_captions_of_the_targets(folder: Path) -> None:
    found = list(open_source(folder / "candidates.jsonl").captions())

    assert {row.image_key for row in found if isinstance(row, CaptionRow)} == {"target-00000", "target-00001"}
    assert all(isinstance(row, CaptionRow) and row.rank and row.similarity is not None for row in found)


def test_the_truth_of_every_caption_shown_with_a_target_is_written(folder: Path) -> None:
    shown = {(row["image_id"], row["caption_id"]) for row in rows(folder / "candidates.jsonl")}
    shown |= {
        (row["image_id"], said["caption_id"]) for row in rows(folder / "targets/metadata.jsonl")
        for said in row["captions"]
    }  # fmt: skip
    known = rows(folder / "truth.jsonl")

    assert {(row["image_id"], row["caption_id"]) for row in known} == shown
    assert {row["truth"] for row in known if row["caption_id"].startswith("target")} == {"good"}
    assert all(row["truth"] in row["accepted"] for row in known)


def test_every_target_has_its_controls(folder: Path) -> None:
    found = Counter(row["image_id"] for row in rows(folder / "controls.jsonl"))

    assert found.keys() == {"target-00000", "target-00001"} and min(found.values()) >= 2


def test_a_picture_that_is_there_is_not_drawn_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*/images/*")}
    (folder / "corpus/images/corpus-000003.jpg").unlink()
    drawn = []
    paint = exports.paint
    monkeypatch.setattr(exports, "paint", lambda picture: (drawn.append(picture.path.name), paint(picture)))

    steps = list(export(folder, SMALL, processes=1))

    assert drawn == ["corpus-000003.jpg"] and steps == [(7, 8), (8, 8)]
    after = {path: path.stat().st_mtime_ns for path in folder.glob("*/images/*")}
    assert {path.name for path in before if before[path] != after[path]} == {"corpus-000003.jpg"}


def test_a_larger_corpus_keeps_what_is_drawn_and_another_seed_is_refused(tmp_path: Path) -> None:
    list(export(tmp_path, Order(1, 2, 5), processes=1))

    assert next(export(tmp_path, Order(1, 4, 5), processes=1)) == (3, 5)
    with pytest.raises(ValueError, match="name another folder"):
        next(export(tmp_path, Order(1, 2, 6), processes=1))


@pytest.mark.nightly
def test_a_killed_export_goes_on_and_ends_as_if_it_had_not_been_killed(tmp_path: Path) -> None:
    order = ["--targets", "1", "--corpus", "40", "--seed", "9", "--out"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    start = [sys.executable, "-m", "workers.training.postcards", *order, str(killed), "--processes", "1"]
    with subprocess.Popen(start, stderr=subprocess.DEVNULL) as process:
        while not (killed / "corpus/images/corpus-000002.jpg").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    left = {path: path.stat().st_mtime_ns for path in killed.glob("*/images/*.jpg")}
    assert len(left) < 41 and not (killed / "truth.jsonl").exists()

    for place in (killed, whole):
        command.main([*order, str(place), "--processes", "1"])

    assert all(path.stat().st_mtime_ns == when for path, when in left.items())
    assert _contents(killed) == _contents(whole)


def _contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_several_processes_draw_what_one_draws(folder: Path, tmp_path: Path) -> None:
    list(export(tmp_path, SMALL, processes=2))

    assert _contents(tmp_path) == _contents(folder)


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--out", str(tmp_path), "--seed", "-3"])

    assert "A seed is zero or more, not -3." in capsys.readouterr().err


@settings(max_examples=examples(20))
@given(SEEDS)
def test_controls_are_the_same_each_time(seed: int) -> None:
    assert controls(scene_of(seed), 1) == controls(scene_of(seed), 1)
