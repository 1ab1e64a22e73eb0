"""The pipeline: every stage from images to a release, in order, by name. Nothing starts by itself.

A stage is started by a curator's button, the API, or `manage.py walk`; each start is a Run. `judge` is the one stage
that people do. What a stage needs before it can start is a counter (projects/counters.py) that must not be zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.common.errors import InvalidInput
from backend.methods.difficulty import POLICIES
from backend.methods.exports.changes import read_notes
from backend.methods.exports.choices import LEAVABLE, LEAVE_OUT, SHARES, read_left_out, read_shares
from backend.methods.polysemy import RADII, read_radii
from backend.projects.models import Direction
from backend.runs.stage import Parameter, Stage

CAPTIONS_ONLY = (Direction.CAPTIONS_OF_AN_IMAGE,)
QUERIES_ONLY = (Direction.IMAGES_OF_A_QUERY,)
LIKENESS = ("vision", "hash")
RETRIEVAL = ("clustering", "knn")
WHICH_IMAGES = ("all_images", "short_pools")
WHICH_CAPTIONS = ("all", "new")
SOURCE_NAME = "[a-z0-9][a-z0-9_-]{0,39}"
SOURCE_NAMES = rf"\s*(?:{SOURCE_NAME}\s*)?(?:,\s*(?:{SOURCE_NAME}\s*)?)*"
RADIUS_LIST = r"\s*[0-9]{1,4}\s*(?:,\s*[0-9]{1,4}\s*)*"
LAYOUTS = ("auto", "table", "coco", "imagefolder", "webdataset", "files")
NOT_HERE = "{label} is not a stage of this project. It is for projects that show {shown}."

SOURCES = (
    Parameter("source", str, "", "File or folder on the server", "It must be in a folder that this site allows."),
    Parameter("upload", str, "", "Upload", "The ID of an upload, instead of a file on the server."),
    Parameter("layout", str, "auto", "Layout", "How the files are arranged.", choices=LAYOUTS),
)
COLUMNS = Parameter(
    "columns",
    str,
    "",
    "Columns",
    "For a table without a header: the names of its columns, with commas between them. For example: image,caption.",
    is_advanced=True,
)
IMAGE_MODEL = Parameter(
    "model", str, "", "Image model", "Leave it empty to use the model of this site.", is_advanced=True
)
NEIGHBOURS = Parameter(
    "n_neighbors",
    int,
    15,
    "Neighbours on the map",
    "A high number shows large groups. A low number shows small groups.",
    unit="images",
    is_advanced=True,
    minimum=2,
    maximum=200,
)
MIN_DIST = Parameter(
    "min_dist",
    int,
    10,
    "Smallest distance on the map",
    "A low number puts similar images closer together.",
    scale=100,
    is_advanced=True,
    maximum=100,
)
PANEL = Parameter(
    "panel",
    str,
    "",
    "Models",
    "Write a comma between the names. The last model decides ties. Leave it empty to use the models of this site.",
    is_advanced=True,
)
CORPORA = Parameter(
    "corpora", str, "", "Corpora", "Write a comma between the names. Leave it empty to use all prepared corpora."
)
PARSER = Parameter(
    "parser",
    str,
    "connote-en",
    "Language model",
    "The spaCy pipeline that finds nouns, verbs, adjectives and names.",
    is_advanced=True,
)
VARIANTS = ("kmeans", "least_alike")
VERSION = Parameter("version", int, 0, "Version", "0 is the active version, with all new answers.")

STAGES = (
    Stage(
        "import_images",
        "Import images",
        "Imports images with their licences, rejects broken files and makes thumbnails.",
        parameters=(
            *SOURCES,
            COLUMNS,
            Parameter("default_licence", str, "", "Licence", "For images without a licence. For example: CC-BY-4.0."),
        ),
    ),
    Stage(
        "sample",
        "Pick a sample",
        "Makes a map of similar images and picks images of every kind. Nothing changes until you activate the sample.",
        queue="gpu",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter(
                "k",
                int,
                5000,
                "Images to pick",
                "If the project has fewer images, all are picked.",
                half_of="images",
                minimum=1,
                maximum=1_000_000,
            ),
            IMAGE_MODEL,
            NEIGHBOURS,
            MIN_DIST,
        ),
        directions=CAPTIONS_ONLY,  # of a query's images, tasks show all that were imported with it
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "import_candidates",
        "Import captions",
        "Imports captions for the images. It can also add captions of other images.",
        needs="images",
        why_not="Import images first.",
        parameters=(
            *SOURCES,
            COLUMNS,
            Parameter(
                "origin", str, "human", "Source", "Where the captions come from: human, web or a name that you choose."
            ),
            Parameter(
                "borrow",
                int,
                0,
                "Captions of other images",
                "Each image gets this number of random captions of other images.",
                unit="per image",
                is_advanced=True,
                maximum=100,
            ),
        ),
        directions=CAPTIONS_ONLY,
    ),
    Stage(
        "import_queries",
        "Import queries",
        "Imports queries, and the images that annotators compare with each query.",
        needs="images",
        why_not="Import images first.",
        parameters=(*SOURCES[:2], COLUMNS),
        directions=QUERIES_ONLY,
    ),
    Stage(
        "embed_corpus",
        "Prepare corpora",
        "Computes a vector for each image of a corpus. Several workers can share the work.",
        queue="gpu",
        needs="corpora",
        why_not="Register a corpus first.",
        parameters=(
            Parameter("corpus", str, "", "Corpus", "Leave it empty if the project has only one corpus."),
            IMAGE_MODEL,
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
    ),
    Stage(
        "retrieve",
        "Find captions",
        "Finds images of a corpus that are similar to each image, and adds their captions.",
        queue="gpu",
        needs="corpora",
        why_not="Register and prepare a corpus first.",
        parameters=(
            CORPORA,
            Parameter(
                "images",
                str,
                "all_images",
                "Images",
                "Short pools: only images with too few good captions after Select captions.",
                is_advanced=True,
                choices=WHICH_IMAGES,
            ),
            Parameter(
                "mode",
                str,
                "clustering",
                "Search in",
                "Clusters: only images of the same group. Nearest neighbours: all similar images.",
                choices=RETRIEVAL,
            ),
            Parameter(
                "radius",
                int,
                50,
                "Images to find",
                "This number is for a corpus of the size of COCO. It grows with the corpus.",
                unit="per image",
                is_advanced=True,
            ),
            Parameter(
                "low",
                int,
                70,
                "Lowest mean similarity",
                "The images found are at least this similar on average. 1 is the same image.",
                scale=100,
                is_advanced=True,
                maximum=100,
            ),
            Parameter(
                "high",
                int,
                80,
                "Highest mean similarity",
                "If the mean is higher, a larger number of images is possible.",
                scale=100,
                is_advanced=True,
                maximum=100,
            ),
            Parameter(
                "copy",
                int,
                95,
                "Similarity of copies",
                "An image with this similarity or more may be a copy. You decide about it later.",
                scale=100,
                is_advanced=True,
                maximum=101,
            ),
            Parameter(
                "min_cluster_size",
                int,
                50,
                "Smallest cluster",
                "HDBSCAN: a smaller group of images is no cluster.",
                unit="images",
                is_advanced=True,
                minimum=2,
            ),
            Parameter(
                "epsilon",
                int,
                0,
                "Distance between clusters",
                "HDBSCAN: clusters with a smaller distance on the map become one cluster.",
                scale=100,
                is_advanced=True,
            ),
            Parameter(
                "umap_sample",
                int,
                100_000,
                "Images for the map",
                "UMAP learns the map from these images and then adds all others.",
                unit="images",
                is_advanced=True,
            ),
            IMAGE_MODEL,
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
    ),
    Stage(
        "polysemy",
        "Polysemy report",
        "Measures how similar neighbours in a corpus are, and how well their captions fit an image.",
        queue="gpu",
        needs="corpora",
        why_not="Register and prepare a corpus first.",
        parameters=(
            CORPORA,
            Parameter(
                "queries",
                int,
                1000,
                "Images to measure",
                "They are picked at random.",
                unit="per corpus",
                minimum=1,
                maximum=1_000_000,
            ),
            IMAGE_MODEL,
            Parameter(
                "clip",
                str,
                "",
                "CLIP model",
                "It compares captions with images. Leave it empty to use the model of this site.",
                is_advanced=True,
            ),
            Parameter(
                "radii",
                str,
                ",".join(map(str, RADII)),
                "Numbers of neighbours",
                "The report has one point for each number. Write a comma between the numbers.",
                is_advanced=True,
                pattern=RADIUS_LIST,
                example="0, 50, 9999",
                check=read_radii,
            ),
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "web_titles",
        "Web titles",
        "Sends the images to Google. Titles of web pages with these images become captions. This can cost money.",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter(
                "most_units",
                int,
                100,
                "Limit",
                "If more images must be looked up, nothing is sent.",
                unit="images",
            ),
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "clean",
        "Clean captions",
        "Repairs captions and removes texts that cannot be captions. Each removed text keeps its reason.",
        needs="candidates",
        why_not="Import captions first.",
        parameters=(
            Parameter(
                "min_words", int, 3, "Shortest caption", "Shorter captions are removed.", unit="words", maximum=50
            ),
            Parameter(
                "title_min_words",
                int,
                5,
                "Shortest web title",
                "Shorter titles of web pages are removed.",
                unit="words",
                maximum=50,
            ),
            Parameter(
                "title_sources",
                str,
                "web",
                "Sources with web titles",
                "Rules for titles apply to these sources only. Write a comma between the names.",
                is_advanced=True,
                pattern=SOURCE_NAMES,
                example="web",
            ),
            PARSER,
        ),
        directions=CAPTIONS_ONLY,
    ),
    Stage(
        "generic",
        "Find generic captions",
        "Several models check how many other images each caption fits. Captions that are too generic get a mark.",
        queue="gpu",
        needs="kept",
        why_not="Clean the captions first.",
        parameters=(
            Parameter(
                "most",
                int,
                10,
                "Other images that a caption may fit",
                "A caption that fits more, and at least two, is too generic.",
                unit="%",
                scale=10,
                maximum=1000,
            ),
            PANEL,
            Parameter(
                "alike",
                int,
                80,
                "Similarity of images",
                "Images with this similarity or more may share a caption. 1 is the same image.",
                scale=100,
                is_advanced=True,
                maximum=101,
            ),
            IMAGE_MODEL,
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "make_controls",
        "Make test questions",
        "Pairs texts with very different images. Annotators should answer bad to these pairs.",
        queue="gpu",
        needs="kept",
        why_not="Clean the captions first.",
        why_not_queries="Import queries first.",
        parameters=(
            Parameter(
                "k",
                int,
                2,
                "Test questions",
                "Existing test questions count too. Only the missing ones are made.",
                unit="per image or query",
                minimum=1,
                maximum=16,
            ),
            Parameter(
                "by",
                str,
                "vision",
                "Compare images by",
                "A vision model finds different images better. Hashes work without a model.",
                is_advanced=True,
                choices=LIKENESS,
            ),
            IMAGE_MODEL,
        ),
        is_optional=True,
        is_on_purpose=True,
    ),
    # After the test questions are made: a caption without suggestions could be told by it.
    Stage(
        "suggest_edits",
        "Suggest edits",
        "Marks names, places, numbers, colours, animals and plants that may be wrong. It changes no caption.",
        needs="kept",
        why_not="Clean the captions first.",
        parameters=(
            Parameter(
                "captions",
                str,
                "all",
                "Captions to read",
                "New captions are those that Suggest edits has not read yet.",
                is_advanced=True,
                choices=WHICH_CAPTIONS,
            ),
            PARSER,
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
    ),
    Stage(
        "build_hits",
        "Build tasks",
        "Groups the captions of each image, or the images of each query, into tasks for annotators.",
        needs="kept",
        why_not="Clean the captions first.",
        why_not_queries="Import queries first.",
        parameters=(
            Parameter(
                "priority",
                int,
                0,
                "Priority of the new tasks",
                "Annotators get tasks with a high priority first.",
                is_advanced=True,
                maximum=1000,
            ),
        ),
    ),
    Stage("judge", "Annotate", "Annotators answer every pair of a task.", needs="hits", by_people=True),
    Stage(
        "settle",
        "Update open assignments",
        "Adds and removes open assignments after a change of the settings. It starts by itself.",
        needs="hits",
        why_not="Build tasks first.",
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "preview_policy",
        "Preview quality rules",
        "Shows which annotators and answers the quality rules would change. It changes nothing.",
        needs="images",
        why_not="Import images first.",
        parameters=(VERSION,),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "apply_policy",
        "Apply quality rules",
        "Checks the work of all annotators. It warns, pauses or excludes annotators by the quality rules.",
        needs="images",
        why_not="Import images first.",
        parameters=(VERSION,),
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "consensus",
        "Consensus",
        "Turns the answers for each pair into a label. Ties stay open. A decision of the head annotator always wins.",
        needs="judgments",
        why_not="There are no answers yet.",
        parameters=(
            Parameter(
                "method",
                str,
                "majority",
                "Method",
                "Majority counts the answers. Dawid-Skene and MACE also use how reliable each annotator is. "
                "With few answers for each pair, use majority.",
                choices=("majority", "dawid_skene", "mace"),
            ),
            Parameter(
                "min_votes",
                int,
                0,
                "Answers needed",
                "Pairs with fewer answers get no label. 0 means all answers that the task asks for.",
                unit="per pair",
                maximum=50,
            ),
        ),
    ),
    Stage(
        "select",
        "Select captions",
        "Chooses good captions of each image that differ from each other.",
        queue="gpu",
        needs="agreed_good",
        why_not="No caption has the label good yet.",
        parameters=(
            Parameter(
                "k",
                int,
                5,
                "Captions to choose",
                "Images with fewer good captions are not selected.",
                unit="per image",
                minimum=2,
                maximum=20,
            ),
            Parameter(
                "variant",
                str,
                "kmeans",
                "Method",
                "Clusters: groups similar captions, then chooses one of each group. "
                "Least similar: chooses the captions that differ most.",
                choices=VARIANTS,
            ),
            Parameter(
                "stability_seeds",
                int,
                10,
                "Seeds for the stability",
                "Chooses again with other seeds, and shows how much stays the same. 0 skips this.",
                is_advanced=True,
                maximum=100,
            ),
            Parameter(
                "model",
                str,
                "",
                "Text model",
                "It compares captions. Leave it empty to use the model of this site.",
                is_advanced=True,
            ),
        ),
        directions=CAPTIONS_ONLY,
    ),
    Stage(
        "calibrate",
        "Calibrate models",
        "Finds the threshold of each model: from which score on it says that a caption fits its image.",
        queue="gpu",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter(
                "models",
                str,
                "",
                "Models",
                "Write a comma between the names. Leave it empty to use the models of this site.",
            ),
            Parameter(
                "pairs",
                str,
                "",
                "Images with captions",
                "A file or folder on the server. Leave it empty to use the good captions of this project.",
            ),
            Parameter(
                "batch_size",
                int,
                256,
                "Batch size",
                "Use the same number for all models. A larger batch gives a higher threshold.",
                unit="pairs",
                is_advanced=True,
                minimum=2,
                maximum=2048,
            ),
            Parameter(
                "most",
                int,
                0,
                "Pairs to use",
                "Only the first pairs are used. 0 means all.",
                is_advanced=True,
            ),
            Parameter(
                "layout", str, "auto", "Layout", "How the files are arranged.", choices=LAYOUTS, is_advanced=True
            ),
            COLUMNS,
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "difficulty",
        "Rate difficulty",
        "Several models check if each selected caption fits. Their votes make it easy, medium or hard.",
        queue="gpu",
        needs="selected",
        why_not="Select captions first.",
        parameters=(
            PANEL,
            Parameter(
                "policy",
                str,
                "unanimous",
                "Rule",
                "How the votes make it easy, medium or hard.",
                choices=POLICIES,
            ),
            Parameter(
                "extra_models",
                str,
                "",
                "Extra models",
                "Connote stores their scores to test how much the panel matters. They change no category.",
                is_advanced=True,
            ),
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
    ),
    Stage(
        "map_captions",
        "Make the map",
        "Puts all images and captions on two maps. Similar ones are close to each other.",
        queue="gpu",
        needs="kept",
        why_not="Clean the captions first.",
        parameters=(
            IMAGE_MODEL,
            Parameter(
                "text_model",
                str,
                "",
                "Text model",
                "It compares captions. Leave it empty to use the model of this site.",
                is_advanced=True,
            ),
            replace(NEIGHBOURS, unit=""),
            replace(MIN_DIST, help="A low number puts similar images and captions closer together."),
            Parameter(
                "learn_from",
                int,
                50_000,
                "Captions to learn the map from",
                "UMAP learns the map from these captions and then adds all others. The same number applies to images.",
                is_advanced=True,
                minimum=1000,
                maximum=1_000_000,
            ),
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "diversity",
        "Diversity report",
        "Measures how much the captions of an image differ, in one dataset or in two.",
        queue="gpu",
        needs="images",
        why_not="Import images first.",
        parameters=(
            Parameter(
                "first",
                str,
                "selection",
                "First dataset",
                "Write selection, release:ID, file:PATH or upload:ID. The page Diversity has a list.",
            ),
            Parameter("second", str, "", "Second dataset", "As the first. Leave it empty to measure only one dataset."),
            Parameter(
                "layout", str, "auto", "Layout", "How the files are arranged.", choices=LAYOUTS, is_advanced=True
            ),
            COLUMNS,
            Parameter(
                "images",
                int,
                5000,
                "Images to measure",
                "They are picked at random.",
                unit="per dataset",
                minimum=1,
                maximum=1_000_000,
            ),
            Parameter(
                "model",
                str,
                "",
                "Text model",
                "It compares captions. Leave it empty to use the model of this site.",
                is_advanced=True,
            ),
            Parameter(
                "clip",
                str,
                "",
                "CLIP model",
                "It compares captions with images. Leave it empty to use the model of this site.",
                is_advanced=True,
            ),
            Parameter(
                "bertscore",
                str,
                "",
                "Model for BERTScore",
                "A text encoder, for example roberta-large. Leave it empty to leave BERTScore out.",
                is_advanced=True,
            ),
            Parameter(
                "layer",
                int,
                0,
                "Layer for BERTScore",
                "0 is the layer that is best for this model.",
                is_advanced=True,
                maximum=200,
            ),
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
    Stage(
        "release",
        "Release",
        "Saves the selected captions and their answers as a fixed version, with checksums.",
        needs="selected",
        why_not="Select captions first.",
        parameters=(
            Parameter(
                "shares",
                str,
                SHARES,
                "Training, validation and test",
                "Per cent of the images in each part. Similar images are always in the same part.",
                example=SHARES,
                check=read_shares,
            ),
            Parameter(
                "leave_out",
                str,
                LEAVE_OUT,
                "Leave out",
                f"What the files do not show. Write a comma between the names: {', '.join(LEAVABLE)}.",
                is_advanced=True,
                check=read_left_out,
            ),
            Parameter(
                "bump",
                str,
                "auto",
                "Version number",
                "auto uses the smallest step that fits the changes. You can choose a larger step.",
                choices=("auto", "patch", "minor", "major"),
                is_advanced=True,
            ),
            Parameter("notes", str, "", "Notes for the changelog", "What users must know.", check=read_notes),
        ),
        directions=CAPTIONS_ONLY,
    ),
)
BY_NAME = {stage.name: stage for stage in STAGES}


def get_stage(name: str) -> Stage:
    """The stage called `name`. Raises InvalidInput with the names there are."""
    if name in BY_NAME:
        return BY_NAME[name]
    raise InvalidInput(
        "The stage {name} does not exist. The stages are: {names}.",
        code="unknown_stage",
        params={"name": name[:100], "names": ", ".join(BY_NAME)},
    )


def stages_of(direction: str) -> tuple[Stage, ...]:
    """The stages of a project of this direction, in order."""
    return tuple(stage for stage in STAGES if direction in stage.directions)


def check_direction(stage: Stage, direction: str) -> None:
    """Raises InvalidInput where the stage is not for projects of this direction."""
    if direction not in stage.directions:
        shown = " or ".join(Direction(each).label for each in stage.directions)
        raise InvalidInput(NOT_HERE, code="stage_not_here", params={"label": str(stage.label), "shown": shown})


def read_parameters(
    stage: Stage, given: Mapping[str, object], counters: Mapping[str, int] | None = None
) -> dict[str, int | str]:
    """`given` checked and completed with the defaults in a project with these counters.

    Raises InvalidInput on an unknown name or an unfit value.
    """
    known = {parameter.name: parameter for parameter in stage.parameters}
    if unknown := sorted(set(given) - set(known)):
        raise InvalidInput(
            "{stage} has no setting {unknown}. Its settings are: {known}.",
            code="unknown_setting",
            params={"stage": str(stage.label), "unknown": ", ".join(unknown)[:200], "known": ", ".join(known) or "-"},
        )
    return {
        name: parameter.read(given[name]) if name in given else parameter.default_for(counters or {})
        for name, parameter in known.items()
    }


def stages_between(first: str, last: str) -> tuple[Stage, ...]:
    """The stages from `first` to `last`, both in. Raises InvalidInput when they are unknown or in the wrong order."""
    names = list(BY_NAME)
    start, stop = names.index(get_stage(first).name), names.index(get_stage(last).name)
    if start > stop:
        raise InvalidInput(
            "{first} comes after {last} in the pipeline. Choose an earlier stage.",
            code="stages_reversed",
            params={"first": first, "last": last},
        )
    return STAGES[start : stop + 1]
