"""`manage.py curation_report`: how good selection and difficulty are on drawn images whose captions are known."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from backend.methods.density_svg import draw_report
from backend.methods.export_rows import json_line
from backend.methods.ranges_svg import draw_ranges
from backend.methods.shares_svg import draw_shares
from workers.engines.carried import LADDER
from workers.engines.protocols import EngineError

IMAGES = 100
FEWEST = 2


class Command(BaseCommand):
    help = (
        "Measure selection and difficulty on drawn images, and print the report. It needs no project and no network. "
        "It takes a few minutes on two cores."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--images", type=int, default=IMAGES, help=f"Images to draw (default: {IMAGES}).")
        parser.add_argument("--seed", type=int, default=0, help="The seed of the images and of all random picks.")
        parser.add_argument(
            "--models", default=",".join(LADDER), help="CLIP models that vote, with commas between the names."
        )
        parser.add_argument("--sentences", default="", help="The text model. Default: the model of this site.")
        parser.add_argument(
            "--output", type=Path, help="The folder for the JSON and SVG files. Default: in CONNOTE_DATA_DIR."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from workers.demo.curation_report import Wanted, in_words, make_report, ranges_of
        from workers.tasks.panel import listed

        panel = listed(options["models"])
        if options["images"] < FEWEST or not panel:
            raise CommandError("Name at least one model, and at least 2 images.")
        sentences = options["sentences"] or settings.SENTENCE_MODEL
        wanted = Wanted(options["images"], options["seed"], panel, sentences, Path(settings.CALIBRATIONS))
        try:
            report = make_report(wanted, tell=self.stderr.write)
        except (EngineError, ValueError) as error:
            raise CommandError(str(error)) from error
        folder = options["output"] or Path(settings.DATA_DIR) / "curation-report"
        folder.mkdir(parents=True, exist_ok=True)
        kinds = report["difficulty_by_kind"]["categories"]
        rows = [*kinds.items(), *report["sets"].items()]
        files = {
            "report.json": json_line(report),
            "report.txt": in_words(report),
            "difficulty.svg": draw_shares("Difficulty by kind of caption and by set", rows),
            "agreement.svg": draw_ranges(
                "Difficulty against the kind of caption, and kappa of panels", ranges_of(report)
            ),
            "diversity.svg": draw_report(report["diversity"]),
        }
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        self.stdout.write(files["report.txt"])
        self.stdout.write(f"Written to {folder}: {', '.join(files)}.")
