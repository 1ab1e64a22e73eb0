"""Saved projects of VGG Image Annotator: each image with its attributes, as `annotated` reads them.

Version 2:  {"_via_img_metadata": {"x.png9": {"filename": "x.png", "file_attributes": {...}, "regions": [...]}}}
Version 3:  {"attribute": {"1": {"aname": "caption", "type": 1}}, "file": {"7": {"fname": "x.png"}},
             "view": {"2": {"fid_list": [7]}}, "metadata": {"2_a": {"vid": "2", "xy": [], "av": {"1": "A dog."}}}}
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from backend.catalogue.sources.annotated import other_annotation
from backend.catalogue.sources.container import Container
from backend.catalogue.sources.records import Record, refused_of
from backend.catalogue.sources.rows import Refused
from backend.methods.tables import Fault, as_text, read_members

IMAGES = "_via_img_metadata"
THIRD = frozenset({"attribute", "file", "metadata", "view"})
Records = Callable[[Container, str], Iterator[Record | Refused]]
TEXT = "1"  # the type of an attribute; the others are choices


def records_of(members: Collection[str]) -> Records | None:
    """What reads the records of an object with these members; None where it is no such project."""
    if IMAGES in members:
        return _of_second
    return _of_third if THIRD.issubset(members) else None


def _of_second(container: Container, name: str) -> Iterator[Record | Refused]:
    """One record for each image."""
    for member in _members(container, name, IMAGES):
        yield member if isinstance(member, Refused) else (member[0], member[2])


def _of_third(container: Container, name: str) -> Iterator[Record | Refused]:
    """One record for each annotation, and for each image without any."""
    names, files, views = (_by_id(container, name, part) for part in ("attribute", "file", "view"))
    annotated = set()
    n = 0
    for member in _members(container, name, "metadata"):
        if isinstance(member, Refused):
            yield member
            continue
        n, _, said = member
        view = as_text(said.get("vid"))
        annotated.add(view)
        yield from _records_of(n, said, _images_of(views.get(view, {}), files), names)
    for view, told in views.items():
        if view not in annotated:
            n += 1
            yield from ((n, {**image, "file_attributes": {}}) for image in _images_of(told, files))


def _records_of(
    n: int, said: dict[str, Any], images: list[dict[str, str]], names: dict[str, dict[str, Any]]
) -> Iterator[Record | Refused]:
    """What was said of an image, or of several that were shown together."""
    shown = images[0].get("filename", "") if images else as_text(said.get("vid"))
    if len(images) != 1:
        yield other_annotation(n, shown, "several images")
        return
    if said.get("xy") or said.get("z"):
        yield n, {**images[0], "file_attributes": {}, "region_id": str(n)}
        return
    texts, values = {}, said.get("av")
    for number, value in values.items() if isinstance(values, dict) else ():
        attribute = names.get(number, {})
        if as_text(attribute.get("type")) == TEXT:
            texts[as_text(attribute.get("aname"))] = value
        else:
            yield other_annotation(n, shown, attribute.get("aname", number))
    yield n, {**images[0], "file_attributes": texts}


def _images_of(view: dict[str, Any], files: dict[str, dict[str, Any]]) -> list[dict[str, str]]:
    """The names of the files of a view, as columns of a row."""
    shown = view.get("fid_list")
    found = [files.get(as_text(number), {}) for number in shown] if isinstance(shown, list) else []
    return [{"filename": as_text(one.get("fname")), "url": as_text(one.get("src"))} for one in found]


def _by_id(container: Container, name: str, part: str) -> dict[str, dict[str, Any]]:
    members = _members(container, name, part)
    return {member[1]: member[2] for member in members if not isinstance(member, Refused)}


def _members(container: Container, name: str, part: str) -> Iterator[tuple[int, str, dict[str, Any]] | Refused]:
    """The objects of one part of the project."""
    with container.open(name) as file:
        for member in read_members(file, name, within=part):
            if isinstance(member, Fault):
                yield refused_of(member)
            elif isinstance(member[2], dict):
                yield member
            else:
                yield refused_of(Fault(member[0], name, "not_json_object"))
