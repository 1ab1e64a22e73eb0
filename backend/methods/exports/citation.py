"""How to cite a release: CITATION.cff, and the same as BibTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

NOT_PLAIN = re.compile(r"[^a-z0-9]+")
SPECIAL = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


@dataclass(frozen=True)
class Edition:
    """What only the site knows of a release: its version, the day it was made, and its public address, if any."""

    version: str
    published: date
    url: str = ""


def write_citation(manifest: Mapping[str, Any], edition: Edition | None = None) -> str:
    """CITATION.cff. Every value is quoted as JSON, which is YAML too."""
    counts = manifest["counts"]
    abstract = f"{counts['images']} images with {counts['captions']} captions, judged by {counts['annotators']} people."
    lines = {
        "cff-version": "1.2.0",
        "message": "Cite this dataset when you use it.",
        "type": "dataset",
        "title": _title(manifest),
        "abstract": abstract,
    }
    if edition:
        lines |= {"version": edition.version, "date-released": edition.published.isoformat()}
        lines |= {"url": edition.url} if edition.url else {}
    elif "version" in manifest:
        lines["version"] = manifest["version"]
    told = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in lines.items())
    author = json.dumps(_author(manifest), ensure_ascii=False)
    return f"{told}authors:\n  - name: {author}\nkeywords:\n  - image captions\n  - annotator agreement\n"


def write_bibtex(manifest: Mapping[str, Any], edition: Edition | None = None) -> str:
    """The same as an entry of BibTeX."""
    key = NOT_PLAIN.sub("-", str(manifest["project"]["slug"]).lower()).strip("-")
    return (
        f"@misc{{{key},\n  title = {{{_title(manifest).translate(SPECIAL)}}},\n"
        f"  author = {{{{{_author(manifest).translate(SPECIAL)}}}}},\n"
        "  howpublished = {Image-caption dataset made with Connote}"
        f"{_edition(edition) if edition else _version(manifest)}\n}}\n"
    )


def _edition(edition: Edition) -> str:
    fields = {"year": str(edition.published.year), "note": f"Version {edition.version}"}
    fields |= {"url": edition.url} if edition.url else {}
    return "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items())


def _version(manifest: Mapping[str, Any]) -> str:
    return f",\n  note = {{Version {manifest['version']}}}" if "version" in manifest else ""


def _title(manifest: Mapping[str, Any]) -> str:
    return " ".join(str(manifest["project"]["name"]).split())


def _author(manifest: Mapping[str, Any]) -> str:
    return f"The project {_title(manifest)}"
