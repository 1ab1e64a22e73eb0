"""Every answer that is an error has one shape; the OpenAPI schema says so for every operation."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from drf_spectacular.openapi import AutoSchema

FIRST_SENTENCE = re.compile(r"(?<=[.?])\s+(?=[A-Z`])|: (?=[a-z]+ curators)")
METHODS = {"get", "post", "put", "patch", "delete"}
TEXT = {"type": "string"}
SAID: dict[str, Any] = {
    "type": "object",
    "properties": {"code": TEXT, "message": TEXT, "params": {"type": "object", "additionalProperties": {}}},
    "required": ["code", "message", "params"],
}
ERROR: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong, for a program (code) and for a person (message). `details` has the values in the "
    "message, and the sentences for each field of a form. `fields` has the same sentences by the path of the field, "
    "each with its code and values; only errors about fields have it.",
    "properties": {
        "code": TEXT,
        "message": TEXT,
        "details": {"type": ["object", "null"], "additionalProperties": {}},
        "request_id": {"type": ["string", "null"]},
        "fields": {"type": "object", "additionalProperties": {"type": "array", "items": SAID}},
    },
    "required": ["code", "message", "details", "request_id"],
}
FILE = {"type": "string", "format": "binary"}
ANSWER = {
    "description": "Refused.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}},
}


class RoomSchema(AutoSchema):
    """Operations have the name of their room as their tag: by the address, two of three would belong to "projects"."""

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.split(".")[1]]


def add_summaries(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: the first sentence of an operation's description is its summary."""
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            described = path[method].get("description", "")
            path[method].setdefault(
                "summary", " ".join(FIRST_SENTENCE.split(described, maxsplit=1)[0].split()).rstrip(".")
            )
    return result


def add_errors(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: the error shape as the `default` answer of every operation."""
    result["components"].setdefault("schemas", {})["ErrorOut"] = ERROR
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            path[method]["responses"].setdefault("default", ANSWER)
    return result


def add_tables(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: where a client may ask for `format=csv`, the answer can be a table."""
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            asked = {each["name"]: each["schema"] for each in path[method].get("parameters", ())}
            if "csv" in asked.get("format", {}).get("enum", ()):
                path[method]["responses"]["200"]["content"].setdefault("text/csv", {"schema": FILE})
    return result


@cache
def read_examples() -> dict[str, Any]:
    """`{"request": ..., "answer": ...}` by operation, from the examples.json of every room.

    `make examples` writes these files. A test holds them against real answers.
    """
    files = sorted(Path(__file__).parents[1].glob("*/examples.json"))
    return {name: each for file in files for name, each in json.loads(file.read_text(encoding="utf-8")).items()}


def add_examples(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: what a client may send, and what it gets."""
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            example = read_examples().get(path[method]["operationId"], {})
            if "request" in example:
                _put(path[method]["requestBody"], example["request"])
            if "answer" in example:
                done = next(code for code in path[method]["responses"] if code.startswith("2"))
                _put(path[method]["responses"][done], example["answer"])
    return result


def _put(part: dict[str, Any], example: Any) -> None:
    content = part["content"]
    kind = "application/json" if "application/json" in content else "multipart/form-data"
    # Not `example`: openapi-typescript copies that into the types of the front end.
    content[kind]["examples"] = {"example": {"value": example}}
