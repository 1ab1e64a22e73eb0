"""Checks of the other tables of a release: each says the same as images.jsonl, and as the tables beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from backend.methods.consensus import LABELS, Votes
from backend.methods.export_rows import caption_cells
from backend.methods.exports.full_tables import annotator_row
from backend.releases.bundle import IMAGES
from backend.releases.verified_images import summary_faults
from backend.releases.verified_rows import Facts, Fault, Vote, as_cell, read_lines, read_parquet, read_table

OF_SELECTED = ("image", "split", "text", "raw_text", "source", "source_ref", "n_good", "n_bad", "n_unsure", "position")


def check_captions(folder: Path, facts: Facts) -> Iterator[Fault]:
    """captions.jsonl has the captions of images.jsonl."""
    seen = set()
    for number, row in enumerate(read_lines(folder / "captions.jsonl"), start=1):
        seen.add(row["key"])
        if facts.captions.get(row["key"]) != row:
            yield Fault("captions.jsonl", f"line {number}", "The caption is not the same as in images.jsonl.")
    yield from (Fault("captions.jsonl", "", f"The caption {key} is missing.") for key in facts.captions.keys() - seen)


def check_caption_table(folder: Path) -> Iterator[Fault]:
    """captions.csv has the rows of captions.jsonl."""
    lines = read_lines(folder / "captions.jsonl")
    for line, numbered in zip_longest(lines, read_table(folder / "captions.csv")):
        number, row = numbered or ("the end", {})
        if line is None or not row:
            yield Fault("captions.csv", number, "It does not have as many rows as captions.jsonl.")
            return
        cells = caption_cells(line)
        if any(as_cell(cells[name]) != cell for name, cell in row.items()):
            yield Fault("captions.csv", number, "The row is not the same as in captions.jsonl.")


def check_difficulty_table(folder: Path, facts: Facts) -> Iterator[Fault]:
    """difficulty.csv has the votes of images.jsonl."""
    words = {True: "yes", False: "no", None: ""}
    said = {
        (key, one["model"]): (as_cell(one["threshold"]), as_cell(one["score"]), words[one["vote"]])
        for key, caption in facts.captions.items()
        for one in (caption["difficulty"] or {"panel": ()})["panel"]
    }
    for number, row in read_table(folder / "difficulty.csv"):
        if said.pop((row["caption"], row["model"]), None) != (row["threshold"], row["score"], row["vote"]):
            yield Fault("difficulty.csv", number, "The vote is not the same as in images.jsonl.")
    yield from (Fault("difficulty.csv", "", f"The vote of {model} on {key} is missing.") for key, model in said)


def check_judgments(folder: Path, facts: Facts) -> Iterator[Fault]:
    """judgments.csv has the votes that images.jsonl counts."""
    people = set()
    for number, row in read_table(folder / "judgments.csv"):
        caption = facts.captions.get(row["caption"])
        if caption is None or caption["image"] != row["image"]:
            yield Fault("judgments.csv", number, "The caption is not in images.jsonl.")
            continue
        facts.counts["judgments"] += 1
        facts.votes[row["caption"]][row["annotator"], row["label"]] += 1
        people.update({row["annotator"]} - {""})
    facts.counts["annotators"] = len(people)
    for key, caption in facts.captions.items():
        given = _by_label(facts.votes[key])
        for label in LABELS:
            if given[label] != caption[f"n_{label}"]:
                message = f"The caption {key} has {given[label]} votes {label}, not {caption[f'n_{label}']}."
                yield Fault("judgments.csv", "", message)


def _by_label(votes: Counter[Vote]) -> Counter[str]:
    counted = Counter[str]()
    for (_, label), n in votes.items():
        counted[label] += n
    return counted


def check_candidates(folder: Path, facts: Facts) -> Iterator[Fault]:
    """candidates.parquet has each selected caption as images.jsonl has it; fills `facts`."""
    if not (folder / "candidates.parquet").exists():
        return
    for number, row in enumerate(read_parquet(folder / "candidates.parquet"), start=1):
        place, selected = f"row {number}", facts.captions.get(row["key"])
        facts.counts["all_captions"] += 1
        facts.labels[row["key"]] = row["label"] or ""
        if row["label"] is not None:
            votes = facts.numbers[row["key"]] = (row["n_good"], row["n_bad"], row["n_unsure"])
            for message in summary_faults(Votes(*votes), row["entropy"], None):
                yield Fault("candidates.parquet", place, message)
        if selected and any((row[name] or "") != (selected[name] or "") for name in OF_SELECTED):
            yield Fault("candidates.parquet", place, f"The caption {row['key']} is not the same as in images.jsonl.")
    for key in sorted(facts.captions.keys() - facts.labels.keys()):
        yield Fault("candidates.parquet", "", f"The caption {key} is missing.")


def check_all_judgments(folder: Path, facts: Facts) -> Iterator[Fault]:
    """judgments.parquet has the votes of candidates.parquet and of judgments.csv."""
    if not (folder / "judgments.parquet").exists():
        return
    counted: dict[str, Counter[Vote]] = defaultdict(Counter)
    for number, row in enumerate(read_parquet(folder / "judgments.parquet"), start=1):
        facts.counts["all_judgments"] += 1
        if row["caption"] not in facts.labels:
            yield Fault("judgments.parquet", f"row {number}", "The caption is not in candidates.parquet.")
            continue
        if row["is_counted"]:
            counted[row["caption"]][row["annotator"] or "", row["label"]] += 1
        if row["annotator"]:
            facts.records[row["annotator"]].see(row, facts.labels[row["caption"]])
    facts.counts["all_annotators"] = len(facts.records)
    yield from _counted_faults(facts, counted)


def _counted_faults(facts: Facts, counted: Mapping[str, Counter[Vote]]) -> Iterator[Fault]:
    """The judgments that count against the votes in candidates.parquet and in judgments.csv."""
    for key, numbers in facts.numbers.items():
        by_label = _by_label(counted[key])
        votes = tuple(by_label[label] for label in LABELS)
        if votes != numbers:
            message = f"The caption {key} has the votes {votes}. candidates.parquet says {numbers}."
            yield Fault("judgments.parquet", "", message)
    for key, given in facts.votes.items():
        if counted[key] != +given:
            yield Fault("judgments.parquet", "", f"The caption {key} has other votes in judgments.csv.")


def check_annotators(folder: Path, facts: Facts) -> Iterator[Fault]:
    """annotators.csv follows from judgments.parquet."""
    if not (folder / "annotators.csv").exists():
        return
    records, seen = facts.records, set()
    for number, row in read_table(folder / "annotators.csv"):
        name = row["annotator"]
        seen.add(name)
        if name not in records:
            yield Fault("annotators.csv", number, f"{name} has no judgments.")
            continue
        controls = int(row["controls_passed"]), int(row["controls"])
        made = annotator_row(name, records[name], is_excluded=row["is_excluded"] == "yes", controls=controls)
        wrong = [column for column, cell in row.items() if as_cell(made[column]) != cell]
        if wrong:
            yield Fault("annotators.csv", number, f"{wrong[0]} is {row[wrong[0]]}, not {as_cell(made[wrong[0]])}.")
    yield from (Fault("annotators.csv", "", f"{name} is missing.") for name in sorted(records.keys() - seen))


def check_negatives(folder: Path, facts: Facts) -> Iterator[Fault]:
    """Rejected captions are of released images, the same in both files."""
    if not (folder / "negatives.jsonl").exists():
        return
    lines = list(read_lines(folder / "negatives.jsonl"))
    facts.counts["negatives"] = len(lines)
    for number, row in enumerate(lines, start=1):
        if row["image"] not in facts.splits or facts.splits[row["image"]] != row["split"]:
            yield Fault("negatives.jsonl", f"line {number}", "The image is not in images.jsonl, or in another split.")
        if row["key"] in facts.captions:
            yield Fault("negatives.jsonl", f"line {number}", "The caption is selected.")
    for line, numbered in zip_longest(lines, read_table(folder / "negatives.csv")):
        place, row = numbered or ("the end", {})
        if line is None or not row or any(as_cell(line[name]) != cell for name, cell in row.items()):
            yield Fault("negatives.csv", place, "The row is not the same as in negatives.jsonl.")


def check_attribution(folder: Path, facts: Facts) -> Iterator[Fault]:
    """ATTRIBUTION.csv has the credit lines of images.jsonl."""
    images = read_lines(folder / IMAGES)
    for image, numbered in zip_longest(images, read_table(folder / "ATTRIBUTION.csv")):
        number, row = numbered or ("the end", {})
        if image is None or not row:
            yield Fault("ATTRIBUTION.csv", number, "It does not have as many rows as images.jsonl.")
            return
        told = {name: as_cell(image["digest" if name == "image" else name]) for name in row}
        if told != row:
            yield Fault("ATTRIBUTION.csv", number, "The row is not the same as in images.jsonl.")
