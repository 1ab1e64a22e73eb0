"""`manage.py agreement_report FILE... [--gold FILE] [--queries FILE]`: agreement on judgments made elsewhere."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError

from backend.methods.agreement import Bootstrap
from backend.methods.foreign.reading import PairVotes, Rows, read_csv, read_json_lines, read_nested
from backend.methods.foreign.report import Line, beside_published, report_rows, report_votes


class Command(BaseCommand):
    help = "Print agreement, and accuracy where gold is known, of files of judgments, beside what papers publish."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, help="CSV rows, JSON lines, or JSON or YAML; .gz or not.")
        parser.add_argument("--gold", type=Path, help="JSON or YAML {item: label}, for files that do not tell it.")
        parser.add_argument("--queries", type=Path, help="ConQA's seed.json: which queries are conceptual.")
        parser.add_argument("--replicates", type=int, default=2000, help="Replicates of the bootstrap.")
        parser.add_argument("--seed", type=int, default=0, help="Seed of the bootstrap.")

    def handle(self, *args: Any, **options: Any) -> None:
        bootstrap = Bootstrap(options["replicates"], options["seed"])
        for file in options["files"]:
            try:
                lines = _report(file, options["gold"], options["queries"], bootstrap)
            except (OSError, ValueError, yaml.YAMLError) as problem:
                raise CommandError(f"{file.name} cannot be read: {problem}") from problem
            self.stdout.write(f"\n{file.name}")
            for line in lines:
                self.stdout.write(_shown(line))


def _report(file: Path, gold: Path | None, queries: Path | None, bootstrap: Bootstrap) -> list[Line]:
    data = read_file(file)
    if isinstance(data, PairVotes):
        kinds = json.loads(_text(queries)) if queries else None
        conceptual = {name for name, query in kinds.items() if query["Conceptual"]} if kinds else None
        lines = report_votes(data, conceptual=conceptual, bootstrap=bootstrap)
    else:
        truth = {str(item): str(label) for item, label in yaml.safe_load(_text(gold)).items()} if gold else None
        lines = report_rows(data, gold=truth, bootstrap=bootstrap)
    return beside_published(file.name.split(".")[0], lines)


def read_file(file: Path) -> Rows | PairVotes:
    """The judgments of a file, by its suffix. Raises NotJudgmentsError, OSError, and what JSON and YAML raise."""
    suffix = [each for each in file.suffixes if each != ".gz"][-1:]
    text = _text(file)
    if suffix == [".csv"]:
        return read_csv(text)
    if suffix == [".jsonl"]:
        return read_json_lines(text)
    return read_nested(json.loads(text) if suffix == [".json"] else yaml.safe_load(text))


def _text(file: Path) -> str:
    raw = file.read_bytes()
    return (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8")


def _shown(line: Line) -> str:
    published = f"  published {line.published}" if line.published else ""
    return f"  {line.figure:<58} {line.ours:<36}{published}{f'  -- {line.why}' if line.why else ''}".rstrip()
