"""The examples of operations about feedback have the shape of real answers."""

from __future__ import annotations

from api_examples import Examples
from backend.annotation.models import Judgment
from backend.people.models import User
from writing import TEXT, Clients


def test_feedback_is_as_in_its_examples(
    example: Examples, client_of: Clients, judged: list[Judgment], bob: User, dora: User
) -> None:
    head, client, skies = client_of(dora), client_of(bob), "projects/skies"
    example("projects_annotators_judgments_list", head.get, f"{skies}/annotators/{bob.pk}/judgments")
    templates = f"{skies}/feedback/templates"
    made = example(
        "projects_feedback_templates_create", head.post, templates, {"name": "Boats", "text": "A ferry has two decks."}
    )
    example(
        "projects_feedback_templates_partial_update",
        head.patch,
        f"{templates}/{made['id']}",
        {"text": "Count the decks."},
    )
    example("projects_feedback_templates_list", head.get, templates)
    sent = {"judgment": judged[0].pk, "text": TEXT, "label": "bad", "template": made["id"]}
    remark = example("projects_remarks_create", head.post, f"{skies}/remarks", sent)
    several = {"annotator": bob.pk, "judgments": [judged[1].pk, judged[2].pk], "text": TEXT}
    other = example("projects_feedback_batches_create", head.post, f"{skies}/feedback/batches", several)
    example("projects_inbox_unread_retrieve", client.get, f"{skies}/inbox/unread")
    example(
        "projects_inbox_seen_create",
        client.post,
        f"{skies}/inbox/seen",
        {"remarks": [{"id": remark["id"], "n_replies": 0}]},
    )
    example(
        "remarks_answers_create",
        client.post,
        f"remarks/{remark['id']}/answers",
        {"answer": "talk", "text": "Is it not?"},
    )
    example("remarks_replies_create", head.post, f"remarks/{remark['id']}/replies", {"text": "It has one deck."})
    example("projects_inbox_list", client.get, f"{skies}/inbox")
    example("projects_remarks_list", head.get, f"{skies}/remarks")
    example("projects_feedback_counts_retrieve", head.get, f"{skies}/feedback/counts")
    example("projects_feedback_effect_list", head.get, f"{skies}/feedback/effect")
    example("remarks_withdraw_create", head.post, f"remarks/{other['id']}/withdraw")
    free = head.post(f"/api/v1/{templates}", {"name": "Trams", "text": "A tram has rails."}).json()
    example("projects_feedback_templates_destroy", head.delete, f"{templates}/{free['id']}")
