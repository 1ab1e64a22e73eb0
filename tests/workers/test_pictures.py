"""Pictures of every kind a camera, a phone or an attacker makes: taken upright and plain, or refused in words."""

from __future__ import annotations

import hashlib
import io
import struct
import threading
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps

from backend.methods import open_pictures
from drawn import draw, saved
from workers.engines.perceptual_hash import perceptual_hash
from workers.engines.pictures import Picture, PictureRefused, read_picture, read_rgb

MAX_PIXELS = 1_000_000


def read(data: bytes) -> Picture:
    return read_picture(data, max_pixels=MAX_PIXELS)


def refusal(data: bytes, max_pixels: int = MAX_PIXELS) -> PictureRefused:
    with pytest.raises(PictureRefused) as caught:
        read_picture(data, max_pixels=max_pixels)
    assert caught.value.message.endswith(".")
    return caught.value


def pixels(webp: bytes) -> NDArray[np.int64]:
    """Shape (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(webp)).convert("RGB")).astype(int)


def scene(width: int = 200, height: int = 120) -> Image.Image:
    """Smooth colours with a corner that tells which way is up."""
    x, y = np.meshgrid(np.linspace(0, 255, width), np.linspace(0, 255, height))
    plain = np.stack([x, y, 255 - x], axis=-1).astype(np.uint8)
    plain[: height // 4, : width // 4] = (250, 240, 20)
    return Image.fromarray(plain)


def shown_to_a_model(data: bytes) -> NDArray[np.int64]:
    return np.asarray(read_rgb(data, max_pixels=MAX_PIXELS)).astype(int)


def middle(picture: Picture) -> list[int]:
    at = pixels(picture.large)
    return [int(value) for value in at[at.shape[0] // 2, at.shape[1] // 2]]


@pytest.mark.nightly
def test_a_picture_keeps_its_digest_and_gets_two_thumbnails_that_are_never_blown_up() -> None:
    data = saved(scene(2000, 1000), "JPEG", quality=90)
    picture = read_picture(data, max_pixels=2_000_000)
    assert picture.digest == hashlib.sha256(data).hexdigest()
    assert (picture.width, picture.height, picture.format, picture.n_bytes) == (2000, 1000, "JPEG", len(data))
    assert pixels(picture.small).shape == (160, 320, 3)
    assert pixels(picture.large).shape == (640, 1280, 3)
    tiny = read(draw(size=(9, 7)))
    assert pixels(tiny.small).shape == pixels(tiny.large).shape == (7, 9, 3)


@pytest.mark.nightly
@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF", "TIFF", "TIFF tiff_lzw", "TIFF jpeg"])
def test_each_orientation_gives_people_and_models_the_same_upright_picture(format: str, orientation: int) -> None:
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    upright = scene()
    lying = upright.transpose(undo[orientation]) if orientation in undo else upright
    exif = Image.Exif()
    exif[0x0112] = orientation
    kind, _, compression = format.partition(" ")
    how = {"compression": compression} if compression else {"quality": 95}
    reference = read(saved(upright, kind, **how))
    data = saved(lying, kind, exif=exif, **how)
    turned = read(data)
    assert (turned.width, turned.height) == (200, 120)
    assert (int(turned.perceptual_hash, 16) ^ int(reference.perceptual_hash, 16)).bit_count() <= 2
    assert np.abs(pixels(turned.large) - pixels(reference.large)).mean() < 3
    assert np.abs(shown_to_a_model(data) - pixels(reference.large)).mean() < 4


@pytest.mark.nightly
@pytest.mark.shared_data
def test_the_ten_orientation_files_are_each_turned_as_their_tag_says(shared_data: Path) -> None:
    """All ten hold the same stored pixels; only the tag differs, so each must come out as its own turn of them."""
    files = sorted((shared_data / "image_edge_cases" / "exif_orientation").iterdir())
    assert len(files) == 10
    digests = set()
    for file in files:
        picture = read(file.read_bytes())
        digests.add(picture.digest)
        expected = ImageOps.exif_transpose(Image.open(file)).convert("RGB")
        assert (picture.width, picture.height) == expected.size
        assert np.abs(pixels(picture.large) - np.asarray(expected)).mean() < 4, file.name
    assert len(digests) == 10


@pytest.mark.shared_data
def test_lossy_and_transparent_webp_are_read(shared_data: Path) -> None:
    found = [read(file.read_bytes()) for file in sorted((shared_data / "image_edge_cases" / "webp").iterdir())]
    assert {picture.format for picture in found} == {"WEBP"}
    assert [any("transparent" in note for note in picture.notes) for picture in found] == [False, False, False, True]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no_bytes"),
        (b"hello, I am a caption", "not_an_image"),
        (b"%PDF-1.7 ...", "not_an_image"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "svg"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- drawn -->\n<svg/>", "svg"),
        (saved(scene(), "JPEG")[:2000], "truncated"),
        (saved(scene(), "PNG")[:400], "truncated"),
        (saved(scene(), "GIF")[:900], "truncated"),
        (saved(scene(), "WEBP")[:300], "truncated"),
    ],
)
def test_what_is_no_whole_picture_is_refused(data: bytes, code: str) -> None:
    assert refusal(data).code == code


def tiff_of_a_preview(order: str, *more: tuple[int, int, int, int]) -> bytes:
    """A TIFF whose first picture says that it is a smaller copy. `more` tags: number, type, count, value."""
    tags = [(254, 4, 1, 1), (256, 3, 1, 160), (257, 3, 1, 120), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1)]
    tags += [(273, 4, 1, 2000), (277, 3, 1, 1), (278, 3, 1, 120), (279, 4, 1, 160 * 120), *more]
    data = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, len(tags))
    for tag, kind, count, value in sorted(tags):
        is_short = kind == 3 and count == 1
        packed = struct.pack(order + "HH", value, 0) if is_short else struct.pack(order + "I", value)
        data += struct.pack(order + "HHI", tag, kind, count) + packed
    return data.ljust(2000, b"\0") + bytes(160 * 120)


def sensor_behind(order: str) -> bytes:
    """The same, with the sensor's values in a directory below it, as NEF and ARW have them."""
    below = struct.pack(order + "HHHIHHI", 1, 262, 3, 1, 32803, 0, 0)
    return tiff_of_a_preview(order, (330, 4, 1, 2000 + 160 * 120)) + below


