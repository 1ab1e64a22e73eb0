"""Corpora are registered, never copied: a row for the corpus, one for each shard, and the pairs stay in their files."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import transaction

from backend.catalogue.corpora_layouts import find_shards
from backend.catalogue.corpora_manifest import (
    MANIFEST,
    CorpusManifest,
    Progress,
    ShardEntry,
    check_content,
    read_manifest,
    scan,
)
from backend.catalogue.models import Corpus, CorpusShard
from backend.catalogue.sources.pairs import BESIDE, TABLES, CorpusPair, ShardReader, Slice, open_shard
from backend.catalogue.sources.pairs.rows import shard_path
from backend.catalogue.sources.pairs.url_table import Fetch
from backend.catalogue.sources.rows import MemberRefused, SourceUnreadable
from backend.common.errors import Conflict, InvalidInput, NotFound
from backend.projects.models import Project

STEM = 16  # digits of a digest in the name of a folder
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}", re.ASCII)
BAD_NAME = "Use at most 60 small letters, digits, - and _ for the name of a corpus, not {name}."
TAKEN = "Another corpus in this project has the name {name}. Choose another name."
KNOWN = "This project already has this corpus as {name}."
ELSEWHERE = "The corpus {name} is from another folder. Choose another name, or put it back there."
NO_PAIRS = "This folder has no image with a caption, so it is no corpus. Choose another folder."
NO_MANIFEST = "This folder has no corpus.json. Run `manage.py register_corpus` on the server to make one."


class _Checked(NamedTuple):
    """A file that was found to be what was registered."""

    path: Path
    inode: int
    written_at: int
    changed_at: int
    n_bytes: int
    sha256: str


MOST_CHECKED = 1000
_checked: dict[_Checked, None] = {}  # by this process, oldest first


def name_of(folder: Path) -> str:
    """A name for the corpus of a folder that nobody named."""
    plain = re.sub(r"[^a-z0-9_-]+", "-", folder.name.lower()).strip("-_")[:60]
    return plain or "corpus"


def described(folder: Path) -> CorpusManifest:
    """What the folder's corpus.json says. Raises SourceUnreadable, where there is none too."""
    manifest = read_manifest(folder) if folder.is_dir() else None
    if manifest is None:
        raise SourceUnreadable(NO_MANIFEST, code="no_manifest")
    return manifest


def scanned(folder: Path, *, layout: str = "auto", on_bytes: Progress = lambda n: None) -> CorpusManifest:
    """What a folder without a corpus.json is found to hold, every byte read. Raises SourceUnreadable."""
    found, files = find_shards(folder, layout)
    manifest = scan(folder, files, layout=found, name=name_of(folder), on_bytes=on_bytes)
    _check_not_empty(folder, manifest)
    return manifest


def _check_not_empty(folder: Path, manifest: CorpusManifest) -> None:
    """Raises SourceUnreadable where no shard has a single pair of an image and a caption."""
    for shard in manifest.shards:
        part = Slice(shard.file, shard.first, shard.n_pairs if manifest.layout in TABLES else None)
        rows = open_shard(folder, part, layout=manifest.layout).pairs()
        if any(isinstance(row, CorpusPair) for row in rows):
            return
    raise SourceUnreadable(NO_PAIRS, code="corpus_without_pairs")


def verify(folder: Path, manifest: CorpusManifest, *, on_bytes: Progress = lambda n: None) -> None:
    """Reads every shard. Raises SourceUnreadable naming the first that is not what the manifest says."""
    checked: set[str] = set()
    for shard in manifest.shards:
        if shard.file not in checked:
            check_content(folder, file=shard.file, n_bytes=shard.n_bytes, sha256=shard.sha256, on_bytes=on_bytes)
            checked.add(shard.file)


