"""Animals and plants with what they are kinds of, two levels up, out of WordNet 3.0 (NOTICE has its licence).

`organisms.tsv` is written by `python -m workers.training.wordnet`; read when first asked for.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

TABLE = Path(__file__).with_name("organisms.tsv")
LONGEST_NAME = 4  # words


@lru_cache(maxsize=1)
def organisms() -> dict[str, tuple[str, ...]]:
    """{name in lower case: its hypernyms, the nearest first}.

    >>> organisms()["moose"]
    ('deer', 'ruminant')
    """
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    table = {name: tuple(kind for kind in f"{one}|{two}".split("|") if kind) for name, one, two in rows}
    return {name: kinds for name, kinds in table.items() if name.count(" ") < LONGEST_NAME}
