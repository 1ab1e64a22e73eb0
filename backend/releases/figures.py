"""The figures of a release's page, counted once from its stored images and kept: a release never changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from django.core.files.storage import default_storage
from django.db.models import Count

from backend.methods.agreement.count_table import CountTable
from backend.methods.agreement.over_items import alpha_figure
from backend.methods.agreement.readings import UNSURE_AS_VALUE
from backend.methods.consensus import LABELS
from backend.methods.exports.datasheet import Figures, in_order
from backend.releases.models import Release, ReleaseCaption, ReleaseEntry, ReleaseFigures

BINS = 10  # of the share of answers that are good
BATCH = 500
# The datasheet says these in words.
CODES = {"no votes": "no_votes", "not asked": "not_asked"}
BEFORE = {"source": "", "consensus": {"category": ""}, "difficulty": None}  # older releases did not freeze these


def get_figures(*, release: Release) -> dict[str, Any]:
    """The figures; counted at the first call. Two calls at once keep the same figures."""
    kept = ReleaseFigures.objects.filter(release=release).first()
    if kept is not None:
        return dict(kept.body)
    figures = _count(release)
    ReleaseFigures.objects.bulk_create([ReleaseFigures(release=release, body=figures)], ignore_conflicts=True)
    return figures


def _count(release: Release) -> dict[str, Any]:
    counted, agreement = Figures(), [0] * BINS
    n_without = 0
    for line in _lines(release):
        counted.see(line)
        for caption in line["captions"]:
            place = _bin(caption)
            if place is None:
                n_without += 1
            else:
                agreement[place] += 1
    bins = [{"low": place / BINS, "high": (place + 1) / BINS, "n": n} for place, n in enumerate(agreement)]
    return {
        **{name: _rows(getattr(counted, name)) for name in vars(counted)},
        "agreement": bins,
        "n_without_votes": n_without,
        "lenses": _lenses(release),
        "alpha": _alpha(release),
    }


def _lines(release: Release) -> Iterator[dict[str, Any]]:
    entries = ReleaseEntry.objects.filter(release=release).order_by("position")
    for body in entries.values_list("body", flat=True).iterator(chunk_size=BATCH):
        yield {"split": "", **body, "captions": [BEFORE | caption for caption in body["captions"]]}


def _alpha(release: Release) -> dict[str, Any] | None:
    """How far annotators agreed on all captions of the project at that time, with a 95% interval over images.

    The chosen captions alone would not do: nearly all answers on them are good. So this is None where the release
    leaves out rejected captions, and where too few captions have two answers.
    """
    file = release.files.filter(name="candidates.parquet").first()
    if file is None or "rejected" in (release.manifest.get("choices") or {}).get("left_out", ()):
        return None
    votes = [f"n_{label}" for label in LABELS]
    with default_storage.open(file.stored_as) as stored:
        table = pq.read_table(stored, columns=["image", *votes])
    counts = np.column_stack([table[name].fill_null(0).to_numpy() for name in votes])
    images = table["image"].combine_chunks().dictionary_encode().indices.to_numpy()
    found = alpha_figure(CountTable.of_items(counts, clusters=images), UNSURE_AS_VALUE)
    if found.value is None or found.interval is None:
        return None
    interval = found.interval.reaching(found.value)
    return {
        "value": found.value,
        "low": interval.low,
        "high": interval.high,
        "n_items": found.n_items,
        "n_judgments": found.n_judgments,
    }


def _bin(caption: Mapping[str, Any]) -> int | None:
    """The place of the share of good answers, in whole numbers, so that 3 of 10 is never below 0.3."""
    total = caption["n_good"] + caption["n_bad"] + caption["n_unsure"]
    return min(BINS - 1, BINS * caption["n_good"] // total) if total else None


def _rows(counted: Counter[str]) -> list[dict[str, Any]]:
    return [{"name": CODES.get(name, name), "n": n} for name, n in in_order(counted)]


def _lenses(release: Release) -> list[dict[str, Any]] | None:
    """How many captions each lens was chosen for. None where no caption has one: they may have been left out."""
    counted = Counter[str]()
    rows = ReleaseCaption.objects.filter(release=release).exclude(lenses="").order_by()
    for lenses, n in rows.values_list("lenses").annotate(n=Count("pk")):
        counted.update(dict.fromkeys(lenses.split(), n))
    return _rows(counted) if counted else None
