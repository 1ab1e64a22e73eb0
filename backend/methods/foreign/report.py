"""Judgments made elsewhere: agreement, aggregation against gold, ConQA's counts, beside what papers publish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement import (
    CoRatings,
    CountTable,
    Figure,
    Reading,
    agreement_over_items,
    agreement_over_pairs,
    co_ratings,
    cohen,
    interval_figure,
    mean_kappa_of_table,
    pair_figures,
    reading_of,
)
from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.foreign.coding import Coding, code_rows
from backend.methods.foreign.conqa import SeedQuery, query_lines, relevant_lines
from backend.methods.foreign.gold import accuracy_lines, truth_lines, truths_of, vote_lines
from backend.methods.foreign.labels import are_numbers
from backend.methods.foreign.lines import BY_QUERY, agreement_line, listed, said
from backend.methods.foreign.measures import measure_lines
from backend.methods.foreign.published import PUBLISHED, Published
from backend.methods.foreign.released import has_sizes_of
from backend.methods.foreign.shapes import ItemVotes, PairVotes, Rows
from backend.methods.foreign.told import Line, Told, by_reason
from backend.methods.foreign.verdicts import category_lines, verdict_lines, verdicts_of

MOST_PAIRS = 20_000  # of annotators with an interval of their mean kappa: the pairs of 200 people


def report_rows(data: Rows, *, gold: Mapping[str, str] | None = None, bootstrap: Bootstrap = DEFAULT) -> list[Line]:
    """Of judgments one by one. `gold` stands in for what the file does not tell."""
    coding = code_rows(data)
    judged = coding.judged
    items = CountTable.of_items(judged.counts(), clusters=coding.clusters)
    over_items = [
        *agreement_over_items(items, readings=coding.readings, bootstrap=bootstrap),
        *_of_numbers(items, coding.readings, bootstrap),
    ]
    lines = [*_most_left_out(data), *_size_lines(data, coding), *_left_out_lines(data.left_out)]
    lines += _over_pairs_lines(co_ratings(judged), coding, bootstrap)
    lines += [agreement_line(each, by=coding.by) for each in over_items]
    verdicts = verdicts_of(coding)
    lines += verdict_lines(verdicts)
    lines += category_lines(judged.counts()) if coding.are_ours else ()
    if gold is None and not data.gold:
        return lines
    truths = truths_of(coding, data.gold, gold)
    return [*lines, *truth_lines(truths), *vote_lines(coding, truths), *accuracy_lines(coding, truths, verdicts)]


def _of_numbers(items: CountTable, readings: Sequence[Reading], bootstrap: Bootstrap) -> Iterator[Figure]:
    """Alpha by how far numbers lie apart, where labels are three or more of them: two are as far apart as two names."""
    for reading in readings:
        if len(reading.labels) > 2 and are_numbers(set(reading.labels)):
            yield interval_figure(items, reading, bootstrap=bootstrap)


def _most_left_out(data: Rows) -> Iterator[Line]:
    """The first line, where most of a file is no answer."""
    n = sum(not each.is_gold for each in data.left_out)
    if n > len(data.rows):
        yield Line("most rows are left out", f"{n:,} of {n + len(data.rows):,}", why="See the reasons in this report.")


def pair_lines(data: Rows, *, most: int, bootstrap: Bootstrap) -> Iterator[Line]:
    """Cohen's kappa of the `most` pairs of annotators who judged most in common, by name."""
    coding = code_rows(data)
    rated, names = co_ratings(coding.judged).of_largest(most), coding.coded.annotators
    for reading in coding.readings:
        for weights in weights_of(reading):
            for pair in pair_figures(rated, reading, weights, clusters=coding.clusters, bootstrap=bootstrap):
                line = agreement_line(pair.figure, by=coding.by)
                yield Line(f"{line.figure}, {names[pair.first]} with {names[pair.second]}", line.ours, why=line.why)


def _size_lines(data: Rows, coding: Coding) -> Iterator[Line]:
    judged = coding.judged
    sizes = {"judgments": len(judged), "items": judged.n_items, "annotators": judged.n_annotators}
    sizes |= {"images": len(set(data.images.values()))} if data.images else {}
    sizes |= {"queries": len(set(data.queries.values()))} if data.queries else {}
    yield from (Line(name, f"{n:,}") for name, n in sizes.items())
    yield Line("labels", said(np.bincount(judged.labels, minlength=judged.n_labels).tolist(), coding.coded.labels))
    if data.is_ordered and not coding.are_ours:
        yield Line("labels, lowest first", listed(coding.coded.labels))


def _over_pairs_lines(rated: CoRatings, coding: Coding, bootstrap: Bootstrap) -> Iterator[Line]:
    """Mean kappas; where pairs of annotators are very many, they share next to nothing and their mean is not drawn anew
    two thousand times."""
    shared = np.bincount(rated.pair_of)
    yield Line("items that two annotators share, median", f"{np.median(shared) if len(shared) else 0:g}")
    if len(shared) <= MOST_PAIRS:
        drawn = agreement_over_pairs(rated, clusters=coding.clusters, readings=coding.readings, bootstrap=bootstrap)
        lines = [agreement_line(figure, by=coding.by) for figure in drawn]
    else:
        lines = _without_intervals(rated, coding)
    weighed = [(reading, weights) for reading in coding.readings for weights in weights_of(reading)]
    for line, (reading, weights) in zip(lines, weighed, strict=True):
        read = rated.read(reading)
        yield _with_why(line, _those_with_kappa(read, cohen.kappa(read.table().confusions, weights)))


