"""The examples of operations about releases, exports, answers and webhooks have the shape of real answers."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.test import APIClient

from api_examples import Examples
from backend.annotation.models import Slot
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from exported_world import judge
from receiver import Receiver
from workers.tasks.webhook_delivery import deliver

KEPT_WORLD = judge

Clients = Callable[..., APIClient]


def test_releases_are_as_in_their_examples(
    example: Examples, client_of: Clients, release: Release, alice: User
) -> None:
    Slot.objects.filter(assignment=None).delete()
    client, skies, own = client_of(alice), "projects/skies", f"releases/{release.pk}"
    first = release.entries.all()[0]
    example("projects_releases_list", client.get, f"{skies}/releases")
    example("release_checklist", client.get, f"{skies}/releases/checklist")
    example("releases_retrieve", client.get, own)
    example("release_changes", client.get, f"{own}/changes")
    example("releases_entries_list", client.get, f"{own}/entries")
    example("releases_figures_retrieve", client.get, f"{own}/figures")
    example("releases_images_retrieve", client.get, f"{own}/images/{first.digest}")
    example("release_caption", client.get, f"{own}/captions/{first.body['captions'][0]['key']}")
    link = example("releases_link_create", client.post, f"{own}/link", {"is_indexable": True})
    example("releases_link_retrieve", client.get, f"{own}/link")
    public = f"public/releases/{link['url'].rpartition('/')[2]}"
    example("public_releases_retrieve", client_of().get, public)
    example("public_releases_entries_list", client_of().get, f"{public}/entries")
    example("public_releases_figures_retrieve", client_of().get, f"{public}/figures")
    example("releases_link_destroy", client.delete, f"{own}/link")
    gone = {"image": first.digest, "reason": "The artist asked for it."}
    example("projects_withdrawals_create", client.post, f"{skies}/withdrawals", gone)
    example("projects_withdrawals_list", client.get, f"{skies}/withdrawals")


def test_answers_and_agreement_are_as_in_their_examples(
    example: Examples, client_of: Clients, judged: Project, alice: User, bob: User, dora: User
) -> None:
    client, skies = client_of(alice), "projects/skies"
    example("projects_judgments_list", client.get, f"{skies}/judgments")
    example("projects_judgments_annotators_list", client.get, f"{skies}/judgments/annotators")
    own = f"{skies}/agreement"
    example("projects_agreement_retrieve", client.get, own)
    example("projects_agreement_headline_retrieve", client.get, f"{own}/headline")
    example("projects_agreement_confusions_retrieve", client.get, f"{own}/confusions")
    example("projects_agreement_annotators_retrieve", client.get, f"{own}/annotators")
    example("annotator_habits", client.get, f"{own}/habits")
    example("annotator_figures", client.get, f"{own}/annotators/{bob.pk}")
    example("projects_agreement_pairs_retrieve", client.get, f"{own}/pairs/{bob.pk}/{dora.pk}")


def test_exports_are_as_in_their_examples(example: Examples, client_of: Clients, judged: Project, alice: User) -> None:
    client, skies = client_of(alice), "projects/skies"
    sent = {"what": "judgments", "format": "parquet", "filter": {"label": "good"}, "leave_out": ["comments", "times"]}
    made = example("projects_exports_create", client.post, f"{skies}/exports", sent)
    own = f"exports/{made['id']}"
    example("exports_retrieve", client.get, own)
    example("projects_exports_list", client.get, f"{skies}/exports")
    example("exports_cancel_create", client.post, f"{own}/cancel")
    example("exports_destroy", client.delete, own)


def test_webhooks_are_as_in_their_examples(
    example: Examples, client_of: Clients, project: Project, alice: User, receiver: Receiver
) -> None:
    client, own = client_of(alice), "projects/skies/webhooks"
    asked = {"name": "Training", "url": receiver.url, "events": ["release.created"]}
    hook = example("projects_webhooks_create", client.post, own, asked)
    one = f"{own}/{hook['id']}"
    example("projects_webhooks_retrieve", client.get, one)
    example("projects_webhooks_list", client.get, own)
    changed = {"events": ["release.created", "export.ready"]}
    example("projects_webhooks_partial_update", client.patch, one, changed)
    example("projects_webhooks_secret_create", client.post, f"{one}/secret")
    sent = example("projects_webhooks_test_create", client.post, f"{one}/test")
    deliver()
    example("projects_webhooks_deliveries_list", client.get, f"{one}/deliveries")
    delivery = f"{one}/deliveries/{sent['id']}"
    example("projects_webhooks_deliveries_retrieve", client.get, delivery)
    example("projects_webhooks_deliveries_again_create", client.post, f"{delivery}/again")
    example("projects_webhooks_destroy", client.delete, one)
