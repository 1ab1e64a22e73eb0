"""The server's sentences: each has a code, a fixed template, and a German template by that code."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.annotation.serializers import ALT as ALT_OF_TASK
from backend.common import exception_handler, field_sentences
from backend.common.errors import ConnoteError
from backend.methods.agreement import REASONS as NO_FIGURE
from backend.methods.quality.policy import SENTENCES as RULES
from backend.methods.quality.rules import COLLECTORS
from backend.methods.retrieval import SENTENCES as NO_POOL
from backend.methods.tables import SENTENCES as TABLES
from backend.qualification.models import ControlNews
from backend.qualification.serializers import ALT as ALT_OF_QUESTION
from backend.runs.walk import BY_NAME

ROOT = Path(__file__).resolve().parents[3]
MESSAGES = ROOT / "frontend" / "src" / "messages"
# What annotators can get. The front end loads these sentences with every page, the others with a curator's pages.
OF_ANNOTATORS = (
    "common", "config", "people", "projects", "qualification", "annotation", "review/remarks.py", "catalogue/media.py",
    "erasure", "surveys/participation.py",
)  # fmt: skip
OF_CURATORS = (
    "controls", "quality", "annotation/hits.py",
    "foreign", "forecast", "foreign/management", "projects/management", "people/management",
    "erasure/management",
)  # fmt: skip
TRANSLATED = (
    *OF_ANNOTATORS,
    "feedback",
    "review",
    "releases",
    "benchmarks",
    "exports",
    "candidates",
    "catalogue/uploads.py",
    "catalogue/corpora.py",
    "curation",
    "surveys",
    "runs",
    "webhooks",
    "methods/open_pictures.py",
    "catalogue/services.py",
    "catalogue/image_index.py",
    *(
        f"catalogue/sources/{name}.py"
        for name in (
            "archive_guards", "archives", "coco", "container", "detection", "files", "imagefolder", "joined",
            "json_shapes", "names", "plain_lines", "splits", "webdataset",
        )
    ),
)  # fmt: skip
# Sentences without codes: the reasons of refused rows and failed runs, and what operators read.
WITHOUT_CODES = (
    "backend/catalogue/sources", "backend/candidates/importing.py", "backend/candidates/query_importing.py",
    "backend/methods/foreign", "backend/foreign", "backend/config", "backend/runs", "workers/tasks",
    "workers/engines", "workers/simulation", "deploy",
)  # fmt: skip
# Where a call has its code and its sentence.
PLACES = {
    "Said": (0, 1),
    "EditError": (0, 1),
    "MemberRefused": (0, 1),
    "Refused": (2, 3),
    "_refuse": (2, 3),
    "Why": (0, 1),
    "PictureRefused": (0, 1),
    "error_body": (0, 1),
}
OF_OTHERS = ("walk",)  # a command whose name is a banned word
PLACE = re.compile(r"\{(\w+)\}")


class Sentence(NamedTuple):
    where: str
    code: str
    template: str | None  # None: it is no constant

    @property
    def names(self) -> set[str]:
        return set(PLACE.findall(self.template or ""))


def _python(*rooms: str, without: tuple[str, ...] = ()) -> Iterator[Path]:
    for room in rooms:
        place = ROOT / "backend" / room
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            if "migrations" not in path.parts and not any(name in path.as_posix() for name in without):
                yield path


def _sentences(path: Path) -> Iterator[Sentence]:
    """What the file raises and says, with the codes."""
    tree = ast.parse(path.read_text())
    constants = dict(_constants(tree))
    for node in ast.walk(tree):
        where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.ClassDef):
            named = dict(_constants(node))
            if code := named.get("code") or named.get("default_code"):
                doc = " ".join((ast.get_docstring(node) or "").split())
                yield Sentence(where, code, named.get("default_detail", doc))
        elif isinstance(node, ast.Call):
            yield from _of_call(where, node, constants)


def _of_call(where: str, call: ast.Call, constants: dict[str, str]) -> Iterator[Sentence]:
    name = ast.unparse(call.func).rpartition(".")[2]
    code = next((word.value for word in call.keywords if word.arg == "code"), None)
    if name in PLACES and len(call.args) > 1:
        code, template = (call.args[at] for at in PLACES[name])
        if isinstance(code, ast.Constant) and isinstance(code.value, str) and code.value:
            yield Sentence(where, code.value, _text(template, constants))
    elif isinstance(code, ast.Constant) and isinstance(code.value, str):
        texts = [text for arg in call.args if (text := _text(arg, constants))]
        if call.args and name != "InvalidFields":
            yield Sentence(where, code.value, texts[-1] if texts else None)
    elif code is None and call.args and name in REFUSING:
        yield Sentence(where, "", _text(call.args[0], constants))


def _constants(body: ast.Module | ast.ClassDef) -> Iterator[tuple[str, str]]:
    for node in ast.walk(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(getattr(node, "value", None), "value", None)
        if isinstance(target, ast.Name) and isinstance(value, str):
            yield target.id, value


def _text(node: ast.expr, constants: dict[str, str]) -> str | None:
    """A constant text: written out, by its name, in `fill(...)`, or as the value of a list or an object."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return constants.get(name)
        case ast.Call(func=ast.Name(id="fill"), args=[inner, *_]) | ast.List(elts=[inner]) | ast.DictComp(value=inner):
            return _text(inner, constants)
        case ast.Dict(values=[inner]):
            return _text(inner, constants)
        case ast.Subscript(value=ast.Name(id="SENTENCES"), slice=ast.Constant(value=code)):
            return field_sentences.SENTENCES.get(str(code))
    return None


