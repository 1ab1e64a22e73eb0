"""The README of a release: what it holds, how it was made, on what terms, and how to read its files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.methods.exports.citation import write_bibtex

CARD = """\
# {name}

An image-caption dataset made with Connote: each image with {k} different captions that people agreed are good for it.
Every caption was judged by people; {labels}

| | |
|---|---|
| version | {version} |
| images | {images} |
| captions | {captions} |
| judgments of these captions | {judgments} |
| annotators | {annotators} |
| consensus policy | `{policy}` |
| rules on whose judgments count | {quality} |
| direction | {direction} |
| guidelines (SHA-256) | `{guidelines}` |

## Files

| file | what a row is |
|---|---|
| `images.jsonl` | an image, named by the SHA-256 of its original bytes (`digest`), with licence and captions |
| `captions.jsonl`, `captions.csv` | a caption; `image` is the digest of its image, `key` its own name in every file |
| `difficulty.csv` | what one model said of one caption: its score, its threshold, `yes` from there on |
| `judgments.csv` | what one person said of one caption of this release: `good`, `bad` or `unsure` |
| `judgments.parquet` | everything that people said, also of rejected captions, earlier answers and late ones |
| `candidates.parquet` | every caption with its status, the rule that dropped it, its votes and its final label |
| `annotators.csv` | an annotator: answers, test questions and agreement, with 95% intervals |
| `negatives.jsonl`, `negatives.csv` | for each image one caption that people rejected, picked at random |
| `ATTRIBUTION.csv` | the credit line and the licence of each image |
| `datasheet.md`, `datasheet.html` | answers about the data, with figures |
| `croissant.json` | the files and their columns, for tools that read Croissant 1.1 |
| `CHANGELOG.md` | what changed in each version |
| `CITATION.cff` | how to cite this dataset |
| `manifest.json` | counts, settings, and parameters, seeds, code version and model digests of every stage |
| `SHA256SUMS` | checksums: `sha256sum -c SHA256SUMS` |

The photographs themselves are not part of the files; `source_url` says where each is from. All text is UTF-8, lines end
with LF, and rows are sorted by image digest and position.

**Spreadsheets.** In the CSV files a text that begins with `=`, `+`, `-`, `@`, a tab or a line break (after any number
of apostrophes) has one apostrophe put before it, so that no spreadsheet runs it as a formula. To get the exact text,
take one apostrophe off every cell that matches `^'+[=+\\-@＝＋－＠\\t\\r\\n]`, or read the JSON lines, which are never
changed.

**People.** Annotators appear as `annotator-001`, `annotator-002` ... The numbers follow from the judgments alone and
hold for this release only. A vote that was imported from where voters are not named has none.

{choices}**Consensus.** `decided_by` names what made a label: the policy above, or a `verdict` of the head annotator,
which stands above all votes. `category` is ConQA's (all votes, most of them, or neither), with "most" as more
than each other answer; `category_by_majority` takes it as more than half. Both take `unsure` as a third answer;
`readings` has the votes' label and category under all three readings of it: a `value` of its own, `missing` as
if nothing had been said, or in the `middle` between bad and good (in `captions.csv`: `category`,
`category_missing`, `category_middle`). `entropy` is of the votes, in bits; `posterior` is what the model made
of them, empty under the majority. Only judgments that count under the rules in force are in these files.

## Selection

{selection}

## Difficulty

{difficulty}

## How it was made

{stages}

## Licences of the images

{licences}

Each image is under its own licence, named beside it in `images.jsonl` and `ATTRIBUTION.csv`. Credit it as
`attribution` says.

## Citation

```bibtex
{bibtex}```
"""


LABELS = {
    "majority": "a label is the majority of their votes.",
    "dawid_skene": "a label is the likeliest by the model of Dawid and Skene, which weighs votes by who cast them.",
    "mace": "a label is the likeliest by MACE, which weighs votes by how often each person knows.",
}
VARIANTS = {
    "kmeans": "UMAP lays the vectors of the good captions of an image out on a plane, k-means makes {k} clusters, and "
    "one caption of each cluster is picked at random (`cluster` in the files).",
    "least_alike": "The {k} good captions of an image with the lowest mean similarity are chosen.",
}
SELECTION = """\
{how} Similarity is that of the model {models}, and the seed is {seed}. A caption that a person pinned is marked with
`is_pinned`. `stability` is the mean Jaccard index of the chosen captions with those that other seeds choose.{mixed}

`negatives.jsonl` has one rejected caption for {negatives:,} images. Images without a rejected caption: {without:,}."""
MIXED = " Not all images were chosen in the same way: `variant` says which way."
SPLITS = """\
**Splits.** {train:,} images are for training, {validation:,} for validation and {test:,} for the test (`split`). The
seed {seed} drew them. Images that look nearly the same are in the same split.{left_out}