def ftyp(major: bytes, *compatible: bytes) -> bytes:
    brands = major + bytes(4) + b"".join(compatible)
    return struct.pack(">I", 8 + len(brands)) + b"ftyp" + brands + bytes(60)


def zip_of(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            packed.writestr(name, "x" * 100)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (ftyp(b"heic", b"mif1", b"heic"), "kind_not_read", "HEIC (HEVC)"),
        (ftyp(b"mif1", b"mif1", b"heic"), "kind_not_read", "HEIC (HEVC)"),
        (ftyp(b"mif1", b"mif1"), "kind_not_read", "HEIF"),
        (ftyp(b"isom", b"isom", b"mp41"), "not_an_image", "video"),
        (ftyp(b"crx ", b"crx ", b"isom"), "raw_photo", "raw file of a camera"),
        (tiff_of_a_preview("<", (271, 2, 5, 1500)), "raw_photo", "raw file of a camera"),
        (tiff_of_a_preview(">", (50706, 1, 4, 0x01040000)), "raw_photo", "raw file of a camera"),
        (sensor_behind("<"), "raw_photo", "raw file of a camera"),
        (sensor_behind(">"), "raw_photo", "raw file of a camera"),
        (b"II*\0\x10\0\0\0CR\2\0" + bytes(100), "raw_photo", "raw file of a camera"),
        (b"FUJIFILMCCD-RAW 0201" + bytes(100), "raw_photo", "raw file of a camera"),
        (b"\xff\x0a" + bytes(60), "kind_not_read", "JPEG XL"),
        (b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(60), "kind_not_read", "JPEG XL"),
        (b"8BPS\0\1" + bytes(60), "kind_not_read", "Photoshop (PSD)"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "kind_not_read", "PostScript"),
        (zip_of("[Content_Types].xml", "word/document.xml"), "not_an_image", "Word (DOCX)"),
        (zip_of("[Content_Types].xml", "xl/workbook.xml"), "not_an_image", "Excel (XLSX)"),
        (zip_of("[Content_Types].xml", "ppt/presentation.xml"), "not_an_image", "PowerPoint (PPTX)"),
        (zip_of("1.jpg", "2.jpg"), "not_an_image", "ZIP"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "not_an_image", "Office (DOC, XLS, PPT)"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "not_an_image", "PDF"),
        (b"<!-- moved -->\n<html><body>Gone</body></html>", "not_an_image", "HTML"),
        (b'{"error": "not found"}', "not_an_image", "JSON"),
        (b"BMX is a kind of bicycle", "not_an_image", "TXT"),
        (b"P5 is a group", "not_an_image", "TXT"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "lfs_pointer", "Git LFS"),
        (bytes(500), "zero_bytes", "zero bytes"),
        (bytes(range(256)), "unknown_format", "unknown format"),
        (b"\x89PNG\r\n\x1a\n\0\0", "image_not_opened", "starts like PNG"),
        (ftyp(b"avif", b"avif", b"mif1"), "image_not_opened", "starts like AVIF"),
    ],
)
def test_another_kind_of_file_is_named_whatever_its_name_says(data: bytes, code: str, words: str) -> None:
    refused = refusal(data)
    assert (refused.code, words in refused.message) == (code, True), refused.message
    with pytest.raises(PictureRefused) as to_models:
        read_rgb(data, max_pixels=MAX_PIXELS)
    assert to_models.value.message == refused.message


