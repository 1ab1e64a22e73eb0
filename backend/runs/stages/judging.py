"""The stages that prepare tasks, and the work of people on them."""

from __future__ import annotations

from backend.runs.stage import Parameter, Stage
from backend.runs.stages.parameters import CAPTIONS_ONLY, IMAGE_MODEL, PARSER

LIKENESS = ("vision", "hash")
WHICH_CAPTIONS = ("all", "new")
VERSION = Parameter("version", int, 0, "Version", "0 is the active version, with all new answers.")

JUDGING = (
    Stage(
        "make_controls",
        "Make test questions",
        "Pairs texts with very different images. The right answer is known: they do not fit.",
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
)
