"""Diversity: how much the captions of one image differ, in one dataset or in two (methods/diversity.py).

The images of the datasets go through in slices. What a slice measured is written with the note that it is done, so that
a killed worker goes on at the next one. A dataset that changed since the start ends the run: a report is of one moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from backend.catalogue.selectors import columns_of
from backend.catalogue.sources import MemberRefused
from backend.common.errors import Conflict, InvalidInput
from backend.methods.diversity import mean_bertscore, mean_of_image, mean_of_pairs
from backend.reports import services
from backend.reports.datasets import Dataset, Entry, Sought, open_dataset
from backend.reports.models import DiversityPart
from backend.reports.services import Measured, UsedModel
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.carried import LADDER
from workers.engines.protocols import ImageEncoder, SentenceEncoder, TextEncoder, Vectors
from workers.tasks.memory_limit import bounded_memory
from workers.tasks.panel import told_apart
from workers.tasks.polysemy import clip_of
from workers.tasks.stage import stage

if TYPE_CHECKING:
    from workers.engines.token_encoder import TransformerTokens

IMAGES = 64  # of a slice, the most that a kill can lose
CHANGED = "The dataset {name} has changed since the start of this run. Start a new report."
SAME = "Both datasets are the same. Choose two different datasets."


@dataclass(frozen=True)
class Models:
    """What measures: BERTScore only where somebody named an encoder for it."""

    sentences: SentenceEncoder
    images: ImageEncoder
    texts: TextEncoder
    tokens: TransformerTokens | None

    def used(self) -> dict[str, UsedModel]:
        """By measure."""
        sbert = UsedModel(self.sentences.name, self.sentences.digest)
        clip = UsedModel(self.images.name, self.images.digest, is_trained_on_drawings=self.images.name in LADDER)
        found = {"sbert": sbert, "clip_text": clip, "clip_image": clip}
        if self.tokens:
            found["bertscore"] = UsedModel(self.tokens.name, self.tokens.digest, self.tokens.layer)
        return found


@stage("diversity")
def diversity(ledger: Ledger) -> None:
    """The cursor holds the `digests` of the datasets, and the next slice: its `dataset` and its `position`."""
    asked = read_parameters(get_stage("diversity"), ledger.parameters)
    datasets = _open(ledger, asked)
    with ExitStack() as stack:
        models = _load(stack, asked)
        _begin(ledger, datasets, models)
        for number, dataset in enumerate(datasets):
            start = ledger.cursor["position"] if number == ledger.cursor["dataset"] else 0
            if number < ledger.cursor["dataset"]:
                continue
            for at in range(start, len(dataset.entries), IMAGES):
                _measure(ledger, models, number, at, dataset.entries[at : at + IMAGES])
            with ledger.step() as step:
                step.cursor |= {"dataset": number + 1, "position": 0}
        with ledger.step():
            services.keep_report(run=ledger.run, datasets=datasets, models=models.used(), seed=ledger.seed)


def _open(ledger: Ledger, asked: dict[str, int | str]) -> list[Dataset]:
    names = [str(asked[name]) for name in ("first", "second") if asked[name]]
    if len(set(names)) < len(names):
        raise InvalidInput(SAME, code="same_datasets")
    columns = columns_of(str(asked["columns"]))
    sought = Sought(int(asked["images"]), ledger.seed, str(asked["layout"]), columns)
    run = ledger.run
    with bounded_memory():
        return [open_dataset(name, project=run.project, user=run.started_by, sought=sought) for name in names]


def _load(stack: ExitStack, asked: dict[str, int | str]) -> Models:
    sentences, clip = str(asked["model"] or settings.SENTENCE_MODEL), clip_of(str(asked["clip"]))
    for name in (sentences, clip):
        stack.enter_context(registry.borrowed(name))
    tokens = None
    if asked["bertscore"]:
        from workers.engines.token_encoder import TransformerTokens  # imports torch, which takes seconds

        tokens = TransformerTokens(str(asked["bertscore"]), layer=int(asked["layer"]))
    return Models(registry.sentence_encoder(sentences), *registry.towers(clip), tokens)


def _begin(ledger: Ledger, datasets: Sequence[Dataset], models: Models) -> None:
    used: dict[str, str] = {}
    for model in models.used().values():
        used[told_apart(model.name, model.digest, used)] = model.digest
    ledger.set_total(sum(len(dataset.entries) for dataset in datasets), models_used=used)
    ledger.take_over(DiversityPart.objects)
    digests = [dataset.digest for dataset in datasets]
    if "digests" not in ledger.cursor:
        with ledger.step() as step:
            step.cursor = {"digests": digests, "dataset": 0, "position": 0}
    for dataset, before in zip(datasets, ledger.cursor["digests"], strict=True):
        if dataset.digest != before:
            raise Conflict(CHANGED, code="dataset_changed", params={"name": dataset.name})


def _measure(ledger: Ledger, models: Models, dataset: int, at: int, entries: Sequence[Entry]) -> None:
    measured = list(measure_entries(models, entries))
    n_unseen = sum(one.values["clip_image"] is None for one in measured)
    with ledger.step() as step:
        services.keep_part(run=ledger.run, dataset=dataset, position=at, measured=measured)
        step.cursor |= {"dataset": dataset, "position": at + len(entries)}
        step.done = len(entries)
        step.counts.update({"in": len(entries), "out": len(entries), "no_picture": n_unseen})


def measure_entries(models: Models, entries: Sequence[Entry]) -> Iterator[Measured]:
    """The values of some images. A picture that cannot be read gives no value for it, and leaves the others."""
    texts = [text for entry in entries for text in entry.texts]
    sentences, captions = models.sentences.encode(texts), models.texts.encode(texts)
    tokens = models.tokens.encode(texts) if models.tokens else []
    seen = _seen(models.images, entries)
    start = 0
    for entry in entries:
        mine = slice(start, start + len(entry.texts))
        start = mine.stop
        values = {
            "sbert": mean_of_pairs(sentences[mine]),
            "clip_text": mean_of_pairs(captions[mine]),
            "clip_image": mean_of_image(seen[entry.key], captions[mine]) if entry.key in seen else None,
            "bertscore": mean_bertscore(tokens[mine]),
        }
        yield Measured(entry.key, len(entry.texts), values)


def _seen(encoder: ImageEncoder, entries: Sequence[Entry]) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    for block in encoder.encode(_pictures(entries)):
        found.update(zip(block.keys, block.vectors, strict=True))
    return found


def _pictures(entries: Sequence[Entry]) -> Iterator[tuple[str, bytes]]:
    for entry in entries:
        if entry.read is None:
            continue
        try:
            yield entry.key, entry.read()
        except (MemberRefused, OSError):
            continue
