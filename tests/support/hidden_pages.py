"""Pages as an annotator's client has them, and a classifier that tries to tell the hidden controls on them."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GroupKFold, cross_val_predict

from backend.annotation.controls.importing import import_controls
from backend.candidates.models import candidate_key
from backend.catalogue.models import Image
from backend.projects.models import Project
from world import new_image

WORDS = ("sea", "sky", "dog", "old man", "walks alone", "under", "bridges", "at night", "with", "two red boats", "and")


@dataclass(frozen=True)
class Page:
    """A page as a client has it: headers, the body's bytes, its JSON; and the positions of its controls, our secret."""

    body: bytes
    headers: dict[str, str]
    content: dict[str, Any]
    controls: frozenset[int]
    subject: int
    known: tuple[str, str, int, str]  # what the annotator knows of what its seed was made of

    @property
    def items(self) -> list[dict[str, Any]]:
        return list(self.content["items"])


def caption(draw: random.Random) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(3, 12))).capitalize() + "."


def new_caption(draw: random.Random, said: set[str]) -> str:
    """One that is not among those `said`, where it is then: no two images get the same words as controls."""
    while (text := caption(draw)) in said:
        continue
    said.add(text)
    return text


def new_images(project: Project, n: int) -> list[Image]:
    return Image.objects.bulk_create(_image(project, number) for number in range(n))


def make_controls(project: Project, rows: Iterable[dict[str, str]]) -> None:
    """A hidden control of each row, an image's key with a `text` or a `query`; bad is right of all."""
    told = [(place, {**row, "accepted": "bad"}) for place, row in enumerate(rows, start=1)]
    found = import_controls(project=project, rows=told, made_by=None)
    assert found.n_new == len(told), found.refused


def _image(project: Project, number: int) -> Image:
    digest = candidate_key(digest="", source="", raw_text=str(number)) * 2
    names = {name: f"thumbnails/{digest[:2]}/{digest}-{name}.webp" for name in ("small", "large")}
    return new_image(project, f"{number}.jpg", digest=digest, original=f"{digest}.jpg", **names)


def shape_of(value: Any) -> Any:
    """Names, order and types of what a page holds, without the values that differ from page to page."""
    if isinstance(value, dict):
        return [(name, shape_of(inner)) for name, inner in value.items()]
    if isinstance(value, list):
        return [shape_of(inner) for inner in value]
    return type(value).__name__


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in inner:
            yield from leaves(each, f"{name}.{key}")
    else:
        yield name, value


def features_of(page: Page, item: dict[str, Any]) -> list[float]:
    """All that could tell one item from another: its place, its bytes, its addresses, and what lies around it."""
    place = item["position"] - 1
    raw = json.dumps(item, ensure_ascii=False)
    found = [place, place / len(page.items), len(raw), len(page.items), raw.count(" ")]
    for name, value in leaves(item):
        text = json.dumps(value)
        found += [len(text), sum(text.encode()) % 251 if name == ".text" else 0]
        if name.endswith("url"):
            address = urlsplit(value)
            asked = parse_qs(address.query)
            found += [len(address.path), int(asked["expires"][0]) % 10_007, len(asked["signature"][0]), len(asked)]
            found += list(address.path.encode()[-20:-5]) + list(asked["signature"][0].encode()[:10])
    neighbours = [page.items[at] for at in (place - 1, (place + 1) % len(page.items))]
    return found + [len(json.dumps(each)) - len(raw) for each in neighbours]


def features_of_page(page: Page, number: int, pages: list[Page]) -> list[float]:
    """All that could tell a whole page from another: how long it is, when it came, what its person's others share."""
    mine = [other for other in pages if other.known[3] == page.known[3] and other is not page]
    words, shown = _words_of([page]), _shown_on([page])
    texts = [len(item["text"] or "") for item in page.items]
    return [
        len(page.items), number, len(page.body), sum(texts), max(texts), min(texts), len(words),
        len(words & _words_of(mine)), len(shown & _shown_on(mine)), sum(page.body) % 251,
    ]  # fmt: skip


def _words_of(pages: list[Page]) -> set[str]:
    return {word for page in pages for item in page.items for word in (item["text"] or "").lower().split()}


def _shown_on(pages: list[Page]) -> set[str]:
    """Captions and pictures, whatever is signed to the addresses of these."""
    items = [item for page in pages for item in page.items]
    return {urlsplit(value).path for item in items for _, value in leaves(item) if isinstance(value, str)}


def share_told(rows: list[list[float]], is_control: list[bool], subjects: list[int], pages: list[int]) -> float:
    """How often a forest thinks a control likelier one than an ordinary item of its page: .5 is chance, 1 is always.

    It is asked about images and queries that it was not trained on. Only rows that are equal in `pages` are compared.
    """
    forest = RandomForestClassifier(
        n_estimators=60, min_samples_leaf=5, max_features=0.5, random_state=1, n_jobs=1
    )  # fmt: skip
    guessed = cross_val_predict(
        forest, np.array(rows), np.array(is_control), groups=subjects, cv=GroupKFold(5), method="predict_proba"
    )[:, 1]
    of_page: defaultdict[int, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for page, control, guess in zip(pages, is_control, guessed, strict=True):
        of_page[page][control].append(guess)
    told = [(a > b) + (a == b) / 2 for ordinary, controls in of_page.values() for a in controls for b in ordinary]
    return sum(told) / len(told)
