"""What changed between two releases, the version that follows from it, and CHANGELOG.md.

Both releases are read as the lines of their images.jsonl, in the order of the digests, so that two releases of any
size are compared with flat memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

FIRST = "1.0.0"
BUMPS = ("patch", "minor", "major")  # from the smallest step to the largest
CATEGORIES = ("easy", "medium", "hard")
LISTED = 100  # of each list; the others are only counted
VALUE = 200  # characters of a setting
MAX_NOTES = 4000
Line = Mapping[str, Any]
# Parts of the manifest that follow from the data. They are no settings.
COUNTED = frozenset(
    ("version", "counts", "licences", "choices.images", "selection.images", "difficulty.categories",
     "difficulty.trained_on_drawings")
)  # fmt: skip
WHY = {
    "first": "This is the first version.",
    "major": "Images or captions left, or the format of the files changed.",
    "minor": "Images or captions came. None left.",
    "patch": "Images and captions are the same. Labels, judgments or descriptions changed.",
}


@dataclass
class Listed:
    """How many there are, and the first of them."""

    n: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        self.n += 1
        if len(self.first) < LISTED:
            self.first.append(name)

    def describe(self) -> dict[str, Any]:
        return {"n": self.n, "first": self.first}


@dataclass
class Moves:
    """What came, left and changed."""

    added: Listed = field(default_factory=Listed)
    left: Listed = field(default_factory=Listed)
    changed: Listed = field(default_factory=Listed)

    def describe(self) -> dict[str, Any]:
        return {name: getattr(self, name).describe() for name in ("added", "left", "changed")}


@dataclass(frozen=True)
class Side:
    """One of two releases: its version, its digest, its manifest, its lines of images.jsonl."""

    label: str
    digest: str
    manifest: Mapping[str, Any]
    lines: Iterable[Line]


def compare_releases(before: Side | None, after: Side) -> dict[str, Any]:
    """What changed from `before` to `after`. Without a release before, everything was added."""
    images, captions = Moves(), Moves()
    moved = {was: dict.fromkeys(CATEGORIES, 0) for was in CATEGORIES}
    for old, new in _pairs(before.lines if before else (), after.lines):
        _compare_images(old, new, images)
        _compare_captions(old, new, captions, moved)
    was = before.manifest if before else {}
    return {
        "against": {"label": before.label, "digest": before.digest} if before else None,
        "images": images.describe(),
        "captions": captions.describe(),
        "judgments": {"before": _judgments(was), "after": _judgments(after.manifest)},
        "difficulty": moved,
        "settings": compare_settings(was, after.manifest) if before else [],
        "is_new_format": bool(before) and was.get("format") != after.manifest.get("format"),
    }


def _judgments(manifest: Mapping[str, Any]) -> int:
    return int(manifest.get("counts", {}).get("judgments", 0))


def _pairs(before: Iterable[Line], after: Iterable[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    """The lines of both, by digest. A line is None where only the other side has the image."""
    old_lines, new_lines = iter(before), iter(after)
    old, new = next(old_lines, None), next(new_lines, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old["digest"] < new["digest"]):
            yield old, None
            old = next(old_lines, None)
        elif old is None or new["digest"] < old["digest"]:
            yield None, new
            new = next(new_lines, None)
        else:
            yield old, new
            old, new = next(old_lines, None), next(new_lines, None)


def _compare_images(old: Line | None, new: Line | None, moves: Moves) -> None:
    if old is None and new is not None:
        moves.added.add(new["digest"])
    elif old is not None and new is None:
        moves.left.add(old["digest"])
    elif old is not None and new is not None and _without_captions(old) != _without_captions(new):
        moves.changed.add(new["digest"])


def _without_captions(line: Line) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "captions"}


def _compare_captions(old: Line | None, new: Line | None, moves: Moves, moved: dict[str, dict[str, int]]) -> None:
    was = {caption["key"]: caption for caption in old["captions"]} if old else {}
    now = {caption["key"]: caption for caption in new["captions"]} if new else {}
    for key in sorted(was.keys() | now.keys()):
        if key not in was:
            moves.added.add(key)
        elif key not in now:
            moves.left.add(key)
        else:
            if was[key] != now[key]:
                moves.changed.add(key)
            first, second = _category(was[key]), _category(now[key])
            if first in moved and second in moved:
                moved[first][second] += 1


def _category(caption: Line) -> str:
    return str((caption.get("difficulty") or {}).get("category", ""))


def compare_settings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, str]]:
    """Each setting of two manifests that differs, by its path, with both values as text. Empty means: not there.

    >>> compare_settings({"policy": "a", "counts": {"images": 1}}, {"policy": "b", "counts": {"images": 2}})
    [{'name': 'policy', 'before': 'a', 'after': 'b'}]
    """
    was, now = dict(_flat(before)), dict(_flat(after))
    return [
        {"name": name, "before": was.get(name, ""), "after": now.get(name, "")}
        for name in sorted(was.keys() | now.keys())
        if was.get(name) != now.get(name)
    ]


def _flat(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every value by its path; the models of the panel as one text."""
    for name, value in values.items():
        place = f"{path}.{name}" if path else name
        if place in COUNTED:
            continue
        if place == "difficulty.panel":
            yield place, _cut(", ".join(f"{one['model']} {one['digest'][:12]} {one['threshold']}" for one in value))
        elif isinstance(value, Mapping):
            yield from _flat(value, place)
        elif value not in (None, "", []):
            yield place, _cut(value if isinstance(value, str) else json.dumps(value, sort_keys=True))


