"""Cohen's kappa of every two annotators of a foreign file, line by line: the mean hides who differs from whom."""

from __future__ import annotations

from collections.abc import Iterator

from backend.methods.agreement import Bootstrap, co_ratings, pair_figures, reading_of
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.foreign.report import BY_IMAGE, agreement_line
from backend.methods.foreign.shapes import Rows
from backend.methods.foreign.told import Line
from backend.methods.judgments import code_judgments


def pair_lines(data: Rows, *, most: int, bootstrap: Bootstrap) -> Iterator[Line]:
    """The `most` pairs who judged most in common, by name, labels as the file gives them."""
    coded = code_judgments(data.rows)
    rated = co_ratings(coded.judgments).of_largest(most)
    reading, clusters = reading_of(coded.labels, is_ordered=data.is_ordered), data.clusters_of(coded.items)
    for weights in weights_of(reading):
        for pair in pair_figures(rated, reading, weights, clusters=clusters, bootstrap=bootstrap):
            line = agreement_line(pair.figure, by=BY_IMAGE if data.images else "")
            who = f"{coded.annotators[pair.first]} with {coded.annotators[pair.second]}"
            yield Line(f"{line.figure}, {who}", line.ours, why=line.why)
