"""Judgments made elsewhere: agreement, aggregation against gold, ConQA's counts, beside what papers publish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation import fit_dawid_skene, fit_mace
from backend.methods.aggregation.vote_sums import vote_shares
from backend.methods.agreement import (
    NO_INTERVAL,
    REASONS,
    UNSURE_READINGS,
    CoRatings,
    CountTable,
    Figure,
    Reading,
    agreement_over_items,
    agreement_over_pairs,
    co_ratings,
    mean_kappa_of_table,
    reading_of,
)
from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.consensus import LABELS
from backend.methods.foreign.conqa import SeedQuery, query_lines
from backend.methods.foreign.labels import are_ours, ours_of
from backend.methods.foreign.published import PUBLISHED, Published
from backend.methods.foreign.shapes import ItemVotes, PairVotes, Rows
from backend.methods.foreign.told import Line, Told, by_reason
from backend.methods.foreign.verdicts import category_lines, verdict_lines
from backend.methods.judgments import Judgments, code_judgments

BY_IMAGE = " by image"  # what is said of one picture is alike: it is drawn as one
MOST_PAIRS = 20_000  # of annotators, for whom an interval of their mean kappa is drawn: those of 200 people


def report_rows(data: Rows, *, gold: Mapping[str, str] | None = None, bootstrap: Bootstrap = DEFAULT) -> list[Line]:
    """Of judgments one by one. `gold` stands in for what the file does not tell."""
    rows, is_ours = _in_our_labels(data.rows)
    coded = code_judgments(rows, labels=LABELS if is_ours else None)
    judged = coded.judgments
    readings = UNSURE_READINGS if is_ours else [reading_of(coded.labels, is_ordered=data.is_ordered)]
    clusters, by = data.clusters_of(coded.items), BY_IMAGE if data.images else ""
    items = CountTable.of_items(judged.counts(), clusters=clusters)
    over_items = agreement_over_items(items, readings=readings, bootstrap=bootstrap)
    sizes = {"judgments": len(judged), "items": judged.n_items, "annotators": judged.n_annotators}
    sizes |= {"images": len(set(data.images.values()))} if data.images else {}
    lines = [Line(name, f"{n:,}") for name, n in sizes.items()]
    lines += _left_out_lines(data.left_out)
    lines += _over_pairs_lines(co_ratings(judged), clusters, readings, bootstrap, by)
    lines += [agreement_line(each, by=by) for each in over_items]
    lines += verdict_lines(judged, coded.labels)
    lines += category_lines(judged.counts()) if is_ours else ()
    truth = {item: ours_of(label) if is_ours else label for item, label in {**data.gold, **(gold or {})}.items()}
    if truth and set(coded.items) <= set(truth) and set(truth.values()) <= set(coded.labels):
        places = np.array([coded.labels.index(truth[item]) for item in coded.items])
        lines += list(_accuracy_lines(judged, places))
    return lines


def _over_pairs_lines(
    rated: CoRatings, clusters: NDArray[np.int64], readings: Sequence[Reading], bootstrap: Bootstrap, by: str
) -> Iterator[Line]:
    """Mean kappas; where pairs of annotators are very many, they share next to nothing and their mean is not drawn anew
    two thousand times."""
    shared = np.bincount(rated.pair_of)
    yield Line("items that two annotators share, median", f"{np.median(shared) if len(shared) else 0:g}")
    if len(shared) <= MOST_PAIRS:
        drawn = agreement_over_pairs(rated, clusters=clusters, readings=readings, bootstrap=bootstrap)
        yield from (agreement_line(figure, by=by) for figure in drawn)
        return
    table = rated.table()
    for reading in readings:
        n_items = len(np.unique(rated.read(reading).items))
        for weights in weights_of(reading):
            figure = mean_kappa_of_table(table, reading, weights, n_items=n_items)
            yield agreement_line(figure, why=f"No interval: {len(shared):,} pairs of annotators are too many to draw.")


def _left_out_lines(left_out: Sequence[Told]) -> Iterator[Line]:
    """How many rows are no judgments, by why, and where the first of them stand."""
    for why, n, places in by_reason((each.where, each.why_not) for each in left_out):
        yield Line("left out", f"{n:,}", why=f"{why} See {places}")


def report_item_votes(data: ItemVotes, *, bootstrap: Bootstrap = DEFAULT) -> list[Line]:
    """Of votes per item over labels of their own, whose voters are not known."""
    n_items, total = data.counts.shape[0], data.counts.sum(axis=1)
    said = ", ".join(f"{n:,} {label}" for label, n in zip(data.labels, data.counts.sum(axis=0).tolist(), strict=True))
    unanimous = int((data.counts.max(axis=1) == total).sum())
    lines = [Line("items", f"{n_items:,}"), Line("votes", said), Line("items with all votes alike", f"{unanimous:,}")]
    lines += _left_out_lines(data.left_out)
    if not data.is_ordered:
        twice = zip(data.labels, (data.counts >= 2).sum(axis=0).tolist(), strict=True)
        lines += [Line(f"items with {label} from two voters or more", f"{n:,}") for label, n in twice]
    reading = reading_of(data.labels, is_ordered=data.is_ordered)
    figures = agreement_over_items(CountTable.of_items(data.counts), readings=[reading], bootstrap=bootstrap)
    return lines + [agreement_line(each) for each in figures]


def report_votes(
    data: PairVotes, *, queries: Mapping[str, SeedQuery] | None = None, bootstrap: Bootstrap = DEFAULT
) -> list[Line]:
    """Of votes per pair, whose voters are not known: no Cohen kappa. `queries` are ConQA's, by the names in `data`."""
    number = {image: n for n, image in enumerate(dict.fromkeys(data.image))}
    table = CountTable.of_items(data.counts, clusters=[number[image] for image in data.image])
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
    lines += [agreement_line(each, by=BY_IMAGE) for each in agreement_over_items(table, bootstrap=bootstrap)]
    lines += category_lines(data.counts)
    lines += _relevant_lines(data, len(a_query))
    return lines + (list(query_lines(data, queries)) if queries is not None else [])


