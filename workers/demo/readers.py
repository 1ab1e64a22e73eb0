"""The demo's readers: they see what any client of the API sees, and know the drawn world by heart."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workers.demo.accounts import READERS, token_of
from workers.demo.world import World
from workers.simulation.client import ApiClient
from workers.simulation.reading import address_of, read_project
from workers.training.postcards.annotators import Annotator
from workers.training.postcards.captions import Caption, Kind
from workers.training.postcards.controls import controls
from workers.training.postcards.world import Scene

MS = 1000
REASONS = {
    Kind.LITERAL: "literal",
    Kind.FIGURATIVE: "figurative",
    Kind.EMOTIONAL: "emotional",
    Kind.ABSTRACT: "abstract",
}
COMMENT, COMMENTED = "I cannot see this in the image.", 0.3  # the share of the captions with the answer unsure
Seen = tuple[str, str]  # where the picture's thumbnail lies, the caption as it is shown


@dataclass
class Reader:
    """One simulated annotator's opinions. `done` counts the answers given so far: one profile turns bad half-way."""

    annotator: Annotator
    known: dict[Seen, tuple[Caption, Scene]]
    done: int = 0

    def __call__(self, picture: str, text: str) -> dict[str, Any]:
        """The judgment. A caption added by somebody else is one to be unsure of."""
        before, self.done = self.done, self.done + 1
        if (picture, text) not in self.known:
            return {"label": "unsure", "ms": 3 * MS}
        caption, scene = self.known[picture, text]
        judged = self.annotator.judge(caption, scene, done=before)
        return {"label": judged.label, "ms": round(judged.seconds * MS), **_more(judged.label, caption)}


def _more(label: str, caption: Caption) -> dict[str, Any]:
    """What people add to an answer: why it is good, that it fits any image, or a comment."""
    if label == "good" and caption.kind in REASONS:
        return {"lens": REASONS[caption.kind]}
    if label == "bad" and caption.kind is Kind.GENERIC:
        return {"is_generic": True}
    if label == "unsure" and random.Random(caption.text).random() < COMMENTED:
        return {"comment": COMMENT}
    return {}


def read_everything(*, site: str, project: str, world: World, seed: int) -> Iterator[int]:
    """Let every reader judge every HIT over the API, and go on where a killed demo left them. Yields how many captions
    each HIT held."""
    with ApiClient(site, token=token_of("curator")) as curator:
        known = dict(_known(curator, project, world))
    for number, (name, profile) in enumerate(READERS.items()):
        with ApiClient(site, token=token_of(name)) as client:
            opinion = Reader(Annotator(profile, seed + number), known, done=client.count_judgments(project))
            yield from read_project(client, project=project, opinion=opinion)


def _known(curator: ApiClient, project: str, world: World) -> Iterator[tuple[Seen, tuple[Caption, Scene]]]:
    """What each shown pair is, by what an annotator sees of it: a curator may see where a caption came from."""
    for image in curator.rows(f"/projects/{project}/images"):
        scene = world.targets[image["key"]].scene
        for control in controls(scene, scene.seed):
            yield (address_of(image), control.caption.text), (control.caption, scene)
        for candidate in curator.rows(f"/projects/{project}/images/{image['id']}/candidates?status=kept"):
            if pair := world.pairs.get(candidate["source_ref"].rpartition(":")[2]):  # corpus:picture, or the picture
                yield (address_of(image), candidate["text"]), (pair.caption, scene)