def _cut(text: str) -> str:
    return text if len(text) <= VALUE else f"{text[: VALUE - 1]}…"


def step_of(changes: Mapping[str, Any]) -> str:
    """The smallest step that these changes need: major, minor or patch."""
    moves = (changes["images"], changes["captions"])
    if changes["is_new_format"] or any(each["left"]["n"] for each in moves):
        return "major"
    return "minor" if any(each["added"]["n"] for each in moves) else "patch"


def next_label(label: str, step: str) -> str:
    """The version after `label`.

    >>> next_label("1.4.2", "minor"), next_label("1.4.2", "major"), next_label("1.4.2", "patch")
    ('1.5.0', '2.0.0', '1.4.3')
    """
    major, minor, patch = map(int, label.split("."))
    return {"major": f"{major + 1}.0.0", "minor": f"{major}.{minor + 1}.0", "patch": f"{major}.{minor}.{patch + 1}"}[
        step
    ]


def larger_step(needed: str, chosen: str) -> str:
    """The step that is taken: a curator can make it larger, never smaller.

    >>> larger_step("major", "patch"), larger_step("patch", "minor"), larger_step("minor", "auto")
    ('major', 'minor', 'minor')
    """
    return needed if chosen == "auto" else max(needed, chosen, key=BUMPS.index)


def read_notes(text: str) -> str:
    """Free text of a curator. Raises ValueError with a sentence."""
    if len(text) > MAX_NOTES:
        raise ValueError(f"Write at most {MAX_NOTES:,} characters.")
    if any(ord(character) < 32 and character not in "\t\n\r" for character in text):
        raise ValueError("Remove the control characters.")
    return text


def write_changelog(versions: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """CHANGELOG.md of these versions with their changes, newest first."""
    return "\n".join(["# Changelog\n", *(_version(label, changes) for label, changes in versions)])


def _version(label: str, changes: Mapping[str, Any]) -> str:
    parts = [f"## {label}\n"]
    if not changes:
        return "\n".join([*parts, "Connote kept no changelog of this version.\n"])
    parts.append(WHY[changes["step"]] + "\n")
    if changes["notes"].strip():
        parts.append("\n".join(f"> {_shown(line)}".rstrip() for line in changes["notes"].strip().splitlines()) + "\n")
    parts.append(_table(("", "added", "left", "changed"), [
        (name, *(f"{changes[name][move]['n']:,}" for move in ("added", "left", "changed")))
        for name in ("images", "captions")
    ]))  # fmt: skip
    judgments = changes["judgments"]
    parts.append(f"Judgments of these captions: {judgments['before']:,} before, {judgments['after']:,} now.\n")
    if changes["against"]:
        parts += _details(changes)
    return "\n".join(parts)


def _details(changes: Mapping[str, Any]) -> list[str]:
    parts = []
    if any(n for row in changes["difficulty"].values() for n in row.values()):
        rows = [(was, *(f"{n:,}" for n in now.values())) for was, now in changes["difficulty"].items()]
        parts.append("Difficulty of the captions in both versions. A row is the category before.\n")
        parts.append(_table(("before", *CATEGORIES), rows))
    if changes["settings"]:
        parts.append("Settings that changed:\n")
        parts.append(_table(("setting", "before", "now"), [
            tuple(_shown(each[name]) for name in ("name", "before", "after")) for each in changes["settings"]
        ]))  # fmt: skip
    for name in ("images", "captions"):
        for move in ("added", "left"):
            listed = changes[name][move]
            if listed["n"]:
                rest = f" The first {len(listed['first']):,} of {listed['n']:,}:" if listed["n"] > LISTED else ""
                parts.append(f"{name.capitalize()} that {'came' if move == 'added' else 'left'}.{rest}\n")
                parts.append("".join(f"- `{each}`\n" for each in listed["first"]))
    return parts


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _shown(text: str) -> str:
    """Text from people as text: one line, no cell borders, no tags."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
