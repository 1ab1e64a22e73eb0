"""`manage.py agreement_report PATH... [--gold FILE] [--queries FILE]`: agreement on judgments made elsewhere."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.associations import association_lines
from backend.methods.foreign.conqa import curated_lines, depth_lines, read_seed_queries
from backend.methods.foreign.decoding import decode
from backend.methods.foreign.pairs import pair_lines
from backend.methods.foreign.parsing import read_gold
from backend.methods.foreign.published import PUBLISHED
from backend.methods.foreign.reading import read_judgments
from backend.methods.foreign.released import BESIDE, CALLED, WITHOUT_JUDGMENTS, name_of
from backend.methods.foreign.report import beside_published, report_item_votes, report_rows, report_votes
from backend.methods.foreign.shapes import Foreign, ItemVotes, PairVotes
from backend.methods.foreign.tables import Columns
from backend.methods.foreign.told import Line, NotJudgmentsError
from backend.methods.wordnet import DEBIANS, Depths

# What can be asked of files of one kind only.
OF_ROWS, OF_QUERIES = ("gold", "pairs", "ordered", "task", "worker", "label"), ("queries", "curated", "wordnet")
WHY_OF_VOTES = "The file has votes without voters, under names of its own."
WHY_OF_ROWS = "The options belong to votes by query, but the file has single answers."


class Command(BaseCommand):
    help = "Print the agreement and accuracy of files with answers, next to published figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", type=Path, metavar="path",
            help="CSV, JSON or YAML files, packed as .gz or not. Or a folder with known file names.",
        )  # fmt: skip
        add_column_arguments(parser)
        parser.add_argument("--ordered", action="store_true", help="The answers have an order: by number, or by name.")
        parser.add_argument("--gold", type=Path, help="A file of correct answers, JSON or YAML {item: label}.")
        parser.add_argument("--queries", type=Path, help="ConQA's seed.json: which queries are conceptual.")
        parser.add_argument("--curated", type=Path, help="ConQA's vg_subset.txt: all images of the choice.")
        parser.add_argument(
            "--wordnet", type=Path, help="The folder of WordNet 3.0, for the depth of words. Default: Debian's."
        )
        parser.add_argument(
            "--pairs", type=int, default=0, help="Also print Cohen's kappa of this number of pairs of annotators."
        )
        parser.add_argument("--replicates", type=int, default=2000, help="Replicates of the bootstrap.")
        parser.add_argument("--seed", type=int, default=0, help="Seed of the bootstrap.")

    def handle(self, *args: Any, **options: Any) -> None:
        bootstrap = _bootstrap_of(options)
        for file, asked in (each for path in options["files"] for each in _files(path, options)):
            with telling(file):
                lines = _report(file, asked, bootstrap)
            self.stdout.write(spelt_out(f"\n{file.name}"))
            for line in lines:
                self.stdout.write(spelt_out(_shown(line)))


def _bootstrap_of(options: Mapping[str, Any]) -> Bootstrap:
    """Raises CommandError on numbers that nothing can be drawn with."""
    for name, least in (("replicates", 1), ("seed", 0)):
        if options[name] < least:
            raise CommandError(f"Set --{name} to a whole number of at least {least}, not {options[name]}.")
    return Bootstrap(options["replicates"], options["seed"])


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Whatever cannot be read ends the command with a sentence that names it."""
    name = path.name or path
    try:
        yield
    except OSError as problem:
        raise CommandError(f"Connote cannot read {name}: {problem.strerror}: {path}") from problem
    except ValueError as problem:
        raise CommandError(f"Connote cannot read {name}: {problem}") from problem


def _files(path: Path, options: Mapping[str, Any]) -> list[tuple[Path, Mapping[str, Any]]]:
    """The file, or those of a folder; what the command was told goes before what is known of them."""
    if not path.is_dir():
        return [(path, options)]
    asked = {name: value for name, value in options.items() if value}
    with telling(path):
        return [(file, {**options, **_known_of(file), **asked}) for file in _known_files(path)]


