"""The table per_query.parquet of a result, read again: who ranks where, cut by category, compared with other models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from backend.methods.benchmarks.comparing import Difference, How, Sample, compare_samples
from backend.methods.benchmarks.data import DataError, some
from backend.methods.ranking import Ranking, measure
from backend.methods.ranking.figures import RSUM as PARTS_OF_RSUM
from backend.methods.ranking.measures import KS, PerQuery
from backend.methods.ranking.ranking import Floats, Ints

NAME = "per_query.parquet"
RANKS = {
    "direction": pa.string(), "query": pa.string(), "item": pa.string(), "above": pa.int64(), "tied": pa.int64(),
    "best_wrong": pa.string(), "cluster": pa.string(),
}  # fmt: skip
SCORES = {"image": pa.string(), "text": pa.string(), "accepted": pa.bool_(), "score": pa.float64()}
CATEGORIES = "categories"  # of the text of a row, as field=value; older tables lack it
MAY_LACK = ("above", "tied", "best_wrong")  # values: a run does not rank every item
MOST_ROWS, MOST_BYTES = 20_000_000, 2**31
CLOSE = 1e-6
RSUM, BOTH_RSUM = "rsum", "both.rsum"
BOUNDS = {each: (each, each) for each in ("expected", "optimistic", "pessimistic")}


def columns_of(task: str) -> dict[str, pa.DataType]:
    """The columns of a task's table, without the categories."""
    return SCORES if task == "auprc" else RANKS


def read_table(source: IO[bytes], task: str) -> pa.Table:
    """The table with its columns as they are written. Raises DataError for any other file."""
    wanted = columns_of(task)
    try:
        file = pq.ParquetFile(source)
        n_bytes = sum(file.metadata.row_group(at).total_byte_size for at in range(file.metadata.num_row_groups))
        if file.metadata.num_rows > MOST_ROWS or n_bytes > MOST_BYTES:
            raise DataError(f"{NAME} has {file.metadata.num_rows:,} rows and {n_bytes:,} bytes, which is too much.")
        names = file.schema_arrow.names
        if missing := [name for name in wanted if name not in names]:
            raise DataError(f"{NAME} lacks the columns {some(missing)}.")
        kept = {**wanted, CATEGORIES: pa.list_(pa.string())} if CATEGORIES in names else wanted
        table = file.read(columns=list(kept)).select(list(kept)).cast(pa.schema(kept.items())).combine_chunks()
    except (pa.ArrowException, OSError, ValueError) as problem:
        if isinstance(problem, DataError):
            raise
        raise DataError(f"{NAME} is not a complete table: {problem}.") from problem
    if empty := [name for name in wanted if name not in MAY_LACK and table.column(name).null_count]:
        raise DataError(f"{NAME} has rows without {some(empty)}.")
    return table


