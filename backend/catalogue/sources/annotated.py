"""Captions among what annotation tools export of an image.

Label Studio:         {"annotations": [{"result": [{"type": "textarea", "value": {"text": ["A dog."]}}]}]}
VGG Image Annotator:  {"filename": ..., "file_attributes": {"caption": "A dog."}, "regions": [...]}
Datumaro:             {"id": ..., "annotations": [{"type": "caption", "caption": "A dog."}]}

Boxes, labels and choices are no captions, nor is what a model predicted or a person has not submitted: each of them is
told as what it is. `via_projects` reads the saved projects of VGG Image Annotator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import Refused
from backend.catalogue.sources.withdrawn import withdrawal_of
from backend.methods.tables import as_text, fold, values_of

OTHER_KIND = "This annotation is of the kind {kind}. Only texts about the whole image are captions."
NOT_ANNOTATED = "This image has no annotation yet."
NO_ATTRIBUTE = "No attribute of the image is a caption. Call it caption. The attributes: {names}."
MEANINGLESS = frozenset({"public_domain", "image_url"})  # attributes that each new project has
PREDICTION = "A model wrote this annotation, and no person confirmed it. Submit it in the tool, and export again."
DRAFT = "This draft was not submitted. Submit it in the tool, and export again."
Items = Iterator[dict[str, Any] | Refused]


def annotations_of(
    line: int, key: str, record: Mapping[str, Any], names: Sequence[str]
) -> list[dict[str, Any] | Refused] | None:
    """The captions in a record of a tool, and what else was annotated; None where the record is of none. `names` are
    those of attributes that are captions."""
    other = partial(other_annotation, line, key)
    if "file_attributes" in record:
        items = _of_via(record, names, line, key)
    else:
        made = record.get("annotations", record.get("completions", [] if _results(record, "predictions") else None))
        if not isinstance(made, list) or not all(isinstance(each, dict) for each in made):
            return None
        if any("result" in each for each in made):
            items = (item for each in made for item in _of_label_studio(each, line, key))
        elif all(isinstance(each.get("type"), str) for each in made):
            items = (
                {"text": each["caption"], "caption_id": f"{key}#{n}"} if "caption" in each else other(each["type"])
                for n, each in enumerate(made, start=1)
            )
        else:
            return None
    found = list(items) or [Refused(line, printable(key), "not_annotated", NOT_ANNOTATED, is_ignored=True)]
    return [*found, *_unsubmitted(record, line, key)]


def _results(record: Mapping[str, Any], name: str) -> list[Any]:
    """The predictions or drafts of Label Studio that say something."""
    made = record.get(name)
    return [each for each in made if isinstance(each, dict) and each.get("result")] if isinstance(made, list) else []


def _unsubmitted(record: Mapping[str, Any], line: int, key: str) -> Iterator[Refused]:
    for name, code, why in (("predictions", "model_prediction", PREDICTION), ("drafts", "annotation_draft", DRAFT)):
        yield from (Refused(line, printable(key), code, why, is_ignored=True) for _ in _results(record, name))


def other_annotation(line: int, key: str, kind: object) -> Refused:
    """An annotation that is no text about the whole image."""
    says = {"kind": printable(kind, 40)}
    return Refused(line, printable(key), "other_annotation", OTHER_KIND, says, is_ignored=True)


def _of_label_studio(annotation: dict[str, Any], line: int, key: str) -> Items:
    """The texts that people wrote about the image, and not about a region of it."""
    if gone := withdrawal_of(line, key, annotation):
        yield gone
        return
    results, n = annotation.get("result"), 0
    for result in results if isinstance(results, list) else ():
        value = result.get("value") if isinstance(result, dict) else None
        texts = value.get("text") if isinstance(value, dict) and not {"x", "start"} & value.keys() else None
        if texts is None or result.get("type", "textarea") != "textarea":
            yield other_annotation(line, key, result.get("type") if isinstance(result, dict) else "")
            continue
        for text in texts if isinstance(texts, list) else [texts]:
            n += 1
            yield {"text": text, "caption_id": f"{as_text(annotation.get('id'))}#{n}"}


def _of_via(record: Mapping[str, Any], names: Sequence[str], line: int, key: str) -> Items:
    """In its CSV, attributes are JSON in a cell, and each region of the image has a row of its own."""
    attributes, regions = record["file_attributes"], record.get("regions") or ()
    if as_text(record.get("region_id")) not in ("", "0"):
        yield other_annotation(line, key, "region")
        return
    if isinstance(attributes, str):
        try:
            attributes = json.loads(attributes)
        except (ValueError, RecursionError):
            attributes = {"file_attributes": attributes}
    attributes = {fold(str(name)): value for name, value in attributes.items()} if isinstance(attributes, dict) else {}
    texts = [text for text in values_of(attributes, names) if text != ""]
    yield from ({"text": text} for text in texts)
    filled = [name for name, value in attributes.items() if value and name not in MEANINGLESS]
    if filled and not texts:
        yield Refused(line, printable(key), "no_caption_attribute", NO_ATTRIBUTE, {"names": ", ".join(filled)[:200]})
    for _ in regions:
        yield other_annotation(line, key, "region")
