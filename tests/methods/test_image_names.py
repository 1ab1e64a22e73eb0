"""Which image a name means: forms that are the same, names of several images, and near misses."""

from __future__ import annotations

import unicodedata

import pytest

from backend.methods.image_names import Meant, NameIndex, Several, Unknown

NFC, NFD = (unicodedata.normalize(form, "Brücke.jpg") for form in ("NFC", "NFD"))


def meant(asked: str, *known: str) -> object:
    """The known name that is meant, or what else is found."""
    found = NameIndex((name, name) for name in known).find(asked)
    return found.target if isinstance(found, Meant) else found


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("IMG_0001.jpg", "IMG_0001.JPG"),
        ("IMG_0001.jpeg", "IMG_0001.JPG"),
        ("img_0002.jpg", "Img_0002.jpg"),
        (NFC, NFD),
        (NFD, NFC),
        (" a.jpg ", "a.jpg"),
        ("./a.jpg", "a.jpg"),
        ("photos\\a.jpg", "photos/a.jpg"),
        ("C:\\Users\\mia\\photos\\a.jpg", "photos/a.jpg"),
        ("/home/mia/photos/a.jpg", "images/a.jpg"),
        ("photos/a.jpg", "images/a.jpg"),
        ("photos/a.jpg", "a.jpg"),
        ("a.jpg", "photos/a.jpg"),
        ("my%20photo.jpg", "my photo.jpg"),
        ("my photo.jpg", "my%20photo.jpg"),
        ("Br%C3%BCcke.jpg", NFD),
        ("a", "a.jpg"),
        ("a.jpg", "a"),
        ("391895.0", "391895"),
        ("3.91895E+05", "391895"),
        ("3.918950e5", "391895"),
        ("391895", "391895.0"),
        ("1.0", "1"),
        ("1", "1.0"),
        ("391895.00", "000000391895.jpg"),
        ("391895", "000000391895.jpg"),
        ("https://site.org/photos/a.jpg?size=2", "a.jpg"),
        ("/data/local-files/?d=photos/a.jpg", "photos/a.jpg"),
        ("/data/upload/3/0ab1c2d3-a.jpg", "a.jpg"),
        ("22.05", "22.05.png"),
    ],
)
def test_another_way_to_write_the_name_means_the_same_image(asked: str, known: str) -> None:
    assert meant(asked, known, "other.jpg") == known


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("ab3", "aB3"),
        ("ab3", "aB3.jpg"),
        ("a.png", "a.jpg"),
        ("my foto.jpg", "my photo.jpg"),
        ("1", "0001.jpg"),
        ("val/0001.jpg", "train/0001.jpg"),
        ("/data/val2017/0001.jpg", "train2017/0001.jpg"),
    ],
)
def test_a_near_name_is_named_and_not_taken(asked: str, known: str) -> None:
    assert meant(asked, known, "other.jpg") == Unknown((known,))


def test_a_number_that_lost_digits_means_no_image() -> None:
    assert isinstance(meant("1.23457E+11", "123457000000"), Unknown)


def test_a_file_missing_in_a_known_folder_is_not_the_one_of_another_folder() -> None:
    assert meant("left/2.jpg", "left/1.jpg", "right/2.jpg") == Unknown(("right/2.jpg",))


def test_several_are_named_and_more_of_the_path_tells_them_apart() -> None:
    known = ("train/0001.jpg", "val/0001.jpg")
    assert meant("0001.jpg", *known) == Several(known)
    assert meant("coco/val/0001.jpg", *known) == "val/0001.jpg"
    assert meant("0001", "0001.jpg", "0001.png") == Several(("0001.jpg", "0001.png"))


def test_the_exact_name_wins_over_a_loose_one() -> None:
    assert meant("a.jpg", "a.JPG", "a.jpg") == "a.jpg"
    assert meant("1234", "01234", "1234.jpg", "1234") == "1234"


def test_an_address_is_known_only_as_a_whole() -> None:
    address = "https://site.org/a.jpg"
    assert meant(address, address) == address
    assert meant("a.jpg", address) == Unknown()


def test_another_number_is_another_image_and_no_slip() -> None:
    assert meant("IMG_0003.jpg", "IMG_0001.jpg", "IMG_0002.jpg") == Unknown()


def test_nothing_is_meant_by_no_name() -> None:
    assert [meant(name, "a.jpg") for name in ("", " ", "/", "..", "b.jpg", "//nas[2]/pier.jpg")] == [Unknown()] * 6


def test_a_name_that_two_images_share_means_neither_and_an_id_decides() -> None:
    files = [("9.jpg", 1), ("train/9.jpg", 1), ("9.jpg", 2), ("val/9.jpg", 2)]
    index = NameIndex([("1", 1), ("2", 2)], files)
    assert index.find("9.jpg") == Several(("train/9.jpg", "val/9.jpg"))
    assert index.find_one(["2", "9.jpg"]) == Meant("2", 2)


def test_names_of_one_image_agree_or_the_images_are_named() -> None:
    index = NameIndex([("7", 1), ("a.jpg", 1), ("8", 2), ("b.jpg", 2)])
    assert index.find_one(["7", "a.jpg"]) == Meant("7", 1)
    assert index.find_one(["", "9", "b.jpg"]) == Meant("b.jpg", 2)
    assert index.find_one(["7", "b.jpg"]) == Several(("7", "b.jpg"), differ=True)
    assert index.find_one(["9", "b.png"]) == Unknown(("b.jpg",))
