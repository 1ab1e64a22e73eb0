"""WinoGAViL's files: what a cue was associated with, how well people found that, and what a model picked.

Of people they hold a mean and nobody's answer: agreement cannot be worked out. How far picks and associations overlap
can: the Jaccard index, those in both by those in either.
Source: Bitton et al., WinoGAViL, NeurIPS 2022.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from backend.methods.foreign.told import Line, NotJudgmentsError
from backend.methods.tables import Fault, TableFault, Wanted, fold, open_table

ASSOCIATIONS, PEOPLE, PICKS = "associations", "solvers_jaccard_mean", "_predictions"
ONLY_MEANS = "No agreement: the file has only a mean for the people, and not their single answers."


def association_lines(raw: bytes) -> list[Line] | None:
    """The report of such a file; None where it is none. Raises NotJudgmentsError on one that is damaged."""
    try:
        table = open_table(io.BytesIO(raw), "", Wanted(known=(ASSOCIATIONS, PEOPLE)))
    except TableFault:  # whoever reads it as judgments says what is wrong
        return None
    if not {ASSOCIATIONS, PEOPLE} <= {*map(fold, table.columns)}:
        return None
    models = [name.removesuffix(PICKS) for name in table.columns if name.endswith(PICKS)]
    rows = list(table)
    try:
        if any(isinstance(row, Fault) for row in rows):
            raise ValueError
        return list(_lines([row.values for row in rows if not isinstance(row, Fault)], models))
    except (ValueError, TypeError, KeyError) as problem:
        raise NotJudgmentsError("The associations, or the choices for them, are not lists of names.") from problem


def _lines(rows: Sequence[Mapping[str, str]], models: Sequence[str]) -> Iterator[Line]:
    yield Line("cues with associations", f"{len(rows):,}")
    yield Line("agreement", "-", why=ONLY_MEANS)
    yield Line("Jaccard index of people, mean", f"{fmean(float(row[PEOPLE]) for row in rows):.4f}")
    for model in models:
        yield Line(f"Jaccard index of {model}, mean", f"{fmean(_jaccard(row, model) for row in rows):.4f}")


def _jaccard(row: Mapping[str, str], model: str) -> float:
    meant, picked = (set(map(str, json.loads(row[name]))) for name in (ASSOCIATIONS, fold(f"{model}{PICKS}")))
    return len(meant & picked) / len(meant | picked) if meant or picked else 1.0
