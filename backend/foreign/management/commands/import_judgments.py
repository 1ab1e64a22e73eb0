"""`manage.py import_judgments PROJECT FILE...`: judgments made elsewhere, of pairs that the project has in HITs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.common.bars import command_bar
from backend.foreign.management.commands.agreement_report import (
    ONE_EACH,
    add_column_arguments,
    annotators_of,
    bytes_of,
    columns_of,
    queries_of,
    spelt_out,
    unpacked,
)
from backend.foreign.services import Imported, Refused, import_judgments
from backend.methods.export_rows import CsvTable
from backend.methods.foreign.columns import NobodyNamedError
from backend.methods.foreign.labels import read_words
from backend.methods.foreign.reading import tell_judgments
from backend.methods.foreign.told import NotJudgmentsError, Told, by_reason
from backend.projects.models import Project

COLUMNS = ("file", "where", "why")
Refusals = Callable[[str, Sequence[Refused]], None]  # (name of the file, what of it is refused)


class Command(BaseCommand):
    help = "Import answers from another tool into a project. They count like its own answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="The slug of the project.")
        parser.add_argument("files", nargs="+", type=Path, help="CSV, JSON or YAML files, packed or not.")
        add_column_arguments(parser)
        parser.add_argument(
            "--labels",
            default="",
            metavar="THEIRS=OURS,...",
            help="Which answer each label means, for example fits=good,misses=bad,skip=unsure.",
        )
        parser.add_argument("--queries", type=Path, help="ConQA's seed.json with the texts of the queries.")
        parser.add_argument(
            "--refused", type=Path, metavar="FILE", help="Write all refused rows to this CSV file: file, where, why."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"The project {options['project']} does not exist.")
        labels = _labels_of(options["labels"])
        with unpacked(options["files"]) as files, _refusals(options["refused"], options["files"]) as refusals:
            for file in files:
                found = self._import(project, file, {**options, "files": files}, labels)
                self._tell(file.name, found)
                refusals(file.name, found.refused)

    def _import(self, project: Project, file: Path, options: dict[str, Any], labels: dict[str, str]) -> Imported:
        """With a bar where somebody looks on. Raises CommandError."""
        queries = queries_of(options["queries"]) if options["queries"] else {}
        try:
            words = {name: query.text for name, query in queries.items()}
            told = self._told(file, options, words)
        except ValueError as problem:
            raise CommandError(f"Connote cannot read {file.name}: {problem}") from problem
        bar = command_bar(self.stderr, what=spelt_out(file.name), unit=" judgments", disable=None)

        def show(n: int, n_all: int) -> None:
            bar.total = n_all
            bar.update(n)

        with bar:
            try:
                return import_judgments(project=project, told=told, labels=labels, progress=show)
            except NotJudgmentsError as problem:
                raise CommandError(f"Connote cannot import {file.name}: {problem}") from problem

    def _told(self, file: Path, options: dict[str, Any], words: dict[str, str]) -> list[Told]:
        """The judgments of a file; one that names nobody is one person's, if it is doccano's or one of several."""
        raw, columns = bytes_of(file), columns_of(options)
        try:
            return tell_judgments(raw, columns, words)
        except NobodyNamedError as problem:
            if not problem.is_doccano and len(options["files"]) == 1:
                raise NotJudgmentsError(f"{problem} {ONE_EACH}") from problem
        named = annotators_of(options["files"] if len(options["files"]) > 1 else [file])
        return tell_judgments(raw, replace(columns, annotator=named[file]), words)

    def _tell(self, name: str, found: Imported) -> None:
        """What came of it; what was refused by why, with where the first of each stand."""
        people = f"of {found.n_people:,} people " if found.n_people else ""
        said = (
            f"{name}: {found.n_new:,} answers {people}are new, {found.n_there:,} existed, "
            f"{len(found.refused):,} are refused."
        )
        reasons = by_reason((refused.place, refused.reason) for refused in found.refused)
        for line in (said, *(f"  {n:,}: {why} See {places}" for why, n, places in reasons)):
            self.stdout.write(spelt_out(line))


@contextmanager
def _refusals(file: Path | None, sources: Sequence[Path]) -> Iterator[Refusals]:
    """What writes refused rows, if anything does; opened first, so that nothing is imported whose refusals are lost.
    Raises CommandError."""
    if file is None:
        yield lambda name, refused: None
        return
    if file.resolve() in {source.resolve() for source in sources}:
        raise CommandError(f"{file.name} is an input file. Choose another file for the refused rows.")
    try:
        opened = file.open("w", encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as problem:
        raise CommandError(f"Connote cannot write {file.name}: {problem.strerror}: {file}") from problem
    with opened:
        yield partial(_write_refused, CsvTable(opened, COLUMNS))


def _write_refused(table: CsvTable, name: str, refused: Sequence[Refused]) -> None:
    for each in refused:
        table.write({"file": name, "where": each.where, "why": each.why})


def _labels_of(told: str) -> dict[str, str]:
    """Raises CommandError."""
    try:
        return read_words(told)
    except ValueError as problem:
        raise CommandError(str(problem)) from problem