"""
LEFT_OUT = " The curator left out of `judgments.parquet`: {names}."
SAID = {"not_asked": "not asked"}
NOT_ASKED = "No panel of models was asked how hard these captions are: `difficulty` is null."
HOW_HARD = """\
{n} models were asked of every caption whether it matches its image: yes where the cosine of the two reaches the model's
threshold, which is the one of highest F1 on held-out pairs. The policy `{policy}` makes a category of the yes votes;
all votes are in the files, so that any other cut can be made of them. A caption is `unrated` where a model gave no
score. Scores are cut down to four decimals."""
ON_OTHER_IMAGES = """\
**Do not use these categories for research.** The models called `postcards-...` learned from drawings, and {n} of the
{total} images here are not such drawings. On photos these models call almost every caption hard: 178 of 180 in a
test."""
NOT_THE_PAPERS = """\
The models called `postcards-...` are small ones that come with Connote, trained on drawn scenes for demos and tests.
They are not the models of the paper, and what is easy for them says nothing of what is easy for those."""


def write_card(manifest: Mapping[str, Any]) -> str:
    """The card of a release with this manifest, in Markdown."""
    project, counts = manifest["project"], manifest["counts"]
    return CARD.format(
        name=_one_line(project["name"]),
        k=manifest["stages"].get("select", {}).get("parameters", {}).get("k", "few"),
        policy=manifest["policy"],
        labels=LABELS[manifest["policy"].split("/")[0]],
        bibtex=write_bibtex(manifest),
        version=manifest.get("version", "without a number"),
        choices=_choices(manifest.get("choices")),
        quality=_quality(manifest.get("quality_policy")),
        direction=project["direction"],
        guidelines=project["guidelines_sha256"],
        difficulty=_difficulty(manifest["difficulty"]),
        selection=_selection(manifest.get("selection"), counts),
        stages=_stages(manifest["stages"]),
        licences=_table(("licence", "images"), manifest["licences"]),
        **{name: f"{counts[name]:,}" for name in ("images", "captions", "judgments", "annotators")},
    )


def _choices(choices: Mapping[str, Any] | None) -> str:
    if choices is None:
        return ""
    n, left_out = choices["images"], ", ".join(choices["left_out"])
    return SPLITS.format(**n, seed=choices["seed"], left_out=LEFT_OUT.format(names=left_out) if left_out else "")


def _selection(selection: Mapping[str, Any] | None, counts: Mapping[str, int]) -> str:
    if selection is None:
        return "The captions were not chosen by a run of this project."
    return SELECTION.format(
        how=VARIANTS[selection["variant"]].format(k=selection["k"]),
        models=", ".join(f"`{_one_line(name)}` (SHA-256 `{digest}`)" for name, digest in selection["models"].items()),
        seed=selection["seed"],
        mixed=MIXED if len(selection["images"]) > 1 else "",
        negatives=counts.get("negatives", 0),
        without=counts["images"] - counts.get("negatives", 0),
    )


def _quality(policy: Mapping[str, Any] | None) -> str:
    return f"version {policy['version']}, its digest in `manifest.json`" if policy else "none: everybody's count"


def _difficulty(difficulty: Mapping[str, Any] | None) -> str:
    if difficulty is None:
        return NOT_ASKED
    panel = difficulty["panel"]
    drawings = difficulty.get("trained_on_drawings")
    first = _on_other_images(drawings) if drawings else []
    lines = [
        *first,
        HOW_HARD.format(n=len(panel), policy=difficulty["policy"]),
        "",
        _table(("category", "captions"), {SAID.get(name, name): n for name, n in difficulty["categories"].items()}),
        "",
        "| model | yes from | F1 of the threshold | calibrated on | weights (SHA-256) |",
        "|---|---|---|---|---|",
    ]
    notes = ["", NOT_THE_PAPERS] if drawings else []
    return "\n".join([*lines, *map(_member, panel), *notes])


def _on_other_images(drawings: Mapping[str, Any]) -> list[str]:
    """The warning before all figures where models judged what they have never learned."""
    n, total = drawings["n_images"] - drawings["n_drawings"], drawings["n_images"]
    return [ON_OTHER_IMAGES.format(n=f"{n:,}", total=f"{total:,}"), ""] if n else []


def _member(one: Mapping[str, Any]) -> str:
    made = one["calibration"]
    pairs = _one_line(made.get("pairs", "")) or f"{made['n_pairs']:,} pairs"  # raters of old kept the numbers alone
    pairs += f", in batches of {made['batch_size']}"
    name = _one_line(one["model"])
    return f"| {name} | {one['threshold']:.4f} | {made['f1']:.3f} | {pairs} | `{one['digest']}` |"


def _stages(stages: Mapping[str, Any]) -> str:
    lines = ["| stage | parameters | seed | code | models |", "|---|---|---|---|---|"]
    for name, made in stages.items():
        cells = (_pairs(made["parameters"]), made["seed"], made["code_version"], _pairs(made["models"]))
        lines.append(f"| {name} | {' | '.join(str(cell) for cell in cells)} |")
    return "\n".join(lines)


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}={_one_line(str(value))}`" for name, value in values.items() if value != "")


def _table(heads: tuple[str, str], rows: Mapping[str, int]) -> str:
    lines = [f"| {heads[0]} | {heads[1]} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {_one_line(name)} | {n:,} |" for name, n in rows.items())])


def _one_line(text: str) -> str:
    """Text from people inside a heading or a table: one line, no cell borders."""
    return " ".join(text.split()).replace("|", "\\|").replace("`", "'")