def test_a_tiff_named_as_a_raw_file_is_refused_and_one_by_a_camera_is_taken() -> None:
    data = saved(scene(), "TIFF", tiffinfo={271: "NIKON"})
    assert read_picture(data, max_pixels=MAX_PIXELS, name="a/scan.tif").format == "TIFF"
    with pytest.raises(PictureRefused, match="raw file of a camera"):
        read_picture(data, max_pixels=MAX_PIXELS, name="a/DSC_1.NEF")


def test_a_tiff_that_says_it_is_a_smaller_copy_gets_a_note() -> None:
    assert "smaller copy" in read(tiff_of_a_preview("<")).notes[0]


@pytest.mark.parametrize("major", [b"mif1", b"msf1", b"miaf", b"MA1B", b"avif"])
def test_an_avif_is_taken_whichever_of_its_brands_comes_first(major: bytes) -> None:
    data = saved(scene(), "AVIF")
    assert data[4:12] == b"ftypavif"
    renamed = data[:8] + major + data[12:]
    assert (read(renamed).format, read(renamed).width) == ("AVIF", 200)
    assert shown_to_a_model(renamed).shape == (120, 200, 3)


@pytest.mark.nightly
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.9])
@pytest.mark.parametrize("format", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "AVIF", "JPEG2000", "PPM"])
def test_a_file_that_was_cut_off_is_refused_for_people_and_models(format: str, share: float) -> None:
    whole = saved(scene(), format)
    cut = whole[: int(len(whole) * share)]
    assert refusal(cut).code in ("truncated", "damaged_image", "image_not_opened")
    with pytest.raises(PictureRefused):
        read_rgb(cut, max_pixels=MAX_PIXELS)


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes that would unpack to width x height."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_decompression_bomb_is_refused_by_its_header() -> None:
    refused = refusal(png_claiming(60_000, 60_000))
    assert refused.code == "too_many_pixels" and "60,000 x 60,000" in refused.message


def test_the_pixel_limit_is_exact() -> None:
    data = draw(size=(40, 30))
    assert read_picture(data, max_pixels=1200).width == 40
    assert refusal(data, max_pixels=1199).code == "too_many_pixels"


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_kept_and_noted(format: str) -> None:
    frames = [Image.new("RGB", (30, 20), colour) for colour in ("red", "green", "blue")]
    picture = read(saved(frames[0], format, save_all=True, append_images=frames[1:], duration=100))
    assert picture.notes[0] == "It has 3 frames. Connote kept the first one."
    red, green, blue = middle(picture)
    assert red > 200 and green < 60 and blue < 60


def test_cmyk_is_shown_in_its_real_colours() -> None:
    picture = read(saved(Image.new("CMYK", (30, 20), (0, 255, 255, 0)), "JPEG", quality=95))
    red, green, blue = middle(picture)
    assert red > 200 and green < 80 and blue < 80
    assert picture.notes == ("Its colours are CMYK. Its thumbnails show them as RGB.",)


