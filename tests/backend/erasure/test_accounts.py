"""An erased account is a pseudonym: nothing names the person any more, and every figure is as it was."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db.models import ForeignKey
from rest_framework.test import APIClient

from backend.annotation.models import Judgment
from backend.erasure.accounts import erase_account
from backend.erasure.own_data import LEFT_OUT, SECTIONS
from backend.feedback.services import withdraw_remark, write_remark
from backend.people.models import ApiToken, RightsRecord, User
from backend.people.services import create_token
from backend.projects.invitations import accept_invitation, create_invitation
from backend.projects.models import Invitation, Membership, Project, Role
from cast import PASSWORD

Clients = Callable[..., APIClient]
SKIES = "/api/v1/projects/skies"
FIGURES = (f"{SKIES}/agreement", f"{SKIES}/agreement/annotators", f"{SKIES}/forecast")


def figures(client: APIClient) -> list[dict]:
    """Every figure about answers that a curator can read, without the names of annotators."""
    told = [client.get(address) for address in FIGURES]
    assert [answer.status_code for answer in told] == [200, 200, 200]
    bodies = [answer.json() for answer in told]
    names = ("username", "display_name")
    return json.loads(json.dumps(bodies), object_hook=lambda at: {k: v for k, v in at.items() if k not in names})


def test_no_figure_changes_when_an_annotator_is_erased(
    client_of: Clients, full: Project, alice: User, bob: User
) -> None:
    client = client_of(alice)
    before, n_judgments = figures(client), Judgment.objects.filter(annotator=bob).count()
    erased = erase_account(user=bob, by=alice)
    assert n_judgments and Judgment.objects.filter(annotator=erased).count() == n_judgments
    assert figures(client) == before
    rows = client.get(f"{SKIES}/agreement/annotators").json()
    assert erased.username in json.dumps(rows) and "bob" not in json.dumps(rows)


def test_nothing_names_the_person_any_more(client_of: Clients, full: Project, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(first_name="Robert", last_name="Bobsworth", display_name="Bob B.")
    create_token(user=bob, name="bob's laptop")
    create_invitation(project=full, role=Role.ANNOTATOR, created_by=alice, note="for Bobsworth")
    Invitation.objects.update(accepted_by=bob, accepted_at="2026-01-01T00:00:00Z")
    signed_in = APIClient()
    assert signed_in.post("/api/v1/session", {"username": "bob", "password": PASSWORD}).status_code == 200
    LogEntry.objects.log_actions(alice.pk, [bob], 2, single_object=True)
    pseudonym = erase_account(user=bob, by=alice).username
    left = [
        str(row)
        for model in apps.get_models()
        if model is not Session
        for row in model._base_manager.values()
        if "bob" in str(row).lower() or "robert" in str(row).lower()
    ]
    assert left == []
    assert pseudonym.startswith("erased-")
    assert signed_in.get("/api/v1/me").status_code == 401
    assert not Session.objects.exists() and not ApiToken.objects.exists()


def test_the_record_of_rights_says_that_it_happened(client_of: Clients, full: Project, alice: User, bob: User) -> None:
    pseudonym = erase_account(user=bob, by=alice).username
    newest = client_of(alice).get(f"{SKIES}/history").json()["results"][0]
    assert (newest["action"], newest["subject"]["username"]) == ("account_erased", pseudonym)
    assert newest["actor"]["username"] == "alice"


def test_bob_erases_himself_with_his_password_and_is_signed_out(
    client_of: Clients, project: Project, bob: User
) -> None:
    client = client_of(bob)
    wrong = client.post("/api/v1/me/erase", {"password": "wrong"})
    assert (wrong.status_code, list(wrong.json()["fields"])) == (400, ["password"])
    assert client.post("/api/v1/me/erase", {"password": PASSWORD}).status_code == 204
    assert client.get("/api/v1/me").status_code == 401
    again = client_of().post("/api/v1/session", {"username": "bob", "password": PASSWORD})
    assert again.status_code == 400
    assert User.objects.get(pk=bob.pk).erased_at


def test_the_only_curator_must_first_find_another(
    client_of: Clients, project: Project, alice: User, dora: User
) -> None:
    client = client_of(alice)
    refused = client.post("/api/v1/me/erase", {"password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (409, "sole_curator")
    assert "Skies" in refused.json()["message"]
    assert User.objects.get(pk=alice.pk).username == "alice"
    Membership.objects.filter(user=dora).update(role=Role.CURATOR)
    assert client.post("/api/v1/me/erase", {"password": PASSWORD}).status_code == 204


def test_an_erased_account_stays_erased_and_its_name_is_free(project: Project, bob: User, make_user: Clients) -> None:
    first = erase_account(user=bob, by=None)
    assert erase_account(user=bob, by=None).username == first.username
    assert make_user("bob").pk != bob.pk


def test_open_links_of_an_erased_curator_let_nobody_in(
    project: Project, alice: User, dora: User, charlie: User
) -> None:
    Membership.objects.filter(user=dora).update(role=Role.CURATOR)
    _, token = create_invitation(project=project, role=Role.CURATOR, created_by=alice)
    erase_account(user=alice, by=None)
    with pytest.raises(Exception, match="withdrew"):
        accept_invitation(token=token, user=charlie)


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [("alice", 200, None), ("dora", 403, "only_curators"), ("bob", 403, "only_curators"), ("charlie", 404, "not_found"),
     (None, 401, "not_signed_in")],
)  # fmt: skip
def test_only_a_curator_erases_a_member(
    request: pytest.FixtureRequest, client_of: Clients, project: Project, bob: User, charlie: User,
    who: str | None, status: int, code: str | None,
) -> None:  # fmt: skip
    member = Membership.objects.get(user=bob, project=project)
    client = client_of(request.getfixturevalue(who) if who else None)
    answer = client.post(f"{SKIES}/members/{member.pk}/erase", {"username": "bob"})
    assert (answer.status_code, answer.json().get("code")) == (status, code)
    assert bool(User.objects.get(pk=bob.pk).erased_at) == (status == 200)


def test_a_curator_reaches_no_account_beyond_their_own_projects(
    client_of: Clients, project: Project, beside: Project, alice: User, bob: User
) -> None:
    """Else a curator could invite somebody, and then take or erase the account with all its other work."""
    Membership.objects.create(project=beside, user=bob, role=Role.ANNOTATOR)
    member = Membership.objects.get(user=bob, project=project)
    for door, body in (("erase", {"username": "bob"}), ("reset-link", None)):
        refused = client_of(alice).post(f"{SKIES}/members/{member.pk}/{door}", body)
        assert (refused.status_code, refused.json()["code"]) == (403, "in_other_projects")


def test_staff_are_out_of_a_curators_reach(client_of: Clients, project: Project, alice: User, dora: User) -> None:
    Membership.objects.filter(user=dora).update(role=Role.CURATOR)
    member = Membership.objects.get(user=alice, project=project)
    refused = client_of(dora).post(f"{SKIES}/members/{member.pk}/erase", {"username": "alice"})
    assert (refused.status_code, refused.json()["code"]) == (403, "account_of_staff")


def test_another_name_than_the_persons_confirms_nothing(
    client_of: Clients, project: Project, alice: User, bob: User
) -> None:
    member = Membership.objects.get(user=bob, project=project)
    refused = client_of(alice).post(f"{SKIES}/members/{member.pk}/erase", {"username": "Bob"})
    assert (refused.status_code, refused.json()["code"]) == (400, "other_username")


def test_a_token_opens_none_of_these_doors(client_of: Clients, project: Project, alice: User, bob: User) -> None:
    _, secret = create_token(user=alice, name="leaked")
    member = Membership.objects.get(user=bob, project=project)
    calls = [
        ("post", "/api/v1/me/erase", {"password": PASSWORD}),
        ("get", "/api/v1/me/export", None),
        ("post", f"{SKIES}/members/{member.pk}/erase", {"username": "bob"}),
        ("post", f"{SKIES}/members/{member.pk}/reset-link", None),
        ("post", f"{SKIES}/delete", {"slug": "skies"}),
    ]
    header = {"Authorization": f"Token {secret}"}
    told = [getattr(client_of(), method)(address, body, headers=header) for method, address, body in calls]
    assert {(answer.status_code, answer.json()["code"]) for answer in told} == {(403, "not_by_token")}


def test_everybody_reads_their_own_data_and_nobody_elses(
    client_of: Clients, full: Project, bob: User, dora: User
) -> None:
    answer = client_of(bob).get("/api/v1/me/export")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert "attachment" in answer["Content-Disposition"]
    told = json.loads(b"".join(answer.streaming_content))
    assert told["account"]["username"] == "bob" and told["account"]["email"] == "bob@example.org"
    mine = Judgment.objects.filter(annotator=bob)
    assert sorted(row["id"] for row in told["judgments"]) == sorted(mine.values_list("pk", flat=True))
    assert [row["project__slug"] for row in told["memberships"]] == ["skies"]
    assert "password" not in told["account"] and "dora" not in json.dumps(told)
    assert client_of().get("/api/v1/me/export").status_code == 401


def test_the_words_of_withdrawn_feedback_are_in_the_data_of_its_author_alone(
    client_of: Clients, full: Project, bob: User, dora: User
) -> None:
    judgment = Judgment.objects.filter(annotator=bob, control=None)[0]
    remark = write_remark(project=full, judgment_id=judgment.pk, text="Taken back.", written_by=dora)
    withdraw_remark(remark=remark)
    own, author = (
        json.loads(b"".join(client_of(user).get("/api/v1/me/export").streaming_content)) for user in (bob, dora)
    )
    assert "Taken back." not in json.dumps(own)
    assert remark.pk in {row["id"] for row in own["feedback_withdrawn"]}
    assert "Taken back." in {row["text"] for row in author["feedback_written"]}


def test_whatever_refers_to_people_is_in_the_export_or_left_out_for_a_reason() -> None:
    in_document = {(section.model, field) for section in SECTIONS for field in section.by}
    refers = {
        (model._meta.label, field.name)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey) and field.related_model is User
    }
    told = {f"{model}.{field}" for model, field in refers - in_document}
    assert told == set(LEFT_OUT)


def test_the_command_asks_for_the_name(monkeypatch: pytest.MonkeyPatch, project: Project, bob: User) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "no")
    with pytest.raises(CommandError, match="Nothing"):
        call_command("erase_account", "bob")
    with pytest.raises(CommandError, match="no account"):
        call_command("erase_account", "nobody")
    call_command("erase_account", "bob", "--yes")
    assert User.objects.get(pk=bob.pk).erased_at
    assert {entry.actor for entry in RightsRecord.objects.filter(action="account_erased")} == {None}
