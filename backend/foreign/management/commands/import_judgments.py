"""`manage.py import_judgments PROJECT FILE...`: judgments made elsewhere, of pairs that the project has in HITs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

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
    telling,
    unpacked,
)
from backend.foreign.services import ImportedJudgments, import_judgments
from backend.methods.export_rows import CsvTable
from backend.methods.foreign.columns import Columns, NobodyNamedError
from backend.methods.foreign.labels import read_words
from backend.methods.foreign.reading import tell_judgments
from backend.methods.foreign.told import NotJudgmentsError, Told, by_reason
from backend.projects.models import Project

COLUMNS = ("file", "where", "why")


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
        try:
            labels = read_words(options["labels"])
        except ValueError as problem:
            raise CommandError(str(problem)) from problem
        queries = queries_of(options["queries"]) if options["queries"] else {}
        words = {name: query.text for name, query in queries.items()}
        # Opened first, so that nothing is imported whose refusals are lost.
        with _opened(options["refused"], options["files"]) if options["refused"] else nullcontext() as opened:
            table = CsvTable(opened, COLUMNS) if opened else None
            contents = unpacked(options["files"])
            for file in contents:
                with telling(file):
                    told = _told(file, contents, columns_of(options), words)
                found = self._import(project, file.name, told, labels)
                self._tell(file.name, found)
                if table:
                    for each in found.refused:
                        table.write({"file": file.name, "where": each.where, "why": each.why})

    def _import(self, project: Project, name: str, told: list[Told], labels: dict[str, str]) -> ImportedJudgments:
        """With a progress bar on a terminal. Raises CommandError."""
        bar = command_bar(self.stderr, what=spelt_out(name), unit=" judgments", disable=None)

        def show(n: int, n_all: int) -> None:
            bar.total = n_all
            bar.update(n)

        with bar:
            try:
                return import_judgments(project=project, told=told, labels=labels, progress=show)
            except NotJudgmentsError as problem:
                raise CommandError(f"Connote cannot import {name}: {problem}") from problem

    def _tell(self, name: str, found: ImportedJudgments) -> None:
        """What came of it; what was refused by why, with where the first of each stand."""
        people = f"of {found.n_people:,} people " if found.n_people else ""
        said = (
            f"{name}: {found.n_new:,} answers {people}are new, {found.n_there:,} existed, "
            f"{len(found.refused):,} are refused."
        )
        reasons = by_reason((refused.place, refused.reason) for refused in found.refused)
        for line in (said, *(f"  {n:,}: {why} See {places}" for why, n, places in reasons)):
            self.stdout.write(spelt_out(line))


def _told(file: Path, contents: Mapping[Path, bytes | None], columns: Columns, words: Mapping[str, str]) -> list[Told]:
    """The judgments of a file; one that names nobody is one person's, if it is doccano's or one of several."""
    raw = bytes_of(file, contents)
    try:
        return tell_judgments(raw, columns, words)
    except NobodyNamedError as problem:
        if not problem.is_doccano and len(contents) == 1:
            raise NotJudgmentsError(f"{problem} {ONE_EACH}") from problem
    return tell_judgments(raw, replace(columns, annotator=annotators_of(list(contents))[file]), words)


def _opened(file: Path, sources: Sequence[Path]) -> TextIO:
    """The file for refused rows. Raises CommandError."""
    if file.resolve() in {source.resolve() for source in sources}:
        raise CommandError(f"{file.name} is an input file. Choose another file for the refused rows.")
    try:
        return file.open("w", encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as problem:
        raise CommandError(f"Connote cannot write {file.name}: {problem.strerror}: {file}") from problem
