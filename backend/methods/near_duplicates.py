"""Captions of one pool that say nearly the same: Jaccard of character 3-grams of at least .80 (SCIENCE 2.5).

The paper removes "(nearly) duplicate captions by n-grams of each pool" and names neither n nor a threshold. Here two
captions are compared in their folded form (case folded, no punctuation, single spaces) as sets of three consecutive
characters, spaces among them; a text of one or two characters is its own only gram:

    J(a, b) = |a & b| / |a | b|

Two captions with other numbers, colours, negations or opposites are two captions, however alike their letters are
(`contrast`): a hard negative must not swallow the true caption.

Of two that reach the threshold the better stays: the cleaner text, then the best source, then the longest (`merit`).
Captions are taken in that order and dropped when they reach .80 with one that is *kept*; likeness to a dropped one
counts for nothing, so that a chain of small steps does not swallow a pool.

Three ways find the same: plain sets in small pools; sparse products X X^T of the rarest grams of each caption in blocks
of rows, exact, up to 50,000 captions (prefix filtering: Bayardo et al. 2007, Wang et al. 2012); MinHash with LSH above,
each find checked by its exact Jaccard. LSH finds a pair at J = .80 with probability .998 and never drops a pair below.

>>> round(jaccard("a dog runs after a ball in the park", "a dog runs after a ball in the park today!"), 3)
0.846
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.cleaning.outcome import DUPLICATE, Dropped
from backend.methods.cleaning.pool import Caption, fold_text, merit
from backend.methods.contrast import Marks, exclude, marks_of

NEAR_DUPLICATE = "near_duplicate"
POLICY = "char3-jaccard/2"
THRESHOLD = 0.80
GRAM = 3
SETS_UP_TO = 50  # captions; above that one product costs less than comparing each with each
EXACT_UP_TO = 50_000
IN_COMMON = 4  # how many of their rarest grams two captions must share to be compared in full
ENTRIES = 2**22  # the most numbers that one block of a product may hold
PAIRS = 2**15  # compared in full at once
BANDS, ROWS = 21, 6  # MinHash: 126 permutations
MOST_LOOKS = 100  # pairs of one caption that are compared word by word; one that differs from so many is kept
SLACK = 1e-9  # .8 x 5 must not be more than 4

Grams = set[str]
Differ = Callable[[int, int], bool]  # whether the texts at two places say different things
Ints = NDArray[np.int64]
Kept = int | None  # the place of the kept text that this one repeats; None where it is kept itself


def find_near_duplicates(
    captions: Iterable[Caption], *, settled: Iterable[Caption] = (), threshold: float = THRESHOLD
) -> dict[str, Dropped]:
    """The captions that say the same or nearly the same as a kept one, by key; their detail is the kept one's key.

    The rule is `duplicate` where the folded texts are equal, else `near_duplicate`. `settled` ones are kept whatever
    else there is. The order in which captions come does not matter. Raises ValueError for a threshold outside 0 to 1.
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"The threshold is {threshold}: a Jaccard of more than 0 and at most 1 is needed.")
    first = sorted(settled, key=merit)
    ordered = [*first, *sorted(captions, key=merit)]
    texts = [caption.text for caption in ordered]
    folded = [fold_text(text) for text in texts]
    kept_for = _find_kept(texts, folded, len(first), threshold)
    return {
        caption.key: Dropped(DUPLICATE if folded[at] == folded[kept] else NEAR_DUPLICATE, ordered[kept].key)
        for at, (caption, kept) in enumerate(zip(ordered, kept_for, strict=True))
        if kept is not None and at >= len(first)
    }


def jaccard(text: str, other: str) -> float:
    """|a & b| / |a | b| of the 3-grams of two texts in their folded form."""
    return _jaccard(trigrams(fold_text(text)), trigrams(fold_text(other)))


