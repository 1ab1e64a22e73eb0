"""The examples of the API's schema: each fits its schema, and has the shape of a real answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
from django.conf import settings
from rest_framework.test import APIClient

from backend.annotation.models import Slot
from backend.common.schema import EXAMPLES
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from receiver import Receiver
from shapes import unlike
from workers.tasks.webhook_delivery import deliver

COVERED = re.compile(
    r"/api/v1/((public/)?releases|exports|benchmarks|projects/\{slug\}/(releases|withdrawals|exports|judgments(?!/import)|agreement|webhooks))\b"
)


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return dict(json.loads((settings.BASE_DIR / "frontend" / "schema.json").read_text(encoding="utf-8")))


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Those that answer with JSON, and not with a file, by name."""
    for path, methods in schema["paths"].items():
        for operation in methods.values():
            kinds = [list(answer.get("content", {})) for answer in done(operation)]
            if COVERED.match(path) and ["application/json"] in kinds:
                yield operation["operationId"], operation


def done(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [answer for code, answer in operation["responses"].items() if code.startswith("2")]


def example_of(part: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    [content] = part["content"].values()
    return content["example"], content["schema"]


def test_each_operation_has_examples_that_fit_its_schema(schema: dict[str, Any]) -> None:
    found = dict(operations(schema))
    assert len(found) >= 40
    for name, operation in found.items():
        for part in [*done(operation), *([operation["requestBody"]] if "requestBody" in operation else [])]:
            example, shape = example_of(part)
            whole = {**shape, "components": schema["components"]}
            problems = [str(problem.message) for problem in jsonschema.Draft202012Validator(whole).iter_errors(example)]
            assert problems == [], name
    assert EXAMPLES.keys() == found.keys()


@pytest.fixture
def answers(
    client_of: Callable[..., APIClient], release: Release, alice: User, bob: User, dora: User, receiver: Receiver
) -> Callable[[], dict[str, Any]]:
    """A real answer to each of these operations, by its name."""
    Slot.objects.filter(assignment=None).delete()
    client = client_of(alice)
    found: dict[str, Any] = {}

    def call(name: str, method: str, address: str, sent: Any = None) -> Any:
        sent = EXAMPLES.get(name, {}).get("request", sent) if not isinstance(sent, tuple) else sent[0]
        answer = getattr(client, method)(f"/api/v1/{address}", sent, **({} if method == "get" else {"format": "json"}))
        assert answer.status_code in (200, 201, 202), (name, answer.json())
        found[name] = answer.json()
        return found[name]

    def ask() -> dict[str, Any]:
        project, own = "projects/skies", f"releases/{release.pk}"
        for name, address in (
            ("projects_releases_list", f"{project}/releases"), ("release_checklist", f"{project}/releases/checklist"),
            ("releases_retrieve", own), ("release_changes", f"{own}/changes"),
            ("releases_entries_list", f"{own}/entries"), ("releases_figures_retrieve", f"{own}/figures"),
            ("releases_images_retrieve", f"{own}/images/{release.entries.all()[0].digest}"),
            ("projects_judgments_list", f"{project}/judgments"),
            ("projects_judgments_annotators_list", f"{project}/judgments/annotators"),
            ("projects_agreement_retrieve", f"{project}/agreement"),
            ("projects_agreement_headline_retrieve", f"{project}/agreement/headline"),
            ("projects_agreement_confusions_retrieve", f"{project}/agreement/confusions"),
            ("projects_agreement_annotators_retrieve", f"{project}/agreement/annotators"),
            ("annotator_habits", f"{project}/agreement/habits"),
            ("annotator_figures", f"{project}/agreement/annotators/{bob.pk}"),
            ("projects_agreement_pairs_retrieve", f"{project}/agreement/pairs/{bob.pk}/{dora.pk}"),
        ):  # fmt: skip
            call(name, "get", address)
        link = call("releases_link_create", "post", f"{own}/link", {"is_indexable": True})
        call("releases_link_retrieve", "get", f"{own}/link")
        public = f"public/releases/{link['url'].rpartition('/')[2]}"
        call("public_releases_retrieve", "get", public)
        call("public_releases_entries_list", "get", f"{public}/entries")
        call("public_releases_figures_retrieve", "get", f"{public}/figures")
        made = call("projects_exports_create", "post", f"{project}/exports", {"what": "judgments", "format": "csv"})
        call("exports_retrieve", "get", f"exports/{made['id']}")
        call("projects_exports_list", "get", f"{project}/exports")
        call("exports_cancel_create", "post", f"exports/{made['id']}/cancel")
        asked = {"name": "Training", "url": receiver.url, "events": ["release.created"]}
        hook = call("projects_webhooks_create", "post", f"{project}/webhooks", (asked,))
        one = f"{project}/webhooks/{hook['id']}"
        call("projects_webhooks_retrieve", "get", one)
        call("projects_webhooks_list", "get", f"{project}/webhooks")
        call("projects_webhooks_partial_update", "patch", one, {"events": ["release.created", "export.ready"]})
        call("projects_webhooks_secret_create", "post", f"{one}/secret")
        sent = call("projects_webhooks_test_create", "post", f"{one}/test")
        deliver()
        call("projects_webhooks_deliveries_list", "get", f"{one}/deliveries")
        call("projects_webhooks_deliveries_retrieve", "get", f"{one}/deliveries/{sent['id']}")
        call("projects_webhooks_deliveries_again_create", "post", f"{one}/deliveries/{sent['id']}/again")
        first = release.entries.all()[0]
        call("release_caption", "get", f"{own}/captions/{first.body['captions'][0]['key']}")
        gone = {"image": first.digest, "reason": "The artist asked for it."}
        call("projects_withdrawals_create", "post", f"{project}/withdrawals", (gone,))
        call("projects_withdrawals_list", "get", f"{project}/withdrawals")
        return found

    return ask


def test_each_example_of_an_answer_has_the_shape_of_a_real_one(
    answers: Callable[[], dict[str, Any]], judged: Project
) -> None:
    real = answers()
    assert real.keys() == {name for name in EXAMPLES if not name.startswith("benchmarks_")}
    assert [odd for name, answer in real.items() for odd in unlike(EXAMPLES[name]["answer"], answer, name)] == []
