"""`manage.py evaluate TASK --data DATA`: a model's figures on a benchmark. It needs neither database nor Redis."""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings as site
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.formats import with_positives
from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.results import latex, make_result, shown, words_of, write_result
from backend.methods.benchmarks.scores import ModelScores, read_run, read_scores
from backend.methods.benchmarks.settings import Settings, settings_of
from backend.methods.benchmarks.tasks import TASKS, Outcome
from backend.methods.benchmarks.vector_sets import score_sides
from backend.methods.ranking import TIES, RankingError
from workers.engines.evaluating import MOCK, Measured, measure, measure_model
from workers.engines.planning import plan_ranks

HUB_ID = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
NAMED = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z0-9-]+:[\w.+-]+", re.ASCII)
SOURCES = ("model", "embeddings", "scores", "run")
NO_BAR: Any = tqdm(disable=True)
STOPPED = "Stopped. With --out or --work, run the same command again to continue."
NO_PACKAGES = "The packages of the worker are missing ({error}). Run pip install -r workers/requirements.txt"


class Command(BaseCommand):
    help = (
        "Measure a model on images and captions, or on queries. It prints a table. With --out it writes result.json, "
        "per_query.parquet, card.md, table.tex, .eval_results and SVG drawings. It needs no database and no Redis."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=sorted(TASKS), help="What to measure.")
        parser.add_argument("--data", type=Path, required=True, help="A file or folder, or PROJECT:VERSION.")
        parser.add_argument("--model", nargs="+", default=[], metavar="NAME", help="Models to load, or mock.")
        parser.add_argument("--embeddings", type=Path, metavar="FOLDER", help="image.npy and text.npy, or .pt ...")
        parser.add_argument("--scores", type=Path, metavar="FILE.npy", help="A matrix: images by texts, or turned.")
        parser.add_argument("--run", type=Path, metavar="FILE", help="A run in the format of TREC.")
        parser.add_argument("--out", type=Path, metavar="FOLDER", help="The folder for the results.")
        parser.add_argument("--ties", choices=TIES, default="expected", help="The order of equal scores.")
        parser.add_argument("--limit", type=int, metavar="N", help="Use the first N images only.")
        parser.add_argument(
            "--work",
            type=Path,
            metavar="FOLDER",
            help="Keep encodings and ranks here, to go on after a stop. Processes may share it. Default: OUT/work.",
        )
        parser.add_argument("--hub", default="", metavar="OWNER/NAME", help="The id of the data on the Hub.")
        parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="A setting, see the docs.")

    def handle(self, *args: Any, **options: Any) -> None:
        given = [name for name in SOURCES if options[name]]
        if len(given) != 1:
            raise CommandError("Give one of --model, --embeddings, --scores and --run.")
        if "scorer" in [text.partition("=")[0] for text in options["set"]] and given != ["embeddings"]:
            raise CommandError("A scorer is for --embeddings: sets of vectors, or means with log-variances.")
        if options["hub"] and not HUB_ID.fullmatch(options["hub"]):
            raise CommandError("--hub is the id of a data set on the Hub: OWNER/NAME.")
        if options["limit"] is not None and options["limit"] < 1:
            raise CommandError("--limit is a number of images, at least 1.")
        try:
            settings = settings_of(options["set"], ties=options["ties"])
            self.measure(self.read(options, settings), settings, options)
        except (DataError, RankingError) as problem:
            raise CommandError(str(problem)) from problem
        except KeyboardInterrupt:
            raise CommandError(STOPPED) from None

    def read(self, options: dict[str, Any], settings: Settings) -> BenchmarkData:
        """The data of a file or folder, or of a release in the database by its ID or PROJECT:VERSION."""
        positives = Path(settings.positives) if settings.positives else None
        if options["data"].exists() or not NAMED.fullmatch(str(options["data"])):
            return read_data(options["data"], split=settings.split, rule=settings.rule, positives=positives)
        from backend.benchmarks.data import read_release

        pictures = any(name != MOCK for name in options["model"])
        data = read_release(str(options["data"]), split=settings.split, pictures=pictures)
        return data if positives is None else with_positives(data, positives)

    def measure(self, data: BenchmarkData, settings: Settings, options: dict[str, Any]) -> None:
        """All models, one after the other. One that cannot be run does not keep the others from their work."""
        task = TASKS[options["task"]]
        whole = task.prepare(data, settings)
        cut = data.only(read_ids(Path(settings.only)), Path(settings.only).name) if settings.only else data
        cut = cut if options["limit"] is None else cut.limited(options["limit"])
        used = whole if cut is data else task.prepare(cut, settings)
        self.stderr.write(f"{used.name}: {len(used.images):,} images, {len(used.texts):,} texts.")
        names = list(dict.fromkeys(options["model"])) or [""]
        done: list[Measured] = []
        for name in names:
            start = time.monotonic()
            found = self.one(name, whole, used, settings, options)
            done.append(found)
            if options["out"]:
                folder = options["out"] / file_name(found.body["model"]["name"]) if len(names) > 1 else options["out"]
                write_result(folder, found.body, found.outcome, seconds=time.monotonic() - start, hub=options["hub"])
            if found.outcome is not None:
                self.table(found.body, found.outcome)
        headlines = [each.outcome.headline for each in done if each.outcome is not None]
        if options["out"] and len(done) > 1 and headlines:
            text = latex([each.body for each in done], headlines[0])
            (options["out"] / "table.tex").write_text(text, encoding="utf-8")
        if failed := [each for each in done if each.outcome is None]:
            raise CommandError("\n".join(f"{each.body['model']['name']} was not run: {each.why}" for each in failed))

    def one(
        self, name: str, whole: BenchmarkData, used: BenchmarkData, settings: Settings, options: dict[str, Any]
    ) -> Measured:
        """Measure one model by its name, or the scores of files."""
        task, work = options["task"], options["work"] or (options["out"] and options["out"] / "work")
        with Bars(name or "scores", used, self.stderr) as bars:
            if name:
                try:
                    return measure_model(
                        task, used, name, settings, work=work, code=site.CODE_VERSION,
                        on_progress=bars, on_plan=lambda plan: self.stderr.write(f"{name}: {plan}."),
                    )  # fmt: skip
                except ModuleNotFoundError as error:
                    raise CommandError(NO_PACKAGES.format(error=error)) from error
            model = self.scores(whole, used, settings, options)
            if model.source is not None:
                self.stderr.write(f"{model.name}: {plan_ranks(model.source)}.")
            outcome = measure(task, used, model, settings, work=work, on_progress=partial(bars, "ranks"))
            return Measured(make_result(task, used, model, settings, outcome, code=site.CODE_VERSION), outcome)

    def scores(
        self, whole: BenchmarkData, used: BenchmarkData, settings: Settings, options: dict[str, Any]
    ) -> ModelScores:
        """The scores of files for the data that are used; files are for the whole data."""
        if options["scores"]:
            return part_of(read_scores(options["scores"], whole, rows=settings.rows), whole, used)
        if options["run"]:
            return part_of(read_run(options["run"], whole), whole, used)
        return self.embedded(options["embeddings"], whole, used, settings)

    def embedded(self, folder: Path, whole: BenchmarkData, used: BenchmarkData, settings: Settings) -> ModelScores:
        """Vectors with ids may be of the used items alone; without ids they are in the order of the whole data."""
        from workers.engines.embedding_files import declared_scorer, read_embeddings

        try:
            images, texts, digest = read_embeddings(folder)
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error
        record = {"kind": "embeddings", "digest": digest, "dtype": str(images.vectors.dtype)}
        has_ids = images.ids is not None and texts.ids is not None
        data, declared = used if has_ids else whole, declared_scorer(folder)
        return part_of(score_sides(folder.name, data, images, texts, record, settings, declared), data, used)

    def table(self, body: dict[str, Any], outcome: Outcome) -> None:
        self.stdout.write(f"\n{body['model']['name']} on {body['data']['name']}, {body['task']}")
        for way, name in outcome.headline:
            figure = body["metrics"][way][name]
            self.stdout.write(f"  {words_of(way):<14} {name:<16} {shown(figure, name):<28} n {figure['n']:,}")
        for way, each in body["dropped"].items():
            if each["n"]:
                self.stdout.write(f"  {words_of(way):<14} left out: {each['n']:,} ({each['reason']})")


