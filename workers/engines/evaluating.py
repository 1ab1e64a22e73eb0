"""A model of the registry on the data of a benchmark: encoded, ranked, measured. The command and the stage call this.

WORK/encodings/DIGEST OF THE MODEL/images, texts   vectors by the digest of the item (`stored_vectors`)
WORK/ranks                                         blocks of ranks (`rank_blocks`)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from backend.methods.benchmarks.data import BenchmarkData, DataError, StoredPicture, some
from backend.methods.benchmarks.results import make_not_run, make_result
from backend.methods.benchmarks.scores import ModelScores, mock_scores, of_embeddings
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks import TASKS, Outcome
from backend.methods.file_digests import sha256_of_file
from backend.methods.ranking import ScoreSource
from workers.engines import devices, registry
from workers.engines.clip_encoder import ClipTexts
from workers.engines.examining import describe, examine, load
from workers.engines.planning import Plan, plan_encoding
from workers.engines.protocols import EngineError, ImageEncoder, Skipped, TextEncoder, Vectors
from workers.engines.rank_blocks import SharedCounting
from workers.engines.shard_manifest import Recipe
from workers.engines.stored_vectors import count_missing, vectors_of
from workers.engines.unit_vectors import unit_rows

MOCK = "mock"
Step = Literal["images", "captions", "ranks"]
OnProgress = Callable[[Step, int], None]
Picture = Path | StoredPicture
Encoded = tuple[Sequence[int], Vectors, Sequence[Skipped]]


class NotRunError(Exception):
    """A model failed, perhaps on some items, by their ids. It has no figures: these would be wrong answers.

    `record` is what is known of the model.
    """

    def __init__(self, reason: str, items: Sequence[str] = (), record: Mapping[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.items, self.record = tuple(items), dict(record or {})


@dataclass(frozen=True)
class Measured:
    """`body` is what result.json has. A model that was not run has no `outcome`."""

    body: dict[str, Any]
    outcome: Outcome | None

    @property
    def why(self) -> str:
        """Why the model was not run; empty where it was."""
        return str(self.body["not_run"]["reason"]) if self.outcome is None else ""


def measure_model(
    task: str,
    data: BenchmarkData,
    name: str,
    settings: Settings,
    *,
    work: Path | None = None,
    code: str,
    on_progress: OnProgress = lambda step, n: None,
    on_plan: Callable[[Plan], None] = lambda plan: None,
) -> Measured:
    """The result of the model called `name`, which says so where the model could not be run.

    `data` is what the task prepared. `work` is a folder that any number of processes may share; a process that was
    killed goes on. Raises DataError for data that no model can be run on.
    """
    try:
        model = _scores(name, data, settings, work, on_progress, on_plan)
        outcome = measure(task, data, model, settings, work=work, on_progress=partial(on_progress, "ranks"))
    except (EngineError, NotRunError) as problem:
        told = problem if isinstance(problem, NotRunError) else NotRunError(str(problem))
        record, items = {"name": name, "kind": "model", "digest": "unknown"} | told.record, told.items
        return Measured(make_not_run(task, data, record, settings, str(problem), items, code=code), None)
    return Measured(make_result(task, data, model, settings, outcome, code=code), outcome)


def measure(
    task: str,
    data: BenchmarkData,
    model: ModelScores,
    settings: Settings,
    *,
    work: Path | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Outcome:
    """The outcome of scores that exist. Ranks are counted on the GPU where there is one. On a processor, those of large
    data are cut into blocks, which lie in `work`."""
    if model.source is not None and (source := _on_card(model.source)) is not model.source:
        model = replace(model, source=source)
    elif work is not None and model.source is not None:
        told = json.dumps([data.digest, model.name, dict(model.record)], sort_keys=True, default=str)
        model = replace(model, counting=SharedCounting(work / "ranks", told))
    return TASKS[task].evaluate(data, model, settings, on_progress)


def _on_card(source: ScoreSource) -> ScoreSource:
    """The scores on the GPU; on a machine without one, and of a matrix in a file, as they are."""
    card = devices.card()
    if card is None:
        return source
    from workers.engines.card_ranks import on_card

    return on_card(source, card, precision=devices.precision())


def _scores(
    name: str,
    data: BenchmarkData,
    settings: Settings,
    work: Path | None,
    on_progress: OnProgress,
    on_plan: Callable[[Plan], None],
) -> ModelScores:
    if name == MOCK:
        return mock_scores(data, strength=settings.strength, seed=settings.seed)
    return encode_data(name, data, work=work, on_progress=on_progress, on_plan=on_plan)


def encode_data(
    name: str,
    data: BenchmarkData,
    *,
    work: Path | None = None,
    on_progress: OnProgress = lambda step, n: None,
    on_plan: Callable[[Plan], None] = lambda plan: None,
) -> ModelScores:
    """The scores of the model called `name`, which is examined first.

    Raises DataError for images or captions that are not there, NotRunError for items that the model fails on,
    EngineError.
    """
    if data.captions is None:
        raise DataError(f"{data.name} has ids of texts without their words, so a model cannot read them.")
    pictures = _pictures(data)
    with registry.borrowed(name):
        images, texts = load(name)
        if texts is None:
            raise NotRunError("The model takes only images. A benchmark needs a model for images and texts.")
        record = describe(images, texts)
        try:
            return _encoded(images, texts, pictures, data, record, work, on_progress, on_plan)
        except (EngineError, NotRunError) as problem:
            items = problem.items if isinstance(problem, NotRunError) else ()
            raise NotRunError(str(problem), items, record) from problem


def _encoded(
    images: ImageEncoder,
    texts: TextEncoder,
    pictures: Sequence[tuple[str, Picture]],
    data: BenchmarkData,
    record: Mapping[str, Any],
    work: Path | None,
    on_progress: OnProgress,
    on_plan: Callable[[Plan], None],
) -> ModelScores:
    captions = data.captions or ()
    found = examine(images, texts)
    found.check()
    folder = None if work is None else work / "encodings" / record["digest"][:32]
    of_images = _Side(folder and folder / "images", record, images.preprocessing, images.dimensions)
    of_texts = _Side(folder and folder / "texts", record, "text", texts.dimensions)
    picture_keys = [each.sha256 if isinstance(each, StoredPicture) else sha256_of_file(each) for _, each in pictures]
    text_keys = [_digest(text) for text in captions]
    seconds = (
        found.seconds["images"] * count_missing(of_images.folder, list(dict.fromkeys(picture_keys))),
        found.seconds["texts"] * count_missing(of_texts.folder, list(dict.fromkeys(text_keys))),
    )
    on_plan(plan_encoding(data, images.dimensions, *seconds))
    image_vectors = _encode_images(images, pictures, picture_keys, of_images, partial(on_progress, "images"))
    text_vectors = _encode_texts(texts, captions, text_keys, of_texts, partial(on_progress, "captions"))
    n_cut = count_cut(texts, captions)
    told = {key: value for key, value in record.items() if key != "name"} | {"examined_within": found.tolerance}
    told |= {} if n_cut is None else {"truncated_captions": n_cut}
    return of_embeddings(images.name, data, (image_vectors, None), (text_vectors, None), told)


@dataclass(frozen=True)
class _Side:
    """Where the vectors of images or of texts are kept, and of what model they are."""

    folder: Path | None
    record: Mapping[str, Any]
    preprocessing: str
    dimension: int

    @property
    def recipe(self) -> Recipe:
        return Recipe(self.record["name"], self.record["digest"], self.preprocessing, self.dimension)


def _encode_images(
    encoder: ImageEncoder,
    pictures: Sequence[tuple[str, Picture]],
    keys: Sequence[str],
    side: _Side,
    on_progress: Callable[[int], None],
) -> Vectors:
    """A vector for each picture; one that comes twice is encoded once. Raises NotRunError for those without one."""
    first = _first_places(keys)
    order = list(first)
    numbers = {pictures[at][0]: place for place, at in enumerate(first.values())}

    def encode(places: Sequence[int]) -> Iterator[Encoded]:
        given = (pictures[first[order[place]]] for place in places)
        opened = ((key, each.read() if isinstance(each, StoredPicture) else each) for key, each in given)
        for block in encoder.encode(opened):
            here = [numbers[image] for image in block.keys]
            _check(block.vectors, encoder.name, [f"image {image!r}" for image in block.keys])
            skipped = [Skipped(order[numbers[each.key]], each.reason, each.code) for each in block.skipped]
            yield here, block.vectors, skipped

    found, skipped = vectors_of(side.folder, side.recipe, order, encode, on_progress=on_progress)
    if skipped:
        bad = {each.key: each.reason for each in skipped}
        items = [image for (image, _), key in zip(pictures, keys, strict=True) if key in bad]
        raise NotRunError(f"The model cannot be run: {some(items)} cannot be read. {skipped[0].reason}", items)
    on_progress(len(keys) - len(order))
    place = {key: at for at, key in enumerate(order)}
    return found[[place[key] for key in keys]]


def _encode_texts(
    encoder: TextEncoder, texts: Sequence[str], keys: Sequence[str], side: _Side, on_progress: Callable[[int], None]
) -> Vectors:
    """A vector for each text; one that comes twice is encoded once."""
    first = _first_places(keys)
    order = list(first)

    def encode(places: Sequence[int]) -> Iterator[Encoded]:
        words = tuple(texts[first[order[place]]] for place in places)
        if words:
            vectors = encoder.encode(words)
            _check(vectors, encoder.name, [f"text {text[:80]!r}" for text in words])
            yield places, vectors, ()

    found, _ = vectors_of(side.folder, side.recipe, order, encode, on_progress=on_progress)
    on_progress(len(keys) - len(order))
    place = {key: at for at, key in enumerate(order)}
    return found[[place[key] for key in keys]]


def _check(vectors: Vectors, name: str, items: Sequence[str]) -> None:
    """Raises NotFiniteError for the first item whose vector is NaN, infinity or zero."""
    if len(vectors):
        unit_rows(vectors, name=name, what=items.__getitem__)


def count_cut(encoder: TextEncoder, texts: Sequence[str]) -> int | None:
    """How many captions are longer than the model reads; None where the model cannot say so."""
    return sum(encoder.are_cut(texts)) if isinstance(encoder, ClipTexts) else None


def _first_places(keys: Sequence[str]) -> dict[str, int]:
    """Each key once, in their order, and where it comes first."""
    found: dict[str, int] = {}
    for at, key in enumerate(keys):
        found.setdefault(key, at)
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _pictures(data: BenchmarkData) -> list[tuple[str, Picture]]:
    missing = [image for image in data.images if not _is_there(data.pictures.get(image))]
    if missing:
        raise DataError(
            f"{data.name} lacks the files of {len(missing):,} images: {some(missing)}. Put them next to the data, or "
            "give --embeddings, --scores or --run."
        )
    return [(image, data.pictures[image]) for image in data.images]


def _is_there(picture: Picture | None) -> bool:
    return isinstance(picture, StoredPicture) or (picture is not None and picture.is_file())
