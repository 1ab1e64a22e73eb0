"""Reads over calibrations: a row for each model with its newest record, whether it still holds, and its versions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.conf import settings

from backend.common.errors import NotFound
from backend.curation import calibrating
from backend.curation.calibrating import Staleness
from backend.curation.models import CalibrationRecord, StaleReason
from backend.curation.panel_reads import default_panel, honesty_of
from backend.curation.site_models import facts_of, list_helpers
from backend.methods.calibration import Calibration, NotCalibratedError
from backend.methods.calibration_records import KeptRecord, is_path, key_of, last_part, places_of, read_kept
from backend.methods.difficulty import is_carried
from backend.methods.said import Said
from backend.projects.models import Project
from backend.runs.models import Run

CURVE_COLUMNS = ("threshold", "precision", "recall", "f1", "is_chosen")
NO_PANEL = Said("panel_missing", "This site has no models for this stage. Set CONNOTE_DIFFICULTY_PANEL.")
PANEL_UNCALIBRATED = "These models of the site are not calibrated: {models}. Run Calibrate models first."
POINT = ("threshold", "precision", "recall", "f1")


def get_models(*, project: Project) -> dict[str, Any]:
    """What `GET calibrations` shows: the models of the site's panel in its order, then others with a record."""
    panel = default_panel()
    records: dict[str, list[CalibrationRecord]] = defaultdict(list)
    for record in calibrating.records_of(project=project).defer("curve"):
        records[record.key].append(record)
    names = {key_of(name): name for name in panel}
    others = {key: rows[0].asked for key, rows in records.items() if key not in names}
    staleness = Staleness(project)
    return {
        "models": [
            _model(name, records.get(key, []), staleness, is_in_panel=key in names)
            for key, name in (names | others).items()
        ],
        "helpers": list_helpers(),
        "n_own_pairs": calibrating.count_own_pairs(project=project),
        "honesty": honesty_of(project=project, models=[*panel, *others.values()]),
        "run": Run.objects.filter(project=project, stage="calibrate").order_by("-created_at", "-id").first(),
    }


def _model(name: str, rows: list[CalibrationRecord], staleness: Staleness, *, is_in_panel: bool) -> dict[str, Any]:
    """One model: figures of its newest record, else of the one that came with it."""
    reasons = {row.pk: staleness.reasons(row) for row in rows}
    shipped = find_shipped(name)
    used = next((row for row in rows if not reasons[row.pk]), None)
    state = "shipped" if shipped else "missing"
    if rows:
        state = "stale" if reasons[rows[0].pk] else "current"
    return {
        "key": key_of(name),
        "model": last_part(name),
        "name": "" if _is_private(name) else name,
        "is_in_panel": is_in_panel,
        "is_carried": is_carried(name),
        "digest": rows[0].digest if rows else shipped.digest if shipped else "",
        **facts_of(name),
        "state": state,
        "stale_reasons": reasons[rows[0].pk] if rows else [],
        "used": used.pk if used else None,
        "is_shipped_used": used is None and shipped is not None,
        "figures": _figures(rows[0]) if rows else _shipped_figures(shipped) if shipped else None,
        "versions": [_version(row, reasons[row.pk]) for row in rows],
    }


def _is_private(name: str) -> bool:
    return name.startswith("local-dir:") or is_path(name.removeprefix("hf-hub:"))


def find_shipped(name: str) -> KeptRecord | None:
    """The calibration beside a model's weights, or the one in CONNOTE_CALIBRATIONS; None without one that is whole."""
    for place in places_of(name, settings.CALIBRATIONS, settings.CARRIED_MODELS):
        if place.is_file():
            try:
                return read_kept(place)
            except (NotCalibratedError, OSError, ValueError):
                return None
    return None


def find_uncalibrated(project: Project) -> Said | None:
    """The models of the site's panel that cannot vote in this project, in a sentence; None where all of them can.

    A record whose pairs alone changed is used where there is no other. Whether the weights are others is seen only
    once a model is loaded.
    """
    panel = default_panel()
    if not panel:
        return NO_PANEL
    held = {
        record.key
        for record in calibrating.records_of(project=project).only("key", "stale_reasons")
        if set(record.stale_reasons) <= {StaleReason.PAIRS}
    }
    missing = [last_part(name) for name in panel if key_of(name) not in held and find_shipped(name) is None]
    if not missing:
        return None
    return Said("panel_uncalibrated", PANEL_UNCALIBRATED, {"models": ", ".join(missing)})


def _figures(row: CalibrationRecord) -> dict[str, Any]:
    return _numbers(Calibration.from_json(row.calibration)) | {"pairs": row.pairs}


def _shipped_figures(record: KeptRecord) -> dict[str, Any]:
    return _numbers(record.calibration) | {"pairs": record.pairs}


def _numbers(made: Calibration) -> dict[str, Any]:
    return {
        "threshold": made.threshold,
        "f1": made.f1,
        "precision": made.precision,
        "recall": made.recall,
        "batch_size": made.batch_size,
        "n_pairs": made.n_pairs,
        "prevalence": made.prevalence,
        "kept_share": made.pool_keep_fraction,
    }


def _version(row: CalibrationRecord, reasons: list[str]) -> dict[str, Any]:
    return {
        "id": row.pk,
        "version": row.version,
        "is_of_site": row.project_id is None,
        "created_at": row.created_at,
        "stale_reasons": reasons,
        "threshold": row.calibration["threshold"],
        "f1": row.calibration["f1"],
    }


def get_record(*, project: Project, record_id: int) -> CalibrationRecord:
    """One record of the project or of the site. Raises NotFound."""
    found = calibrating.records_of(project=project).filter(pk=record_id).first()
    if found is None:
        raise NotFound()
    return found


def present_record(*, project: Project, record: CalibrationRecord) -> dict[str, Any]:
    """A record with its curve, as the page and the file show it."""
    made = Calibration.from_json(record.calibration)
    numbers = {name: getattr(made, name) for name in ("seed", "n_positives", "n_negatives", "n_equal_texts")}
    return {
        **_version(record, Staleness(project).reasons(record)),
        "model": record.model,
        "digest": record.digest,
        "preprocessing": record.preprocessing,
        "run": str(record.run_id) if record.run_id else None,
        "n_lost": record.n_lost,
        **numbers,
        "figures": _figures(record),
        "curve": [dict(zip(POINT, point, strict=True)) for point in record.curve],
    }


def curve_rows(record: CalibrationRecord) -> Iterator[dict[str, Any]]:
    """A row for each point of the curve, the strictest first."""
    chosen = record.calibration["threshold"]
    for point in record.curve:
        yield dict(zip(POINT, point, strict=True)) | {"is_chosen": point[0] == chosen}