def read_ids(path: Path) -> list[str]:
    """The ids of a file, one in each line. Raises DataError."""
    try:
        return [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"Connote cannot read {path.name}: {problem}.") from problem


class Bars:
    """A bar for each step of one model, one after the other."""

    def __init__(self, name: str, data: BenchmarkData, file: Any) -> None:
        self._name, self._file = name, file
        self._totals = {"images": len(data.images), "captions": len(data.texts), "ranks": len(data.images)}
        self._step, self._bar = "", NO_BAR

    def __call__(self, step: str, n: int) -> None:
        """`n` more are done."""
        if step != self._step:
            self.close()
            self._step = step
            self._bar = tqdm(
                desc=f"{self._name}: {step}", total=self._totals[step], file=self._file, dynamic_ncols=True, leave=False
            )
        self._bar.update(n)

    def close(self) -> None:
        """Take the bar away."""
        self._bar.close()

    def __enter__(self) -> Bars:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def part_of(model: ModelScores, whole: BenchmarkData, used: BenchmarkData) -> ModelScores:
    """The scores of some images and texts, where --limit cuts the data."""
    if used is whole:
        return model
    numbers = whole.text_numbers
    record = {**model.record, "limit": len(used.images)}
    if model.source is None:
        queries, items = set(used.texts) | set(used.images), set(used.images) | set(used.texts)
        run = {
            query: {item: score for item, score in found.items() if item in items}
            for query, found in model.run.items()
            if query in queries
        }
        return ModelScores(model.name, record, run=run, direction=model.direction)
    texts = np.array([numbers[text] for text in used.texts], np.int64)
    of_images = whole.image_numbers
    images = np.array([of_images[image] for image in used.images], np.int64)
    return ModelScores(model.name, record, model.source.part(images, texts))


def file_name(model: str) -> str:
    """What the folder of a model is called."""
    return re.sub(r"[^\w.=-]+", "--", model).strip("-.") or "model"
