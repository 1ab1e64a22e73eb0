"""`manage.py evaluate TASK --data DATA`: a model's figures on a benchmark. It needs neither database nor Redis."""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings as site
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.results import latex, make_result, shown, words_of, write_result
from backend.methods.benchmarks.scores import ModelScores, mock_scores, read_run, read_scores
from backend.methods.benchmarks.settings import Settings, settings_of
from backend.methods.benchmarks.tasks import TASKS, Outcome
from backend.methods.benchmarks.vector_sets import score_sides
from backend.methods.ranking import TIES, RankingError
from backend.methods.ranking.blocks import ROWS
from workers.engines.protocols import EngineError

MOCK = "mock"
SOURCES = ("model", "embeddings", "scores", "run")
NO_PACKAGES = "The packages of the worker are missing ({error}). Run pip install -r workers/requirements.txt"


class Command(BaseCommand):
    help = (
        "Measure a model on images and captions, or on queries. It prints a table. With --out it writes result.json, "
        "per_query.parquet, card.md, table.tex and SVG drawings. It needs no database and no Redis."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("task", choices=sorted(TASKS), help="What to measure.")
        parser.add_argument("--data", type=Path, required=True, help="A file or folder with images and captions.")
        parser.add_argument("--model", nargs="+", default=[], metavar="NAME", help="Models to load, or mock.")
        parser.add_argument("--embeddings", type=Path, metavar="FOLDER", help="image.npy and text.npy, or .pt ...")
        parser.add_argument("--scores", type=Path, metavar="FILE.npy", help="A matrix: images by texts, or turned.")
        parser.add_argument("--run", type=Path, metavar="FILE", help="A run in the format of TREC.")
        parser.add_argument("--out", type=Path, metavar="FOLDER", help="The folder for the results.")
        parser.add_argument("--ties", choices=TIES, default="expected", help="The order of equal scores.")
        parser.add_argument("--limit", type=int, metavar="N", help="Use the first N images only.")
        parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="A setting, see the docs.")

    def handle(self, *args: Any, **options: Any) -> None:
        given = [name for name in SOURCES if options[name]]
        if len(given) != 1:
            raise CommandError("Give one of --model, --embeddings, --scores and --run.")
        if "scorer" in [text.partition("=")[0] for text in options["set"]] and given != ["embeddings"]:
            raise CommandError("A scorer is for --embeddings: sets of vectors, or means with log-variances.")
        if options["limit"] is not None and options["limit"] < 1:
            raise CommandError("--limit is a number of images, at least 1.")
        try:
            settings = settings_of(options["set"], ties=options["ties"])
            positives = Path(settings.positives) if settings.positives else None
            data = read_data(options["data"], split=settings.split, rule=settings.rule, positives=positives)
            self.measure(data, settings, options)
        except (DataError, RankingError) as problem:
            raise CommandError(str(problem)) from problem
        except KeyboardInterrupt:
            raise CommandError("Stopped. Nothing was written for the model that was being measured.") from None

    def measure(self, data: BenchmarkData, settings: Settings, options: dict[str, Any]) -> None:
        """All models, one after the other. One that cannot be run does not keep the others from their work."""
        task = TASKS[options["task"]]
        whole = task.prepare(data, settings)
        cut = data.only(read_ids(Path(settings.only)), Path(settings.only).name) if settings.only else data
        cut = cut if options["limit"] is None else cut.limited(options["limit"])
        used = whole if cut is data else task.prepare(cut, settings)
        self.stderr.write(f"{used.name}: {len(used.images):,} images, {len(used.texts):,} texts.")
        names = options["model"] or [""]
        done: list[dict[str, Any]] = []
        failed: dict[str, str] = {}
        for name in names:
            try:
                model = self.scores(name, whole, used, settings, options)
                body, outcome = self.one(model, used, settings, options, several=len(names) > 1)
                done.append(body)
            except (DataError, RankingError, EngineError) as problem:
                if len(names) == 1:
                    raise CommandError(str(problem)) from problem
                failed[name] = str(problem)
        if options["out"] and len(done) > 1:
            (options["out"] / "table.tex").write_text(latex(done, outcome.headline), encoding="utf-8")
        if failed:
            raise CommandError("\n".join(f"{name} was not run: {why}" for name, why in failed.items()))

    def one(
        self, model: ModelScores, data: BenchmarkData, settings: Settings, options: dict[str, Any], *, several: bool
    ) -> tuple[dict[str, Any], Outcome]:
        """Measure, print and write one model."""
        start = time.monotonic()
        self.estimate(model, data)
        with self.bar(f"{model.name}: ranks", len(data.images)) as bar:
            outcome = TASKS[options["task"]].evaluate(data, model, settings, bar.update)
        body = make_result(options["task"], data, model, settings, outcome, code=site.CODE_VERSION)
        if options["out"]:
            folder = options["out"] / file_name(model.name) if several else options["out"]
            write_result(folder, body, outcome, seconds=time.monotonic() - start)
        self.table(body, outcome)
        return body, outcome

    def scores(
        self, name: str, whole: BenchmarkData, used: BenchmarkData, settings: Settings, options: dict[str, Any]
    ) -> ModelScores:
        """The scores of a model for the data that are used; files are for the whole data."""
        if name == MOCK:
            return mock_scores(used, strength=settings.strength, seed=settings.seed)
        if name:
            return self.loaded(name, used)
        if options["scores"]:
            return part_of(read_scores(options["scores"], whole, rows=settings.rows), whole, used)
        if options["run"]:
            return part_of(read_run(options["run"], whole), whole, used)
        return part_of(self.embedded(options["embeddings"], whole, settings), whole, used)

    def loaded(self, name: str, data: BenchmarkData) -> ModelScores:
        from workers.engines.benchmark_models import encode_data

        try:
            with self.bar(f"{name}: images", len(data.images)) as bar:
                return encode_data(name, data, on_progress=lambda n: step_to(bar, n))
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error

    def embedded(self, folder: Path, data: BenchmarkData, settings: Settings) -> ModelScores:
        from workers.engines.embedding_files import declared_scorer, read_embeddings

        try:
            images, texts, digest = read_embeddings(folder)
        except ModuleNotFoundError as error:
            raise CommandError(NO_PACKAGES.format(error=error)) from error
        record = {"kind": "embeddings", "digest": digest, "dtype": str(images.vectors.dtype)}
        return score_sides(folder.name, data, images, texts, record, settings, declared_scorer(folder))

    def bar(self, said: str, total: int) -> Any:
        return tqdm(desc=said, total=total, unit=" images", file=self.stderr, dynamic_ncols=True, leave=False)

    def estimate(self, model: ModelScores, data: BenchmarkData) -> None:
        """What time and memory the ranks will take, by one block."""
        if model.source is None or not len(data.images):
            return
        start = time.monotonic()
        size = model.source.block(0, min(ROWS, len(data.images))).nbytes
        seconds = 2 * (time.monotonic() - start) * len(data.images) / ROWS
        self.stderr.write(f"{model.name}: ranks take about {max(seconds, 1):,.0f} s and {3 * size / 2**20:,.0f} MB.")

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
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"Connote cannot read {path.name}: {problem}.") from problem


def step_to(bar: Any, n: int) -> None:
    """Encoders tell how many are done, a bar wants how many are new."""
    bar.update(n - bar.n)


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
