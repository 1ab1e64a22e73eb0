"""`manage.py register_corpus --project skies FOLDER`: a corpus of this machine, known to a project and never copied."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from backend.catalogue import corpora
from backend.catalogue.corpora_layouts import find_shards
from backend.catalogue.corpora_manifest import CorpusManifest, read_manifest
from backend.catalogue.models import Corpus
from backend.catalogue.sources.pairs import LAYOUTS
from backend.common.bars import command_bar
from backend.common.errors import ConnoteError
from backend.projects.models import Project


class Command(BaseCommand):
    help = (
        "Register tars or Parquet of img2dataset, a COCO file, an imagefolder or a .tsv of addresses. "
        "Connote reads its corpus.json. Without one it reads every byte once and writes one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="A folder that this machine and its workers can read.")
        parser.add_argument("--project", required=True, help="The slug of the project.")
        parser.add_argument(
            "--name", default="", help="The name of the corpus. Default: from corpus.json or the folder."
        )
        parser.add_argument("--layout", default="auto", choices=("auto", *LAYOUTS))
        parser.add_argument("--licence", default="", help="The licence of the source.")
        parser.add_argument("--notes", default="", help="Notes for the people of the project.")
        parser.add_argument("--verify", action="store_true", help="Check all checksums of corpus.json now.")
        parser.add_argument(
            "--into-folder",
            action="store_true",
            help="Write corpus.json into the folder of the corpus, not into the data of this site.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["folder"].resolve()
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"The project {options['project']!r} does not exist.")
        words = {name: options[name] for name in ("name", "licence", "notes")}
        try:
            manifest = self.manifest(folder, options)
            corpus, is_new = corpora.register_corpus(project=project, folder=folder, manifest=manifest, **words)
        except ConnoteError as error:
            raise CommandError(error.message) from error
        self.report(corpus, is_new)

    def manifest(self, folder: Path, options: dict[str, Any]) -> CorpusManifest:
        """The folder's own, or a new one. Raises SourceUnreadable."""
        found = read_manifest(folder) if folder.is_dir() else None
        if found is None:
            return self.scan(folder, options)
        if options["verify"]:
            n_bytes = {shard.file: shard.n_bytes for shard in found.shards}
            with self.bar("Checking", sum(n_bytes.values())) as bar:
                corpora.verify(folder, found, on_bytes=bar.update)
        return found

    def scan(self, folder: Path, options: dict[str, Any]) -> CorpusManifest:
        """Reads everything, and writes down what it found."""
        _, files = find_shards(folder, options["layout"])
        with self.bar("Reading", sum((folder / file).stat().st_size for file in files)) as bar:
            manifest = corpora.scanned(folder, layout=options["layout"], on_bytes=bar.update)
        path = corpora.keep_manifest(folder, manifest, inside=options["into_folder"])
        self.stdout.write(f"Wrote {path}.")
        return manifest

    def bar(self, what: str, n_bytes: int) -> tqdm[Any]:
        return command_bar(self.stderr, what=what, unit="B", total=n_bytes, unit_scale=True)

    def report(self, corpus: Corpus, is_new: bool) -> None:
        n_pairs = "pairs not counted yet" if corpus.n_pairs is None else f"{corpus.n_pairs:,} pairs"
        did = "Registered" if is_new else "Already registered"
        self.stdout.write(f"{did}: {corpus.name} ({corpus.layout}), shards: {corpus.n_shards:,}, {n_pairs}.")
