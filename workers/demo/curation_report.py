"""How good the curation is, on drawn postcards, where the kind of every caption is known.

Each image has a pool of true captions: literal, partly literal, figurative, emotional and abstract ones. A panel of
models votes on all of them, and five are chosen of each pool in three ways. The report says:

* whether figurative captions are harder than literal ones, as Kendall's tau-b with an interval that draws images;
* how many captions are easy, medium and hard in a set of literal captions and in the five chosen ones;
* how far the categories depend on the models of the panel, as Cohen's kappa of random panels;
* how similar five captions of an image are: chosen by cluster (B), the least similar (A), or at random.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.calibration import floor_to_bin
from backend.methods.difficulty import rate
from backend.methods.diversity import compare, density_of, mean_of_image, mean_of_pairs, summarise
from backend.methods.ranges_svg import Range
from backend.methods.rank_tables import table_of, tau_b_over_groups
from backend.methods.robustness import Stored, TooFewModelsError, robustness
from backend.methods.selection import GoodCaptions, select_by_cluster, select_least_alike
from workers.engines import registry
from workers.engines.calibrations import find_record
from workers.engines.caption_clusters import UmapKMeans, one_thread
from workers.engines.protocols import Vectors
from workers.training.postcards import corpus
from workers.training.postcards.captions import Caption, captions_of
from workers.training.postcards.controls import truth
from workers.training.postcards.corpus import Target
from workers.training.postcards.drawing import draw
from workers.training.postcards.exports import TARGET_WIDTH

KINDS = ("literal", "partly_literal", "figurative")  # from the easiest to the hardest
LEFT_OUT = ("title", "generic", "wrong")
SETS = 6  # of captions for each image: 3 literal ones and 1 of each other kind
K = 5
VARIANTS = ("variant B", "variant A", "random")
Tell = Callable[[str], object]


@dataclass(frozen=True)
class Wanted:
    """What the report is made of. `panel` votes by the records in `calibrations`; `sentences` compares captions."""

    images: int
    seed: int
    panel: Sequence[str]
    sentences: str
    calibrations: Path
    policy: str = "unanimous"


@dataclass(frozen=True)
class Pool:
    """One image with its true captions, each text once."""

    target: Target
    captions: tuple[Caption, ...]

    @property
    def texts(self) -> list[str]:
        return [caption.text for caption in self.captions]


def pools_of(n: int, seed: int) -> list[Pool]:
    """The pools of the first `n` targets of a seed."""
    return [Pool(target, _captions(target)) for target in corpus.targets(n, seed)]


def _captions(target: Target) -> tuple[Caption, ...]:
    found: dict[str, Caption] = {}
    for number in range(SETS):
        for caption in captions_of(target.scene, target.scene.seed + 1000 * number):
            if caption.kind not in LEFT_OUT and truth(caption, target.scene) == "good":
                found.setdefault(caption.text, caption)
    return tuple(found.values())


def make_report(wanted: Wanted, *, tell: Tell) -> dict[str, Any]:
    """Everything the report says, as plain values. Raises EngineError where a model cannot be used."""
    pools = pools_of(wanted.images, wanted.seed)
    tell(f"{len(pools):,} images with {sum(len(pool.captions) for pool in pools):,} captions.")
    pictures = [_picture(pool.target) for pool in pools]
    scores = {}
    for name in wanted.panel:
        scores[name] = _votes(name, pools, pictures, wanted.calibrations)
        tell(f"{name} has voted.")
    votes = np.stack([scores[name] for name in wanted.panel])
    sentences = registry.sentence_encoder(wanted.sentences)
    vectors = _split(sentences.encode([text for pool in pools for text in pool.texts]), pools)
    chosen = _choose(pools, vectors, wanted.seed)
    tell("Five captions of each image are chosen in three ways.")
    places = _places(pools)
    categories = [rate([bool(vote) for vote in column], policy=wanted.policy).category for column in votes.T]
    return {
        "format": "connote-curation-report/1",
        "images": len(pools),
        "captions": len(categories),
        "seed": wanted.seed,
        "panel": list(wanted.panel),
        "policy": wanted.policy,
        "sentence_model": sentences.name,
        "difficulty_by_kind": _by_kind(pools, places, votes, categories, wanted.seed),
        "sets": _sets(pools, places, chosen, categories),
        "robustness": _robustness(votes, wanted),
        "diversity": _diversity(pools, pictures, vectors, chosen, sentences.name, wanted),
    }


def _picture(target: Target) -> bytes:
    """As an export of Postcards has it: a JPEG of 768 pixels."""
    file = io.BytesIO()
    draw(target.scene, TARGET_WIDTH).save(file, "JPEG", quality=88)
    return file.getvalue()


def _votes(name: str, pools: Sequence[Pool], pictures: Sequence[bytes], folder: Path) -> NDArray[np.int8]:
    """1 for yes and 0 for no, for every caption of every pool, by the threshold of the model's record."""
    with registry.borrowed(name):
        images, texts = registry.towers(name)
        record = find_record(name, folder)
        record.check(images, name=name)
        seen = _seen(images, pictures)
        said = _split(texts.encode([text for pool in pools for text in pool.texts]), pools)
    cosines = [captions.astype(np.float64) @ seen[at] for at, captions in enumerate(said)]
    return (floor_to_bin(np.concatenate(cosines)) >= record.calibration.threshold).astype(np.int8)


