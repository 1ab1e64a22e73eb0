"""Settings that stages of several phases take."""

from __future__ import annotations

from backend.projects.models import Direction
from backend.runs.stage import Parameter

CAPTIONS_ONLY = (Direction.CAPTIONS_OF_AN_IMAGE,)
LAYOUTS = ("auto", "table", "coco", "imagefolder", "webdataset", "files")
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
PARSER = Parameter(
    "parser",
    str,
    "connote-en",
    "Language model",
    "The spaCy pipeline that finds nouns, verbs, adjectives and names.",
    is_advanced=True,
)
