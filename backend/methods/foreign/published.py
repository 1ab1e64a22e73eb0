"""What papers publish of sets of judgments, to stand beside our figures. `why` says what to know where they differ."""

from __future__ import annotations

from dataclasses import dataclass

NOT_RELEASED = "not released: it needs each worker's answers to controls"
NO_RULE_FITS = "does not follow from the released counts under any rule tried; plurality comes nearest"


@dataclass(frozen=True)
class Published:
    """A figure of a paper: under which name we print ours, what the paper says, and why the two differ, if they do."""

    figure: str
    value: str
    source: str
    why: str = ""


CONQA = "ConQA (ECIR 2024)"
SNOW = "Snow et al. 2008"
ZHOU = "Welinder et al. 2010; Zhou et al. 2012"
VALSE = "VALSE (ACL 2022), valid items of the instrument"
TWO_OF_THREE = "items with caption from two voters or more"
VALID = {"existence": "505", "counting-hard": "868", "counting-adversarial": "691", "actant-swap": "949"}
VALID |= {"coreference-hard": "104"}
PUBLISHED: dict[str, tuple[Published, ...]] = {
    "mturk": (
        Published("queries", "80", CONQA),
        Published("images", "6,941", CONQA, "6,623 in the votes; with the seed images 6,937"),
        Published("fewest votes of a pair", "3", CONQA),
        Published("median % of pairs Unsure by plurality, conceptual", "20.0", CONQA, NO_RULE_FITS),
        Published("median % of pairs Unsure by plurality, descriptive", "13.97", CONQA, NO_RULE_FITS),
        Published("most % of pairs Unsure by plurality, conceptual", "32", CONQA, NO_RULE_FITS),
        Published("most % of pairs Unsure by plurality, descriptive", "27.43", CONQA, NO_RULE_FITS),
        Published("relevant images a query, all votes relevant", "24.2", CONQA, "the released votes give fewer"),
        Published("Cohen kappa, workers against controls", "0.676", CONQA, NOT_RELEASED),
        Published("cost in USD", "1155", CONQA),
    ),
    "rte_labels": (
        Published("accuracy of the majority, ties split", "0.8969", SNOW),
        Published("accuracy of Dawid-Skene, no smoothing", "0.9275", SNOW),
    ),
    "bluebirds_labels": (
        Published("accuracy of the majority, ties split", "0.7593", ZHOU),
        Published("accuracy of Dawid-Skene, no smoothing", "0.8981", ZHOU),
    ),
} | {name: (Published(TWO_OF_THREE, valid, VALSE),) for name, valid in VALID.items()}
