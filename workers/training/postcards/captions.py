"""Captions of known kind and known truth for any scene of Postcards. The one door to all that is worded here."""

from __future__ import annotations

from collections.abc import Callable

from workers.training.postcards import moods, titles
from workers.training.postcards.kinds import Caption, Claim, Edit, Kind, Wrong, is_true_of
from workers.training.postcards.literal import literal
from workers.training.postcards.world import Scene
from workers.training.postcards.wrong import wrong_of

__all__ = ["Caption", "Claim", "Edit", "Kind", "Wrong", "caption", "captions_of", "is_true_of", "wrong_of"]

PHRASINGS = 3  # of the literal caption in a full set


def caption(scene: Scene, kind: Kind, seed: int) -> Caption | None:
    """A caption of this kind, the same for the same scene and seed; None where the scene cannot carry the kind."""
    return _MAKERS[kind](scene, seed)


def captions_of(scene: Scene, seed: int) -> list[Caption]:
    """A full set: several phrasings of the literal caption, and one caption of every other kind the scene carries."""
    found = [literal(scene, seed + phrasing) for phrasing in range(PHRASINGS)]
    others = [caption(scene, kind, seed) for kind in _MAKERS if kind is not Kind.LITERAL]
    return found + [other for other in others if other]


def _wrong(scene: Scene, seed: int) -> Caption | None:
    return wrong_of(literal(scene, seed), scene, seed)


_MAKERS: dict[Kind, Callable[[Scene, int], Caption | None]] = {
    Kind.LITERAL: literal,
    Kind.PARTLY_LITERAL: moods.partly_literal,
    Kind.FIGURATIVE: moods.figurative,
    Kind.EMOTIONAL: moods.emotional,
    Kind.ABSTRACT: moods.abstract,
    Kind.WRONG: _wrong,
    Kind.GENERIC: moods.generic,
    Kind.TITLE: titles.as_caption,
}
