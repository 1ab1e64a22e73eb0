"""A stand-in for the parser of Suggest edits, and a sample that is active."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from django.utils import timezone

from backend.candidates import suggesting
from backend.candidates.suggesting import Parsed, suggest_for_captions
from backend.catalogue.models import Sample
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.models import Run


def colours(texts: Sequence[str]) -> Iterator[Parsed]:
    """Stands in for a parser: words between spaces, no names."""
    for text in texts:
        words, at = [], 0
        for word in text.split(" "):
            kind = {"lemma": word, "pos": "ADJ", "tag": "JJ"}
            words.append(SimpleNamespace(text=word, start=at, end=at + len(word), **kind))
            at += len(word) + 1
        yield SimpleNamespace(tokens=words, entities=(), problem="")


def suggest(ledger: Ledger, parse: suggesting.Parse = colours) -> Ledger:
    suggest_for_captions(ledger=ledger, parse=parse, models_used={"colours": "0"})
    return ledger


def put_sample_in_force(project: Project) -> Sample:
    made_by = Run.objects.create(project=project, stage="sample")
    facts = {
        "k": 1, "n_images": 2, "n_picked": 1, "n_left_out": 0, "is_everything": False, "is_short": False,
        "cover_radius": 1.0, "layout": "umap", "settings": {}, "versions": {}, "model": "m", "model_digest": "d",
        "digest": "d",
    }  # fmt: skip
    return Sample.objects.create(run=made_by, project=project, in_force_since=timezone.now(), **facts)
