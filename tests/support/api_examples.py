"""The examples of the API's schema, held against real answers, or written from them.

`make examples` sets WRITE_EXAMPLES. Then an example that is missing, or unlike the real answer, is written
again into the `examples.json` of its room. What differs from run to run is replaced by rule: see `tidy`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from shapes import unlike

ROOT = Path(__file__).resolve().parents[2]
MUST_WRITE = bool(os.environ.get("WRITE_EXAMPLES"))
SCHEMA: dict[str, Any] = json.loads((ROOT / "frontend" / "schema.json").read_text(encoding="utf-8"))
REGISTRY: Registry[Any] = Registry().with_resource("urn:api", Resource(SCHEMA, DRAFT202012))
JSON = "application/json"
MOST_OBJECTS, MOST_VALUES = 2, 5  # of a list
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
DAY = re.compile(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)")
ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
PEOPLE = {"alice": "curator", "bob": "annotator-1", "dora": "head-annotator", "erin": "head-annotator-2",
          "finn": "annotator-2", "charlie": "curator-2", "ada": "the author", "ümit": "the author"}  # fmt: skip
NAME = re.compile(rf"\b({'|'.join(PEOPLE)})\b", re.IGNORECASE)
PLACES = (
    (re.compile(r"https?://testserver"), "https://connote.example.org"),
    (re.compile(r"/\S*pytest-[^\s\"']*/"), "/data/"),
)
SECRETS = {"token": "TOKEN", "secret": "SECRET", "prefix": "connote_1a2B", "password": "correct horse battery"}
IN_LINK = re.compile(r"(/(?:r|s|join|invitations?|reset|password)/|sig=|signature=)[\w:-]{16,}")


def operations() -> dict[str, dict[str, Any]]:
    """Every operation of the schema by its name, with its `method` and `path`."""
    return {
        operation["operationId"]: {**operation, "method": method.upper(), "path": path}
        for path, methods in SCHEMA["paths"].items()
        for method, operation in methods.items()
    }


def done(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of the operation that are no errors."""
    return [answer for code, answer in operation["responses"].items() if code.startswith("2")]


def has_answer(operation: dict[str, Any]) -> bool:
    """Whether an example of the answer is possible: it can be JSON that is no file."""
    contents = [answer["content"] for answer in done(operation) if answer.get("content")]
    return any(JSON in content and content[JSON]["schema"].get("format") != "binary" for content in contents)


def has_request(operation: dict[str, Any]) -> bool:
    """Whether an example of the body is possible: it is JSON, not a form with a file."""
    return JSON in operation.get("requestBody", {}).get("content", {})


def misfits(value: Any, schema: dict[str, Any]) -> list[str]:
    """Where a value does not fit a part of the API's schema."""
    return [
        f"{'/'.join(map(str, problem.absolute_path))}: {problem.message[:200]}"
        for problem in _validator(json.dumps(schema)).iter_errors(value)
    ]


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema.replace('"#/', '"urn:api#/')), registry=REGISTRY)


@pytest.fixture
def example() -> Iterator[Examples]:
    """Calls operations, and fails where an example is missing or an answer is not as documented."""
    examples = Examples()
    yield examples
    assert examples.problems == []


class Examples:
    """`example("projects_read", client.get, "projects/skies")` gives the answer, after it looked at the example."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._operations = operations()

    def __call__(
        self, name: str, call: Callable[..., Any], address: str, sent: Any = None, *, more: dict[str, Any] | None = None
    ) -> Any:
        """Call the operation `name` and compare. `more` goes to the client: headers, or another format."""
        answer = call(f"/api/v1/{address}", sent, **(more or {}))
        told = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert 200 <= answer.status_code < 300, (name, answer.status_code, told)
        operation = self._operations[name]
        route = re.sub("<[^>]*>", "{}", answer.resolver_match.route)
        assert (operation["method"], re.sub(r"{\w+}", "{}", operation["path"])) == (
            answer.request["REQUEST_METHOD"],
            f"/{route}",
        )
        body = json.loads(told) if JSON in answer.headers.get("Content-Type", "") else None
        shown, documented = {"request": sent} if has_request(operation) else {}, {}
        if has_answer(operation) and body is not None:
            documented = operation["responses"][str(answer.status_code)]["content"][JSON]["schema"]
            self.problems += [f"{name} answers {problem}" for problem in misfits(body, documented)]
            shown["answer"] = body
        self._compare(name, answer.resolver_match.func.cls.__module__.split(".")[1], shown, documented)
        return body

    def _compare(self, name: str, room: str, shown: dict[str, Any], documented: dict[str, Any]) -> None:
        file = ROOT / "backend" / room / "examples.json"
        examples = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        told = examples.get(name, {})
        odd = [f"{name} has no example of its {part}" for part in shown.keys() - told.keys()]
        odd += [
            each for part in shown.keys() & told.keys() for each in unlike(told[part], shown[part], f"{name} {part}")
        ]
        odd += [f"{name} has an old example: {problem}" for problem in misfits(told.get("answer"), documented)]
        if odd and MUST_WRITE:
            examples[name] = tidy(shown)
            text = json.dumps(examples, indent=1, ensure_ascii=False, sort_keys=True)
            file.write_text(f"{text}\n", encoding="utf-8")
        else:
            self.problems += odd


def tidy(value: Any) -> Any:
    """The value with short lists, and with fixed times, ids, secrets, names of people, addresses and folders."""
    return _tidy(value, {}, "")


def _tidy(value: Any, ids: dict[str, str], key: str) -> Any:
    if isinstance(value, dict):
        return {name: _tidy(each, ids, name) for name, each in value.items()}
    if isinstance(value, list):
        most = MOST_OBJECTS if value and isinstance(value[0], dict) else MOST_VALUES
        return [_tidy(each, ids, "") for each in value[:most]]
    if isinstance(value, float):
        return round(value, 4)
    if not isinstance(value, str):
        return value
    if key in SECRETS:
        return SECRETS[key]
    value = ID.sub(lambda found: ids.setdefault(found[0], str(uuid5(NAMESPACE_URL, f"example {len(ids)}"))), value)
    value = DAY.sub("2026-11-20", MOMENT.sub("2026-11-20T09:30:00Z", value))
    value = NAME.sub(lambda found: PEOPLE[found[0].lower()], IN_LINK.sub(r"\1TOKEN", value))
    for place, instead in PLACES:
        value = place.sub(instead, value)
    return value
