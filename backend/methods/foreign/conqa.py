"""What ConQA's paper says of its votes and its queries, worked out from the released files.

"Most workers" (section 4) may mean more than any other answer or more than half; "frequency of Unsure" may also be the
share of single votes. All stand in the report, for none gives what the paper prints.
Source: Rodriguez et al., Conceptual query answering, ECIR 2024, sections 3 to 5.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import mean, median, pstdev

import numpy as np
from numpy.typing import NDArray

from backend.methods.aggregation import categorise
from backend.methods.budget import cost_of, hits_needed
from backend.methods.consensus import Votes
from backend.methods.foreign.shapes import PairVotes
from backend.methods.foreign.told import Line, NotJudgmentsError
from backend.methods.tables import Fault, read_members
from backend.methods.wordnet import Depths

Counts = NDArray[np.int64]
IMAGES_A_QUERY, JUDGMENTS, A_HIT = 100, 3, 5
ANSWERED = "queries with a relevant image, conceptual and descriptive"
DEPTHS = "least, most, mean depth of words in WordNet, {}"
OF_WORDS: tuple[Callable[[Sequence[float]], float], ...] = (min, max, mean)
PAY, FEE = Decimal("0.20"), Decimal("0.10")


# ConQA's evaluation takes the images of which all votes say so, section 5 asks for three.
RELEVANT: dict[str, Callable[[Counts, Counts, Counts], NDArray[np.bool_]]] = {
    "all votes relevant": lambda r, n, u: (r > 0) & (n == 0) & (u == 0),
    "three or more relevant, none against": lambda r, n, u: (r >= 3) & (n == 0),
    "three or more relevant": lambda r, n, u: r >= 3,
    "more relevant than non-relevant": lambda r, n, u: r > n,
}


@dataclass(frozen=True)
class SeedQuery:
    """A query as its authors wrote it, with the images that they began from."""

    text: str
    is_conceptual: bool
    seeds: frozenset[str]


def read_seed_queries(raw: bytes) -> dict[str, SeedQuery]:
    """ConQA's seed.json, packed or not. Raises NotJudgmentsError."""
    queries: dict[str, SeedQuery] = {}
    try:
        for member in read_members(io.BytesIO(raw), "seed.json"):
            if isinstance(member, Fault) or member[1] in queries:
                raise ValueError
            _, name, query = member
            queries[name] = SeedQuery(
                str(query["Text"]), bool(query["Conceptual"]), frozenset(map(str, query["Seeds"]))
            )
    except (ValueError, KeyError, TypeError) as problem:
        raise NotJudgmentsError(
            "The queries do not have the form {number: {Text, Conceptual, Seeds}} of seed.json."
        ) from problem
    return queries


def read_query_words(raw: bytes) -> dict[str, str]:
    """The words of each query of a seed.json by its name in the votes. Raises NotJudgmentsError."""
    return {name: query.text for name, query in read_seed_queries(raw).items()}


def query_lines(data: PairVotes, queries: Mapping[str, SeedQuery]) -> Iterator[Line]:
    """What the paper says of queries and images, the figures of unsure, and the cost by the paper's formula."""
    known = [queries[name] for name in dict.fromkeys(data.query) if name in queries]
    if len(known) < len(set(data.query)):
        raise NotJudgmentsError("The file of the queries lacks some queries of the votes. Choose the complete file.")
    n_conceptual = sum(query.is_conceptual for query in known)
    words = [len(query.text.split()) for query in known]
    seeds = frozenset[str]().union(*(query.seeds for query in known))
    yield Line("queries, conceptual and descriptive", f"{n_conceptual} and {len(known) - n_conceptual}")
    yield Line("words a query: fewest, median, most", f"{min(words)}, {median(words):g}, {max(words)}")
    yield Line("words a query, mean", f"{mean(words):.1f}")
    yield Line("images that are no query's seed", f"{len(set(data.image) - seeds):,}")
    yield _answered_line(data, queries, seeds)
    for kind, is_kind in (("conceptual", True), ("descriptive", False)):
        yield from _unsure_lines(
            data, {name for name, query in queries.items() if query.is_conceptual == is_kind}, kind
        )
    yield from _cost_lines(n_conceptual, len(known) - n_conceptual)


