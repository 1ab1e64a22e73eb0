"""A corpus' picture is decoded once: what the encoder is given must be what it would have seen by itself."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from corpora import picture, turned
from drawn import saved
from workers.engines import seen
from workers.engines.image_feed import rgb_of
from workers.engines.pictures import PictureRefused, read_picture
from workers.engines.seen import see


def half_clear() -> bytes:
    image = Image.open(io.BytesIO(picture(3))).convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    return saved(image, "PNG")


PICTURES = {
    **{f"orientation {n}": turned(picture(1, size=(60, 40)), n) for n in range(1, 9)},
    "see-through": half_clear(),
    "grey": saved(Image.open(io.BytesIO(picture(4))).convert("L"), "PNG"),
    "sixteen bits": saved(Image.fromarray(np.arange(3000, dtype=np.uint16).reshape(50, 60) * 20), "PNG"),
    "print colours": saved(Image.open(io.BytesIO(picture(5))).convert("CMYK"), "JPEG"),
    "palette": saved(Image.open(io.BytesIO(picture(6))).convert("P"), "GIF"),
}


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("most_pixels", [seen.DECODED_AT_MOST, 10])
def test_the_encoder_sees_the_same_pixels_whether_decoded_or_not(
    kind: str, most_pixels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "DECODED_AT_MOST", most_pixels)
    data = PICTURES[kind]
    found = see(data)
    assert isinstance(found.source, bytes) == (most_pixels == 10)
    np.testing.assert_array_equal(np.asarray(rgb_of(found.source)), np.asarray(rgb_of(data)))


@pytest.mark.parametrize("kind", PICTURES)
def test_size_and_hash_are_those_of_an_imported_image(kind: str) -> None:
    found, imported = see(PICTURES[kind]), read_picture(PICTURES[kind], max_pixels=10**6)
    assert (found.width, found.height) == (imported.width, imported.height)
    assert (found.perceptual_hash ^ int(imported.perceptual_hash, 16)).bit_count() <= 2


def test_a_large_photographs_hash_is_that_of_its_import() -> None:
    data = picture(9, size=(2400, 1800))
    imported = read_picture(data, max_pixels=10**7)
    assert (see(data).perceptual_hash ^ int(imported.perceptual_hash, 16)).bit_count() <= 2


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureRefused, match="HTML"):
        see(b"<html>gone</html>")
