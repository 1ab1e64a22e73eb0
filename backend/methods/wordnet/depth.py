"""How deep the meanings of a word lie in WordNet, the measure of ConQA's table 2 (SCIENCE 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from backend.methods.wordnet.database import PARTS, Part, read_part

# Endings that WordNet takes off a word, and what it puts in their place (morphy(7WN)).
ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip


class Depths:
    """The depths of words, by a WordNet database in a folder. Raises NotWordNetError where there is none."""

    def __init__(self, folder: Path) -> None:
        self._parts = {name: read_part(folder, name) for name in PARTS}

    def of_word(self, word: str) -> list[int]:
        """Of every meaning of the word, of any part of speech and in any of its forms; none where it is not known."""
        return [depth for name, part in self._parts.items() for depth in _depths(part, word.lower(), ENDINGS[name])]


def _depths(part: Part, word: str, endings: tuple[tuple[str, str], ...]) -> Iterator[int]:
    for form in _base_forms(part, word, endings):
        yield from (part.depth(offset) for offset in part.senses[form])


def _base_forms(part: Part, word: str, endings: tuple[tuple[str, str], ...]) -> list[str]:
    """The word itself and what it may be a form of, as far as they are known; each once."""
    irregular = part.irregular.get(word)
    regular = [word.removesuffix(old) + new for old, new in endings if word.endswith(old)]
    return [form for form in dict.fromkeys([word, *(irregular or regular)]) if form in part.senses]