def test_sixteen_bit_greys_are_scaled_not_clipped() -> None:
    ramp = np.tile(np.linspace(0, 65535, 256).astype(np.uint16), (64, 1))
    picture = read(saved(Image.fromarray(ramp), "PNG"))
    row = pixels(picture.large)[32, :, 0]
    assert row[:8].max() < 20 and row[-8:].min() > 235
    assert abs(row[128] - 128) < 12


@pytest.mark.parametrize("mode", ["I", "F"])
def test_deep_greys_of_any_range_keep_their_contrast(mode: str) -> None:
    ramp = np.tile(np.linspace(0, 1_000_000, 256), (64, 1)).astype(np.int32 if mode == "I" else np.float32)
    row = pixels(read(saved(Image.fromarray(ramp), "TIFF")).large)[32, :, 0]
    assert row[:8].max() < 20 and row[-8:].min() > 235


def test_a_sixteen_bit_scan_in_which_white_is_zero_is_not_a_negative() -> None:
    ramp = np.tile(np.linspace(0, 65535, 256).astype(np.uint16), (64, 1))
    data = saved(Image.fromarray(ramp), "TIFF", tiffinfo={262: 0})
    assert pixels(read(data).large)[32, 0, 0] > 235
    assert shown_to_a_model(data)[32, -1, 0] < 20


def png(width: int, depth: int, colour: int, row: bytes, transparent: bytes) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, 8, depth, colour, 0, 0, 0)
    parts = (b"IHDR", header), (b"tRNS", transparent), (b"IDAT", zlib.compress((b"\0" + row) * 8)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, body) for kind, body in parts if body or kind == b"IEND")


@pytest.mark.parametrize(
    "data",
    [
        png(8, 1, 0, b"\0", b"\0\0"),
        png(8, 8, 0, bytes(8), b"\0\0"),
        png(8, 16, 0, bytes(16), b"\0\0"),
        png(8, 16, 2, struct.pack(">HHH", 65535, 30000, 7) * 8, struct.pack(">HHH", 65535, 30000, 7)),
        png(8, 16, 4, struct.pack(">HH", 9, 0) * 8, b""),
        saved(Image.new("RGBA", (8, 8), (0, 0, 0, 0)), "PNG"),
        saved(Image.new("RGBA", (8, 8), (255, 0, 0, 0)), "TIFF"),
        saved(Image.new("LA", (8, 8), (0, 0)), "TIFF"),
        saved(Image.new("P", (8, 8), 0), "PNG", transparency=bytes([0] * 256)),
        saved(Image.new("P", (8, 8), 3), "GIF", transparency=3),
    ],
)
def test_what_is_wholly_transparent_is_white_for_people_and_models(data: bytes) -> None:
    picture = read(data)
    assert pixels(picture.large).min() == shown_to_a_model(data).min() == 255
    assert any("transparent" in note for note in picture.notes)


def test_an_alpha_channel_that_hides_nothing_needs_no_note() -> None:
    assert read(saved(scene().convert("RGBA"), "PNG")).notes == ()


def test_lab_and_inverted_print_colours_are_the_same_for_people_and_models() -> None:
    to_lab = ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")
    lab = ImageCms.applyTransform(scene(), to_lab)
    assert lab is not None
    for data in (saved(lab, "TIFF"), saved(scene().convert("CMYK"), "JPEG"), saved(scene().convert("CMYK"), "TIFF")):
        for found in (pixels(read(data).large), shown_to_a_model(data)):
            assert np.abs(found - np.asarray(scene()).astype(int)).mean() < 6


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA", "P"])
def test_what_is_transparent_shows_on_white(mode: str) -> None:
    clear = Image.new("RGBA", (40, 30), (200, 0, 0, 0))
    clear.paste((0, 0, 255, 255), (0, 0, 10, 30))
    if mode == "P":
        data = saved(clear.convert("P"), "PNG", transparency=clear.convert("P").getpixel((30, 15)))
    else:
        data = saved(clear.convert(mode), "PNG" if mode != "PA" else "TIFF") if mode != "PA" else saved(clear, "WEBP")
    picture = read(data)
    assert min(pixels(picture.large)[15, 30]) > 240
    assert any("transparent" in note for note in picture.notes)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "YCbCr"])
