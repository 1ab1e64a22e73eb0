"""Target scenes, and a corpus of one-to-one pairs whose scenes resemble them, as Conceptual Captions resembles a set.

Everything is a stream: the five-thousandth pair costs no more memory than the first, and pair i is the same however
many are asked for.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappush, heappushpop

from workers.training.postcards.captions import Caption, Kind, caption
from workers.training.postcards.literal import literal
from workers.training.postcards.world import DEMO, Scene, scene_of, sibling

MOST_TARGETS = 10_000
SEEDS_OF_A_SET = 2_000_000  # one set's scenes: targets first, then its corpus
SHARE_OF_SIBLINGS = 0.7
MIX = {Kind.LITERAL: 46, Kind.PARTLY_LITERAL: 16, Kind.FIGURATIVE: 10, Kind.EMOTIONAL: 7,
       Kind.ABSTRACT: 6, Kind.TITLE: 11, Kind.GENERIC: 4}  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """One picture of the corpus with its one caption. `near` is the target its scene was made from, if any."""

    id: str
    scene: Scene
    caption: Caption
    kind: Kind
    near: str | None


@dataclass(frozen=True)
class Target:
    id: str
    scene: Scene


Pool = list[tuple[float, Pair]]  # how much a pair's scene resembles the target's, 0 to 1, and the pair


def targets(n: int, seed: int) -> list[Target]:
    """`n` scenes with at least two things in them. Raises ValueError for more than MOST_TARGETS."""
    if not 0 <= n <= MOST_TARGETS:
        raise ValueError(f"Between 0 and {MOST_TARGETS:,} targets can be drawn, not {n:,}.")
    first = _first_seed(seed)
    rich = (scene for scene in map(scene_of, range(first, first + MOST_TARGETS * 5)) if _n_things(scene) >= 2)
    return [Target(target_id(i), next(rich)) for i in range(n)]


def corpus(targets: list[Target], n: int, seed: int) -> Iterator[Pair]:
    """`n` pairs: most scenes are siblings of a target, the others are anything; captions are of mixed kinds."""
    first = _first_seed(seed) + MOST_TARGETS * 5
    for i in range(n):
        dice = random.Random(f"corpus {seed} {i}")
        near = dice.choice(targets) if targets and dice.random() < SHARE_OF_SIBLINGS else None
        scene = sibling(near.scene, first + i) if near else scene_of(first + i)
        said = _caption(scene, dice)
        yield Pair(pair_id(i), scene, said, said.kind, near.id if near else None)


def pools(targets: list[Target], pairs: Iterable[Pair], n: int) -> dict[Target, Pool]:
    """For each target the `n` pairs whose scenes share the largest part of their facts with its own, best first.

    The part is |shared| / |all| of the two scenes' facts (Jaccard). One walk over the pairs; only the best are kept.
    """
    facts = {target: set(target.scene.facts().items()) for target in targets}
    heaps: dict[Target, list[tuple[float, str, Pair]]] = {target: [] for target in targets}
    for pair in pairs:
        told = set(pair.scene.facts().items())
        for target, heap in heaps.items():
            entry = (_jaccard(facts[target], told), pair.id, pair)  # ids differ, so pairs are never compared
            heappush(heap, entry) if len(heap) < n else heappushpop(heap, entry)
    return {target: [(score, pair) for score, _, pair in sorted(heap)[::-1]] for target, heap in heaps.items()}


def target_id(i: int) -> str:
    return f"target-{i:05}"


def pair_id(i: int) -> str:
    return f"corpus-{i:06}"


def _caption(scene: Scene, dice: random.Random) -> Caption:
    """A caption of a drawn kind; literal where the scene cannot carry the kind."""
    kind = dice.choices(list(MIX), weights=list(MIX.values()))[0]
    draw = dice.randrange(1_000_000)
    return caption(scene, kind, draw) or literal(scene, draw)


def _first_seed(seed: int) -> int:
    """Sets of different seeds share no scene. Raises ValueError for a negative seed."""
    if seed < 0:
        raise ValueError(f"A seed is zero or more, not {seed}.")
    return DEMO + seed * SEEDS_OF_A_SET


def _n_things(scene: Scene) -> int:
    return sum(thing is not None for thing in (scene.building, scene.animals, scene.person, scene.vehicle))


def _jaccard(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> float:
    return len(one & other) / len(one | other)
