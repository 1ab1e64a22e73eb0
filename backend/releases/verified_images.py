"""Checks of images.jsonl: the order, the readings and categories of each caption, the votes of models, the splits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backend.methods.aggregation import readings_of, summarise
from backend.methods.consensus import Votes
from backend.methods.difficulty import category_of, vote
from backend.methods.exports.choices import SPLITS, Shares
from backend.methods.exports.splits import draw_splits
from backend.releases.bundle import IMAGES
from backend.releases.verified_rows import Facts, Fault, Row, read_lines

ROUNDED = 1e-6


def check_images(folder: Path, facts: Facts, manifest: Row) -> Iterator[Fault]:
    """Order, readings, categories and votes of models; fills `facts`."""
    panel = {
        (one["model"], one["digest"], one["threshold"], one["record"])
        for one in (manifest.get("difficulty") or {}).get("panel", ())
    }
    before = ""
    for number, image in enumerate(read_lines(folder / IMAGES), start=1):
        row, digest = f"line {number}", image["digest"]
        if digest <= before:
            yield Fault(IMAGES, row, "The images are not in the order of their digests, or one is there twice.")
        before = digest
        facts.counts["images"] += 1
        facts.licences[image["licence"]] += 1
        facts.splits[digest] = image["split"]
        facts.hashes[digest] = image["perceptual_hash"]
        facts.variants[image["variant"]] += 1
        for caption in image["captions"]:
            place = f"{row}, caption {caption['key']}"
            facts.counts["captions"] += 1
            facts.categories[(caption["difficulty"] or {"category": "not_asked"})["category"]] += 1
            if caption["key"] in facts.captions:
                yield Fault(IMAGES, place, "The caption is there twice.")
            facts.captions[caption["key"]] = {"image": digest, "split": image["split"], **caption}
            yield from (Fault(IMAGES, place, message) for message in _consensus_faults(caption))
            yield from (Fault(IMAGES, place, message) for message in _difficulty_faults(caption, panel))


def _consensus_faults(caption: Row) -> Iterator[str]:
    votes = Votes(caption["n_good"], caption["n_bad"], caption["n_unsure"])
    made = {each.reading: (each.label, each.category) for each in readings_of(votes)}
    told = caption["consensus"]
    readings = {each["reading"]: (each["label"], each["category"]) for each in told.get("readings", ())}
    if "readings" in told and readings != made:  # an older release has none
        yield "The readings do not follow from the votes."
    if votes.total and told["category"] != (made["value"][1] or ""):
        yield f"The category is {told['category']}. The votes make it {made['value'][1]}."
    yield from summary_faults(votes, told.get("entropy"), told.get("category_by_majority"))
    if told["decided_by"] == "majority" and made["value"][0] != "good":
        yield "The caption is selected, but most votes are not good."


def summary_faults(votes: Votes, entropy: float | None, by_majority: str | None) -> Iterator[str]:
    """The entropy, and the category by majority, where they are told: older releases do not have them."""
    made = summarise(votes)
    if entropy is not None and (made.entropy is None or abs(entropy - made.entropy) > ROUNDED):
        yield f"The entropy is {entropy}. The votes make it {made.entropy}."
    if by_majority and by_majority != made.category_by_majority:
        yield f"The category by majority is {by_majority}. The votes make it {made.category_by_majority}."


def _difficulty_faults(caption: Row, panel: set[tuple[Any, ...]]) -> Iterator[str]:
    difficulty = caption["difficulty"]
    if difficulty is None:
        return
    said = difficulty["panel"]
    for one in said:
        if (one["model"], one["digest"], one["threshold"], one["record"]) not in panel:
            yield f"The model {one['model']} with this digest is not in the panel of manifest.json."
        if vote(one["score"], one["threshold"]) != one["vote"]:
            yield f"The vote of {one['model']} does not follow from its score."
    votes = [one["vote"] for one in said]
    if difficulty["n_votes"] is None:
        return
    yes = sum(bool(each) for each in votes)
    if yes != difficulty["n_votes"]:
        yield f"The models have {yes} yes votes, not {difficulty['n_votes']}."
    elif (made := category_of(yes, len(votes), bool(votes[-1]), difficulty["policy"])) != difficulty["category"]:
        yield f"The difficulty is {difficulty['category']}. The votes make it {made}."


def check_splits(facts: Facts, manifest: Row) -> Iterator[Fault]:
    """The splits are drawn again: each image has one, and images that look nearly the same are together."""
    choices = manifest.get("choices")
    if choices is None:
        return
    digests = list(facts.splits)
    shares = Shares(*(choices["shares"][name] for name in SPLITS))
    drawn = draw_splits(digests, [facts.hashes[digest] for digest in digests], shares, seed=choices["seed"])
    for number, digest in enumerate(digests, start=1):
        if facts.splits[digest] != drawn[digest]:
            yield Fault(
                IMAGES, f"line {number}", f"The split is {facts.splits[digest]}. Its seed draws {drawn[digest]}."
            )
