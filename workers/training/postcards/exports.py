"""Writes Postcards to a folder that Connote's import stages read.

    FOLDER/targets/metadata.jsonl   one line a target: its picture, licence and captions (layout `imagefolder`)
    FOLDER/targets/images/          768 px
    FOLDER/corpus/metadata.jsonl    one line a pair: its picture, licence and its one caption (layout `imagefolder`)
    FOLDER/corpus/images/           192 px
    FOLDER/candidates.jsonl         for each target the captions of the corpus pictures that resemble it most
    FOLDER/controls.jsonl           for each target control captions with their accepted answers
    FOLDER/truth.jsonl              for each caption shown with a target what it claims and which verdict is right

A picture that is there is not drawn again, so a run that was killed goes on where it stood. Tables are written whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from workers.training.postcards import corpus
from workers.training.postcards.captions import Caption, captions_of
from workers.training.postcards.controls import accepted, controls, truth
from workers.training.postcards.corpus import Pair, Target
from workers.training.postcards.world import Scene

VERSION = 1
TARGET_WIDTH, CORPUS_WIDTH = 768, 192
OF_EACH_TARGET = 20  # candidates
RIGHTS = {"license": "CC0-1.0", "attribution": "Connote Postcards", "author": "Connote Postcards"}
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Order:
    """What is wanted: how many targets and pairs, from which seed."""

    targets: int
    corpus: int
    seed: int


@dataclass(frozen=True)
class Picture:
    """A picture to be drawn: `width` in pixels."""

    scene: Scene
    path: Path
    width: int


def export(folder: Path, order: Order, *, processes: int | None = None) -> Iterator[tuple[int, int]]:
    """Write everything; yields (pictures that are there, pictures wanted) as it goes on.

    Raises ValueError where `folder` holds Postcards of another seed or number of targets: their pictures bear the same
    names.
    """
    _claim(folder, order)
    targets = corpus.targets(order.targets, order.seed)
    wanted = order.targets + order.corpus
    missing = (picture for picture in _pictures(folder, order, targets) if not picture.path.exists())
    there = sum((folder / part / "images").joinpath(name).exists() for part, name in _names(order))
    yield there, wanted
    for n, _ in enumerate(_drawn(missing, processes), start=there + 1):
        yield n, wanted
    write_tables(folder, order, targets)


def write_tables(folder: Path, order: Order, targets: list[Target]) -> None:
    """Every table of the folder, from the order alone."""
    _write(folder / "targets" / "metadata.jsonl", map(_target_row, targets))
    _write(folder / "corpus" / "metadata.jsonl", map(_pair_row, corpus.corpus(targets, order.corpus, order.seed)))
    pools = corpus.pools(targets, corpus.corpus(targets, order.corpus, order.seed), OF_EACH_TARGET)
    _write(folder / "candidates.jsonl", _candidate_rows(pools))
    _write(folder / "controls.jsonl", (row for target in targets for row in _control_rows(target)))
    _write(folder / "truth.jsonl", _truth_rows(pools))


def _claim(folder: Path, order: Order) -> None:
    """Note what this folder is for. The corpus may grow: pair i is the same however many there are."""
    mine = {"version": VERSION, "seed": order.seed, "targets": order.targets}
    note = folder / "postcards.json"
    if note.exists() and json.loads(note.read_text()) != mine:
        raise ValueError(f"{folder} holds Postcards of another seed or number of targets: name another folder.")
    for part in ("targets", "corpus"):
        (folder / part / "images").mkdir(parents=True, exist_ok=True)
    _whole(note, json.dumps(mine).encode())


def _pictures(folder: Path, order: Order, targets: list[Target]) -> Iterator[Picture]:
    for target in targets:
        yield Picture(target.scene, folder / "targets" / _file(target.id), TARGET_WIDTH)
    for pair in corpus.corpus(targets, order.corpus, order.seed):
        yield Picture(pair.scene, folder / "corpus" / _file(pair.id), CORPUS_WIDTH)


def _names(order: Order) -> Iterator[tuple[str, str]]:
    """(part, file) of every picture, without making its scene."""
    yield from (("targets", f"{corpus.target_id(i)}.jpg") for i in range(order.targets))
    yield from (("corpus", f"{corpus.pair_id(i)}.jpg") for i in range(order.corpus))


def _file(name: str) -> str:
    return f"images/{name}.jpg"


def _drawn(pictures: Iterable[Picture], processes: int | None) -> Iterator[None]:
    """Draw over all cores; with one process in this one, so that a profiler sees it."""
    if processes == 1:
        yield from map(paint, pictures)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(paint, pictures, chunksize=8)


def paint(picture: Picture) -> None:
    """Draw one picture and put it in its place whole."""
    from workers.training.postcards.drawing import draw  # Pillow and NumPy, which the tables do without

    part = _part(picture.path)
    draw(picture.scene, picture.width).save(part, "JPEG", quality=88)
    part.replace(picture.path)


def _target_row(target: Target) -> Row:
    said = [_caption_row(f"{target.id}-{n}", caption, "human") for n, caption in _said(target)]
    return {"image_id": target.id, "file_name": _file(target.id), **RIGHTS, "captions": said}


def _said(target: Target) -> Iterator[tuple[int, Caption]]:
    """What people would say of the target: the true sentences, without raw titles, slips and what fits anything."""
    found = (caption for caption in captions_of(target.scene, target.scene.seed) if caption.kind != "title")
    return enumerate(caption for caption in found if truth(caption, target.scene) == "good")


def _pair_row(pair: Pair) -> Row:
    row = {"image_id": pair.id, "file_name": _file(pair.id), **RIGHTS, "near": pair.near}
    return row | _caption_row(pair.id, pair.caption, "web" if pair.kind == "title" else "corpus")


def _caption_row(ref: str, caption: Caption, source: str) -> dict[str, Any]:
    return {"caption_id": ref, "text": caption.text, "source": source, "kind": caption.kind, "claims": caption.claims}


def _candidate_rows(pools: dict[Target, list[tuple[float, Pair]]]) -> Iterator[Row]:
    for target, pool in pools.items():
        for rank, (likeness, pair) in enumerate(pool, start=1):
            source = "web" if pair.kind == "title" else "corpus"
            placed = {"image_id": target.id, "rank": rank, "similarity": round(likeness, 4)}
            yield placed | {"caption_id": pair.id, "text": pair.caption.text, "source": source}


def _control_rows(target: Target) -> Iterator[Row]:
    for n, control in enumerate(controls(target.scene, target.scene.seed)):
        row = _caption_row(f"{target.id}-control-{n}", control.caption, "control")
        edit = asdict(control.caption.edit) if control.caption.edit else None
        known = {"accepted": control.accepted, "why": control.why, "wrong": control.caption.wrong, "edit": edit}
        yield {"image_id": target.id} | row | known


def _truth_rows(pools: dict[Target, list[tuple[float, Pair]]]) -> Iterator[Row]:
    for target, pool in pools.items():
        for n, caption in _said(target):
            yield _truth_row(target, f"{target.id}-{n}", caption)
        for _, pair in pool:
            yield _truth_row(target, pair.id, pair.caption)


def _truth_row(target: Target, ref: str, caption: Caption) -> Row:
    right = {"truth": truth(caption, target.scene), "accepted": accepted(caption, target.scene)}
    said = {"caption_id": ref, "text": caption.text, "kind": caption.kind, "claims": caption.claims}
    return {"image_id": target.id} | said | right


def _write(path: Path, rows: Iterable[Row]) -> None:
    """The rows as JSON lines, in place only when all of them are written."""
    part = _part(path)
    with part.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    part.replace(path)


def _whole(path: Path, data: bytes) -> None:
    part = _part(path)
    part.write_bytes(data)
    part.replace(path)


def _part(path: Path) -> Path:
    """Where a file grows until it is whole; hidden, so that no import takes it for a picture."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")