def _without_intervals(rated: CoRatings, coding: Coding) -> list[Line]:
    table, why = rated.table(), f"No interval: {len(rated.pairs):,} pairs of annotators are too many to draw."
    return [
        agreement_line(
            mean_kappa_of_table(table, reading, weights, n_items=len(np.unique(rated.read(reading).items))), why=why
        )
        for reading in coding.readings
        for weights in weights_of(reading)
    ]


def _those_with_kappa(read: CoRatings, kappas: NDArray[np.float64]) -> str:
    """Which pairs of annotators the mean is over, where some have no kappa."""
    has_kappa = ~np.isnan(kappas)
    if has_kappa.all() or not has_kappa.any():
        return ""
    n_items = len(np.unique(read.items[has_kappa[read.pair_of]]))
    return f"{has_kappa.sum():,} of {len(kappas):,} pairs of annotators have a kappa, over {n_items:,} of these items."


def _with_why(line: Line, why: str) -> Line:
    return Line(line.figure, line.ours, line.published, " ".join(filter(None, (line.why, why))))


def _left_out_lines(left_out: Sequence[Told]) -> Iterator[Line]:
    """How many rows are no judgments, by why, and where the first of them stand."""
    for why, n, places in by_reason((each.where, each.why_not) for each in left_out):
        yield Line("left out", f"{n:,}", why=f"{why} See {places}")


def report_item_votes(data: ItemVotes, *, bootstrap: Bootstrap = DEFAULT) -> list[Line]:
    """Of votes per item over labels of their own, whose voters are not known."""
    n_items, total = data.counts.shape[0], data.counts.sum(axis=1)
    votes = said(data.counts.sum(axis=0).tolist(), data.labels)
    alike = data.counts == total[:, None]
    lines = [
        Line("items", f"{n_items:,}"),
        Line("votes", votes),
        Line("items with all votes alike", f"{alike.sum():,}"),
    ]
    lines += _left_out_lines(data.left_out)
    if not data.is_ordered:
        twice = zip(data.labels, (data.counts >= 2).sum(axis=0).tolist(), strict=True)
        lines += [Line(f"items with {label} from two voters or more", f"{n:,}") for label, n in twice]
        whole = zip(data.labels, alike.sum(axis=0).tolist(), strict=True)
        lines += [Line(f"items with {label} from all voters", f"{n:,}") for label, n in whole]
    reading = reading_of(data.labels, is_ordered=data.is_ordered)
    table = CountTable.of_items(data.counts)
    figures = [
        *agreement_over_items(table, readings=[reading], bootstrap=bootstrap),
        *_of_numbers(table, [reading], bootstrap),
    ]
    return [*lines, *(agreement_line(each) for each in figures), *measure_lines(data)]


def report_votes(
    data: PairVotes, *, queries: Mapping[str, SeedQuery] | None = None, bootstrap: Bootstrap = DEFAULT
) -> list[Line]:
    """Of votes per pair, whose voters are not known: no Cohen kappa. Drawn by query, as a project draws them. `queries`
    are ConQA's, by the names in `data`."""
    number = {query: n for n, query in enumerate(dict.fromkeys(data.query))}
    table = CountTable.of_items(data.counts, clusters=[number[query] for query in data.query])
    r, n, u = data.counts.sum(axis=0).tolist()
    a_query = list(Counter(data.query).values())
    lines = [
        Line("queries", f"{len(a_query):,}"),
        Line("images", f"{len(set(data.image)):,}"),
        Line("pairs", f"{len(data.query):,}"),
        Line("images a query, mean", f"{mean(a_query):.1f}"),
        Line("votes: relevant, non-relevant, unsure", f"{r:,}, {n:,}, {u:,}"),
        Line("fewest votes of a pair", str(data.counts.sum(axis=1).min())),
    ]
    lines += _left_out_lines(data.left_out)
    lines += [agreement_line(each, by=BY_QUERY) for each in agreement_over_items(table, bootstrap=bootstrap)]
    lines += category_lines(data.counts)
    lines += relevant_lines(data)
    return lines + (list(query_lines(data, queries)) if queries is not None else [])


def beside_published(name: str, lines: list[Line]) -> list[Line]:
    """The lines with what is published of the set of this name, if they have its sizes: another file of that name is
    not the set. Figures that we cannot make are added with why."""
    if not has_sizes_of(name, lines):
        return lines
    known = {each.figure: each for each in PUBLISHED.get(name, ())}
    ours = {line.figure for line in lines}
    beside = [_with(line, known[line.figure]) if line.figure in known else line for line in lines]
    missing = (each for each in known.values() if each.figure not in ours)
    return beside + [_with(Line(each.figure, "-", why=each.without), each) for each in missing]


def _with(line: Line, published: Published) -> Line:
    return _with_why(Line(line.figure, line.ours, published.said, line.why), published.why)