def _known_files(folder: Path) -> list[Path]:
    """The folder's files of judgments that are known by name. Raises NotJudgmentsError where there are none."""
    found = sorted(file for file in folder.iterdir() if file.is_file() and name_of(file.name) in PUBLISHED)
    if not found:
        for file in sorted(folder.iterdir()):
            if holds := WITHOUT_JUDGMENTS.get(name_of(file.name)):
                raise NotJudgmentsError(f"{file.name} as released has {holds}, and no single answers.")
        known = ", ".join(sorted(PUBLISHED))
        raise NotJudgmentsError(f"This folder has no file with a known name ({known}). Name the files to read.")
    return found


def _known_of(file: Path) -> dict[str, Any]:
    """The files beside it that are there, and what its columns are called."""
    beside = {role: file.parent / name for role, name in BESIDE.get(name_of(file.name), {}).items()}
    return {role: each for role, each in beside.items() if each.is_file()} | CALLED.get(name_of(file.name), {})


def _report(file: Path, options: Mapping[str, Any], bootstrap: Bootstrap) -> list[Line]:
    text, name = text_of(file), name_of(file.name)
    if (lines := association_lines(text)) is not None:
        return beside_published(name, lines)
    data = read_judgments(text, columns_of(options))
    lines = [*beside_published(name, _lines_of(data, options, bootstrap)), *_unused_line(data, options)]
    if isinstance(data, (PairVotes, ItemVotes)) or options["pairs"] <= 0:
        return lines
    return [*lines, *pair_lines(data, most=options["pairs"], bootstrap=bootstrap)]


def _lines_of(data: Foreign, options: Mapping[str, Any], bootstrap: Bootstrap) -> list[Line]:
    if isinstance(data, ItemVotes):
        return report_item_votes(data, bootstrap=bootstrap)
    if not isinstance(data, PairVotes):
        return report_rows(data, gold=_gold(options["gold"]), bootstrap=bootstrap)
    return list(_lines_of_votes(data, options, bootstrap))


def _lines_of_votes(data: PairVotes, options: Mapping[str, Any], bootstrap: Bootstrap) -> Iterator[Line]:
    queries = read_seed_queries(text_of(options["queries"])) if options["queries"] else None
    yield from report_votes(data, queries=queries, bootstrap=bootstrap)
    if options["curated"]:
        yield from curated_lines(data, text_of(options["curated"]))
    folder = options["wordnet"] or (DEBIANS if DEBIANS.is_dir() else None)
    if queries and folder:
        with telling(folder):
            depths = Depths(folder)
        yield from depth_lines(data, queries, depths)


def _unused_line(data: Foreign, options: Mapping[str, Any]) -> Iterator[Line]:
    """What was asked for and says nothing of such a file: nobody should think that it did."""
    is_votes = isinstance(data, (PairVotes, ItemVotes))
    unused = {**dict.fromkeys(OF_ROWS, is_votes), **dict.fromkeys(OF_QUERIES, not isinstance(data, PairVotes))}
    asked = [f"--{name}" for name, is_unused in unused.items() if is_unused and options.get(name)]
    if asked:
        yield Line("not used", ", ".join(asked), why=WHY_OF_VOTES if is_votes else WHY_OF_ROWS)


def _gold(file: Path | None) -> dict[str, str] | None:
    return read_gold(text_of(file)) if file else None


def add_column_arguments(parser: ArgumentParser) -> None:
    """What a file calls its task, worker and label, for those that use names of their own."""
    parser.add_argument("--task", default="", help="The column of the task, or several with commas.")
    parser.add_argument("--worker", default="", help="The column of the annotator.")
    parser.add_argument("--label", default="", help="The column of the answer, or its name in Label Studio.")


def columns_of(options: Mapping[str, Any]) -> Columns:
    return Columns(options["task"], options["worker"], options["label"], options.get("ordered", False))


def text_of(file: Path) -> str:
    """A file's text, unpacked where it is packed. Raises CommandError."""
    with telling(file):
        return decode(file.read_bytes())


def spelt_out(text: str) -> str:
    """The text with half characters, which JSON and names of files may hold and no terminal takes, spelt out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _shown(line: Line) -> str:
    """A line, and below it what there is to explain."""
    shown = f"  {line.figure:<58} {line.ours:<36} {line.published}".rstrip()
    return f"{shown}\n      {line.why}" if line.why else shown
