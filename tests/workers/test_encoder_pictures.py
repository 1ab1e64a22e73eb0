"""What an image encoder does with what it is given: odd pictures, broken ones, many, none, and too little memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from colour_encoder import as_file, colours, gathered, plain, shade_of, workers_left
from encoder_models import photograph, photographs, save_tiny_clip
from workers.engines import batching, image_encoder, image_feed
from workers.engines.clip_encoder import ClipTexts, load_text_encoder
from workers.engines.image_encoder import TowerImages, load_image_encoder
from workers.engines.protocols import NotFiniteError, OutOfMemoryError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
PIPELINES = (0, 1, 3)  # lanes; with none it works as on a GPU
SHORT = "[enforce fail at alloc_cpu.cpp:118] DefaultCPUAllocator: not enough memory: you tried to allocate 9 bytes."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A CLIP's image tower that sees 32 pixels."""
    folder = tmp_path_factory.mktemp("tiny")
    save_tiny_clip(folder)
    return load_image_encoder(str(folder))


def test_no_pictures_give_no_blocks(encoder: TowerImages) -> None:
    assert list(encoder.encode([])) == []


def test_one_picture_gives_one_unit_vector(encoder: TowerImages) -> None:
    (block,) = encoder.encode([("only", photograph(1, 50, 40))])
    assert (block.keys, block.vectors.dtype, block.vectors.shape) == (("only",), np.float32, (1, 16))
    assert abs(float(np.linalg.norm(block.vectors)) - 1) < 1e-6


def test_files_bytes_and_open_pictures_are_the_same_picture(encoder: TowerImages, tmp_path: Path) -> None:
    image = photograph(3, 60, 45)
    path = tmp_path / "a.png"
    image.save(path)
    _, vectors, _ = gathered(encoder.encode([("path", path), ("bytes", path.read_bytes()), ("open", image)]))
    assert np.array_equal(vectors[0], vectors[1])
    assert np.array_equal(vectors[0], vectors[2])


