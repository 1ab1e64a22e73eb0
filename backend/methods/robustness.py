"""How far difficulty hangs on which models were asked: random panels of stored votes, and Cohen's kappa between them.

The paper draws 10 random panels of 7 from 30 models and reports kappas of .65 to .87 without saying between what. Here
every pair of panels is compared (45 of 10), and every panel with the reference, the panel that made the categories;
plain and with linear weights, since hard, medium and easy are in order. Each model votes by its own threshold. Panels
are drawn without repetition by a seed; where there are fewer than asked for, all are taken. A kappa is None where it is
undefined: one category holds every caption.

A member matters as far as categories change when it is left out: the share of captions, and the kappa of a panel with
and without it, as means over the drawn panels that have it.

Source: SCIENCE 2.10; Cohen 1960 and 1968 by agreement/cohen.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.cohen import kappa
from backend.methods.difficulty import CODES, codes_of, least_models, suits

Codes = NDArray[np.int64]
KINDS = ("nominal", "linear")
MOST_PANELS = 100
USUAL_SIZE = 7


class TooFewModelsError(ValueError):
    """There are too few models with stored votes for such panels."""

    def __init__(self, n_models: int, size: int) -> None:
        self.n_models, self.size = n_models, size
        super().__init__(f"Panels of {size} need at least {size + 1} models with stored scores. There are {n_models}.")


@dataclass(frozen=True)
class Stored:
    """Votes (models, captions): 1 yes, 0 no, -1 none; which of the models are the panel that made the categories."""

    models: tuple[str, ...]
    is_in_panel: tuple[bool, ...]
    votes: NDArray[np.int8]


@dataclass(frozen=True)
class Spread:
    """Kappas of some comparisons: how many are defined, and their least, mean and greatest."""

    n: int
    n_undefined: int
    least: float | None
    mean: float | None
    most: float | None


@dataclass(frozen=True)
class Influence:
    """What leaving one model out changes. None where no drawn panel has it, or the panel without it is too small."""

    model: str
    is_in_panel: bool
    n_panels: int
    changed_share: float | None
    kappa_without: float | None
    changed_in_reference: float | None


@dataclass(frozen=True)
class Robustness:
    """The whole report; `panels` are places of models, `between` and `with_reference` are by kind of kappa."""

    n_models: int
    n_captions: int
    n_left_out: int
    size: int
    seed: int
    policy: str
    panels: tuple[tuple[int, ...], ...]
    shares: tuple[dict[str, float], ...]
    between: dict[str, Spread]
    with_reference: dict[str, Spread] | None
    influence: tuple[Influence, ...]


def usual_size(n_models: int) -> int:
    """Seven models, as the paper has, or one less than there are: then each panel leaves one model out.

    >>> [usual_size(n) for n in (2, 7, 8, 30)]
    [1, 6, 7, 7]
    """
    return max(1, min(USUAL_SIZE, n_models - 1))


def robustness(
    stored: Stored, *, n_panels: int = 10, size: int = USUAL_SIZE, seed: int = 0, policy: str = "unanimous"
) -> Robustness:
    """The report on these votes. A caption that a model has no vote on is left out.

    Raises TooFewModelsError where no two such panels can be drawn, ValueError on a panel too small for the policy.
    """
    n_models = len(stored.models)
    if not suits(policy, size):
        raise ValueError(f"The policy {policy} needs panels of at least {least_models(policy)} models, not {size}.")
    if n_models <= size:
        raise TooFewModelsError(n_models, size)
    known = stored.votes[:, (stored.votes >= 0).all(axis=0)]
    panels = draw_panels(n_models, n_panels=n_panels, size=size, seed=seed)
    codes = np.stack([rate_panel(known, panel, policy) for panel in panels])
    reference = tuple(at for at, is_in in enumerate(stored.is_in_panel) if is_in)
    has_reference = suits(policy, len(reference))
    held = rate_panel(known, reference, policy)[None] if has_reference else None
    pairs = list(combinations(range(len(panels)), 2))
    return Robustness(
        n_models=n_models,
        n_captions=known.shape[1],
        n_left_out=stored.votes.shape[1] - known.shape[1],
        size=size,
        seed=seed,
        policy=policy,
        panels=panels,
        shares=tuple(_shares(row) for row in codes),
        between={kind: _spread([_kappa(codes[a], codes[b], kind) for a, b in pairs]) for kind in KINDS},
        with_reference={kind: _spread([_kappa(row, held[0], kind) for row in codes]) for kind in KINDS}
        if held is not None
        else None,
        influence=tuple(_influence(stored, known, at, panels, codes, reference, policy) for at in range(n_models)),
    )


def draw_panels(n_models: int, *, n_panels: int, size: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """Different panels of `size` models, in the order of the models; every one there is where they are too few."""
    if comb(n_models, size) <= n_panels:
        return tuple(combinations(range(n_models), size))
    generator = np.random.default_rng(seed)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < n_panels:
        found[tuple(sorted(generator.choice(n_models, size=size, replace=False).tolist()))] = None
    return tuple(found)


def rate_panel(votes: NDArray[np.int8], panel: Sequence[int], policy: str) -> Codes:
    """The category of every caption by a panel, places in CODES (captions,); its last model breaks ties."""
    some = votes[list(panel)]
    return codes_of(some.sum(axis=0, dtype=np.int64), len(panel), some[-1] == 1, policy)


def _kappa(one: Codes, other: Codes, kind: str) -> float | None:
    k = len(CODES)
    table = np.bincount(one * k + other, minlength=k * k).reshape(k, k)
    found = float(kappa(table, kind))  # type: ignore[arg-type]
    return None if np.isnan(found) else found


def _spread(kappas: Sequence[float | None]) -> Spread:
    known = [each for each in kappas if each is not None]
    if not known:
        return Spread(0, len(kappas), None, None, None)
    return Spread(len(known), len(kappas) - len(known), min(known), float(np.mean(known)), max(known))


def _shares(codes: Codes) -> dict[str, float]:
    counts = np.bincount(codes, minlength=len(CODES))
    return {name: float(n / max(1, len(codes))) for name, n in zip(CODES, counts, strict=True)}


def _influence(
    stored: Stored,
    votes: NDArray[np.int8],
    at: int,
    panels: Sequence[tuple[int, ...]],
    codes: Codes,
    reference: tuple[int, ...],
    policy: str,
) -> Influence:
    mine = [place for place, panel in enumerate(panels) if at in panel]
    changed: list[float] = []
    kappas: list[float | None] = []
    for place in mine:
        without = _without(votes, panels[place], at, policy)
        if without is not None and len(without):
            changed.append(float((without != codes[place]).mean()))
            kappas.append(_kappa(codes[place], without, "nominal"))
    known = [each for each in kappas if each is not None]
    return Influence(
        model=stored.models[at],
        is_in_panel=stored.is_in_panel[at],
        n_panels=len(mine),
        changed_share=float(np.mean(changed)) if changed else None,
        kappa_without=float(np.mean(known)) if known else None,
        changed_in_reference=_changed_in_reference(votes, reference, at, policy),
    )


def _without(votes: NDArray[np.int8], panel: Sequence[int], at: int, policy: str) -> Codes | None:
    others = [each for each in panel if each != at]
    return rate_panel(votes, others, policy) if suits(policy, len(others)) else None


def _changed_in_reference(votes: NDArray[np.int8], reference: tuple[int, ...], at: int, policy: str) -> float | None:
    if at not in reference or not votes.shape[1]:
        return None
    without = _without(votes, reference, at, policy)
    return None if without is None else float((without != rate_panel(votes, reference, policy)).mean())
