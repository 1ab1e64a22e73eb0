"""The operations of the OpenAPI schema as the reference shows them, each with a call for curl and one for Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pprint import pformat
from typing import Any

PREFIX = "/api/v1"
METHODS = ("get", "post", "put", "patch", "delete")
LISTED = re.compile(r"\n+\*\s.*", re.DOTALL)  # the values of an enum, which the type says too
PLACE = re.compile(r"\{(\w+)\}")
SAID = {"slug": "The short name of the project, as in its address."}
# In the examples; `$TOKEN` is that of the person, not that in the address of a page.
KNOWN = {"slug": "photographs", "token": "LINK"}

# By the name of the room, which is the tag of its operations: a title, and what the operations are for.
ROOMS = {
    "people": ("Accounts and tokens", "Sign in, your profile, and tokens for programs."),
    "projects": ("Projects and people", "Projects, their settings, members and invitations."),
    "runs": ("Pipeline", "Start a stage, follow its run, and see what it did not take."),
    "catalogue": ("Images and corpora", "Images with licences, uploads, samples and corpora."),
    "candidates": ("Captions and queries", "Captions of each image, cleaning, search in a corpus, and queries."),
    "qualification": ("Guidelines and quiz", "Examples in the guidelines, the quiz, and its test questions."),
    "annotation": ("Tasks and answers", "Take a task, save a draft, send answers, and read past work."),
    "controls": ("Test questions", "Make, import and check hidden test questions."),
    "quality": ("Quality rules", "Annotators, rules about them, and decisions."),
    "agreement": ("Agreement", "How far annotators agree."),
    "feedback": ("Feedback", "Feedback on answers, and the replies."),
    "review": ("Review", "Cases for head annotators, and their decisions."),
    "foreign": ("Answers from other tools", "Import answers that people gave in another tool."),
    "forecast": ("Forecast", "What is left to do, with its cost."),
    "curation": ("Consensus, selection, difficulty", "What the answers say, and which captions are chosen."),
    "surveys": ("Surveys", "Questions about the hardest captions to people without an account."),
    "releases": ("Releases", "Fixed versions of the dataset, their files and public pages."),
    "reports": ("Overview and diversity", "Figures of a project, and the diversity of two datasets."),
    "benchmarks": ("Benchmarks", "Results of models on a release."),
    "exports": ("Exports", "Files that a worker makes of a project or a release."),
    "webhooks": ("Webhooks", "Signed messages about events to your programs."),
    "erasure": ("Deletion", "Delete a project or an account, and download your own data."),
}


@dataclass(frozen=True)
class Field:
    """A value that a call takes."""

    name: str
    kind: str
    is_required: bool
    text: str


@dataclass(frozen=True)
class Operation:
    room: str
    anchor: str
    method: str
    path: str
    title: str
    text: str
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    curl: str
    python: str
    answer: str
    status: str


def read_operations(schema: dict[str, Any]) -> Iterator[Operation]:
    """Every operation of the schema, by path and then by method."""
    components = schema["components"]["schemas"]
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield _operation(path, method, methods[method], components)


def _operation(path: str, method: str, told: dict[str, Any], components: dict[str, Any]) -> Operation:
    title = _plain(told["summary"])
    status = next(code for code in told["responses"] if code.startswith("2"))
    contents: dict[str, dict[str, Any]] = told.get("requestBody", {}).get("content", {})
    kind, body = next(iter(contents.items()), ("", {}))
    sent = _example_of(body)
    call = Call(method.upper(), path.removeprefix(PREFIX), kind, sent, {"token": []} in told.get("security", []))
    answers = told["responses"][status].get("content", {}).values()
    answer = next((_example_of(each) for each in answers if "examples" in each), None)
    return Operation(
        room=told["tags"][0],
        anchor=told["operationId"],
        method=call.method,
        path=path,
        title=title,
        text=_plain(told.get("description", "")).removeprefix(title).removeprefix(".").strip(),
        parameters=tuple(
            Field(each["name"], _kind_of(each["schema"], components), each.get("required", False),
                  _plain(each.get("description", "")) or SAID.get(each["name"], ""))
            for each in told.get("parameters", ())
        ),
        body=tuple(_fields_of(body.get("schema", {}), components)),
        curl=call.as_curl(),
        python=call.as_python(),
        answer=json.dumps(answer, indent=2, ensure_ascii=False) if answer is not None else "",
        status=status,
    )  # fmt: skip


@dataclass(frozen=True)
class Call:
    """One request, to be written down for a shell and for Python."""

    method: str
    path: str
    kind: str
    sent: Any
    has_token: bool

    def as_curl(self) -> str:
        path = PLACE.sub(lambda found: KNOWN.get(found[1], f"${found[1].upper()}"), self.path)
        parts = [] if self.method == "GET" else [f"--request {self.method}"]
        parts += ['--header "Authorization: Bearer $TOKEN"'] if self.has_token else []
        if self.kind == "multipart/form-data":
            parts += [f"--form '{name}={_form_value(value)}'" for name, value in (self.sent or {}).items()]
        elif self.sent is not None:
            quoted = json.dumps(self.sent, indent=2, ensure_ascii=False).replace("'", "'\\''")
            parts.append(f"--json '{quoted}'")
        return " \\\n  ".join(["curl " + (parts[0] if parts else "--silent"), *parts[1:], f'"$SITE{PREFIX}{path}"'])

    def as_python(self) -> str:
        path = PLACE.sub(lambda found: KNOWN.get(found[1], f"{{{found[1]}}}"), self.path)
        sign = "f" if "{" in path else ""
        given = [f'"{self.method}"', f'{sign}"{path}"']
        if self.kind == "multipart/form-data":
            given.append('files={"file": open("FILE", "rb")}')
        elif self.sent is not None:
            given.append(f"json={pformat(self.sent, sort_dicts=False, width=64)}")
        if len(given) == 2:
            return f"client.request({', '.join(given)})"
        lines = ",\n".join(given).replace("\n", "\n    ")
        return f"client.request(\n    {lines},\n)"


def _form_value(value: Any) -> str:
    return value if isinstance(value, str) and not value.startswith("<") else "@FILE"


def _example_of(content: dict[str, Any]) -> Any:
    return content.get("examples", {}).get("example", {}).get("value")


def _plain(text: str) -> str:
    return " ".join(LISTED.sub("", text).replace("`", "").split())


def _resolved(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = components[name] if name else schema
    return found


def _fields_of(schema: dict[str, Any], components: dict[str, Any]) -> Iterator[Field]:
    whole = _resolved(schema, components)
    required = set(whole.get("required", ()))
    for name, told in whole.get("properties", {}).items():
        text = _plain(told.get("description", ""))
        yield Field(name, _kind_of(told, components), name in required, text)


def _kind_of(schema: dict[str, Any], components: dict[str, Any]) -> str:
    """ "integer", "good, bad or unsure", "list of string": what may stand there, in words."""
    whole = _resolved(schema, components)
    if each := whole.get("oneOf") or whole.get("anyOf") or whole.get("allOf"):
        kinds = [kind for kind in (_kind_of(one, components) for one in each) if kind != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if values := [str(value) for value in whole.get("enum", ()) if value not in ("", None)]:
        return ", ".join(values[:-1]) + f" or {values[-1]}" if len(values) > 1 else values[0]
    if whole.get("type") == "array":
        return f"list of {_kind_of(whole.get('items', {}), components)}"
    kind = whole.get("type", "any")
    kinds = [one for one in (kind if isinstance(kind, list) else [kind]) if one != "null"]
    form = whole.get("format")
    return " or ".join(kinds) + (f" ({form})" if form in ("uuid", "date-time", "binary") else "")
