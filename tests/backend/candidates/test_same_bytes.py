"""Import, embed, retrieve and clean in a new database and new folders, with one worker or two: the same bytes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.models import Model

from backend.candidates.models import Candidate, Neighbour, Pool, Suspect
from backend.catalogue import corpora
from backend.catalogue.models import ShardWork
from backend.methods.file_digests import sha256_of_file
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import key
from drawn import BY, write_tar
from protractor import Protractor, at
from workers.engines import registry
from workers.engines.protocols import EncodedBlock, PictureSource
from workers.tasks import corpora as embedding

pytestmark = pytest.mark.django_db(transaction=True)
ANGLES = (0, 30, 60, 90)
SAID = (
    "A red kite over the sea", "a red kite over the sea!", "Kites", "The cafÃ©  at night", "Две лодки у берега",
    "Silence before the first tram of the day", "\u200b\u200b", "🪁🪁",
)  # fmt: skip
TITLES = ("A &lt;b&gt;red&lt;/b&gt; kite over the harbour | Sky Prints", "IMG_0042.JPG", "kite kite kite kite")
OF_THIS_DATABASE = {"id", "created_at", "project_id", "run_id", "image_id", "neighbour_id", "corpus_id"}


@dataclass
class Together(Protractor):
    """A protractor that, with `wait`, does not look at a picture before two workers do."""

    wait: bool = False
    threads: set[int] = field(default_factory=set)
    met: threading.Event = field(default_factory=threading.Event)

    def encode(self, pictures: Iterable[tuple[str, PictureSource]], **more: Any) -> Iterator[EncodedBlock]:
        self.threads.add(threading.get_ident())
        if len(self.threads) > 1 or not self.wait:
            self.met.set()
        assert self.met.wait(20), "The second worker never came."
        yield from super().encode(pictures, **more)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Four images, four tars of twelve pictures with one that is broken, and a table of captions and web titles."""
    folder = tmp_path / "sources"
    (folder / "images").mkdir(parents=True)
    (folder / "corpus").mkdir()
    rows = [{"file_name": f"{n}.jpg", "id": f"t{n}", "license": BY} for n in range(len(ANGLES))]
    for n, angle in enumerate(ANGLES):
        (folder / "images" / f"{n}.jpg").write_bytes(at(angle, n=500 + n))
    (folder / "images" / "pictures.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for shard in range(4):
        numbers = range(12 * shard, 12 * (shard + 1))
        drawn = {n: at(n * 7 % 91, n=n) if n != 17 else b"no picture" for n in numbers}
        members = {f"{key(n)}.jpg": data for n, data in drawn.items()}
        members |= {f"{key(n)}.txt": SAID[n % len(SAID)].encode() for n in numbers}
        write_tar(folder / "corpus" / f"{shard:05d}.tar", dict(sorted(members.items())))
    said = [{"image_id": f"t{n}", "caption": text, "source": "web"} for n in range(4) for text in TITLES]
    (folder / "captions.jsonl").write_text("\n".join(map(json.dumps, said)))
    return folder


@pytest.fixture
def walk(sources: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Everything from an empty database in empty folders: what stands in the rows, and the files' digests."""

    def run_all(name: str, *, second_worker: bool = False) -> tuple[list[str], dict[str, str]]:
        call_command("flush", interactive=False, reset_sequences=False, verbosity=0)
        settings.MEDIA_ROOT, settings.DATA_DIR = tmp_path / name / "media", tmp_path / name / "data"
        settings.EMBEDDINGS = tmp_path / name / "embeddings"
        encoder = Together(wait=second_worker)
        settings.VISION_MODEL = encoder.name
        registry.image_encoder.use(encoder.name, encoder)
        project = Project.objects.create(slug="skies", name="Skies", created_by=User.objects.create_user("alice"))
        folder = sources / "corpus"
        corpora.register_corpus(project=project, folder=folder, manifest=corpora.scanned(folder), name="near")
        with helper(monkeypatch) if second_worker else nullcontext():
            run_stages(project, sources)
        assert ShardWork.objects.values("claimed_by").distinct().count() == 1 + second_worker
        return told(), files_in(settings.EMBEDDINGS)

    return run_all


@contextmanager
def helper(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A second worker, on a thread of this process, that follows the first invitation."""
    helpers: list[threading.Thread] = []

    def come(run_id: str) -> None:
        try:
            embedding.embed_shards(run_id)
        finally:
            connections.close_all()

    def invite(run_id: str, **more: Any) -> None:
        if not helpers:
            helpers.append(threading.Thread(target=come, args=(run_id,), daemon=True))
            helpers[0].start()

    with monkeypatch.context() as patch:
        patch.setattr(embedding.queue, "invite", invite)
        patch.setattr(embedding, "WAIT", 0.01)
        yield
    helpers[0].join(30)
    assert not helpers[0].is_alive()


def run_stages(project: Project, sources: Path) -> None:
    asked: dict[str, dict[str, object]] = {
        "import_images": {"source": str(sources / "images")},
        "import_candidates": {"source": str(sources / "captions.jsonl")},
        "embed_corpus": {"corpus": "near"},
        "retrieve": {"radius": 10**5, "min_cluster_size": 5},
        "clean": {},
    }
    for stage, parameters in asked.items():
        run = services.start_run(project=project, stage=stage, parameters=parameters, seed=11)
        run.refresh_from_db()
        assert run.status == RunStatus.SUCCEEDED, run.error


def told() -> list[str]:
    """Every column of every row that the stages leave, but for ids and times, in an order that needs neither."""
    named: dict[type[Model], tuple[str, ...]] = {
        Candidate: ("image__digest",),
        Pool: ("image__digest", "run__stage"),
        Suspect: ("image__digest", "neighbour__shard", "neighbour__key"),
        Neighbour: ("corpus__name",),
        Refusal: ("run__stage",),
    }
    rows = [row for model, names in named.items() for row in rows_of(model, names)]
    counts = Run.objects.order_by("stage").values("stage", "counts", "log_tail", "done", "total", "models_used", "seed")
    return [*rows, *(json.dumps(run, sort_keys=True) for run in counts)]


def rows_of(model: type[Model], names: tuple[str, ...]) -> list[str]:
    own = [one.attname for one in model._meta.concrete_fields if one.attname not in OF_THIS_DATABASE]
    rows = model._default_manager.values(*own, *names)
    return sorted(f"{model.__name__} {json.dumps(row, sort_keys=True)}" for row in rows)


def files_in(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): sha256_of_file(path) for path in files}


@pytest.mark.nightly
def test_the_whole_stage_gives_the_same_bytes_in_a_new_database_and_with_two_workers(walk: Callable[..., Any]) -> None:
    rows, files = walk("first")
    assert {row.partition(" ")[0] for row in rows if row[0] != "{"} == {
        "Candidate", "Neighbour", "Pool", "Refusal", "Suspect"
    }  # fmt: skip
    assert {Path(name).suffix for name in files} >= {".npy", ".parquet", ".json"}
    dropped = set(Candidate.objects.exclude(drop_rule="").values_list("drop_rule", flat=True))
    assert {"too_short", "repetition", "duplicate", "empty"} <= dropped, dropped
    again = walk("again")
    assert again[0] == rows
    assert again[1] == files
    with_two = walk("with-two-workers", second_worker=True)
    assert with_two[0] == rows
    assert with_two[1] == files