def write_table(table: pa.Table) -> bytes:
    """The table as a Parquet file."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def check_table(table: pa.Table, body: Mapping[str, Any]) -> None:
    """Raises DataError where the table is not that of the result: other directions, other means, impossible ranks."""
    if body["task"] == "auprc":
        n = body["metrics"].get("pairs", {}).get("auprc", {}).get("n")
        if len(table) != n or not np.isfinite(table.column("score").to_numpy()).all():
            raise DataError(f"{NAME} is not of this result: it has {len(table):,} pairs, and the result has {n}.")
        return
    above, tied = (table.column(name).drop_null().to_numpy() for name in ("above", "tied"))
    most = max(body["data"]["images"], body["data"]["texts"])
    if len(above) != len(tied) or (len(above) and (above.min() < 0 or tied.min() < 1 or (above + tied).max() > most)):
        raise DataError(f"{NAME} has ranks that {most:,} items cannot have.")
    for direction in directions_of(table):
        ranks = ranks_of(table, direction, n_items=most)
        # An order of equal scores by name or row is not in the table: then the best and the worst order are the bounds.
        bounds = BOUNDS.get(body["ties"]["policy"], ("pessimistic", "optimistic"))
        low, high = (float(ranks.measure(ties=each).values["ndcg"].mean()) for each in bounds)
        told = body["metrics"].get(direction, {}).get("ndcg", {}).get("value")
        if told is None or not low - CLOSE <= told <= high + CLOSE:
            raise DataError(f"{NAME} is not of this result: its ndcg for {direction} is another one.")


def directions_of(table: pa.Table) -> list[str]:
    """The directions of a table of ranks, in its order."""
    return list(table.column("direction").unique().to_pylist())


def categories_of(table: pa.Table) -> list[str]:
    """The categories that the table knows, in order."""
    if CATEGORIES not in table.column_names:
        return []
    return sorted(each for each in table.column(CATEGORIES).combine_chunks().flatten().unique().to_pylist() if each)


def only(table: pa.Table, category: str) -> pa.Table:
    """The rows whose text is in the category."""
    if not category:
        return table
    if CATEGORIES not in table.column_names:
        return table.slice(0, 0)
    values = table.column(CATEGORIES).combine_chunks()
    rows = values.value_parent_indices().filter(pc.equal(values.flatten(), category))
    chosen = np.zeros(len(table), bool)
    chosen[rows.to_numpy()] = True
    return table.filter(pa.array(chosen))


def with_rejected(table: pa.Table, category: str) -> pa.Table:
    """Of pairs: the accepted ones whose text is in the category, and all rejected ones."""
    if not category:
        return table
    accepted, rejected = (table.filter(pc.equal(table.column("accepted"), each)) for each in (True, False))
    return pa.concat_tables([only(accepted, category), rejected])


@dataclass(frozen=True)
class Ranks:
    """The right items of all queries of one direction. `items` is by row of the ranking, the others by query."""

    queries: Sequence[str]
    clusters: Sequence[str]
    best_wrong: Sequence[str | None]
    items: Sequence[str]
    ranking: Ranking

    def measure(self, *, ties: str = "expected", ks: Sequence[int] = KS) -> PerQuery:
        """The measures of each query, where the order of equal scores is not one that the table lacks."""
        is_known = ties in ("optimistic", "pessimistic")
        return measure(self.ranking, ties=ties if is_known else "expected", ks=ks)  # type: ignore[arg-type]


def ranks_of(table: pa.Table, direction: str, *, n_items: int) -> Ranks:
    """The ranks of one direction, those of a query together and the best first."""
    part = table.filter(pc.equal(table.column("direction"), direction)).combine_chunks()
    coded = part.column("query").combine_chunks().dictionary_encode()
    query = coded.indices.to_numpy().astype(np.int64)
    is_ranked = part.column("above").is_valid().to_numpy()
    above, tied = (part.column(name).fill_null(fill).to_numpy() for name, fill in (("above", 0), ("tied", 1)))
    size = max(int((above + tied).max(initial=0)), n_items)
    above = np.where(is_ranked, above, size)
    order = np.lexsort((above, ~is_ranked, query))
    first = np.unique(query, return_index=True)[1]
    ranking = Ranking(
        query[order], order, above[order], tied[order], len(first), size, is_ranked=is_ranked[order]
    )  # fmt: skip
    return Ranks(
        coded.dictionary.to_pylist(),
        part.column("cluster").take(pa.array(first)).to_pylist(),
        part.column("best_wrong").take(pa.array(first)).to_pylist(),
        part.column("item").take(pa.array(order)).to_pylist(),
        ranking,
    )


@dataclass(frozen=True)
class Answers:
    """The measures of one model for each query of one direction, and which queries belong together.

    `values` has every measure that is a mean over queries, and those of ranks as a mean of each query's. `ranks` has
    the ranks of all right items, and `asked` the number of each one's query.
    """

    values: Mapping[str, Floats]
    queries: Sequence[str]
    clusters: Sequence[str]
    ranks: Floats
    asked: Ints

    def sample(self, name: str, numbers: Mapping[str, int]) -> Sample:
        """The measure called `name`, where each cluster has its number."""
        clusters = np.array([numbers[each] for each in self.clusters], np.int64)
        how: How = "mean" if not name.endswith("_median") else "median"
        if name.startswith("rank_all"):
            return Sample(self.ranks, clusters[self.asked], how)
        return Sample(self.values[name], clusters, "median_floor" if how == "median" else how)


def answers_of(
    table: pa.Table, body: Mapping[str, Any], *, measures: Sequence[str] = (), category: str = ""
) -> dict[str, Answers]:
    """The measures of each query, by direction. Raises DataError for a measure that there is not."""
    ks = {int(name.partition("@")[2]) for name in measures if name.partition("@")[2].isdecimal()}
    ks = ks.union(KS) if not measures or RSUM in measures else ks
    n_items = max(body["data"]["images"], body["data"]["texts"])
    found: dict[str, Answers] = {}
    table = only(table, category)
    for direction in directions_of(table):
        ranks = ranks_of(table, direction, n_items=n_items)
        measured = ranks.measure(ties=body["ties"]["policy"], ks=sorted(ks or KS))
        asked = np.searchsorted(measured.queries, ranks.ranking.query)
        values = dict(measured.values)
        if RSUM in measures or not measures:
            values[RSUM] = 100 * np.sum([values[name] for name in PARTS_OF_RSUM], axis=0)
        if ranks.ranking.ranked.all():
            of_query = np.bincount(asked, weights=measured.rank_all) / np.bincount(asked)
            ranked = {"rank_all": of_query, "rank_best": measured.rank_best}
            values |= {f"{name}_{how}": each for name, each in ranked.items() for how in ("mean", "median")}
        if unknown := [name for name in measures if name not in values]:
            raise DataError(f"There is no measure {some(unknown)}. There are {', '.join(values)}.")
        found[direction] = Answers(
            {name: values[name] for name in measures or values}, ranks.queries, ranks.clusters, measured.rank_all, asked
        )
    return found


def numbers_of(answers: Iterable[Answers]) -> dict[str, int]:
    """A number for each cluster of several directions or models."""
    return {name: at for at, name in enumerate(sorted({each for one in answers for each in one.clusters}))}


def differences_of(
    first: Mapping[str, Answers], second: Mapping[str, Answers], *, draws: int, seed: int = 0
) -> dict[str, Difference]:
    """How much more the second model has than the first, by `direction.measure`, where both answered the same
    queries. `both.rsum` is of all directions together."""
    shared = [
        direction
        for direction in sorted(first.keys() & second.keys())
        if set(first[direction].queries) == set(second[direction].queries)
    ]
    numbers = numbers_of(each[direction] for direction in shared for each in (first, second))
    pairs = {
        f"{direction}.{name}": (first[direction].sample(name, numbers), second[direction].sample(name, numbers))
        for direction in shared
        for name in first[direction].values
        if name in second[direction].values
    }
    parts = [f"{direction}.{RSUM}" for direction in shared]
    sums = {BOTH_RSUM: parts} if len(parts) > 1 and all(each in pairs for each in parts) else {}
    return compare_samples(pairs, sums=sums, draws=draws, seed=seed)
