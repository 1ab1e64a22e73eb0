"""Cohen's kappa of every two annotators of a foreign file, line by line: the mean hides who differs from whom."""

from __future__ import annotations

from collections.abc import Iterator

from backend.methods.agreement import Bootstrap, co_ratings, pair_figures
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.foreign.coding import code_rows
from backend.methods.foreign.lines import agreement_line
from backend.methods.foreign.shapes import Rows
from backend.methods.foreign.told import Line


def pair_lines(data: Rows, *, most: int, bootstrap: Bootstrap) -> Iterator[Line]:
    """The `most` pairs who judged most in common, by name, under every reading of their labels."""
    coding = code_rows(data)
    rated, names = co_ratings(coding.judged).of_largest(most), coding.coded.annotators
    for reading in coding.readings:
        for weights in weights_of(reading):
            for pair in pair_figures(rated, reading, weights, clusters=coding.clusters, bootstrap=bootstrap):
                line = agreement_line(pair.figure, by=coding.by)
                yield Line(f"{line.figure}, {names[pair.first]} with {names[pair.second]}", line.ours, why=line.why)
