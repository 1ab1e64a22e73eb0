"""What papers publish of sets of judgments, to stand beside our figures. `why` says what to know where they differ.

A figure stands here only with the place where it can be read, or, where no paper of a set is at hand and ORACLES.json
has the figure from memory, with just that said of it. Where there is not even that, it is said, too. What other code
found on the same labels stands beside ours: it shows that the arithmetic is right, not what was published.
"""

from __future__ import annotations

from dataclasses import dataclass

from backend.methods.foreign.conqa import ANSWERED, DEPTHS

NOT_HELD = "not published in what we hold"
REMEMBERED = "{}, as remembered in ORACLES.json, not in the papers held"
NOT_RELEASED = "Not released: the votes come without their workers."
NEEDS_GOLD = "Give the true labels with --gold."
NEEDS_QUERIES = "Give ConQA's seed.json with --queries."
NEEDS_CURATED = "Give ConQA's vg_subset.txt with --curated."
NEEDS_WORDNET = "Give ConQA's seed.json with --queries, and WordNet's folder with --wordnet; Debian's is found."
NO_RULE_FITS = (
    "Does not follow from the released counts under any reading tried: plurality, more than half, share of votes."
)
OTHER_CODE = "Other code on the same labels: {}."


@dataclass(frozen=True)
class Published:
    """A figure of a paper: under which name we print ours, what the paper says and where, and why the two differ, if
    they do. Without a `value` no paper that we hold says anything. `without` is why there is none of ours, if so."""

    figure: str
    value: str = ""
    where: str = ""
    why: str = ""
    without: str = ""

    @property
    def said(self) -> str:
        """What stands beside our figure."""
        return f"published {self.value} ({self.where})" if self.value else NOT_HELD


def _conqa(figure: str, value: str, where: str, why: str = "", *, without: str = "") -> Published:
    return Published(figure, value, f"ConQA, ECIR 2024, {where}", why, without)


def _of_queries(figure: str, value: str, where: str, why: str = "") -> Published:
    return _conqa(figure, value, where, why, without=NEEDS_QUERIES)


def _recomputed(figures: dict[str, str]) -> tuple[Published, ...]:
    return tuple(Published(figure, why=OTHER_CODE.format(found)) for figure, found in figures.items())


def _remembered(figure: str, value: str, source: str, *, without: str = "") -> Published:
    """What ORACLES.json has from memory, where other code finds the very same on the labels."""
    return Published(figure, value, REMEMBERED.format(source), OTHER_CODE.format(value), without)


def _correlations() -> tuple[Published, ...]:
    where = "notebook compute_correlation.ipynb of the set's repository"
    why = "What it calls Spearman's is numpy's corrcoef, which is Pearson's."
    return tuple(
        Published(f"{name} against people", f"Spearman {first}, Kendall {kendall}", where, why)
        for name, (first, kendall) in CORRELATIONS.items()
    )


def _winogavil(people: str, clip: str, published: str) -> tuple[Published, ...]:
    where = REMEMBERED.format("WinoGAViL, zero-shot table")
    return (
        *_recomputed({"Jaccard index of people, mean": people}),
        Published("Jaccard index of clip_vit_32, mean", published, where, OTHER_CODE.format(clip)),
    )


def _valse(valid: str, alike: str, alpha: str, fleiss: str) -> tuple[Published, ...]:
    others = _recomputed({ALL_OF_THREE: alike, "alpha_nominal": alpha, "fleiss": fleiss})
    return (_remembered(TWO_OF_THREE, valid, "VALSE, ACL 2022"), *others)


def _accuracies(majority: str, dawid_skene: str, alpha: str, *, sources: tuple[str, str]) -> tuple[Published, ...]:
    return (
        _remembered("accuracy of the majority, ties split", majority, sources[0], without=NEEDS_GOLD),
        _remembered("accuracy of Dawid-Skene, no smoothing", dawid_skene, sources[1], without=NEEDS_GOLD),
        *_recomputed({"alpha_nominal": alpha}),
    )