def trigrams(folded: str) -> Grams:
    """Every three consecutive characters; the text itself where it has fewer."""
    return {folded[at : at + GRAM] for at in range(len(folded) - GRAM + 1)} or {folded}


def _jaccard(grams: Grams, others: Grams) -> float:
    shared = len(grams & others)
    return shared / (len(grams) + len(others) - shared)


def _find_kept(texts: Sequence[str], folded: Sequence[str], n_settled: int, threshold: float) -> list[Kept]:
    """For each text, best first, the kept one that it repeats. Equal texts are looked up, the others compared.

    Only texts with the same numbers, colours and negations are compared, each group of them for itself.
    """
    first: dict[str, int] = {}
    for at, text in enumerate(folded):
        first.setdefault(text, at)
    groups: defaultdict[Marks, list[int]] = defaultdict(list)
    for place in first.values():
        groups[marks_of(texts[place])].append(place)
    kept_for: dict[int, int] = {}
    for places in groups.values():
        near = _near_in(places, texts, folded, n_settled, threshold)
        kept_for |= {place: place if kept is None else places[kept] for place, kept in zip(places, near, strict=True)}
    return [None if (kept := kept_for[first[text]]) == at else kept for at, text in enumerate(folded)]


def _near_in(
    places: list[int], texts: Sequence[str], folded: Sequence[str], n_settled: int, threshold: float
) -> list[Kept]:
    """For each of these places the number, among them, of the kept one that it repeats."""
    if len(places) == 1:
        return [None]
    n_fixed = sum(place < n_settled for place in places)
    looks: defaultdict[int, int] = defaultdict(int)

    def differ(at: int, other: int) -> bool:
        looks[at] += 1
        return looks[at] > MOST_LOOKS or exclude(texts[places[at]], texts[places[other]])

    return _method(len(places))([trigrams(folded[place]) for place in places], n_fixed, threshold, differ)


def _method(n: int) -> Callable[[list[Grams], int, float, Differ], list[Kept]]:
    if n <= SETS_UP_TO:
        return _by_sets
    return _by_products if n <= EXACT_UP_TO else _by_minhash


def _by_sets(grams: list[Grams], n_fixed: int, threshold: float, differ: Differ) -> list[Kept]:
    """Each with every kept one before it; two of too different sizes cannot reach the threshold."""
    kept: list[tuple[int, int, Grams]] = []
    found: list[Kept] = []
    for at, own in enumerate(grams):
        n = len(own)
        fewest, most = n * threshold - SLACK, n / threshold + SLACK
        repeated = None
        if at >= n_fixed:
            for place, m, other in kept:
                if fewest <= m <= most:
                    shared = len(own & other)
                    if shared / (n + m - shared) >= threshold and not differ(at, place):
                        repeated = place
                        break
        if repeated is None:
            kept.append((at, n, own))
        found.append(repeated)
    return found


