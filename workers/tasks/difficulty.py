"""Difficulty: every model of the panel scores every chosen caption, one model in memory at a time.

A model sees the original through its own transform. `manage.py calibrate` shows pictures the same way, so that a
threshold holds for what is scored here.

Extra models, where a run names some, are asked after the panel in the same way; their votes are kept for the robustness
of the categories (methods/robustness.py) and change none. Where only extra models are new, the stored votes stay.

Scores are cut down to four decimals, the width of a calibration's bins: the cut score then votes as the score itself,
and the last bits, which hang on how many threads share a sum, come into no release. Shards are fixed slices of the
images, so that a run that was killed encodes the same pictures together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.conf import settings

from backend.common.errors import InvalidInput
from backend.curation import rating, selectors
from backend.curation.models import DifficultyCategory, SelectionStatus
from backend.curation.rating import Seat
from backend.curation.selectors import ChosenCaptions
from backend.methods.calibration import floor_to_bin
from backend.methods.difficulty import rate
from backend.runs.ledger import Ledger, Step
from backend.runs.warnings import warning_of
from workers.engines import registry
from workers.engines.calibrations import Record
from workers.engines.protocols import ImageEncoder, TextEncoder, Vectors
from workers.tasks.panel import called, find_records, find_standing, read_names, told_apart
from workers.tasks.stage import stage
from workers.tasks.stored_pictures import stored_pictures

IMAGES = 64
KEPT = "All models of the panel have stored scores for these captions. Only the extra models were asked."
RATED = tuple(category for category in DifficultyCategory.values if category != DifficultyCategory.UNRATED)
Towers = tuple[ImageEncoder, TextEncoder]


@stage("difficulty")
def difficulty(ledger: Ledger) -> None:
    """The cursor holds the panel as it was at the start, the extra models, the seat that is asked, its last image."""
    if "panel" not in ledger.cursor:
        panel = read_panel(ledger.parameters["panel"] or settings.DIFFICULTY_PANEL, ledger.parameters["policy"])
        extra = read_extra(ledger.parameters.get("extra_models", ""), panel)
        with ledger.step() as step:
            step.cursor = {"panel": panel, "extra": extra, "position": 1, "after": ""}
            if warning := warning_of("difficulty", ledger.run.project, {"panel": ",".join(panel)}):
                step.log.append(warning.message)
    _ask_everyone(ledger)


def read_panel(names: str, policy: str) -> list[str]:
    """The models that `names` lists by comma. Raises InvalidInput where the policy cannot use such a panel."""
    panel = read_names(names)
    try:
        rate([True] * len(panel), policy=policy)
    except ValueError as error:
        raise InvalidInput(str(error)) from error
    return panel


def read_extra(names: str, panel: Sequence[str]) -> list[str]:
    """The models to ask beside the panel. Raises InvalidInput where one is named twice, here or in the panel."""
    return read_names(",".join([*panel, names]))[len(panel) :]


def _ask_everyone(ledger: Ledger) -> None:
    panel = [*ledger.cursor["panel"], *ledger.cursor.get("extra", [])]
    records = find_records(panel, ledger.run.project)  # before the first works for hours
    digests = selectors.list_image_digests(project=ledger.run.project, status=SelectionStatus.SELECTED)
    ledger.set_total(len(digests) * len(panel))
    _keep_panel(ledger, records[: len(ledger.cursor["panel"])], len(digests))
    for position in range(ledger.cursor["position"], len(panel) + 1):
        name = panel[position - 1]
        try:
            _ask(ledger, position, name, digests)
        finally:  # a worker that goes on to another run would hold a model that failed
            registry.forget(name)


def _keep_panel(ledger: Ledger, records: Sequence[Record], n_images: int) -> None:
    """Where only extra models are new, the panel is not asked again: its stored votes stay, under the rule asked for.

    That is so where every chosen caption has a vote by each of these very records, at its place.
    """
    if not ledger.cursor.get("extra") or ledger.cursor["position"] > 1 or ledger.cursor["after"]:
        return
    project, n_models = ledger.run.project, len(records)
    raters = [rating.find_rater(name=one.model, digest=one.digest, record=whole(one)) for one in records]
    if not rating.has_votes_of(project=project, raters=raters):
        return
    with ledger.step() as step:
        made = rating.take_over_votes(run=ledger.run, policy=ledger.parameters["policy"])
        step.cursor |= {"position": n_models + 1}
        step.done = n_images * n_models
        step.log.append(KEPT)
        _count(step, made)
    for one in records:
        used = {told_apart(one.model, one.digest, ledger.run.models_used): one.digest}
        ledger.set_total(ledger.run.total, models_used=used)


def _ask(ledger: Ledger, position: int, name: str, digests: list[str]) -> None:
    """Let one model score every image that it has not scored yet."""
    towers = registry.towers(name)
    standing = find_standing(name, ledger.run.project, model=towers[0])
    record = standing.record
    if standing.warning and not ledger.cursor["after"]:
        with ledger.step() as step:
            step.log.append(standing.warning)
    model, n_models = towers[0], len(ledger.cursor["panel"])
    ledger.set_total(ledger.run.total, models_used={called(model, ledger.run.models_used): model.digest})
    rater = rating.get_rater(name=model.name, digest=model.digest, record=whole(record))
    for start in range(bisect_right(digests, ledger.cursor["after"]), len(digests), IMAGES):
        _score_shard(ledger, Seat(rater, position, n_models), towers, digests[start : start + IMAGES])
    with ledger.step() as step:
        step.cursor |= {"position": position + 1, "after": ""}


def whole(record: Record) -> dict[str, Any]:
    """The record as plain values: what the threshold was made from, and the numbers."""
    made_from = {name: getattr(record, name) for name in ("model", "digest", "preprocessing", "pairs")}
    return made_from | record.calibration.to_json()


def _score_shard(ledger: Ledger, seat: Seat, towers: Towers, shard: list[str]) -> None:
    chosen = selectors.list_chosen_captions(project=ledger.run.project, digests=shard)
    scores = score_captions(towers, chosen)
    with ledger.step() as step:
        made = rating.record_scores(run=ledger.run, seat=seat, scores=scores, policy=ledger.parameters["policy"])
        step.cursor["after"], step.done = shard[-1], len(shard)
        if seat.is_last:
            _count(step, made)


def _count(step: Step, made: Counter[str]) -> None:
    step.counts.update({"in": made.total(), "out": sum(made[category] for category in RATED)})
    step.counts.update({category: made.pop(category, 0) for category in RATED})
    step.dropped.update(made)


def score_captions(towers: Towers, chosen: Sequence[ChosenCaptions]) -> dict[int, float | None]:
    """The cosine of every chosen caption and its image, by item id; None where the image cannot be read."""
    images, texts = towers
    seen: dict[str, Vectors] = {}
    pictures = stored_pictures((one.digest, one.original) for one in chosen)  # one that is gone: captions unrated
    for block in images.encode(pictures):
        seen.update(zip(block.keys, block.vectors, strict=True))
    captions = texts.encode([text for one in chosen for text in one.texts])
    scores: dict[int, float | None] = {}
    at = 0
    for one in chosen:
        vectors = captions[at : at + len(one.texts)]
        at += len(one.texts)
        scores |= dict(zip(one.item_ids, _cosines(seen.get(one.digest), vectors), strict=True))
    return scores


def _cosines(image: Vectors | None, captions: Vectors) -> list[float | None]:
    if image is None:
        return [None] * len(captions)
    return [float(score) for score in floor_to_bin(captions.astype(np.float64) @ image.astype(np.float64))]
