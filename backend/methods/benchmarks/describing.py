"""What the queries or captions of a benchmark are like: words, depth in WordNet, categories.

The depth of a word is the mean over all its meanings; a text has the least, the mean and the most over its words. Words
that WordNet does not know are passed over. Source: Rodriguez et al., Conceptual query answering, ECIR 2024, table 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median, pstdev

import numpy as np

from backend.methods.aggregation import categorise
from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.data import Votes as GivenVotes
from backend.methods.consensus import Votes
from backend.methods.wordnet import Depths


@dataclass(frozen=True)
class Line:
    """A figure with its name, as text."""

    name: str
    value: str


def describe(data: BenchmarkData, depths: Depths | None) -> Iterator[tuple[str, list[Line]]]:
    """Lines for all texts and for each category. Raises DataError for data without words."""
    if data.captions is None:
        raise DataError(f"{data.name} has ids of texts without their words.")
    found = [depths_of(text, depths) if depths else None for text in data.captions]
    everything = {"all": np.ones(len(data.texts), bool), **data.masks(np.arange(len(data.texts)))}
    right = np.bincount(data.pairs.text, minlength=len(data.texts))
    for name, chosen in everything.items():
        at = np.flatnonzero(chosen).tolist()
        words = [len(data.captions[n].split()) for n in at]
        lines = [
            Line("texts", f"{len(at):,}"),
            Line(
                "words: fewest, median, mean, most", f"{min(words)}, {median(words):g}, {mean(words):.2f}, {max(words)}"
            ),
            Line("right images of a text, mean", f"{right[at].mean():.2f}"),
            Line("texts without a right image", f"{int((right[at] == 0).sum()):,}"),
        ]
        known = [each for n in at if (each := found[n]) is not None]
        if depths is not None:
            lines.append(Line("texts with no word in WordNet", f"{len(at) - len(known):,}"))
        for said, values in zip(("least", "mean", "most"), zip(*known, strict=True), strict=False):
            lines.append(Line(f"depth in WordNet, {said} of the words", f"{mean(values):.4f} ± {pstdev(values):.4f}"))
        yield name, lines
    if data.votes is not None:
        yield "answers", _answer_lines(data.votes)


def depths_of(text: str, depths: Depths) -> tuple[float, float, float] | None:
    """The least, the mean and the most depth of the words of a text; None where WordNet knows none of them."""
    known: Sequence[float] = [mean(found) for word in text.replace(".", "").split() if (found := depths.of_word(word))]
    return (min(known), mean(known), max(known)) if known else None


def _answer_lines(votes: GivenVotes) -> list[Line]:
    """How many pairs have each category of ConQA."""
    counts = votes.votes.counts.tolist()
    categories = Counter(categorise(Votes(good=r, bad=n, unsure=u)) for r, n, u in counts)
    total = sum(categories.values())
    return [
        Line(str(category).replace("_", " "), f"{n:,} ({n / total:.1%})")
        for category, n in sorted(categories.items(), key=str)
    ]