def _relevant_lines(data: PairVotes, n_queries: int) -> list[Line]:
    """How many images are relevant to a query: ConQA's evaluation takes those of which all votes say so, section 5 asks
    for three."""
    r, n, u = data.counts.T
    rules = {
        "all votes relevant": (r > 0) & (n == 0) & (u == 0),
        "three or more relevant, none against": (r >= 3) & (n == 0),
        "three or more relevant": r >= 3,
        "more relevant than non-relevant": r > n,
    }
    return [Line(f"relevant images a query, {said}", f"{kept.sum() / n_queries:.1f}") for said, kept in rules.items()]


def beside_published(name: str, lines: list[Line]) -> list[Line]:
    """The lines with what is published of the set of this name; figures that we cannot make are added with why."""
    known = {each.figure: each for each in PUBLISHED.get(name, ())}
    ours = {line.figure for line in lines}
    beside = [_with(line, known[line.figure]) if line.figure in known else line for line in lines]
    missing = (each for each in known.values() if each.figure not in ours)
    return beside + [_with(Line(each.figure, "-", why=each.without), each) for each in missing]


def _in_our_labels(rows: Sequence[tuple[str, str, str]]) -> tuple[list[tuple[str, str, str]], bool]:
    """The rows, and whether their labels are ours, however they are written: then unsure is read in three ways."""
    if are_ours({label for _, _, label in rows}):
        return [(task, worker, ours_of(label)) for task, worker, label in rows], True
    return list(rows), False


def _with(line: Line, published: Published) -> Line:
    return Line(line.figure, line.ours, published.said, " ".join(each for each in (line.why, published.why) if each))


def agreement_line(figure: Figure, why: str = "", by: str = "") -> Line:
    """A figure with its interval, or why it has none; `by` says in which clusters it was drawn."""
    name = f"{figure.measure}, unsure as {figure.reading}" if figure.reading != "as given" else figure.measure
    if figure.value is None:
        return Line(name, "-", why=f"No figure: {REASONS[figure.reason]}" if figure.reason else "")
    n = f"n={figure.n_items:,}"
    if figure.interval is None:
        return Line(name, f"{figure.value:.4f} {n}", why=why)
    low, high = figure.interval.low, figure.interval.high
    if low is None or high is None:
        why = f"No interval: {NO_INTERVAL[figure.interval.reason]}" if figure.interval.reason else ""
        return Line(name, f"{figure.value:.4f} {n}", why=why)
    return Line(name, f"{figure.value:.4f} [{low:.4f}, {high:.4f}] {n}{by}")


def _accuracy_lines(judged: Judgments, gold: NDArray[np.int64]) -> Iterator[Line]:
    posteriors = {
        "the majority, ties split": vote_shares(judged),
        "Dawid-Skene, no smoothing": fit_dawid_skene(judged, smoothing=0).posterior,
        "Dawid-Skene": fit_dawid_skene(judged).posterior,
        "MACE": fit_mace(judged).posterior,
    }
    for name, posterior in posteriors.items():
        best = np.isclose(posterior, posterior.max(axis=1, keepdims=True))
        share = (best[np.arange(len(gold)), gold] / best.sum(axis=1)).mean()
        yield Line(f"accuracy of {name}", f"{share:.4f}")
