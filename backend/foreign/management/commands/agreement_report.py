"""`manage.py agreement_report PATH... [--gold FILE] [--queries FILE]`: agreement on judgments made elsewhere."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.associations import association_lines
from backend.methods.foreign.columns import Columns, NobodyNamedError, name_without_ending
from backend.methods.foreign.conqa import SeedQuery, curated_lines, depth_lines, read_seed_queries
from backend.methods.foreign.gold import read_gold
from backend.methods.foreign.packed import members_of
from backend.methods.foreign.parsing import text_of
from backend.methods.foreign.published import PUBLISHED
from backend.methods.foreign.reading import pooled, rows_of, tell_file
from backend.methods.foreign.released import BESIDE, CALLED, WITHOUT_JUDGMENTS, name_of
from backend.methods.foreign.report import beside_published, pair_lines, report_item_votes, report_rows, report_votes
from backend.methods.foreign.shapes import Foreign, ItemVotes, Ledger, PairVotes
from backend.methods.foreign.told import Line, NotJudgmentsError
from backend.methods.wordnet import DEBIANS, Depths

# What can be asked of files of one kind only.
OF_ROWS, OF_QUERIES = ("gold", "pairs", "ordered", "task", "worker", "label"), ("queries", "curated", "wordnet")
OF_GOLD = re.compile(r"(?:^|[^a-z])(?:gold|golden|gt|(?:ground.?)?truth|true.?labels?|answer.?key|correct)(?:[^a-z]|$)")
ONE_EACH = "Use --annotator. Or give the files of all annotators: then the name of each file is the annotator."
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
        parser.add_argument("--gold", type=Path, help="A file of correct answers: a table of items and labels.")
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
        contents = unpacked(options["files"])
        files = [each for path in contents for each in _files(path, options)]
        nameless, ledgers = dict[Path, Mapping[str, Any]](), dict[Path, Ledger]()
        for file, asked in files:
            with telling(file):
                try:
                    told = _told(file, contents, asked)
                except NobodyNamedError as problem:
                    if len(files) == 1:
                        raise NotJudgmentsError(f"{problem} {ONE_EACH}") from problem
                    nameless[file] = asked
                    continue
                lines = told if isinstance(told, list) else _report(file, told, asked, bootstrap)
            self._print(file.name, lines)
            if isinstance(told, tuple) and file in contents:
                ledgers[file] = told
        for file, annotator in annotators_of(list(nameless)).items():
            with telling(file):
                told = _told(file, contents, {**nameless[file], "annotator": annotator})
                ledgers[file] = cast(Ledger, told)
        if len(ledgers) > 1:  # as one, in the order in which they were named
            self._print_pooled({file: ledgers[file] for file in contents if file in ledgers}, options, bootstrap)

    def _print_pooled(self, ledgers: Mapping[Path, Ledger], options: Mapping[str, Any], bootstrap: Bootstrap) -> None:
        n_named = Counter(file.name for file in ledgers)
        told = pooled({file.name if n_named[file.name] == 1 else str(file): each for file, each in ledgers.items()})
        try:
            data = rows_of(*told, is_ordered=options["ordered"])
            lines = _with_pairs(_lines_of(data, options, bootstrap), data, options, bootstrap)
        except ValueError as problem:
            lines = [Line("the files together", "-", why=str(problem))]
        self._print(f"{len(ledgers)} files together: {', '.join(file.name for file in ledgers)}", lines)

    def _print(self, title: str, lines: Iterable[Line]) -> None:
        self.stdout.write(spelt_out(f"\n{title}"))
        for line in lines:
            shown = f"  {line.figure:<58} {line.ours:<36} {line.published}".rstrip()
            self.stdout.write(spelt_out(f"{shown}\n      {line.why}" if line.why else shown))


def _bootstrap_of(options: Mapping[str, Any]) -> Bootstrap:
    """Raises CommandError on numbers that nothing can be drawn with."""
    for name, least in (("replicates", 1), ("seed", 0)):
        if options[name] < least:
            raise CommandError(f"Set --{name} to a whole number of at least {least}, not {options[name]}.")
    return Bootstrap(options["replicates"], options["seed"])


def unpacked(paths: Sequence[Path]) -> dict[Path, bytes | None]:
    """The files to read, in order; of an archive each of its tables, with its content. Raises CommandError."""
    files: dict[Path, bytes | None] = {}
    for path in paths:
        files[path] = None
        if path.suffix.lower() != ".zip" or path.is_dir():
            continue
        raw = bytes_of(path)
        with telling(path):
            members = members_of(raw, path.name)
        if members != [(path.name, raw)]:
            del files[path]
            files |= {path / str(at) / name: content for at, (name, content) in enumerate(members)}
    return files


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


def _told(
    file: Path, contents: Mapping[Path, bytes | None], options: Mapping[str, Any]
) -> Ledger | PairVotes | ItemVotes | list[Line]:
    """What a file holds; of WinoGAViL's files the lines of their report."""
    raw = bytes_of(file, contents)
    if (lines := association_lines(raw)) is not None:
        return beside_published(name_of(file.name), lines)
    return tell_file(raw, columns_of(options))


