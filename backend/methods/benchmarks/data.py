"""The data of a benchmark: images, captions or queries, and which belong together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from backend.methods.foreign.conqa import SeedQuery
from backend.methods.foreign.shapes import PairVotes
from backend.methods.ranking import Pairs, make_pairs
from backend.methods.ranking.ranking import Bools, Ints

MOST_NAMED = 3
Judged = tuple[int, int, int]  # votes: good, bad, unsure


class DataError(ValueError):
    """These data or results cannot be used; the message names the file and the place."""


@dataclass(frozen=True)
class Votes:
    """Votes on images for queries, and what the queries are."""

    votes: PairVotes
    queries: Mapping[str, SeedQuery]


@dataclass(frozen=True)
class StoredPicture:
    """An image in a store, not a file of this machine. `read` gives its bytes and raises DataError."""

    sha256: str
    read: Callable[[], bytes]


@dataclass(frozen=True)
class BenchmarkData:
    """Images and texts by their ids, in a fixed order, and the right pairs of them.

    `categories` has a set of values for each text by the name of a field. `rejected` are captions of an image that
    people rejected, by its id. `pictures` says where an image lies, if it is known.
    """

    kind: str
    name: str
    images: tuple[str, ...]
    texts: tuple[str, ...]
    pairs: Pairs
    captions: tuple[str, ...] | None = None
    categories: Mapping[str, tuple[frozenset[str], ...]] = field(default_factory=dict)
    rejected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pictures: Mapping[str, Path | StoredPicture] = field(default_factory=dict)
    votes: Votes | None = None
    judged: tuple[Judged, ...] = ()  # votes on each text for its image, where people judged captions
    notes: tuple[str, ...] = ()
    one_way: str = ""  # the only direction, where the right pairs are for one

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that figures depend on: not of file names or of where the files lie."""
        pairs = np.stack([self.pairs.image, self.pairs.text]).tolist()
        categories = {name: [sorted(each) for each in values] for name, values in self.categories.items()}
        parts: list[Any] = [
            self.images,
            self.texts,
            self.captions,
            pairs,
            categories,
            dict(self.rejected),
            self.one_way,
        ]
        if self.votes:
            votes = self.votes.votes
            parts += [votes.query, votes.image, votes.counts.tolist()]
            parts += [
                [name, each.text, each.is_conceptual, sorted(each.seeds)] for name, each in self.votes.queries.items()
            ]
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def image_numbers(self) -> dict[str, int]:
        """The number of each image by its id."""
        return {image: at for at, image in enumerate(self.images)}

    @property
    def text_numbers(self) -> dict[str, int]:
        """The number of each text by its id."""
        return {text: at for at, text in enumerate(self.texts)}

    @property
    def owner(self) -> Ints:
        """The first right image of each text, the cluster that the bootstrap draws; -1 for a text without one."""
        found = np.full(len(self.texts), -1, np.int64)
        found[self.pairs.text[::-1]] = self.pairs.image[::-1]
        return found

    def masks(self, texts: Ints) -> dict[str, Bools]:
        """For each category whether each of `texts` is in it, by `field=value`."""
        found: dict[str, Bools] = {}
        for name, values in sorted(self.categories.items()):
            for value in sorted(frozenset[str]().union(*values)):
                of_texts = np.array([value in each for each in values], bool)
                found[f"{name}={value}"] = of_texts[texts]
        return found

    def limited(self, n: int) -> BenchmarkData:
        """The first `n` images and what belongs to them."""
        return self if n >= len(self.images) else self.kept(np.arange(n))

    def only(self, images: Sequence[str], where: str) -> BenchmarkData:
        """Some images in the order of the data, and what belongs to them. Raises DataError for ids that are unknown."""
        numbers = self.image_numbers
        if unknown := [image for image in images if image not in numbers]:
            raise DataError(f"{where} names images that {self.name} lacks: {some(unknown)}.")
        if not images:
            raise DataError(f"{where} names no image.")
        kept = np.unique([numbers[image] for image in images])
        return self if len(kept) == len(self.images) else self.kept(kept)

    def kept(self, numbers: Ints) -> BenchmarkData:
        """The images of these numbers, ascending, and what belongs to them. Of votes nothing is cut."""
        chosen = np.isin(self.pairs.image, numbers)
        texts = np.unique(self.pairs.text[chosen])
        pairs = make_pairs(
            np.searchsorted(numbers, self.pairs.image[chosen]),
            np.searchsorted(texts, self.pairs.text[chosen]),
            n_images=len(numbers),
            n_texts=len(texts),
        )
        images = tuple(self.images[at] for at in numbers.tolist())
        return replace(
            self,
            images=images,
            texts=tuple(self.texts[at] for at in texts),
            captions=None if self.captions is None else tuple(self.captions[at] for at in texts),
            pairs=pairs,
            categories={name: tuple(values[at] for at in texts) for name, values in self.categories.items()},
            rejected={image: self.rejected[image] for image in images if image in self.rejected},
            pictures={image: self.pictures[image] for image in images if image in self.pictures},
            judged=tuple(self.judged[at] for at in texts) if self.judged else (),
        )


@dataclass
class Gathering:
    """Rows of a file on their way to BenchmarkData, in their order. `add` raises DataError for ids that come twice."""

    file: str
    images: dict[str, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    captions: list[str] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    categories: list[Mapping[str, frozenset[str]]] = field(default_factory=list)
    rejected: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pictures: dict[str, Path | StoredPicture] = field(default_factory=dict)

    def add_image(self, image: str, where: str) -> int:
        """The number of a new image."""
        if image in self.images:
            raise DataError(f"{self.file}, {where}: the image {image!r} comes twice.")
        self.images[image] = len(self.images)
        return self.images[image]

    def add_text(self, text: str, caption: str, where: str, categories: Mapping[str, frozenset[str]]) -> int:
        """The number of a new text."""
        if text in self.texts:
            raise DataError(f"{self.file}, {where}: the caption {text!r} comes twice.")
        self.texts[text] = len(self.texts)
        self.captions.append(caption)
        self.categories.append(categories)
        return self.texts[text]

    def done(self, kind: str, name: str, *, notes: Sequence[str] = ()) -> BenchmarkData:
        """The data. Raises DataError where there is no right pair."""
        if not self.pairs:
            raise DataError(f"{self.file} has no image with a caption.")
        image, text = np.array(self.pairs, np.int64).T
        fields = sorted({field for each in self.categories for field in each})
        return BenchmarkData(
            kind,
            name,
            tuple(self.images),
            tuple(self.texts),
            make_pairs(image, text, n_images=len(self.images), n_texts=len(self.texts)),
            tuple(self.captions),
            {field: tuple(each.get(field, frozenset()) for each in self.categories) for field in fields},
            self.rejected,
            self.pictures,
            notes=tuple(notes),
        )


def some(names: Iterable[str]) -> str:
    """The first few of many names, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(repr(name) for name in names[:MOST_NAMED]) + more