def _names_of(kind: type[ConnoteError]) -> Iterator[str]:
    yield kind.__name__
    for each in kind.__subclasses__():
        yield from _names_of(each)


REFUSING = {*_names_of(ConnoteError), "ValidationError"} - {"InvalidFields"}


def _german(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((MESSAGES / "de" / f"{name}.json").read_text())
    return found


def _said_elsewhere() -> Iterator[Sentence]:
    """Tables of sentences. The front end puts the kind before the code."""
    yield from (Sentence("DRF", code, text) for code, text in field_sentences.SENTENCES.items())
    yield from (Sentence("DRF", code, text) for code, text in exception_handler.SENTENCES.values())
    yield Sentence("DRF", "too_many_requests", exception_handler.TOO_MANY_REQUESTS)
    yield Sentence("tasks", "alt_task", ALT_OF_TASK)
    yield Sentence("quiz", "alt_question", ALT_OF_QUESTION)
    yield from (Sentence("rules", code, text) for code, text in RULES.items())
    yield from (Sentence("tables", code, text) for code, text in TABLES.items())
    yield from (Sentence("controls", str(news), str(news.label)) for news in ControlNews)
    yield from (Sentence("agreement", f"figure_{code}", text) for code, text in NO_FIGURE.items())
    yield from (Sentence("retrieval", f"pool_{code}", text) for code, text in NO_POOL.items())
    for name, terms in COLLECTORS.items():
        for part in ("label", "share_of", "counts"):
            yield Sentence("rules", f"collector_{name}_{part}", getattr(terms, part))


def _stages() -> Iterator[Sentence]:
    for stage in BY_NAME.values():
        for part in ("label", "explanation", "why_not", "why_not_queries"):
            yield Sentence("walk", f"stage_{stage.name}_{part}", getattr(stage, part))
        for parameter in stage.parameters:
            for part in ("label", "help", "unit"):
                yield Sentence("walk", f"stage_{stage.name}_{parameter.name}_{part}", getattr(parameter, part))


@cache  # not while tests are collected, which every process does
def _spoken() -> list[Sentence]:
    return [each for path in _python(*TRANSLATED, without=("foreign",)) for each in _sentences(path)]


def test_every_sentence_has_a_code_and_a_fixed_template() -> None:
    assert [each.where for each in _spoken() if not each.code or each.template is None] == []
    assert {"lease_expired", "key_shared", "invitation_expired", "reason_needs_good"} <= {
        each.code for each in _spoken()
    }


def test_a_code_has_the_same_values_wherever_it_is_used() -> None:
    names = defaultdict(set)
    for each in (*_spoken(), *_said_elsewhere()):
        names[each.code].add(frozenset(each.names))
    assert {code: found for code, found in names.items() if len(found) > 1} == {}


def test_every_sentence_has_a_german_one_with_the_same_values() -> None:
    german = {**_german("refusals"), **_german("desk-refusals")}
    said = (*_spoken(), *_said_elsewhere())
    assert sorted({each.code for each in said} - german.keys()) == []
    assert [each for each in said if set(PLACE.findall(german[each.code])) != each.names] == []


def test_what_annotators_can_get_is_loaded_with_every_page() -> None:
    codes = {each.code for path in _python(*OF_ANNOTATORS, without=OF_CURATORS) for each in _sentences(path)}
    codes |= {*RULES, *field_sentences.SENTENCES, *(code for code, _ in exception_handler.SENTENCES.values())}
    assert sorted(codes - _german("refusals").keys()) == []


def test_what_stages_say_of_themselves_is_in_german() -> None:
    said = {each.code for each in _stages() if each.template and each.template != "%"} | {"stage_by_people"}
    assert said == _german("stages").keys()


def test_no_sentence_and_no_help_of_a_command_has_a_banned_word() -> None:
    banned = json.loads((MESSAGES / "banned-words.json").read_text())["en"]
    word = re.compile(rf"\b({'|'.join(map(re.escape, banned))})\b", re.IGNORECASE)
    said = [(each.where, each.template or "") for each in (*_spoken(), *_said_elsewhere())]
    commands = [
        path for room in (ROOT / "backend", ROOT / "workers") for path in room.rglob("management/commands/*.py")
    ]
    helps = [each for path in commands if path.stem not in OF_OTHERS for each in _helps(path)]
    others = [path for room in WITHOUT_CODES for path in _files_of(ROOT / room)]
    plain = [each for path in others for each in _full_sentences(path)]
    assert [(where, text) for where, text in (*said, *helps, *plain) if word.search(text)] == []


def _files_of(place: Path) -> list[Path]:
    return (
        [place]
        if place.is_file()
        else [path for path in sorted(place.rglob("*.py")) if not {"migrations", "models.py"} & {*path.parts}]
    )


def _full_sentences(path: Path) -> Iterator[tuple[str, str]]:
    """Texts that end as a sentence does, without docstrings."""
    tree = ast.parse(path.read_text())
    docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and node not in docs else ""
        if isinstance(text, str) and re.search(r"\w \w+ .*\.$", text):
            yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", text


def _helps(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.keyword) and node.arg == "help" and (text := _text(node.value, {})):
            yield f"{path.name}:{node.value.lineno}", text


@pytest.mark.parametrize("name", ["refusals", "desk-refusals", "stages"])
def test_german_is_found_by_code_and_never_by_an_english_sentence(name: str) -> None:
    assert [key for key in _german(name) if not re.fullmatch(r"[a-z][a-z0-9_]*", key)] == []