@pytest.mark.nightly
@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
def test_vectors_keep_the_order_of_the_pictures_whatever_each_takes_to_read(
    lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(batching.LARGEST, "cpu", 7)
    sizes = [(2000, 1500) if n % 5 == 0 else (3, 3) for n in range(60)]
    pictures = [(str(n), as_file(plain(n, size), "PNG")) for n, size in enumerate(sizes)]
    blocks = list(colours().encode(pictures))
    assert [len(block.keys) for block in blocks] == [7] * 8 + [4]
    keys, vectors, _ = gathered(iter(blocks))
    assert keys == [str(n) for n in range(60)]
    assert [shade_of(vector) for vector in vectors] == list(range(60))


@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
def test_a_broken_image_is_reported_and_does_not_lose_its_batch(lanes: int, tmp_path: Path) -> None:
    whole = as_file(photograph(1, 400, 300), "JPEG")
    pictures = [
        ("0", plain(10)),
        ("cut", whole[: len(whole) // 2]),
        ("1", plain(11)),
        ("empty", b""),
        ("page", b"<html><body>404</body></html>"),
        ("gone", tmp_path / "gone.jpg"),
        ("folder", tmp_path),
        ("2", plain(12)),
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'></svg>"),
    ]
    blocks = list(colours().encode(pictures))
    keys, vectors, skipped = gathered(iter(blocks))
    assert len(blocks) == 1
    assert keys == ["0", "1", "2"]
    assert [shade_of(vector) for vector in vectors] == [10, 11, 12]
    assert skipped == ["cut", "empty", "page", "gone", "folder", "svg"]
    reasons = {skipped.key: skipped.reason for skipped in blocks[0].skipped}
    assert blocks[0].skipped[0].code == "truncated"
    assert "The file is not complete" in reasons["cut"]
    assert "has the format HTML and is not an image" in reasons["page"]
    assert (
        reasons["gone"]
        == "Connote cannot open the file (No such file or directory). Check that it exists, and check its permissions."
    )
    assert str(tmp_path) not in " ".join(reasons.values())


def test_nothing_but_broken_images_is_reported_too() -> None:
    (block,) = colours().encode([(str(n), b"nothing") for n in range(3)])
    assert (block.keys, block.vectors.shape, len(block.skipped)) == ((), (0, 4), 3)


@pytest.mark.parametrize(("lanes", "expected"), [(0, [3, 5]), (2, [2, 4, 5])], indirect=["lanes"])
def test_progress_counts_every_picture_that_is_done_with(
    lanes: int, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(batching.LARGEST, "cpu", 2)
    heard: list[tuple[int, threading.Thread]] = []
    pictures = [("0", plain(1)), ("bad", b"bad"), ("1", plain(1)), ("2", plain(1)), ("worse", b"")]
    hears = colours().encode(pictures, on_progress=lambda n: heard.append((n, threading.current_thread())))
    assert all(len(block.keys) <= 2 for block in hears)
    assert heard == [(n, threading.current_thread()) for n in expected]


@pytest.mark.parametrize("size", [(1, 1), (7, 300), (300, 7), (1, 400), (33, 32)])
def test_small_and_narrow_pictures_are_seen(encoder: TowerImages, size: tuple[int, int]) -> None:
    keys, vectors, _ = gathered(encoder.encode([("small", plain(200, size))]))
    assert keys == ["small"]
    assert np.isfinite(vectors).all()


def test_a_strip_that_would_fill_the_memory_once_scaled_is_skipped(encoder: TowerImages) -> None:
    (block,) = encoder.encode([("strip", as_file(plain(1, (30_000, 1)), "PNG"))])
    assert block.skipped[0].reason.startswith("The image has 30,000 x 1 pixels. This is too narrow")


def test_a_decompression_bomb_is_skipped_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_feed, "MOST_PIXELS", 9_999)
    bomb, good = as_file(plain(1, (100, 100)), "PNG"), as_file(plain(5, (99, 101)), "PNG")
    (block,) = colours().encode([("bomb", bomb), ("good", good)])
    assert block.keys == ("good",)
    assert "10,000" in block.skipped[0].reason or "100 x 100" in block.skipped[0].reason


def test_every_kind_of_colour_becomes_rgb_on_white() -> None:
    red = Image.new("RGB", (8, 8), (255, 0, 0))
    clear = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    pictures = [
        ("grey", as_file(Image.new("L", (8, 8), 100), "PNG")),
        ("palette", as_file(red.quantize(4), "PNG")),
        ("cmyk", as_file(red.convert("CMYK"), "TIFF")),
        ("clear", as_file(clear, "PNG")),
        ("deep", as_file(Image.fromarray(np.full((8, 8), 100 * 257, dtype=np.uint16)), "PNG")),
        ("bit", as_file(Image.new("1", (8, 8), 1), "PNG")),
    ]
    keys, vectors, _ = gathered(colours().encode(pictures))
    found = {
        key: [round(float(v / vector[3]) * 255) for v in vector[:3]] for key, vector in zip(keys, vectors, strict=True)
    }
    assert found == {
        "grey": [100] * 3,
        "palette": [255, 0, 0],
        "cmyk": [255, 0, 0],
        "clear": [255] * 3,
        "deep": [100] * 3,
        "bit": [255] * 3,
    }


def test_a_photograph_taken_sideways_is_turned_upright(encoder: TowerImages) -> None:
    upright = photograph(4, 48, 64)
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to see it upright
    sideways = as_file(upright.transpose(Image.Transpose.ROTATE_90), "PNG", exif=exif)
    _, vectors, _ = gathered(encoder.encode([("upright", as_file(upright, "PNG")), ("sideways", sideways)]))
    assert np.array_equal(vectors[0], vectors[1])


@pytest.mark.parametrize("lanes", [0, 1], indirect=True)
@pytest.mark.parametrize("error", [RuntimeError(SHORT), MemoryError()])
def test_batches_halve_until_they_fit_and_stay_so(
    lanes: int, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(batching.LARGEST, "cpu", 16)
    good, asked = colours().forward, []

    def short(batch: Any) -> Any:
        asked.append(len(batch))
        if len(batch) > 4:
            raise error
        return good(batch)

    keys, vectors, skipped = gathered(colours(short).encode([(str(n), plain(n)) for n in range(40)]))
    assert keys == [str(n) for n in range(40)]
    assert [shade_of(vector) for vector in vectors] == list(range(40))
    assert skipped == []
    assert asked == [16, 8] + [4] * 10


def test_a_cuda_error_of_memory_halves_too() -> None:
    import torch

    assert batching.is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"))
    assert not batching.is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    assert not batching.is_out_of_memory(KeyError("out of memory"))


@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
def test_where_not_even_one_fits_the_model_is_named(lanes: int) -> None:
    def never(batch: Any) -> Any:
        raise MemoryError

    with pytest.raises(OutOfMemoryError, match=r"'colours' needs more memory"):
        list(colours(never).encode([(str(n), plain(n)) for n in range(40)]))
    assert not workers_left()


@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
def test_another_error_of_the_model_is_not_mistaken_for_short_memory(lanes: int) -> None:
    def wrong(batch: Any) -> Any:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        list(colours(wrong).encode([(str(n), plain(n)) for n in range(4)]))


@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 0.0])
def test_a_vector_that_is_none_is_refused_with_the_model_and_the_picture(lanes: int, bad: float) -> None:
    import torch

    def one_bad(batch: Any) -> Any:
        found = torch.ones(len(batch), 4)
        found[batch[:, 0].amax(dim=(1, 2)) > 0.5] = bad
        return found

    with pytest.raises(NotFiniteError, match=r"'colours' gave NaN or infinity for the picture 'bright'"):
        list(colours(one_bad).encode([("dark", plain(3)), ("bright", plain(250)), ("dim", plain(4))]))


def test_the_first_batch_follows_the_memory_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    cpu = torch.device("cpu")
    sizes = {}
    for gigabytes in (0.01, 0.5, 64):
        monkeypatch.setattr(batching, "free_bytes", lambda device, n=gigabytes: int(n * 2**30))
        sizes[gigabytes] = batching.first_size(4 * 3 * 224 * 224, cpu)
    assert sizes[0.01] == 1
    assert 1 < sizes[0.5] < sizes[64] == batching.LARGEST["cpu"]


@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
def test_pictures_are_neither_read_far_ahead_nor_held(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(batching.LARGEST, "cpu", 4)
    given = 0

    def endless() -> Iterator[tuple[str, Image.Image]]:
        nonlocal given
        while True:
            given += 1
            yield str(given), plain(given % 256)

    blocks = colours().encode(endless())
    for _ in range(10):
        next(blocks)
    n_ahead = (lanes + 1) * 4 if lanes else 3 * 4 + 1  # without lanes two batches are read, and one is computed
    assert given <= 10 * 4 + n_ahead
    blocks.close()
    assert not workers_left()


@pytest.mark.parametrize("lanes", PIPELINES, indirect=True)
def test_an_error_of_whoever_gives_the_pictures_reaches_the_caller(lanes: int) -> None:
    def given() -> Iterator[tuple[str, Image.Image]]:
        yield "0", plain(0)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(colours().encode(given()))
    assert not workers_left()


@pytest.mark.parametrize("lanes", [0, 2], indirect=True)
def test_the_next_batch_is_read_while_the_model_computes(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model waits, in its first batch, for a picture of the second to be read."""
    monkeypatch.setitem(batching.LARGEST, "cpu", 2)
    later, good, overlapped = threading.Event(), colours().forward, []
    real = image_feed.rgb_of

    def reads(source: Any) -> Any:
        if source.getpixel((0, 0))[0] == 3:
            later.set()
        return real(source)

    def waits(batch: Any) -> Any:
        overlapped.append(later.wait(timeout=10))
        return good(batch)

    monkeypatch.setattr(image_encoder.image_feed, "rgb_of", reads)
    keys, _, _ = gathered(colours(waits).encode([(str(n), plain(n)) for n in range(6)]))
    assert overlapped == [True] * 3
    assert len(keys) == 6


def test_large_inputs_encode_the_same_however_they_are_cut(
    encoder: TowerImages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = photographs(tmp_path, 9)
    _, together, _ = gathered(encoder.encode(pictures))
    monkeypatch.setitem(batching.LARGEST, "cpu", 2)
    _, apart, _ = gathered(encoder.encode(pictures))
    assert np.abs(together - apart).max() < 1e-6


def test_texts_come_in_order_with_progress_and_halve_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_tiny_clip(tmp_path)
    encoder: Any = load_text_encoder(str(tmp_path))
    texts = [f"a picture of {n} boats" for n in range(50)]
    whole = encoder.encode(texts)
    heard: list[int] = []
    monkeypatch.setitem(batching.LARGEST, "cpu", 20)
    good = encoder.forward

    def short(tokens: Any) -> Any:
        if len(tokens) > 3:
            raise RuntimeError(SHORT)
        return good(tokens)

    again = ClipTexts("short", encoder.digest, 16, short, encoder.tokenise).encode(texts, on_progress=heard.append)
    assert np.abs(whole - again).max() < 1e-6
    assert heard == [20, 40, 50]
    assert np.abs(np.linalg.norm(whole, axis=1) - 1).max() < 1e-6
