"""The stages that bring in images and pick some of them."""

from __future__ import annotations

from backend.runs.stage import Parameter, Stage
from backend.runs.stages.parameters import CAPTIONS_ONLY, COLUMNS, IMAGE_MODEL, MIN_DIST, NEIGHBOURS, SOURCES

IMAGES = (
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
)