class _Matrix:
    """Captions x grams as sparse rows of ones, the rarest gram in the first column."""

    def __init__(self, grams: Sequence[Grams], threshold: float) -> None:
        """All grams for the exact count; as prefixes only so many that two alike captions share IN_COMMON of them.

        Where J >= t, a and b share at least t max(|a|, |b|) grams. Leave out the commonest ones of each until
        |a| - ceil(t |a|) + c are left: then they still share c of these, or all they must share where that is less.
        """
        rows, tokens, self.size = _rarest_first(grams)
        self.threshold = threshold
        starts = np.concatenate([[0], np.cumsum(self.size)])
        least = np.ceil(threshold * self.size - SLACK).astype(np.int64)
        length = np.minimum(self.size, self.size - least + IN_COMMON)
        is_prefix = np.arange(len(tokens)) - starts[rows] < length[rows]
        self.must_share = np.minimum(least, IN_COMMON)
        self.full = _ones(tokens, starts)
        self.prefixes = _ones(tokens[is_prefix], np.concatenate([[0], np.cumsum(length)]))

    def pairs(self, rows: Ints, others: Ints) -> tuple[Ints, Ints]:
        """All (row, other) that reach the threshold, other before row, ordered by row and then by other."""
        product = (self.prefixes[rows] @ self.prefixes[others].T).tocoo()
        a, b = rows[product.coords[0]], others[product.coords[1]]
        small, large = np.minimum(self.size[a], self.size[b]), np.maximum(self.size[a], self.size[b])
        may_be = (b < a) & (small >= self.threshold * large - SLACK)
        may_be &= product.data >= np.minimum(self.must_share[a], self.must_share[b])
        a, b = a[may_be], b[may_be]
        is_near = self._reach(a, b)
        a, b = a[is_near], b[is_near]
        order = np.lexsort((b, a))
        return a[order], b[order]

    def _reach(self, a: Ints, b: Ints) -> NDArray[np.bool_]:
        shared = np.empty(len(a), dtype=np.int64)
        for start in range(0, len(a), PAIRS):
            part = slice(start, start + PAIRS)
            shared[part] = self.full[a[part]].multiply(self.full[b[part]]).sum(axis=1)
        return np.asarray(shared / (self.size[a] + self.size[b] - shared) >= self.threshold)


def _rarest_first(grams: Sequence[Grams]) -> tuple[Ints, Ints, Ints]:
    """Row and gram number of each entry, by row and then from the rarest gram to the commonest; grams of each row."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    raw = np.fromiter((numbers[gram] for own in grams for gram in own), dtype=np.int64)
    size = np.fromiter(map(len, grams), dtype=np.int64, count=len(grams))
    rank = np.empty(len(numbers), dtype=np.int64)
    rank[np.argsort(np.bincount(raw), kind="stable")] = np.arange(len(numbers))
    rows = np.repeat(np.arange(len(grams)), size)
    return rows, np.sort(rows * len(numbers) + rank[raw]) - rows * len(numbers), size


def _ones(tokens: Ints, starts: Ints) -> Any:
    from scipy.sparse import csr_array  # a tenth of a second that small pools need not wait for

    n_columns = int(tokens.max()) + 1 if len(tokens) else 0
    return csr_array((np.ones(len(tokens), dtype=np.int32), tokens, starts), shape=(len(starts) - 1, n_columns))


def _by_products(grams: list[Grams], n_fixed: int, threshold: float, differ: Differ) -> list[Kept]:
    """Block by block against what was kept before and against the block itself: memory does not grow with n x n."""
    matrix = _Matrix(grams, threshold)
    found: list[Kept] = [None] * len(grams)
    kept = np.empty(0, dtype=np.int64)
    for rows in _blocks(len(grams)):
        near = matrix.pairs(rows, np.concatenate([kept, rows]))
        for row, other in zip(*(side.tolist() for side in near), strict=True):
            if row >= n_fixed and found[row] is None and found[other] is None and not differ(row, other):
                found[row] = other
        kept = np.concatenate([kept, [row for row in rows.tolist() if found[row] is None]]).astype(np.int64)
    return found


def _blocks(n: int) -> Iterator[Ints]:
    step = max(1, ENTRIES // n)
    for start in range(0, n, step):
        yield np.arange(start, min(start + step, n))


def _by_minhash(grams: list[Grams], n_fixed: int, threshold: float, differ: Differ) -> list[Kept]:
    """Each asks the index of the kept ones for candidates, which are then compared in full."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))
    batches = ([gram.encode("utf-8", "surrogatepass") for gram in own] for own in grams)
    found: list[Kept] = []
    for at, sketch in enumerate(MinHash.generator(batches, num_perm=BANDS * ROWS, seed=1)):
        candidates = index.query(sketch) if at >= n_fixed else []
        near = (other for other in sorted(candidates) if _jaccard(grams[at], grams[other]) >= threshold)
        found.append(next((other for other in near if not differ(at, other)), None))
        if found[-1] is None:
            index.insert(at, sketch, check_duplication=False)
    return found
