"""The OpenAPI schema is what the front end's types are made of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from api_examples import done, has_answer, has_request, misfits, operations
from backend.common.schema import read_examples
from backend.people.models import User


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """As it is committed: `make schema-check` makes it from the code without a warning, and compares both."""
    return dict(json.loads((settings.BASE_DIR / "frontend" / "schema.json").read_text(encoding="utf-8")))


def test_every_operation_has_a_name_of_its_own(schema: dict[str, Any]) -> None:
    names = [operation["operationId"] for path in schema["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))


def test_no_component_was_given_a_number_to_tell_it_from_another(schema: dict[str, Any]) -> None:
    """Nested serializers of one name collapse, and enums of two fields get names that change with the next field."""
    odd = [name for name in schema["components"]["schemas"] if re.search(r"\d|^(Output|Input)", name)]
    assert odd == []


def test_every_operation_says_what_an_error_looks_like(schema: dict[str, Any]) -> None:
    for path in schema["paths"].values():
        for operation in path.values():
            refused = operation["responses"]["default"]["content"]["application/json"]["schema"]
            assert refused == {"$ref": "#/components/schemas/ErrorOut"}


@pytest.mark.parametrize(
    "name", ["MeOut", "SessionOut", "ProjectOut", "ProjectCountsOut", "InvitationOut", "MemberOut"]
)
def test_what_an_answer_always_holds_is_marked_as_required(schema: dict[str, Any], name: str) -> None:
    component = schema["components"]["schemas"][name]
    assert set(component["required"]) == set(component["properties"])


def test_pages_always_hold_their_three_members(schema: dict[str, Any]) -> None:
    for name, component in schema["components"]["schemas"].items():
        if name.startswith("Paginated"):
            assert set(component["required"]) == {"next", "previous", "results"}


def test_passwords_and_the_digests_of_tokens_are_never_given_back(schema: dict[str, Any]) -> None:
    for name, component in schema["components"]["schemas"].items():
        if name.endswith("Out"):
            assert not {"password", "current", "new"} & set(component.get("properties", {}))
        if name in ("TokenOut", "NewTokenOut", "InvitationOut", "NewInvitationOut"):
            assert "digest" not in component["properties"]


def test_the_schema_is_the_written_one_and_is_not_made_for_each_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    answer = Client().get("/api/schema")
    assert answer["Content-Type"] == "application/json"
    assert answer.content == (settings.BASE_DIR / "frontend" / "schema.json").read_bytes()


@pytest.mark.parametrize("address", ["/api/schema", "/api/docs", "/api/docs?script="])
def test_the_docs_open_without_signing_in(db: None, address: str) -> None:
    assert Client().get(address).status_code == 200


def test_the_docs_page_runs_no_script_that_the_policy_forbids(db: None) -> None:
    page = Client().get("/api/docs").content.decode()
    assert re.findall(r"<script(?![^>]*src=)", page) == []
    assert not re.search(r"(src|href)=\"https?://(?!testserver)", page)


def test_the_docs_page_has_the_look_of_the_site_and_leads_back(alice: User, settings: Any, tmp_path: Path) -> None:
    (tmp_path / ".vite").mkdir()
    built = {"src/docs/docs.ts": {"file": "assets/docs-1.js", "css": ["assets/docs-2.css"]}}
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(built))
    settings.FRONTEND_DIST = tmp_path
    client = Client()
    assert "data-theme" not in client.get("/api/docs").content.decode()
    alice.preferences = {"theme": "contrast"}
    alice.save()
    client.force_login(alice)
    page = client.get("/api/docs").content.decode()
    assert 'data-theme="contrast"' in page
    assert page.count("/assets/docs-1.js") == page.count("/assets/docs-2.css") == 1
    assert '<a href="/">' in page


def test_every_operation_has_a_summary_of_one_line(schema: dict[str, Any]) -> None:
    operations = [
        (method, path, operation.get("summary", ""))
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    assert [each for each in operations if not 0 < len(each[2]) <= 120] == []


def test_every_operation_has_examples_that_fit_its_schema() -> None:
    """Of its body where that is JSON, and of its answer where that is nothing but JSON. All others state their kind."""
    lacking, odd = [], []
    for name, operation in operations().items():
        told = read_examples().get(name, {})
        wanted = {"request": has_request(operation), "answer": has_answer(operation)}
        lacking += [f"{name}: {part}" for part in wanted if wanted[part] and part not in told]
        for part in [operation.get("requestBody", {}), *done(operation)]:
            for content in part.get("content", {}).values():
                for example in content.get("examples", {}).values():
                    odd += [f"{name} {problem}" for problem in misfits(example["value"], content["schema"])]
    assert lacking == []
    assert odd == []


def test_every_example_is_held_against_a_real_answer() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (settings.BASE_DIR / "tests").rglob("test_*.py"))
    held = set(re.findall(r"""\bexample\(\s*['"](\w+)['"],""", tests))
    assert [name for name in read_examples() if name not in held] == []


def test_the_examples_do_not_reach_the_types_of_the_front_end() -> None:
    written = settings.BASE_DIR / "frontend" / "src" / "lib" / "api" / "schema.d.ts"
    assert "@example" not in written.read_text(encoding="utf-8")