def _seen(images: Any, pictures: Sequence[bytes]) -> NDArray[np.float64]:
    blocks = images.encode((str(at), data) for at, data in enumerate(pictures))
    return np.concatenate([block.vectors for block in blocks]).astype(np.float64)


def _split(vectors: Vectors, pools: Sequence[Pool]) -> list[Vectors]:
    return np.split(vectors, np.cumsum([len(pool.captions) for pool in pools])[:-1])


def _places(pools: Sequence[Pool]) -> list[range]:
    """Where the captions of each pool are among all."""
    ends = np.cumsum([len(pool.captions) for pool in pools]).tolist()
    return [range(end - len(pool.captions), end) for pool, end in zip(pools, ends, strict=True)]


def _choose(pools: Sequence[Pool], vectors: Sequence[Vectors], seed: int) -> dict[str, list[list[int]]]:
    """Of each pool the places of five captions, by variant."""
    found: dict[str, list[list[int]]] = {variant: [] for variant in VARIANTS}
    dice, grouper = np.random.default_rng(seed), UmapKMeans()
    with one_thread():
        for pool, rows in zip(pools, vectors, strict=True):
            ids = [f"{at:04}" for at in range(len(pool.captions))]
            good = GoodCaptions(ids, pool.texts, rows)
            by_cluster = select_by_cluster(good, K, seed=seed, digest=pool.target.id, grouper=grouper)
            least_alike = select_least_alike(good, K)
            if by_cluster is None or least_alike is None:
                raise ValueError(f"{pool.target.id} has fewer than {K} captions.")
            found["variant B"].append([int(key) for key in by_cluster.chosen.ids])
            found["variant A"].append([int(key) for key in least_alike.chosen.ids])
            found["random"].append(sorted(dice.choice(len(ids), K, replace=False).tolist()))
    return found


