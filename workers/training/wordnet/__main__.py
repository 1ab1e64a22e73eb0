"""Two tables out of WordNet 3.0: animals and plants with what they are kinds of, and words with their opposites.

    python -m workers.training.wordnet --dict /usr/share/wordnet

`--dict` is the folder of WordNet's database files (Debian: the package wordnet-base). Writes two files into
`backend/methods/lexicon`. `organisms.tsv` is for suggested edits: a name, its hypernyms one level up, those two levels
up. `antonyms.tsv` is for near-duplicates: two words that mean the opposite of each other. The same files give the same
bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from backend.methods.wordnet import DEBIANS, NotWordNetError, Part, read_part
from workers.training.wordnet.antonyms import find_antonyms
from workers.training.wordnet.organisms import Kinds, find_kinds

LEXICON = Path(__file__).resolve().parents[3] / "backend" / "methods" / "lexicon"
OUT, ANTONYMS = LEXICON / "organisms.tsv", LEXICON / "antonyms.tsv"
HEADER = """\
# Animals and plants: name, names of its hypernyms one level up, and two levels up, each split by |.
# Derived from WordNet 3.0, Copyright 2006 by Princeton University. All rights reserved. See NOTICE.
"""

ANTONYMS_HEADER = """\
# Words that mean the opposite of each other.
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


def write_antonyms(folder: Path, out: Path) -> int:
    """Write the table of opposites; returns how many pairs it holds."""
    pairs = sorted(find_antonyms(folder))
    out.write_text(ANTONYMS_HEADER + "".join(f"{word}\t{other}\n" for word, other in pairs), encoding="utf-8")
    return len(pairs)


def main() -> None:
    arguments = argparse.ArgumentParser(description="Animals, plants and opposites out of WordNet 3.0.")
    arguments.add_argument("--dict", type=Path, default=DEBIANS, help="Folder with data.noun.")
    arguments.add_argument("--out", type=Path, default=OUT)
    arguments.add_argument("--antonyms", type=Path, default=ANTONYMS)
    asked = arguments.parse_args()
    try:
        nouns = read_part(asked.dict, "noun")
        n_pairs = write_antonyms(asked.dict, asked.antonyms)
    except NotWordNetError as problem:
        raise SystemExit(f"--dict: {problem}") from problem
    n_names = write_kinds(nouns, asked.out)
    print(f"{n_names:,} names, {asked.out.stat().st_size:,} bytes; {n_pairs:,} pairs of opposites")  # noqa: T201


if __name__ == "__main__":
    main()