def test_every_plain_mode_becomes_rgb(mode: str) -> None:
    picture = read(saved(scene().convert(mode), "TIFF" if mode == "YCbCr" else "PNG"))
    assert Image.open(io.BytesIO(picture.large)).mode == "RGB"


def test_a_colour_profile_is_turned_into_srgb() -> None:
    """The same numbers under a profile with red and green swapped mean other colours."""
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    plain = read(saved(Image.new("RGB", (20, 20), (200, 30, 30)), "PNG", icc_profile=srgb))
    assert plain.notes == ()
    odd = read(saved(Image.new("RGB", (20, 20), (200, 30, 30)), "PNG", icc_profile=lab))
    assert odd.notes == ("Connote could not read its colour profile and left it out.",)
    broken = read(saved(Image.new("RGB", (20, 20), (200, 30, 30)), "PNG", icc_profile=b"no profile at all"))
    assert broken.notes == odd.notes


def test_thumbnails_carry_no_metadata() -> None:
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 12.0)}
    exif[0x0112] = 3
    picture = read(saved(scene(), "JPEG", exif=exif, comment=b"taken at home"))
    for thumbnail in (picture.small, picture.large):
        opened = Image.open(io.BytesIO(thumbnail))
        assert not dict(opened.getexif()) and set(opened.info) <= {"background", "loop", "timestamp", "duration"}


def test_extreme_shapes_keep_at_least_one_pixel_a_side() -> None:
    picture = read(saved(Image.new("L", (20_000, 2), 120), "PNG"))
    assert pixels(picture.small).shape == (1, 320, 3)


def test_of_huge_pictures_one_is_unpacked_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_pictures, "HUGE", 100)
    huge = threading.Thread(target=read, args=(draw(),))
    with open_pictures.unpacking_a_huge_one:
        huge.start()
        assert read(draw(size=(9, 9))).width == 9
        huge.join(timeout=0.2)
        assert huge.is_alive()
    huge.join(timeout=20)
    assert not huge.is_alive()


@given(st.binary(max_size=200), st.integers(0, 400), st.sampled_from(["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP"]))
def test_damaged_bytes_are_read_or_refused_and_nothing_else(noise: bytes, at: int, format: str) -> None:
    whole = draw(5, format=format)
    damaged = whole[: at % len(whole)] + noise + whole[at % len(whole) + len(noise) :]
    try:
        picture = read(damaged)
    except PictureRefused as refused:
        assert refused.code in {
            "no_bytes",
            "not_an_image",
            "truncated",
            "damaged_image",
            "image_not_opened",
            "unknown_format",
            "zero_bytes",
            "too_many_pixels",
            "svg",
            "kind_not_read",
            "raw_photo",
        }
    else:
        assert len(picture.perceptual_hash) == 16


def slow_hash(image: Image.Image) -> str:
    """pHash by the sums of its definition."""
    grey = np.asarray(image.convert("L").resize((32, 32), Image.Resampling.LANCZOS), dtype=float)
    lowest = [
        sum(
            grey[y, x] * np.cos(np.pi * u * (2 * y + 1) / 64) * np.cos(np.pi * v * (2 * x + 1) / 64)
            for y in range(32)
            for x in range(32)
        )
        for u in range(8)
        for v in range(8)
    ]
    bits = "".join("1" if value > np.median(lowest) else "0" for value in lowest)
    return f"{int(bits, 2):016x}"


def test_the_perceptual_hash_is_what_its_definition_says() -> None:
    speckled = Image.fromarray(np.random.default_rng(3).integers(0, 255, (50, 70, 3), dtype=np.uint8))
    assert perceptual_hash(speckled) == slow_hash(speckled)


@pytest.mark.nightly
def test_a_smaller_and_harder_pressed_copy_has_nearly_the_same_hash() -> None:
    speckled = Image.fromarray(np.random.default_rng(7).integers(0, 255, (12, 16, 3), dtype=np.uint8))
    photo = speckled.resize((800, 600), Image.Resampling.BICUBIC)
    one = int(read(saved(photo, "PNG")).perceptual_hash, 16)
    other = int(read(saved(photo.resize((400, 300)), "JPEG", quality=40)).perceptual_hash, 16)
    assert (one ^ other).bit_count() <= 4
