"""Votes whose voters are not named, dealt to voters who stand for nobody, so that a project can keep them one by one.

What hangs on the votes of a pair alone (majority, category, entropy, Fleiss, Krippendorff) is as in the file. Whatever
is said of people must leave these voters out, as no two votes of two pairs are known to be one person's. They are dealt
in an order drawn for each pair, because a model that needs voters, such as Dawid-Skene, must find them
alike: dealt as they stand, relevant first, the first voter would call everything good.

>>> [(told.worker, told.label) for told in deal_votes([("a pier", "7", [2, 1, 0])])]
[('voter 1', 'good'), ('voter 2', 'good'), ('voter 3', 'bad')]
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from backend.methods.consensus import LABELS
from backend.methods.foreign.told import NOBODY, Told, Why

MOST_VOTES = 1000  # of a pair: each voter is a row in every table of people
TOO_MANY = Why("row_too_many_votes", f"One pair has more than {MOST_VOTES:,} votes here.")
TWICE = Why("row_votes_twice", "The file has votes for this pair above, under another name. Connote takes those.")


def deal_votes(
    votes: Iterable[tuple[str, str, Sequence[int]]], queries: Mapping[str, str] | None = None
) -> Iterator[Told]:
    """Each vote of (query, image, how often each of LABELS) as a judgment by `voter 1`, `voter 2` ... of the pair; the
    same votes are dealt alike again. `queries` are the words of those that are told by another name; of two of the same
    words the first has the voters, for both together would be votes that nobody told."""
    dealt = set[tuple[str, str]]()
    for query, image, counts in votes:
        text = " ".join((queries or {}).get(query, query).split())
        pair = Told(f"query {query}, image {image}", "", "", "", image=image, text=text, is_unnamed=True)
        if why_not := _why_not(counts) or (TWICE if (image, text) in dealt else ""):
            yield pair._replace(why_not=why_not)
            continue
        dealt.add((image, text))
        for voter, label in enumerate(_dealt(counts, seed=f"{image}\n{text}"), start=1):
            yield pair._replace(where=f"{pair.where}, vote {voter}", worker=f"voter {voter}", label=label)


def _why_not(counts: Sequence[int]) -> str:
    return TOO_MANY if sum(counts) > MOST_VOTES else "" if sum(counts) else NOBODY


def _dealt(counts: Sequence[int], *, seed: str) -> list[str]:
    labels = [str(label) for label, n in zip(LABELS, counts, strict=True) for _ in range(n)]
    random.Random(hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()).shuffle(labels)  # drawn, not secret
    return labels