def _by_kind(
    pools: Sequence[Pool], places: Sequence[range], votes: NDArray[np.int8], categories: Sequence[str], seed: int
) -> dict[str, Any]:
    """The correlation of kind and no votes, which are more of a harder caption; and the categories of each kind."""
    n_models = len(votes)
    noes = n_models - votes.sum(axis=0)
    tables = []
    for pool, place in zip(pools, places, strict=True):
        ranked = [
            (KINDS.index(caption.kind), int(noes[at]))
            for caption, at in zip(pool.captions, place, strict=True)
            if caption.kind in KINDS
        ]
        tables.append(table_of([kind for kind, _ in ranked], [no for _, no in ranked], (len(KINDS), n_models + 1)))
    value, low, high = tau_b_over_groups(np.stack(tables), seed=seed)
    counts: dict[str, Counter[str]] = {}
    for pool, place in zip(pools, places, strict=True):
        for caption, at in zip(pool.captions, place, strict=True):
            counts.setdefault(str(caption.kind), Counter())[categories[at]] += 1
    known = np.stack(tables).sum(0)
    mean_noes = [float((row * np.arange(n_models + 1)).sum() / row.sum()) for row in known]
    return {
        "tau_b": {"value": value, "low": low, "high": high, "n": int(known.sum())},
        "mean_no_votes": {kind: round(mean, 3) for kind, mean in zip(KINDS, mean_noes, strict=True)},
        "categories": {kind: dict(counts[kind]) for kind in sorted(counts, key=_order)},
    }


def _order(kind: str) -> tuple[int, str]:
    return (KINDS.index(kind) if kind in KINDS else len(KINDS), kind)


