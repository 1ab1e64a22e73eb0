"""What a caption of Postcards is: its text, its kind, and what must be true of a picture for it to be true."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workers.training.postcards.world import Scene

Claim = tuple[str, str]  # a facet of Scene.facts() and its value, as ("land", "beach")


class Kind(StrEnum):
    LITERAL = "literal"
    PARTLY_LITERAL = "partly_literal"
    FIGURATIVE = "figurative"
    EMOTIONAL = "emotional"
    ABSTRACT = "abstract"
    WRONG = "wrong"
    GENERIC = "generic"
    TITLE = "title"


class Wrong(StrEnum):
    """The typed edits that annotators make (SCIENCE 2.6)."""

    COLOR = "color"
    NUMBER = "number"
    OBJECT_NAME = "object_name"
    PERSON = "person"
    LOCATION = "location"


@dataclass(frozen=True)
class Edit:
    """The words to replace, `start` to `end` in code points of the caption that holds them, and what repairs them."""

    start: int
    end: int
    before: str
    after: str

    def applied(self, text: str) -> str:
        """`text` repaired. Raises ValueError where `before` does not stand at its place."""
        if text[self.start : self.end] != self.before:
            raise ValueError(f"{self.before!r} does not stand at {self.start} of {text!r}.")
        return text[: self.start] + self.after + text[self.end :]


@dataclass(frozen=True)
class Caption:
    """One caption. `seed` is the draw that worded it, so that the same sentence can be told with one detail changed.

    `claims` of a wrong caption are what it says, the false detail among them: it is never true of its scene.
    """

    text: str
    kind: Kind
    claims: tuple[Claim, ...] = ()
    wrong: Wrong | None = None
    edit: Edit | None = None
    seed: int = 0


def is_true_of(caption: Caption, scene: Scene) -> bool:
    """Whether every claim holds.

    A generic caption claims nothing and is therefore true of every scene: what is the matter with it is not
    falsehood. Whether a caption is also good is asked of `controls.truth`.
    """
    facts = scene.facts()
    return all(facts.get(facet) == value for facet, value in caption.claims)