def _report(
    file: Path, told: Ledger | PairVotes | ItemVotes, options: Mapping[str, Any], bootstrap: Bootstrap
) -> list[Line]:
    data = rows_of(*told, is_ordered=options["ordered"]) if isinstance(told, tuple) else told
    lines = beside_published(name_of(file.name), _lines_of(data, options, bootstrap))
    return _with_pairs([*lines, *_unused_line(data, options)], data, options, bootstrap)


def _with_pairs(lines: list[Line], data: Foreign, options: Mapping[str, Any], bootstrap: Bootstrap) -> list[Line]:
    if isinstance(data, (PairVotes, ItemVotes)) or options["pairs"] <= 0:
        return lines
    return [*lines, *pair_lines(data, most=options["pairs"], bootstrap=bootstrap)]


def _lines_of(data: Foreign, options: Mapping[str, Any], bootstrap: Bootstrap) -> list[Line]:
    if isinstance(data, ItemVotes):
        return report_item_votes(data, bootstrap=bootstrap)
    if isinstance(data, PairVotes):
        return list(_lines_of_votes(data, options, bootstrap))
    gold = None
    if options["gold"]:
        with telling(options["gold"]):
            gold = read_gold(options["gold"].read_bytes(), columns_of(options))
    return report_rows(data, gold=gold, bootstrap=bootstrap)


def _lines_of_votes(data: PairVotes, options: Mapping[str, Any], bootstrap: Bootstrap) -> Iterator[Line]:
    queries = queries_of(options["queries"]) if options["queries"] else None
    yield from report_votes(data, queries=queries, bootstrap=bootstrap)
    if options["curated"]:
        with telling(options["curated"]):
            curated = text_of(options["curated"].read_bytes())
        yield from curated_lines(data, curated)
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


def annotators_of(files: Sequence[Path]) -> dict[Path, str]:
    """Who made each of several files that name nobody: the file's name says it, or its folder's where all files have
    one name. Raises CommandError on a file that holds correct answers by its name."""
    if wrong := next((file for file in files if OF_GOLD.search(name_of(file.name).casefold())), None):
        raise CommandError(f"{wrong.name} has correct answers, as its name says. Give it with --gold.")
    names = {file: name_without_ending(file.name) for file in files}
    if len(files) > 1 and len(set(names.values())) == 1:
        return {file: file.absolute().parent.name for file in files}
    return names


def add_column_arguments(parser: ArgumentParser) -> None:
    """What a file calls its task, worker and label, for those that use names of their own."""
    parser.add_argument("--task", default="", help="The column of the task, or several with commas.")
    parser.add_argument("--worker", default="", help="The column of the annotator, or all with commas.")
    parser.add_argument("--label", default="", help="The column of the answer, or its name in Label Studio.")
    parser.add_argument("--annotator", default="", help="The annotator of files that name none.")


def columns_of(options: Mapping[str, Any]) -> Columns:
    return Columns(
        options["task"], options["worker"], options["label"], options.get("ordered", False), options["annotator"]
    )


def bytes_of(file: Path, contents: Mapping[Path, bytes | None] | None = None) -> bytes:
    """What a file holds, or a table of an archive. Raises CommandError."""
    found = contents.get(file) if contents else None
    with telling(file):
        return file.read_bytes() if found is None else found


def queries_of(file: Path) -> dict[str, SeedQuery]:
    """ConQA's seed.json. Raises CommandError."""
    with telling(file):
        return read_seed_queries(file.read_bytes())


def spelt_out(text: str) -> str:
    """The text with half characters, which JSON and names of files may hold and no terminal takes, spelt out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
