"""Judgments made elsewhere: agreement, aggregation against gold, ConQA's counts, beside what papers publish."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation import categorise, fit_dawid_skene, fit_mace, is_relevant
from backend.methods.aggregation.vote_sums import vote_shares
from backend.methods.agreement import (
    UNSURE_READINGS,
    CountTable,
    Figure,
    agreement_of,
    agreement_over_items,
    reading_of,
)
from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap
from backend.methods.budget import cost_of, hits_needed
from backend.methods.consensus import LABELS, Votes
from backend.methods.foreign.published import PUBLISHED, Published
from backend.methods.foreign.reading import ItemVotes, PairVotes, Rows
from backend.methods.judgments import Judgments, code_judgments


@dataclass(frozen=True)
class Line:
    """A line of the report; `published` and `why` are empty where no paper says anything."""

    figure: str
    ours: str
    published: str = ""
    why: str = ""


def report_rows(data: Rows, *, gold: Mapping[str, str] | None = None, bootstrap: Bootstrap = DEFAULT) -> list[Line]:
    """Of judgments one by one. `gold` stands in for what the file does not tell."""
    rows, is_ours = _in_our_labels(data.rows)
    coded = code_judgments(rows, labels=LABELS if is_ours else None)
    judged = coded.judgments
    readings = UNSURE_READINGS if is_ours else [reading_of(coded.labels, is_ordered=data.is_ordered)]
    figures = agreement_of(judged, readings=readings, bootstrap=bootstrap)
    sizes = (len(judged), judged.n_items, judged.n_annotators)
    lines = [Line("judgments, items, annotators", ", ".join(f"{n:,}" for n in sizes))]
    lines += [_agreement_line(each) for each in figures]
    truth = {item: _ours(label) if is_ours else label for item, label in {**data.gold, **(gold or {})}.items()}
    if truth and set(coded.items) <= set(truth) and set(truth.values()) <= set(coded.labels):
        places = np.array([coded.labels.index(truth[item]) for item in coded.items])
        lines += list(_accuracy_lines(judged, places))
    return lines


def report_item_votes(data: ItemVotes, *, bootstrap: Bootstrap = DEFAULT) -> list[Line]:
    """Of votes per item over labels of their own, whose voters are not known."""
    n_items, total = data.counts.shape[0], data.counts.sum(axis=1)
    said = ", ".join(f"{n:,} {label}" for label, n in zip(data.labels, data.counts.sum(axis=0).tolist(), strict=True))
    unanimous = int((data.counts.max(axis=1) == total).sum())
    lines = [Line("items", f"{n_items:,}"), Line("votes", said), Line("items with all votes alike", f"{unanimous:,}")]
    if not data.is_ordered:
        twice = zip(data.labels, (data.counts >= 2).sum(axis=0).tolist(), strict=True)
        lines += [Line(f"items with {label} from two voters or more", f"{n:,}") for label, n in twice]
    reading = reading_of(data.labels, is_ordered=data.is_ordered)
    figures = agreement_over_items(CountTable.of_items(data.counts), readings=[reading], bootstrap=bootstrap)
    return lines + [_agreement_line(each) for each in figures]


def report_votes(
    data: PairVotes, *, conceptual: Collection[str] | None = None, bootstrap: Bootstrap = DEFAULT
) -> list[Line]:
    """Of votes per pair, whose voters are not known: no Cohen kappa. `conceptual` names the queries of that kind."""
    images = np.array([zlib.crc32(image.encode()) for image in data.image])
    table = CountTable.of_items(data.counts, clusters=images)
    r, n, u = data.counts.sum(axis=0).tolist()
    lines = [
        Line("queries", f"{len(set(data.query)):,}"),
        Line("images", f"{len(set(data.image)):,}"),
        Line("pairs", f"{len(data.query):,}"),
        Line("votes: relevant, non-relevant, unsure", f"{r:,}, {n:,}, {u:,}"),
        Line("fewest votes of a pair", str(data.counts.sum(axis=1).min())),
    ]
    lines += [_agreement_line(each) for each in agreement_over_items(table, bootstrap=bootstrap)]
    for rule, said in (("all", "all votes relevant"), ("most", "more relevant than non-relevant")):
        n_relevant = sum(is_relevant(_votes(row), rule="all" if rule == "all" else "most") for row in data.counts)
        lines.append(Line(f"relevant images a query, {said}", f"{n_relevant / len(set(data.query)):.1f}"))
    return lines + (list(_kinds_lines(data, conceptual)) if conceptual is not None else [])


def beside_published(name: str, lines: list[Line]) -> list[Line]:
    """The lines with what is published of the set of this name; figures that we cannot make are added with why."""
    known = {each.figure: each for each in PUBLISHED.get(name, ())}
    ours = {line.figure for line in lines}
    beside = [_with(line, known[line.figure]) if line.figure in known else line for line in lines]
    return beside + [_with(Line(each.figure, "-"), each) for each in known.values() if each.figure not in ours]


def _in_our_labels(rows: Sequence[tuple[str, str, str]]) -> tuple[list[tuple[str, str, str]], bool]:
    """The rows, and whether their labels are ours, however they are written: then unsure is read in three ways."""
    ours = [(task, worker, _ours(label)) for task, worker, label in rows]
    if {label for _, _, label in ours} <= set(LABELS):
        return ours, True
    return list(rows), False


def _ours(label: str) -> str:
    return label.strip().casefold()


def _with(line: Line, published: Published) -> Line:
    return Line(line.figure, line.ours, f"{published.value} ({published.source})", published.why)


def _agreement_line(figure: Figure) -> Line:
    name = f"{figure.measure}, unsure as {figure.reading}" if figure.reading != "as given" else figure.measure
    if figure.value is None:
        return Line(name, "-", why=f"none: {figure.reason}")
    shown = f"{figure.value:.4f}"
    if figure.interval and figure.interval.low is not None and figure.interval.high is not None:
        shown += f" [{figure.interval.low:.4f}, {figure.interval.high:.4f}]"
    return Line(name, f"{shown} n={figure.n_items:,}")


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


def _kinds_lines(data: PairVotes, conceptual: Collection[str]) -> Iterator[Line]:
    """ConQA's figure 4 by kind of query under both readings of "most", and the cost by its formula."""
    for kind, is_kind in (("conceptual", True), ("descriptive", False)):
        queries = [each for each in dict.fromkeys(data.query) if (each in conceptual) == is_kind]
        for most in ("plurality", "majority"):
            shares = _unsure_shares(data, queries, most)
            if shares:
                yield Line(f"median % of pairs Unsure by {most}, {kind}", f"{median(shares):.2f}")
                yield Line(f"most % of pairs Unsure by {most}, {kind}", f"{max(shares):.2f}")
    n_conceptual = len(set(data.query) & set(conceptual))
    n_hits = n_conceptual * hits_needed(100, n_judgments=3, slots=5)
    n_hits += (len(set(data.query)) - n_conceptual) * hits_needed(100, n_judgments=3, slots=5, controls=1)
    yield Line("cost in USD", f"{cost_of(n_hits, pay=Decimal('0.20'), fee=Decimal('0.10')):.0f}")


def _unsure_shares(data: PairVotes, queries: list[str], most: str) -> list[float]:
    by_query: dict[str, list[bool]] = {query: [] for query in queries}
    for query, row in zip(data.query, data.counts, strict=True):
        if query in by_query:
            by_query[query].append(categorise(_votes(row), most=most) == "unsure")
    return [100 * sum(each) / len(each) for each in by_query.values()]


def _votes(row: NDArray[np.int64]) -> Votes:
    return Votes(*map(int, row))
