"""Evaluate: models on a release, one after the other, by the code of `manage.py evaluate`.

Encodings and blocks of ranks lie in a folder of the project, so a run that was killed encodes nothing twice, and a
later run of the same model on another release encodes only what is new. A model that is done has its result, whatever
becomes of the next one. One that fails, even on a single item, is kept as not run.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.benchmarks import services
from backend.benchmarks.data import data_of, find_release, with_pictures
from backend.benchmarks.differences import NO_LIMIT, differences_to
from backend.benchmarks.models import Evaluation, EvaluationSource
from backend.benchmarks.selectors import list_evaluations
from backend.common.errors import Conflict
from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.per_query import write_table
from backend.methods.benchmarks.results import shown, words_of
from backend.methods.benchmarks.settings import Settings, settings_of
from backend.methods.benchmarks.tasks import TASKS
from backend.methods.ranking import RankingError
from backend.projects.models import Project
from backend.releases.models import Release
from backend.releases.selectors import get_newest
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.evaluating import Measured, measure_model
from workers.tasks.panel import read_names
from workers.tasks.stage import stage

LOOK_SECONDS = 1.0
COMPARED = 30  # other models that a new one is compared with at once; the page computes the rest
NO_RELEASE = "This project has no release with the ID {id}."
KNOWN = "{model}: this result is here already."
NOT_RUN = "{model} was not run: {why}"
NONE_RUN = "No model could be run. {why}"
DONE = "{model}: {figures}."


@stage("evaluate")
def evaluate(ledger: Ledger) -> None:
    """The cursor holds the release and the models as they were at the start, the model in hand, how far it is
    (`taken`), and how many models have figures (`n_run`)."""
    asked = read_parameters(get_stage("evaluate"), ledger.parameters)
    _begin(ledger, asked)
    release = Release.objects.select_related("project").get(pk=ledger.cursor["release"])
    how = replace(settings_of([f"rule={asked['rule']}"]), seed=ledger.seed)
    try:
        data = _data(release, asked, how)
        names = ledger.cursor["models"]
        ledger.set_total(_size(data) * len(names))
        for position in range(ledger.cursor["position"], len(names)):
            _evaluate(ledger, release, str(asked["task"]), data, names[position], how)
    except (DataError, RankingError) as error:
        raise Conflict(str(error), code="unfit_data") from error
    shutil.rmtree(_folder(ledger.run.project) / "ranks", ignore_errors=True)
    if not ledger.cursor["n_run"]:
        raise Conflict(NONE_RUN.format(why=ledger.cursor["why"]), code="no_model_run")


def _begin(ledger: Ledger, asked: dict[str, Any]) -> None:
    if "release" in ledger.cursor:
        return
    project = ledger.run.project
    release = _find(project, asked["release"]) if asked["release"] else get_newest(project=project)
    if release is None:
        raise Conflict(NO_RELEASE.format(id=asked["release"][:100]), code="no_release_to_measure")
    models = read_names(asked["models"] or settings.DIFFICULTY_PANEL)
    with ledger.step() as step:
        step.cursor = {
            "release": str(release.pk), "models": models, "position": 0, "taken": 0, "n_run": 0, "why": ""
        }  # fmt: skip


def _find(project: Project, name: str) -> Release | None:
    try:
        release = find_release(name)
    except DataError:
        return None
    return release if release.project_id == project.pk else None


def _data(release: Release, asked: dict[str, Any], how: Settings) -> BenchmarkData:
    data = data_of(release)
    used = data.limited(asked["limit"]) if asked["limit"] else data
    return TASKS[asked["task"]].prepare(with_pictures(used, release), how)


def _size(data: BenchmarkData) -> int:
    """What one model does: encode images and captions, and rank all images."""
    return 2 * len(data.images) + len(data.texts)


def _folder(project: Project) -> Path:
    return Path(settings.EMBEDDINGS) / "benchmarks" / project.slug


class _Progress:
    """Tells the run how far a model is, about once a second."""

    def __init__(self, ledger: Ledger, most: int) -> None:
        self._ledger, self._most = ledger, most
        self._n, self._next = 0, time.monotonic() + LOOK_SECONDS
        self._add(-ledger.cursor["taken"])  # what is encoded already is counted again

    def __call__(self, step: str, n: int) -> None:
        self._n += n
        if time.monotonic() >= self._next:
            self._add(min(self._n, self._most) - self._ledger.cursor["taken"])
            self._next = time.monotonic() + LOOK_SECONDS

    def _add(self, n: int) -> None:
        if n:
            with self._ledger.step() as step:
                step.cursor["taken"] += n
                step.done = n


def _evaluate(ledger: Ledger, release: Release, task: str, data: BenchmarkData, name: str, how: Settings) -> None:
    """Measure one model and keep its result."""
    progress = _Progress(ledger, _size(data))
    try:
        found = measure_model(
            task, data, name, how, work=_folder(release.project), code=settings.CODE_VERSION, on_progress=progress
        )  # fmt: skip
    finally:  # a worker that goes on to another run would hold a model that failed
        registry.forget(name)
    model = found.body["model"]
    if model["digest"] != "unknown":
        ledger.set_total(ledger.run.total, models_used={model["name"]: model["digest"]})
    made = None
    with ledger.step() as step:
        step.done = _size(data) - step.cursor["taken"]
        step.cursor |= {"position": step.cursor["position"] + 1, "taken": 0}
        step.counts.update({"in": 1, "out": int(found.outcome is not None)})
        if found.outcome is None:
            step.dropped["not_run"] += 1
            step.cursor["why"] = found.why[:500]
            step.log.append(NOT_RUN.format(model=name, why=found.why[:500]))
        else:
            step.cursor["n_run"] += 1
            step.log.append(DONE.format(model=model["name"], figures=_figures(found)))
        try:
            made = _keep(ledger, release, found)
        except services.AlreadyMeasured:
            step.log.append(KNOWN.format(model=name))
    if made is not None and made.stored_as:
        others = list_evaluations(release=release, task=task).exclude(pk=made.pk).order_by("-created_at")
        differences_to(made, list(others[:COMPARED]), seconds=NO_LIMIT)


def _keep(ledger: Ledger, release: Release, found: Measured) -> Evaluation:
    table = b"" if found.outcome is None else write_table(found.outcome.table)
    return services.keep_evaluation(
        release=release, body=found.body, table=table, is_of_release=True, source=EvaluationSource.RUN,
        run=ledger.run, created_by=ledger.run.started_by,
    )  # fmt: skip


def _figures(found: Measured) -> str:
    """The first figure of each direction, for the log."""
    if found.outcome is None:
        return ""
    firsts: dict[str, str] = {}
    for way, name in found.outcome.headline:
        value = found.body["metrics"][way][name]["value"]
        if value is not None:
            firsts.setdefault(way, f"{words_of(way)} {name} {shown(found.body['metrics'][way][name], name)}")
    return ", ".join(firsts.values()) or "no figures"