# Least, most and mean depth over a query's words, mean and standard deviation over queries.
DEEP = {
    "conceptual": "2.96 ± 1.94, 6.73 ± 1.79, 4.88 ± 1.57",
    "descriptive": "3.56 ± 2.30, 8.03 ± 1.43, 5.99 ± 1.35",
}
# What TIFA's authors printed beside the file itself: of each measure its correlation, and Kendall's.
CORRELATIONS = {
    "meteor": ("0.3397", "0.2741"), "bleu": ("0.1833", "0.1879"), "rouge": ("0.3289", "0.2449"),
    "spice": ("0.3281", "0.2318"), "clipscore_vitb32": ("0.3318", "0.2314"), "tifa_vilt": ("0.4932", "0.3824"),
    "tifa_git-large": ("0.5445", "0.4255"), "tifa_ofa-large": ("0.4961", "0.3725"),
    "tifa_blip2-flant5xl": ("0.5590", "0.4360"), "tifa_mplug-large": ("0.5967", "0.4717"),
}  # fmt: skip
TWO_OF_THREE, ALL_OF_THREE = "items with caption from two voters or more", "items with caption from all voters"
PUBLISHED: dict[str, tuple[Published, ...]] = {
    "mturk": (
        _conqa("queries", "80", "section 1"),
        _of_queries("queries, conceptual and descriptive", "50 and 30", "section 1"),
        _of_queries("words a query: fewest, median, most", "1, 3, 7", "section 4"),
        _of_queries("words a query, mean", "3.4", "section 3"),
        _conqa("images", "6,941", "section 4",
               "With the seed images there are 6,937; no union of released files has 6,941."),
        _of_queries("images that are no query's seed", "6.3K", "section 5", "6,390 rounded down to hundreds."),
        _of_queries(ANSWERED, "49 and 29", "table 5",
                    "By its shares: 4 of 49 make its 8.2%, 6 of 29 its 20.7%."),
        _conqa("images a query, mean", "100", "section 4", "The median is 100; descriptive queries have up to 118."),
        _conqa("fewest votes of a pair", "at least 3", "section 3"),
        _conqa("relevant images a query, all votes relevant", "24.2", "table 1",
               "No reading of the released votes gives 24.2. These are the nearest."),
        _of_queries("median % of pairs Unsure by plurality, conceptual", "20.0", "section 4", NO_RULE_FITS),
        _of_queries("median % of pairs Unsure by plurality, descriptive", "13.97", "section 4", NO_RULE_FITS),
        _of_queries("most % of pairs Unsure by plurality, conceptual", "32", "section 4", NO_RULE_FITS),
        _of_queries("most % of pairs Unsure by plurality, descriptive", "27.43", "section 4", NO_RULE_FITS),
        _of_queries("HITs a query, conceptual and descriptive", "60 and 75", "section 3"),
        _of_queries("cost in USD", "1155", "section 3"),
        _conqa("cost in USD, with trials of the HITs", "about 1500", "section 3",
               without="The trials before the final tasks are not released."),
        *(_conqa(DEPTHS.format(kind), depths, "table 2", without=NEEDS_WORDNET) for kind, depths in DEEP.items()),
        _conqa("curated images", "43,413", "section 3", without=NEEDS_CURATED),
        _conqa("Cohen kappa, workers against controls", "0.676", "section 4", NOT_RELEASED),
        _conqa("workers", "2,190", "section 3", NOT_RELEASED),
        _conqa("% of workers without a control", "about one third", "section 4", NOT_RELEASED),
        _conqa("HITs a worker, mean", "2.5", "section 3", NOT_RELEASED),
        _conqa("% of workers with at most 3 HITs", "77", "section 3", NOT_RELEASED),
        _conqa("most HITs of a worker", "16", "section 3", NOT_RELEASED),
    ),
    "rte_labels": _accuracies(
        "0.8969", "0.9275", "0.2415", sources=("Snow et al. 2008 as 89.7%", "widely reported as 92.75%")
    ),
    "bluebirds_labels": _accuracies(
        "0.7593", "0.8981", "0.1255", sources=("Zhou et al. 2012", "Zhou et al. 2012")
    ),
    "nlvr_dev": _recomputed(
        {"fleiss": "0.7994", "alpha_nominal": "0.7995", "accuracy of the majority, ties split": "1.0"}
    ),
    "existence": _valse("505", "410", "0.2068", "0.2063"),
    "counting-hard": _valse("868", "598", "0.2028", "0.2026"),
    "counting-small-quant": _recomputed(
        {TWO_OF_THREE: "900", ALL_OF_THREE: "637", "alpha_nominal": "0.1755", "fleiss": "0.1752"}
    ),
    "counting-adversarial": _valse("691", "522", "0.1650", "0.1646"),
    "actant-swap": _valse("949", "756", "0.2599", "0.2596"),
    "coreference-hard": _valse("104", "69", "0.2904", "0.2887"),
    "sighted_data_all": _recomputed({"judgments": "1,102", "annotators": "58", "images": "20"}),
    "sighted_data_criticaltrials": _recomputed(
        {"judgments": "986", "items": "270", "annotators": "58", "images": "18"}
    ),
    "blv_data_criticaltrials": (Published("alpha_ordinal"),),
    "human_annotations_with_scores": (Published("alpha_ordinal"), *_correlations()),
    "game_5_6_with_predictions": _winogavil("0.9913", "0.5339", "0.53"),
    "swow_with_predictions": _winogavil("0.9711", "0.7428", "0.74"),
    "winogavil_dataset": (Published("Jaccard index of people, mean"),),
}  # fmt: skip
