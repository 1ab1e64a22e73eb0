"""Rankings from runs: for each query only some items have scores, as in the files of TREC.

An item that a run does not name has no rank. It counts as never found, as trec_eval does it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from backend.methods.ranking.ranking import Ranking, RankingError, Ties

NOT_FINITE = "The score of {item!r} for query {query!r} is {value}. Scores must be finite numbers."


def rank_run(
    run: Mapping[str, Mapping[str, float]],
    relevant: Mapping[str, set[str]],
    *,
    n_items: int,
    ties: Ties = "expected",
    as_float32: bool = False,
) -> tuple[Ranking, list[str], list[str]]:
    """The ranking of a run, and the names of its queries and items by number.

    `relevant` says which queries there are, and a query that the run leaves out finds nothing. `docno` orders equal
    scores by name, the last name first, as trec_eval; `stable` by their order in the run. `as_float32` rounds scores as
    trec_eval does. Raises RankingError for scores that are not finite.
    """
    queries = list(relevant)
    names = list(dict.fromkeys(item for query in queries for item in sorted(relevant[query])))
    numbers = {name: number for number, name in enumerate(names)}
    rows: list[tuple[int, int, int, int, int, bool]] = []
    for number, query in enumerate(queries):
        answered = run.get(query, {})
        found = np.array(list(answered.values()), np.float32 if as_float32 else np.float64)
        if not np.isfinite(found).all():
            item = list(answered)[int((~np.isfinite(found)).argmax())]
            raise RankingError(NOT_FINITE.format(item=item, query=query, value=answered[item]))
        place = {item: at for at, item in enumerate(answered)}
        order = _docno_order(list(answered)) if ties == "docno" else np.arange(len(found))
        ascending = np.sort(found)
        for item in sorted(relevant[query]):
            if item not in place:
                rows.append((number, numbers[item], n_items, 1, 0, False))
                continue
            score, at = found[place[item]], place[item]
            above = len(found) - int(np.searchsorted(ascending, score, side="right"))
            equal = np.flatnonzero(found == score)
            rows.append((number, numbers[item], above, len(equal), int((order[equal] < order[at]).sum()), True))
    table = np.array(rows, np.int64).reshape(-1, 6)
    table = table[np.lexsort((table[:, 4], table[:, 2], 1 - table[:, 5], table[:, 0]))]
    query_, item_, above_, tied_, before_, ranked_ = table.T
    ranking = Ranking(query_, item_, above_, tied_, len(queries), n_items, before_, ranked_.astype(bool))
    return ranking, queries, names


def _docno_order(items: list[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The place of each item when the names are sorted backwards."""
    order = np.empty(len(items), np.int64)
    order[sorted(range(len(items)), key=lambda at: items[at].encode(), reverse=True)] = np.arange(len(items))
    return order
