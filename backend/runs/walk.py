"""The walk: every stage from images to a release, in order, by name. Nothing starts by itself.

A stage is started by a curator's button, the API, or `manage.py walk`; each start is a Run. `judge` is the one stage
that people do. What a stage needs before it can start is a gauge (projects/gauges.py) that must not be zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from backend.common.errors import InvalidInput
from backend.methods.difficulty import POLICIES
from backend.methods.polysemy import RADII, read_radii


@dataclass(frozen=True)
class Parameter:
    """One knob of a stage. `kind` is str or int; an int has bounds, a str may have choices, or a pattern in words.

    `check` raises ValueError, with a sentence, for what fits the pattern and is refused all the same.
    """

    name: str
    kind: type[int] | type[str]
    default: int | str
    help: str
    minimum: int = 0
    maximum: int = 2**53
    choices: tuple[str, ...] = ()
    pattern: str = ""
    takes: str = ""
    check: Callable[[str], object] | None = None

    def read(self, value: object) -> int | str:
        """`value` checked against this knob. Raises InvalidInput naming the knob and what it takes."""
        if isinstance(value, bool) or not isinstance(value, self.kind):
            raise InvalidInput(f"{self.name} takes {'a whole number' if self.kind is int else 'text'}.")
        if isinstance(value, int) and not self.minimum <= value <= self.maximum:
            raise InvalidInput(f"{self.name} must lie between {self.minimum} and {self.maximum}.")
        if self.choices and value not in self.choices:
            raise InvalidInput(f"{self.name} must be one of: {', '.join(self.choices)}.")
        if self.pattern and not re.fullmatch(self.pattern, str(value)):
            raise InvalidInput(f"{self.name} takes {self.takes}, and {str(value)[:100]!r} is not that.")
        self._check(str(value))
        return value

    def _check(self, value: str) -> None:
        try:
            if self.check:
                self.check(value)
        except ValueError as error:
            raise InvalidInput(str(error)) from error


@dataclass(frozen=True)
class Stage:
    """One step of the walk. `needs` names the gauge that must not be zero before it can start.

    The stages after an optional one do not wait for it. One `on_purpose` costs money, narrows the project or measures
    it: a curator thinks of it, and `manage.py walk` runs it only where it is named.
    """

    name: str
    label: str
    explanation: str
    queue: str = "cpu"
    needs: str = ""
    why_not: str = ""
    parameters: tuple[Parameter, ...] = ()
    by_people: bool = False
    is_optional: bool = False
    is_on_purpose: bool = False


LIKENESS = ("vision", "hash")
RETRIEVAL = ("clustering", "knn")
SOURCE_NAME = "[a-z0-9][a-z0-9_-]{0,39}"
SOURCE_NAMES = rf"\s*(?:{SOURCE_NAME}\s*)?(?:,\s*(?:{SOURCE_NAME}\s*)?)*"
RADIUS_LIST = r"\s*[0-9]{1,4}\s*(?:,\s*[0-9]{1,4}\s*)*"
LAYOUTS = ("auto", "table", "coco", "imagefolder", "webdataset", "files")
SOURCES = (
    Parameter("source", str, "", "A file or folder on the server, under CONNOTE_IMPORT_ROOTS."),
    Parameter("upload", str, "", "The id of an upload, instead of a source."),
    Parameter("layout", str, "auto", "How the source is laid out.", choices=LAYOUTS),
)

STAGES = (
    Stage(
        "import_images",
        "Import images",
        "Reads pictures with their licences, refuses what is not one, draws thumbnails.",
        parameters=(*SOURCES, Parameter("default_licence", str, "", "Licence of rows that name none.")),
    ),
    Stage(
        "sample",
        "Sample",
        "Lays the images out by what they show and picks those that cover it evenly; in force once a curator says so.",
        queue="gpu",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter("k", int, 5000, "Images to pick; with no more than that, all are.", minimum=1, maximum=1_000_000),
            Parameter("model", str, "", "Image encoder; empty for CONNOTE_VISION_MODEL."),
            Parameter("n_neighbors", int, 15, "UMAP: how many neighbours an image is laid by.", minimum=2, maximum=200),
            Parameter("min_dist", int, 10, "UMAP: how near two images may come, in hundredths.", maximum=100),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "import_candidates",
        "Import captions",
        "Reads captions for the imported images, and can borrow captions of other images.",
        needs="images",
        why_not="Import images first.",
        parameters=(
            *SOURCES,
            Parameter("origin", str, "human", "What the captions are called in `source`: human, corpus, web ..."),
            Parameter(
                "borrow", int, 0, "Captions of other images to add to each image, drawn by the seed.", maximum=100
            ),
        ),
    ),
    Stage(
        "import_queries",
        "Import queries",
        "Reads queries with the images to judge against each, for projects whose HITs show images of a query.",
        needs="images",
        why_not="Import images first.",
        parameters=SOURCES[:2],
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "embed_corpus",
        "Embed corpus",
        "Gives every picture of a registered corpus its vector, shard by shard, on as many workers as there are.",
        queue="gpu",
        needs="corpora",
        why_not="Register a corpus first.",
        parameters=(
            Parameter("corpus", str, "", "The corpus by its name; empty where there is only one."),
            Parameter("model", str, "", "Image encoder; empty for CONNOTE_VISION_MODEL."),
        ),
        is_optional=True,
    ),
    Stage(
        "retrieve",
        "Retrieve",
        "Finds the pictures of embedded corpora that lie near each image, and borrows their captions for it.",
        queue="gpu",
        needs="corpora",
        why_not="Register a corpus and embed it first.",
        parameters=(
            Parameter("corpora", str, "", "Corpora by comma; empty for every embedded one of the project."),
            Parameter("mode", str, "clustering", "Neighbours of the image's own cluster, or any.", choices=RETRIEVAL),
            Parameter("radius", int, 50, "Pictures of a pool in a corpus the size of COCO; scales with the corpus."),
            Parameter("low", int, 70, "Hundredths: the least mean cosine of a pool.", maximum=100),
            Parameter("high", int, 80, "Hundredths: a pool with a higher mean could be widened.", maximum=100),
            Parameter("copy", int, 95, "Hundredths: from this cosine on a picture may be the image.", maximum=101),
            Parameter("min_cluster_size", int, 50, "HDBSCAN: pictures of the smallest cluster.", minimum=2),
            Parameter("epsilon", int, 0, "HDBSCAN: hundredths of a unit of the map that part two clusters."),
            Parameter("umap_sample", int, 100_000, "Pictures that the map is learned from; others are placed on it."),
            Parameter("model", str, "", "Image encoder; empty for CONNOTE_VISION_MODEL."),
        ),
        is_optional=True,
    ),
    Stage(
        "polysemy",
        "Polysemy report",
        "Measures how alike neighbours in a corpus look, and how far from a picture their captions lie, by radius.",
        queue="gpu",
        needs="corpora",
        why_not="Register a corpus and embed it first.",
        parameters=(
            Parameter("corpora", str, "", "Corpora by comma; empty for every embedded one of the project."),
            Parameter("queries", int, 1000, "Pictures drawn from each corpus.", minimum=1, maximum=1_000_000),
            Parameter("model", str, "", "Image encoder; empty for CONNOTE_VISION_MODEL."),
            Parameter("clip", str, "", "CLIP model; empty for the last of CONNOTE_DIFFICULTY_PANEL."),
            Parameter(
                "radii",
                str,
                ",".join(map(str, RADII)),
                "Radii by comma: so many nearest neighbours each.",
                pattern=RADIUS_LIST,
                takes="whole numbers below 10,000 by comma, such as 0, 5, 50",
                check=read_radii,
            ),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "web_titles",
        "Web titles",
        "Sends the pictures to Google, which knows pages that show them: the titles become captions. Can cost money.",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter("most_units", int, 100, "Images that may be looked up; with more to ask, nothing is sent."),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "clean",
        "Clean",
        "Repairs the text and drops what cannot be a caption; each drop keeps its rule.",
        needs="candidates",
        why_not="Import captions first.",
        parameters=(
            Parameter("min_words", int, 3, "Shorter captions are dropped.", maximum=50),
            Parameter("title_min_words", int, 5, "Shorter titles of web pages are dropped.", maximum=50),
            Parameter(
                "title_sources",
                str,
                "web",
                "Sources by comma whose texts are titles of web pages.",
                pattern=SOURCE_NAMES,
                takes="names of sources by comma, such as web",
            ),
            Parameter("parser", str, "connote-en", "spaCy pipeline that finds nouns, verbs and adjectives in titles."),
        ),
    ),
    Stage(
        "generic",
        "Generic captions",
        "Asks a panel of models on how many other images each kept caption fits, and flags those that fit many.",
        queue="gpu",
        needs="kept",
        why_not="Clean the captions first.",
        parameters=(
            Parameter("panel", str, "", "Models by comma, the tie-breaker last; empty for CONNOTE_DIFFICULTY_PANEL."),
            Parameter("most", int, 10, "Thousandths: what fits more others, at least two, is flagged.", maximum=1000),
            Parameter("alike", int, 80, "Hundredths: from this cosine on two images may share a caption.", maximum=101),
            Parameter("model", str, "", "Image encoder by which images are alike; empty for CONNOTE_VISION_MODEL."),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "make_controls",
        "Make controls",
        "Hides captions of unlike images, or unlike images for a query, among what is judged: known to be bad.",
        queue="gpu",
        needs="kept",
        why_not="Clean the captions, or import queries, first.",
        parameters=(
            Parameter("k", int, 2, "Controls for each image or query.", minimum=1, maximum=16),
            Parameter("by", str, "vision", "What says how alike images are: a model, or hashes.", choices=LIKENESS),
            Parameter("model", str, "", "Image encoder; empty for CONNOTE_VISION_MODEL."),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    # After the controls are made: a caption that was not looked at could be told by it.
    Stage(
        "suggest_edits",
        "Suggest edits",
        "Marks names, places, numbers, colours, animals and plants that may need an edit; no caption is changed by it.",
        needs="kept",
        why_not="Clean the captions first.",
        parameters=(Parameter("parser", str, "connote-en", "spaCy pipeline that finds words and names."),),
        is_optional=True,
    ),
    Stage(
        "build_hits",
        "Build HITs",
        "Groups the kept captions of each image, or the images of each query, into HITs for the annotators.",
        needs="kept",
        why_not="Clean the captions, or import queries, first.",
        parameters=(
            Parameter("priority", int, 0, "Of the HITs made now: higher ones are handed out first.", maximum=1000),
        ),
    ),
    Stage("judge", "Judge", "Annotators judge every pair good, bad or unsure.", needs="hits", by_people=True),
    Stage(
        "preview_policy",
        "Preview quality policy",
        "Works out who and what a version of the project's rules would change, and changes nothing.",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter("version", int, 0, "Which version to look at; 0 is the one in force, on what came since."),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "apply_policy",
        "Apply quality policy",
        "Looks at everybody's work by the project's rules: who goes on, who pauses, whose judgments count.",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter("version", int, 0, "Which version to put in force; 0 is the one in force, on what came since."),
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "consensus",
        "Consensus",
        "Makes the votes on each pair its label, a tie stays open; the head annotator's verdict stands above all.",
        needs="judgments",
        why_not="Nobody has judged anything yet.",
        parameters=(
            Parameter(
                "method",
                str,
                "majority",
                "A majority counts votes; Dawid-Skene and MACE also weigh who cast them. Of few votes a pair, most of "
                "one label, the majority is safer.",
                choices=("majority", "dawid_skene", "mace"),
            ),
            Parameter(
                "min_votes",
                int,
                0,
                "Votes a pair needs to get a label; 0 means as many as its HIT has places.",
                maximum=50,
            ),
        ),
    ),
    Stage(
        "select",
        "Select",
        "Chooses the most diverse good captions of each image.",
        queue="gpu",
        needs="agreed_good",
        why_not="No pair has a good consensus yet.",
        parameters=(
            Parameter("k", int, 5, "Captions per image.", minimum=2, maximum=20),
            Parameter("model", str, "", "Sentence encoder; empty for CONNOTE_SENTENCE_MODEL."),
        ),
    ),
    Stage(
        "difficulty",
        "Difficulty",
        "Asks a panel of models whether each chosen caption matches: easy, medium or hard. A release can do without.",
        queue="gpu",
        needs="selected",
        why_not="No image has its selected captions yet.",
        parameters=(
            Parameter("panel", str, "", "Models by comma, the tie-breaker last; empty for CONNOTE_DIFFICULTY_PANEL."),
            Parameter("policy", str, "unanimous", "How votes make the category.", choices=POLICIES),
        ),
        is_optional=True,
    ),
    Stage(
        "release",
        "Release",
        "Freezes the selected captions with their judgments into files with checksums.",
        needs="selected",
        why_not="No image has its selected captions yet.",
    ),
)
BY_NAME = {stage.name: stage for stage in STAGES}


def get_stage(name: str) -> Stage:
    """The stage called `name`. Raises InvalidInput with the names there are."""
    if name in BY_NAME:
        return BY_NAME[name]
    raise InvalidInput(
        f"There is no stage called {name!r}. The stages are: {', '.join(BY_NAME)}.", code="unknown_stage"
    )


def read_parameters(stage: Stage, given: dict[str, object]) -> dict[str, int | str]:
    """`given` checked and completed with defaults. Raises InvalidInput on an unknown name or an unfit value."""
    known = {parameter.name: parameter for parameter in stage.parameters}
    if unknown := sorted(set(given) - set(known)):
        raise InvalidInput(
            f"{stage.label} does not know {', '.join(unknown)}. It takes: {', '.join(known) or 'nothing'}."
        )
    return {name: known[name].read(given[name]) if name in given else known[name].default for name in known}


def stages_between(first: str, last: str) -> tuple[Stage, ...]:
    """The stages from `first` to `last`, both in. Raises InvalidInput when they are unknown or in the wrong order."""
    names = list(BY_NAME)
    start, stop = names.index(get_stage(first).name), names.index(get_stage(last).name)
    if start > stop:
        raise InvalidInput(f"{first} comes after {last} in the walk.")
    return STAGES[start : stop + 1]