def _answered_line(data: PairVotes, queries: Mapping[str, SeedQuery], seeds: frozenset[str]) -> Line:
    """How many queries the paper's evaluation keeps: those with an image of which all votes say that it fits, among the
    images that are no query's seed."""
    is_relevant = RELEVANT["all votes relevant"](*data.counts.T)
    places = zip(data.query, data.image, is_relevant.tolist(), strict=True)
    answered = {query for query, image, fits in places if fits and image not in seeds}
    n_conceptual = sum(queries[query].is_conceptual for query in answered)
    return Line(ANSWERED, f"{n_conceptual} and {len(answered) - n_conceptual}")


def depth_lines(data: PairVotes, queries: Mapping[str, SeedQuery], depths: Depths) -> Iterator[Line]:
    """How deep the words of the queries lie in WordNet (table 2): of each word the mean over its meanings, of a query
    the least, the most and the mean over its words, and of these mean and standard deviation over queries."""
    asked = [queries[name] for name in dict.fromkeys(data.query)]
    for kind, is_conceptual in (("conceptual", True), ("descriptive", False)):
        words = [_word_depths(query.text, depths) for query in asked if query.is_conceptual == is_conceptual]
        if any(words):
            yield Line(DEPTHS.format(kind), ", ".join(_spread([of(each) for each in words if each]) for of in OF_WORDS))


def _word_depths(text: str, depths: Depths) -> list[float]:
    """Words that WordNet does not have are passed over."""
    return [mean(found) for word in text.replace(".", "").split() if (found := depths.of_word(word))]


def _spread(values: Sequence[float]) -> str:
    return f"{mean(values):.2f} ± {pstdev(values):.2f}"


def relevant_lines(data: PairVotes) -> list[Line]:
    """How many images are relevant to a query."""
    n_queries = len(set(data.query))
    kept = {said: rule(*data.counts.T).sum() for said, rule in RELEVANT.items()}
    return [Line(f"relevant images a query, {said}", f"{n / n_queries:.1f}") for said, n in kept.items()]


def _cost_lines(n_conceptual: int, n_descriptive: int) -> Iterator[Line]:
    """Five images a HIT, one of them a control where the query is descriptive (section 3)."""
    plain, controlled = (
        hits_needed(IMAGES_A_QUERY, n_judgments=JUDGMENTS, slots=A_HIT, controls=controls) for controls in (0, 1)
    )
    yield Line("HITs a query, conceptual and descriptive", f"{plain} and {controlled}")
    n_hits = n_conceptual * plain + n_descriptive * controlled
    yield Line("cost in USD", f"{cost_of(n_hits, pay=PAY, fee=FEE):.0f}")


def curated_lines(data: PairVotes, text: str) -> Iterator[Line]:
    """Of ConQA's vg_subset.txt, an image a line: those that the images of every query were chosen from (section 3)."""
    curated = set(text.split())
    yield Line("curated images", f"{len(curated):,}")
    yield Line("images with votes that are not curated", f"{len(set(data.image) - curated):,}")


def _unsure_lines(data: PairVotes, names: set[str], kind: str) -> Iterator[Line]:
    """The paper's figure 4: over queries, how often Unsure came out."""
    rows = defaultdict[str, list[NDArray[np.int64]]](list)
    for query, row in zip(data.query, data.counts, strict=True):
        if query in names:
            rows[query].append(row)
    if not rows:
        return
    for most in ("plurality", "majority"):
        unsure = [
            mean(categorise(Votes(*map(int, row)), most=most) == "unsure" for row in each) for each in rows.values()
        ]
        yield Line(f"median % of pairs Unsure by {most}, {kind}", f"{100 * median(unsure):.2f}")
        yield Line(f"most % of pairs Unsure by {most}, {kind}", f"{100 * max(unsure):.2f}")
    shares = [float(total[2] / total.sum()) for total in (np.sum(each, axis=0) for each in rows.values())]
    yield Line(f"median, most % of votes Unsure, {kind}", f"{100 * median(shares):.2f}, {100 * max(shares):.2f}")