@transaction.atomic
def register_corpus(
    *, project: Project, folder: Path, manifest: CorpusManifest, name: str = "", licence: str = "", notes: str = ""
) -> tuple[Corpus, bool]:
    """The corpus of a manifest, and whether it is new. Registered again, it is what it was.

    Raises InvalidInput on an unfit name, Conflict where the name or the shards are registered otherwise.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # two that register wait for each other
    if manifest.n_pairs == 0:
        raise SourceUnreadable(NO_PAIRS, code="corpus_without_pairs")
    known = Corpus.objects.filter(project=project, digest=manifest.digest).first()
    name = name or (known.name if known else manifest.name or name_of(folder))
    if not NAME.fullmatch(name):
        raise InvalidInput(BAD_NAME, code="bad_name", params={"name": name[:100]})
    if known is not None:
        return _same(known, name, folder), False
    if Corpus.objects.filter(project=project, name=name).exists():
        raise Conflict(TAKEN, code="name_taken", params={"name": name})
    words = {"licence": (licence or manifest.licence)[:200], "source": manifest.source[:500], "notes": notes}
    facts = {"layout": manifest.layout, "digest": manifest.digest, "n_pairs": manifest.n_pairs}
    corpus = Corpus.objects.create(
        project=project, name=name, folder=str(folder.resolve()), n_shards=len(manifest.shards), **words, **facts
    )
    shards = [_row_of(corpus, position, shard) for position, shard in enumerate(manifest.shards)]
    CorpusShard.objects.bulk_create(shards, batch_size=1000)
    return corpus, True


def _same(known: Corpus, name: str, folder: Path) -> Corpus:
    if known.name != name:
        raise Conflict(KNOWN, code="corpus_known", params={"name": known.name})
    if known.folder != str(folder.resolve()):
        raise Conflict(ELSEWHERE, code="corpus_elsewhere", params={"name": known.name})
    return known


def _row_of(corpus: Corpus, position: int, shard: ShardEntry) -> CorpusShard:
    facts = {"n_bytes": shard.n_bytes, "sha256": shard.sha256, "first": shard.first, "n_pairs": shard.n_pairs}
    return CorpusShard(corpus=corpus, position=position, name=shard.file, **facts)


def keep_manifest(folder: Path, manifest: CorpusManifest, *, inside: bool) -> Path:
    """Write corpus.json into the corpus' folder, or among this site's own data, since sources are often read-only."""
    path = folder / MANIFEST
    if not inside:
        path = manifest_path(manifest.name, manifest.digest)
        path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(manifest.as_json(), encoding="utf-8")
    part.replace(path)
    return path


def manifest_path(name: str, digest: str) -> Path:
    """Where this site keeps the manifest of a corpus whose folder it may not write to."""
    return Path(settings.DATA_DIR) / "corpora" / f"{name}-{digest[:16]}.json"


def stem_of(corpus: Corpus) -> str:
    """A name for the corpus' shards, and for its pictures where those lie beside a table."""
    if corpus.layout not in BESIDE:
        return corpus.digest[:STEM]
    return hashlib.sha256(f"{corpus.digest}\0{corpus.folder}".encode()).hexdigest()[:STEM]


def reader_of(corpus: Corpus, shard: CorpusShard, *, fetch: Fetch | None = None) -> ShardReader:
    """What reads a shard of the corpus."""
    part = Slice(shard.name, shard.first, shard.n_pairs if corpus.layout in TABLES else None)
    return open_shard(Path(corpus.folder), part, layout=corpus.layout, fetch=fetch)


def check_shard(corpus: Corpus, shard: CorpusShard) -> None:
    """Reads all of the shard's file. Raises SourceUnreadable where it is not what was registered.

    A table is read once by a process and not again for each of its slices, as long as nobody touches it.
    """
    folder = Path(corpus.folder)
    if corpus.layout not in TABLES:
        check_content(folder, file=shard.name, n_bytes=shard.n_bytes, sha256=shard.sha256)
        return
    path = shard_path(folder, shard.name)
    seen = _Checked(path, *_touched(path), shard.n_bytes, shard.sha256)
    if seen not in _checked:
        check_content(folder, file=shard.name, n_bytes=shard.n_bytes, sha256=shard.sha256)
        while len(_checked) >= MOST_CHECKED:
            _checked.pop(next(iter(_checked)), None)
        _checked[seen] = None


def _touched(path: Path) -> tuple[int, int, int]:
    """Which file it is and when it was last written: the change time is the system's own, and nobody can set it."""
    state = path.stat()
    return state.st_ino, state.st_mtime_ns, state.st_ctime_ns


def state_of_picture(corpus: Corpus, place: str) -> str:
    """What tells a picture apart that the shard's checksum does not cover: where it lies, its size and its time.

    Empty where the checksum does. Raises SourceUnreadable where the picture is gone.
    """
    if corpus.layout not in BESIDE:
        return ""
    path = shard_path(Path(corpus.folder), place)
    state = path.stat()
    return f"{path}\0{state.st_size}\0{state.st_mtime_ns}"


def read_picture(corpus: Corpus, shard: CorpusShard, place: str, *, fetch: Fetch | None = None) -> bytes:
    """One picture again, by the place that the embedding shard's table has for it.

    Raises NotFound where there is none, or none that `fetch` may have; SourceUnreadable where the shard is gone.
    """
    try:
        return reader_of(corpus, shard, fetch=fetch).read(place)
    except MemberRefused as refused:
        raise NotFound(refused.message, code=refused.code) from refused
