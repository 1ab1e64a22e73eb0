"""Finds the image of a project that a row of any import is about, by the rules of methods/image_names.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from backend.catalogue.models import Image
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import MemberRefused
from backend.methods.image_names import Meant, NameIndex, Several, Unknown

UNKNOWN = "This project has no image {key}. Import it first, or correct the name."
NEAR = "This project has no image {key}. Did you mean {near}?"
SEVERAL = "{key} can mean several images: {names}. Write more of the path."
OTHER_PICTURE = "{file} is not the image with the id {key} in this project. Give it another id, and import it."
DIFFER = "The names in this row mean different images: {names}. Correct one of them."


class KnownImage(NamedTuple):
    """What an import needs of an image."""

    pk: int
    digest: str


class Seen(NamedTuple):
    """A picture that lies beside what is imported: its file, and the SHA-256 of its bytes. See Picture."""

    name: str
    digest: str
    is_by_id: bool = False


class ImageIndex:
    """The images of a project by all their names, as they are now; about 600 bytes an image. A release names an image
    by its digest."""

    def __init__(self, project_id: int) -> None:
        self._by_digest: dict[str, KnownImage] = {}
        self._names = NameIndex(self._noted(_ids_of(project_id)), _other_names_of(project_id))

    def _noted(self, ids: Iterator[tuple[str, KnownImage]]) -> Iterator[tuple[str, KnownImage]]:
        for key, image in ids:
            self._by_digest[image.digest] = image
            yield key, image

    def find(self, names: Iterable[str], picture: Seen | None = None) -> KnownImage:
        """The image that has all of `names`, as far as they are known. With a `picture`, its bytes decide.

        Raises MemberRefused where there is none, or not only one; the sentence names those that can be meant.
        """
        asked = [name for name in names if name]
        if picture and (image := self._by_digest.get(picture.digest)):
            if picture.is_by_id and self._names.get(asked[0]) not in (None, image):
                raise _refusal("", Several((asked[0], picture.name), differ=True))
            return image
        found = self._names.find_one(asked)
        if isinstance(found, Meant):
            if picture:
                file = printable(picture.name or asked[0], 200)
                params = {"file": file, "key": printable(found.name, 200)}
                raise MemberRefused("other_picture", OTHER_PICTURE, params)
            return found.target
        if isinstance(found, Unknown) and (image := next(filter(None, map(self._by_digest.get, asked)), None)):
            return image
        raise _refusal(printable(asked[0], 200) if asked else "", found)


def _refusal(key: str, found: Several | Unknown) -> MemberRefused:
    named = ", ".join(printable(name, 100) for name in (found.names if isinstance(found, Several) else found.near))
    if isinstance(found, Several):
        if found.differ:
            return MemberRefused("images_differ", DIFFER, {"names": named})
        return MemberRefused("image_several", SEVERAL, {"key": key, "names": named})
    if named:
        return MemberRefused("unknown_image_near", NEAR, {"key": key, "near": named})
    return MemberRefused("unknown_image", UNKNOWN, {"key": key})


def _ids_of(project_id: int) -> Iterator[tuple[str, KnownImage]]:
    images = Image.objects.filter(project=project_id).order_by("pk").values_list("key", "pk", "digest")
    for key, pk, digest in images.iterator(chunk_size=10_000):
        yield key, KnownImage(pk, digest)


def _other_names_of(project_id: int) -> Iterator[tuple[str, KnownImage]]:
    named = Image.objects.filter(project=project_id).exclude(names=[]).order_by("pk")
    for names, pk, digest in named.values_list("names", "pk", "digest").iterator(chunk_size=10_000):
        for name in names:
            yield name, KnownImage(pk, digest)
