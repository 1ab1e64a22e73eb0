"""Names of animals and plants with what they are kinds of, out of WordNet 3.0, for suggested edits (SCIENCE 2.6).

    python -m workers.training.wordnet --dict /usr/share/wordnet

`--dict` is the folder of WordNet's database files (Debian: the package wordnet-base). Writes
`backend/methods/lexicon/organisms.tsv`: a name, its hypernyms one level up, those two levels up. The same files give
the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from backend.methods.wordnet import DEBIANS, NotWordNetError, Part, read_part
from workers.training.wordnet.organisms import Kinds, find_kinds

OUT = Path(__file__).resolve().parents[3] / "backend" / "methods" / "lexicon" / "organisms.tsv"
HEADER = """\
# Animals and plants: name, names of its hypernyms one level up, and two levels up, each split by |.
# Derived from WordNet 3.0, Copyright 2006 by Princeton University. All rights reserved. See NOTICE.
"""


def write_kinds(nouns: Part, out: Path) -> int:
    """Write the table; returns how many names it holds."""
    kinds = find_kinds(nouns)
    lines = [_line(name, kind) for name, kind in sorted(kinds.items())]
    out.write_text(HEADER + "".join(lines), encoding="utf-8")
    return len(lines)


def _line(name: str, kind: Kinds) -> str:
    return f"{name}\t{'|'.join(kind.one_up)}\t{'|'.join(kind.two_up)}\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description="Animals and plants out of WordNet 3.0.")
    arguments.add_argument("--dict", type=Path, default=DEBIANS, help="Folder with data.noun.")
    arguments.add_argument("--out", type=Path, default=OUT)
    asked = arguments.parse_args()
    try:
        nouns = read_part(asked.dict, "noun")
    except NotWordNetError as problem:
        raise SystemExit(f"--dict: {problem}") from problem
    n_names = write_kinds(nouns, asked.out)
    print(f"{n_names:,} names, {asked.out.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