def _sets(
    pools: Sequence[Pool], places: Sequence[range], chosen: dict[str, list[list[int]]], categories: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Categories of five literal captions of each image, and of the five that each variant chose."""
    literal = [[at for at, caption in enumerate(pool.captions) if caption.kind == "literal"][:K] for pool in pools]
    return {
        name: dict(Counter(categories[place[at]] for place, picks in zip(places, sets, strict=True) for at in picks))
        for name, sets in {"literal only": literal, **chosen}.items()
    }


def _robustness(votes: NDArray[np.int8], wanted: Wanted) -> dict[str, Any] | None:
    """Panels of seven, or of all models but two where there are fewer than nine. None with fewer than four models."""
    n_models = len(votes)
    size = 7 if n_models >= 9 else n_models - 2
    stored = Stored(tuple(wanted.panel), (True,) * n_models, votes)
    try:
        found = robustness(stored, n_panels=10, size=size, seed=wanted.seed, policy=wanted.policy)
    except (TooFewModelsError, ValueError):
        return None
    return {
        "n_models": n_models,
        "size": size,
        "n_panels": len(found.panels),
        "between": {kind: asdict(spread) for kind, spread in found.between.items()},
        "with_reference": {kind: asdict(spread) for kind, spread in (found.with_reference or {}).items()},
    }


def _diversity(
    pools: Sequence[Pool],
    pictures: Sequence[bytes],
    vectors: Sequence[Vectors],
    chosen: dict[str, list[list[int]]],
    sentence_model: str,
    wanted: Wanted,
) -> dict[str, Any]:
    """A body as `draw_report` takes it, with the variants as datasets; all have the same images."""
    name = wanted.panel[-1]
    with registry.borrowed(name):
        images, texts = registry.towers(name)
        seen = _seen(images, pictures)
        said = _split(texts.encode([text for pool in pools for text in pool.texts]), pools)
    measures: dict[str, tuple[str, Callable[[int, list[int]], float | None]]] = {
        "sbert": (sentence_model, lambda at, picks: mean_of_pairs(vectors[at][picks])),
        "clip_text": (name, lambda at, picks: mean_of_pairs(said[at][picks])),
        "clip_image": (name, lambda at, picks: mean_of_image(seen[at], said[at][picks])),
    }
    found = []
    for measure, (model, value) in measures.items():
        columns = [  # None becomes NaN
            np.array([value(at, picks) for at, picks in enumerate(chosen[variant])], dtype=np.float64)
            for variant in VARIANTS
        ]
        density = density_of(columns)
        others = {f"{one} - {other}": (at, to) for at, one in enumerate(VARIANTS) for to, other in enumerate(VARIANTS)}
        found.append(
            {
                "measure": measure,
                "model": model,
                "datasets": [asdict(summarise(column, seed=wanted.seed)) for column in columns],
                "differences": {
                    told: asdict(compare(columns[at], columns[to], is_paired=True, seed=wanted.seed))
                    for told, (at, to) in others.items()
                    if at < to
                },
                "density": density.to_json() if density else None,
            }
        )
    return {"datasets": [{"name": variant} for variant in VARIANTS], "measures": found}


def in_words(report: dict[str, Any]) -> str:
    """The report as text, in lines of at most 100 characters."""
    kinds, sets = report["difficulty_by_kind"], report["sets"]
    tau = kinds["tau_b"]
    lines = [
        f"Curation report: {report['images']:,} postcards, {report['captions']:,} captions, "
        f"{len(report['panel'])} models, seed {report['seed']}",
        "",
        "Difficulty and the kind of caption (literal < partly literal < figurative)",
        f"  Kendall's tau-b of kind and no votes: {_with_interval(tau['value'], tau['low'], tau['high'])}, "
        f"n {tau['n']:,} captions",
        *(f"  {kind:<16} mean no votes {mean:.2f}" for kind, mean in kinds["mean_no_votes"].items()),
        "",
        f"  {'':<16} {'n':>6} {'easy':>8} {'medium':>8} {'hard':>8}",
        *(_shares(name, counts) for name, counts in kinds["categories"].items()),
        "",
        "Five captions of each image",
        f"  {'':<16} {'n':>6} {'easy':>8} {'medium':>8} {'hard':>8}",
        *(_shares(name, counts) for name, counts in sets.items()),
        "",
        *_robustness_in_words(report["robustness"]),
        "",
        "Diversity of the five captions (a lower similarity of captions is more diversity)",
    ]
    for measure in report["diversity"]["measures"]:
        lines.append(f"  {measure['measure']} by {measure['model']}")
        for name, one in zip(VARIANTS, measure["datasets"], strict=True):
            lines.append(f"    {name:<24} {_with_interval(one['mean'], one['low'], one['high'])}")
        for told, one in measure["differences"].items():
            lines.append(f"    {told:<24} {_with_interval(one['value'], one['low'], one['high'])}")
    return "\n".join(lines) + "\n"


def ranges_of(report: dict[str, Any]) -> list[tuple[str, Range]]:
    """What can be drawn as a value with its range: the rank correlation, and each kappa of random panels."""
    tau = report["difficulty_by_kind"]["tau_b"]
    rows: list[tuple[str, Range]] = [("Kendall's tau-b of kind and no votes", (tau["low"], tau["value"], tau["high"]))]
    robust = report["robustness"] or {}
    for told, key in (("between panels", "between"), ("panels with all models", "with_reference")):
        for kind, spread in robust.get(key, {}).items():
            rows.append((f"Kappa {kind}, {told}", (spread["least"], spread["mean"], spread["most"])))
    return rows


def _with_interval(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "not defined"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _shares(name: str, counts: dict[str, int]) -> str:
    total = sum(counts.values()) or 1
    shares = " ".join(f"{counts.get(category, 0) / total:>8.1%}" for category in ("easy", "medium", "hard"))
    return f"  {name:<16} {sum(counts.values()):>6,} {shares}"


def _robustness_in_words(found: dict[str, Any] | None) -> list[str]:
    if found is None:
        return ["Robustness: there are too few models for random panels."]
    head = f"Robustness: {found['n_panels']} random panels of {found['size']} of {found['n_models']} models"
    lines = [head]
    for told, key in (("between panels", "between"), ("with all models", "with_reference")):
        for kind, spread in found[key].items():
            if spread["mean"] is None:
                lines.append(f"  kappa {kind:<8} {told:<16} not defined")
            else:
                told_of = f"mean {spread['mean']:.3f}, from {spread['least']:.3f} to {spread['most']:.3f}"
                lines.append(f"  kappa {kind:<8} {told:<16} {told_of}, n {spread['n']}")
    return lines
