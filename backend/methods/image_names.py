"""Which image a name means. The one place that decides it: for pictures, captions, queries and judgments.

People write the name of one image in many ways: `IMG_1.JPG` and `img/IMG_1.jpg`, an address, `391895.0` of a table that
made numbers of ids. `NameIndex` holds the known names. It finds the one that is meant, or says why it is not one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import PurePosixPath
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

T = TypeVar("T")

ENDINGS = {
    ".jpg": ".jpg", ".jpeg": ".jpg", ".jpe": ".jpg", ".jfif": ".jpg", ".png": ".png", ".gif": ".gif", ".webp": ".webp",
    ".bmp": ".bmp", ".tif": ".tif", ".tiff": ".tif", ".avif": ".avif", ".jp2": ".jp2", ".ppm": ".ppm", ".pgm": ".ppm",
    ".heic": ".heic", ".svg": ".svg",
}  # fmt: skip
DECIMAL = re.compile(r"([0-9]+)\.0+")  # 391895.0: a table made numbers of its ids
POWER = re.compile(r"([0-9])\.([0-9]+)[eE]\+?([0-9]{1,2})")  # 3.91895E+05, from the same tables
PLAIN = re.compile(r"[\w-][\w .-]*(?:/[\w-][\w .-]*)*(?<! )", re.ASCII)  # no sign of an address or of another machine
WHOLE = re.compile(r"[0-9]+")
NUMBER = re.compile(r"0*[1-9][0-9]{3,}")  # zeros before a long number do not matter; a short one says too little
WEB = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
DRIVE = re.compile(r"[A-Za-z]:(?=/)")
SPLIT = re.compile(r"(train|val|valid|validation|dev|test)[0-9_-]*", re.IGNORECASE)
LOCAL = "/local-files/"  # Label Studio names a file of its own disk /data/local-files/?d=photos/pier.jpg
UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")  # and puts this before the name of an uploaded one
MOST_NAMED = 5
MOST_KEPT = 50_000  # answers that are kept, as rows about the same image follow each other
MOST_SLIPS = 100  # names that are compared with all others, which takes long
SIMILAR = 0.8  # of 1
MOST_COMPARED = 1000  # images of the same file name, such as image.jpg in many folders


@dataclass(frozen=True)
class Several:
    """More than one image can be meant: some of their names. With `differ`, two names were given, each of another."""

    names: tuple[str, ...]
    differ: bool = False


@dataclass(frozen=True)
class Unknown:
    """No image is meant. `near` are names that differ only a little."""

    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meant(Generic[T]):
    """The one image that is meant."""

    name: str
    target: T


class _Path(NamedTuple):
    """A name taken apart: the folders, the name without its ending, the ending in its plain form."""

    folders: tuple[str, ...]
    stem: str
    ending: str
    is_foreign: bool  # an address, or a path from the root of another machine


def plain_path(name: str) -> tuple[str, bool]:
    """The name as a relative path in NFC with forward slashes, and whether it was an address or an absolute path."""
    text = unicodedata.normalize("NFC", name.strip())
    is_foreign = bool(WEB.match(text))
    if is_foreign or LOCAL in text:
        text, is_foreign = _path_of_address(text), True
    text = unicodedata.normalize("NFC", unquote(text)).replace("\\", "/")
    if (drive := DRIVE.match(text)) or text.startswith("/"):
        text, is_foreign = text[drive.end() if drive else 0 :].lstrip("/"), True
    return str(PurePosixPath(text)) if text else "", is_foreign


def _path_of_address(text: str) -> str:
    try:
        address = urlsplit(text)
    except ValueError:  # an address without a real host, as //nas[2]/pier.jpg
        return text
    local = parse_qs(address.query).get("d", [""])[0] if address.path.endswith(LOCAL) else ""
    return local or address.path


def _taken_apart(name: str) -> _Path:
    path, is_foreign = plain_path(name)
    *folders, last = path.split("/")
    ending = PurePosixPath(last).suffix
    plain = ENDINGS.get(ending.lower(), "")
    return _Path(tuple(folders), last.removesuffix(ending) if plain else last, plain, is_foreign)


def _stem_of(name: str) -> str:
    """`_taken_apart(name).stem`, fast for a name without odd signs: there can be a million of them."""
    if not PLAIN.fullmatch(name):
        return _taken_apart(name).stem
    last = name.rpartition("/")[2]
    at = last.rfind(".")
    return last[:at] if at > 0 and last[at:].lower() in ENDINGS else last


def _folder_of(name: str) -> str:
    """The innermost folder, fast for a name without odd signs; empty where it has none."""
    if PLAIN.fullmatch(name):
        return name.rpartition("/")[0].rpartition("/")[2]
    folders = _taken_apart(name).folders
    return folders[-1] if folders else ""


def _loose(stem: str) -> str:
    """What names that may mean the same have in common."""
    return stem.lstrip("0") or "0" if stem.isdecimal() else stem.casefold()


def _is_same_stem(one: str, other: str, is_file: bool) -> bool:
    """Of files the letter case does not matter, as on Windows; ids such as aB3 and ab3 are two."""
    if is_file and one.casefold() == other.casefold():
        return True
    return one == other or (bool(NUMBER.fullmatch(one)) and one.lstrip("0") == other.lstrip("0"))


class NameIndex(Generic[T]):
    """The known names of images. Several names may have one target.

    Of `names`, such as ids, the first target counts. Of `others` one that two targets share means neither of them.
    """

    def __init__(self, names: Iterable[tuple[str, T]], others: Iterable[tuple[str, T]] = ()) -> None:
        self._by_name: dict[str, T] = {}
        for name, target in names:
            self._by_name.setdefault(name, target)
        more: dict[str, T] = {}
        shared = {name for name, target in others if more.setdefault(name, target) != target}
        for name, target in more.items():
            if name not in shared:
                self._by_name.setdefault(name, target)
        self._n_compared = 0
        self._answers: dict[str, Meant[T] | Several | Unknown] = {}

    def __len__(self) -> int:
        return len(self._by_name)

    def get(self, name: str) -> T | None:
        """The target of exactly this name."""
        return self._by_name.get(name)

    def find(self, asked: str) -> Meant[T] | Several | Unknown:
        """What is meant by `asked`.

        A name is taken where only one image can be meant. The Unicode form, slashes, percent signs, the letter case of
        a file, and a missing folder or ending do not matter. The letter case of an id and another ending do matter.
        """
        if (target := self._by_name.get(asked)) is not None:
            return Meant(asked, target)
        if (answer := self._answers.get(asked)) is None:
            if len(self._answers) >= MOST_KEPT:
                self._answers.clear()
            answer = self._answers[asked] = self._find(asked)
        return answer

    def _find(self, asked: str) -> Meant[T] | Several | Unknown:
        found = self.fitting(asked)
        return self._almost(asked) if found == Unknown() else found

    def fitting(self, asked: str) -> Meant[T] | Several | Unknown:
        """The same as `find` without a search for slips of the pen. It keeps no answer, so it is for rows without
        number that may name no image at all."""
        for name in _exact_forms(asked):
            if (target := self._by_name.get(name)) is not None:
                return Meant(name, target)
        best: Several | Unknown = Unknown()
        for name in _forms(asked):
            found = self._find_loosely(_taken_apart(name))
            if isinstance(found, Meant):
                return found
            best = found if isinstance(found, Several) or best == Unknown() else best
        return best

    def _almost(self, asked: str) -> Unknown:
        """Names with a slip of the pen. Names that differ in digits alone are those of other images."""
        self._n_compared += 1
        if self._n_compared > MOST_SLIPS or len(self._by_stem) > MOST_COMPARED:
            return Unknown()
        stem = _loose(_taken_apart(asked).stem)
        close = (
            one for one in get_close_matches(stem, self._by_stem, cutoff=SIMILAR) if _letters(one) != _letters(stem)
        )
        return Unknown(tuple(name for one in close for name in self._by_stem[one])[:MOST_NAMED])

    def find_one(self, names: Iterable[str]) -> Meant[T] | Several | Unknown:
        """What all of `names` of one image mean. Names that are not known say nothing; two that differ are Several."""
        found = [self.find(name) for name in names if name]
        meant = [one for one in found if isinstance(one, Meant)]
        if any(one.target != meant[0].target for one in meant):
            return Several(tuple(dict.fromkeys(one.name for one in meant))[:MOST_NAMED], differ=True)
        if meant:
            return meant[0]
        several = next((one for one in found if isinstance(one, Several)), None)
        near = tuple(dict.fromkeys(name for one in found if isinstance(one, Unknown) for name in one.near))
        return several or Unknown(near[:MOST_NAMED])

    def _find_loosely(self, asked: _Path) -> Meant[T] | Several | Unknown:
        names = self._by_stem.get(_loose(asked.stem), []) if asked.stem else []
        if len(names) > MOST_COMPARED:
            return Several(tuple(names[:MOST_NAMED]))
        ranked = [(self._rank(asked, _taken_apart(name)), name) for name in names]
        fitting = [(rank, name) for rank, name in ranked if rank is not None]
        if not fitting:
            return Unknown(tuple(sorted(names))[:MOST_NAMED])
        least = min(rank for rank, _ in fitting)
        best = [name for rank, name in fitting if rank == least]
        if all(self._by_name[name] == self._by_name[best[0]] for name in best):
            return Meant(best[0], self._by_name[best[0]])
        return Several(tuple(sorted(best))[:MOST_NAMED])

    def _rank(self, asked: _Path, known: _Path) -> tuple[int, ...] | None:
        """How well a known name fits, the smallest best; None where it is another image's."""
        is_file = bool(asked.ending and known.ending)
        if not _is_same_stem(asked.stem, known.stem, is_file):
            return None
        if asked.ending and known.ending and asked.ending != known.ending:
            return None
        n_common = _common_folders(asked.folders, known.folders)
        is_part = n_common == min(len(asked.folders), len(known.folders))
        if not is_part and not self._may_lie_elsewhere(asked, known):
            return None
        return (0 if is_part else 1, -n_common, int(asked.stem != known.stem), int(asked.ending != known.ending))

    def _may_lie_elsewhere(self, asked: _Path, known: _Path) -> bool:
        """Whether the folders of `asked` can be those of another machine: here are none of the same name."""
        splits = [
            {split[1].lower()[:3] for f in one.folders if (split := SPLIT.fullmatch(f))} for one in (asked, known)
        ]
        if all(splits) and splits[0] != splits[1]:
            return False
        return asked.is_foreign or not asked.folders or asked.folders[-1] not in self._folders

    @cached_property
    def _by_stem(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._by_name:
            if not WEB.match(name):  # an address is one image's only as a whole
                found.setdefault(_loose(_stem_of(name)), []).append(name)
        return found

    @cached_property
    def _folders(self) -> set[str]:
        return {folder for name in self._by_name if (folder := _folder_of(name))}


def _letters(stem: str) -> str:
    return "".join(letter for letter in stem if not letter.isdecimal())


def _splits_in(path: _Path) -> set[str]:
    """The parts of a dataset that its folders name: tra, val, tes, dev."""
    return {found[1].lower()[:3] for folder in path.folders if (found := SPLIT.fullmatch(folder))}


def _common_folders(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many folders at the end are the same."""
    n = 0
    while n < min(len(one), len(other)) and one[-1 - n] == other[-1 - n]:
        n += 1
    return n


def _exact_forms(asked: str) -> Iterator[str]:
    """Ways to write the very same name, and the name below an outer folder."""
    yield asked.strip()
    if whole := _whole_of(asked.strip()):
        yield whole
    elif WHOLE.fullmatch(asked.strip()):
        yield f"{asked.strip()}.0"  # the images came from such a table, and what names them did not
    plain, is_foreign = plain_path(asked)
    if not is_foreign:
        for name in (plain, unicodedata.normalize("NFD", plain)):
            parts = name.split("/")
            yield from ("/".join(parts[first:]) for first in range(len(parts) - 1 if len(parts) > 1 else 1))


def _whole_of(text: str) -> str:
    """The whole number that a table made a decimal of; empty where it is none, or where it lost digits."""
    if decimal := DECIMAL.fullmatch(text):
        return decimal[1]
    power = POWER.fullmatch(text)
    n_digits = int(power[3]) if power else 0
    if power is None or len(power[2]) < n_digits or power[2][n_digits:].strip("0"):
        return ""
    return power[1] + power[2][:n_digits]


def _forms(asked: str) -> Iterator[str]:
    yield _whole_of(asked.strip()) or asked
    last = plain_path(asked)[0].rpartition("/")[2]
    if UPLOADED.match(last):
        yield UPLOADED.sub("", last, count=1)
