"""Policies and the lead's table over HTTP: who may read, who may change, and what an annotator never sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.agreement import people
from backend.agreement.models import Snapshot
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, Judgment
from backend.people.models import User
from backend.projects.models import Project
from backend.quality import annotators
from backend.quality.models import PolicyReplay, QualityPolicy
from backend.runs.models import Run
from judged_project import work_on
from world import World, make_world

Clients = Callable[..., APIClient]
ROOT = "/api/v1/projects/skies"
RULES = [{"collector": "control_failures", "condition": {"min_n": 2}, "action": "exclude"}]


@pytest.fixture
def world(project: Project, bob: User, dora: User) -> World:
    """bob fails three controls of four, dora none; both judged the first two HITs."""
    made = make_world(project, images=3, captions=3, controls=4)
    made.submit(bob, 0, ["good", "bad", "good"], controls=dict.fromkeys(range(3), "bad") | {3: "good"})
    made.submit(dora, 0, ["good", "good", "good"], controls=dict.fromkeys(range(4), "good"), ms=[1000, 2000, 6000])
    made.submit(bob, 1, ["bad"] * 3)
    made.submit(dora, 1, ["good"] * 3)
    return made


def save(client: APIClient, rules: Any = RULES, note: str = "") -> Any:
    return client.post(f"{ROOT}/policies", {"rules": rules, "note": note})


def preview(client: APIClient, version: int = 1) -> dict[str, Any]:
    """Ask for it, work it out as a worker does, read it."""
    asked = client.post(f"{ROOT}/policies/{version}/preview")
    assert asked.status_code == 202, asked.content
    run = work_on(Run.objects.get(pk=asked.json()["run"]))
    assert (run.status, run.stage) == ("succeeded", "preview_policy")
    told = dict(client.get(f"{ROOT}/policies/{version}/preview").json())
    assert told["run"] == str(run.pk)
    return told


def test_a_version_is_saved_whole_and_changes_nothing_yet(client_of: Clients, alice: User, world: World) -> None:
    answer = save(client_of(alice), note="First rules.")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["version"], body["is_in_force"], body["note"]) == (1, False, "First rules.")
    assert body["created_by"]["username"] == "alice"
    assert body["rules"][0]["condition"] == {
        "threshold": 0.7, "min_n": 2, "window": None, "p_value": None, "unsure_fails": False,
    }  # fmt: skip
    assert not AnnotatorState.objects.exclude(state="active").exists()


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ([*RULES, {"collector": "too_fast", "condition": {"p_value": 0.5}, "action": "warn"}],
         "Rule 2 (too_fast), p_value: enter a number above 0 and up to 0.05, not 0.5."),
        ([{"collector": "luck", "condition": {}, "action": "warn"}], "Rule 1, collector: 'luck' is not one of"),
        ("all", "Send a list of at most 30 rules"),
        (RULES * 2, "Rule 2 (control_failures): the same rule exists twice. Remove one."),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_rule_and_field(
    client_of: Clients, alice: User, project: Project, rules: Any, sentence: str
) -> None:
    answer = save(client_of(alice), rules)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_rules")
    assert sentence in answer.json()["message"]
    assert answer.json()["details"]["rules"]
    assert not QualityPolicy.objects.exists()


@pytest.mark.nightly
def test_the_preview_names_who_would_change_and_what_it_costs(client_of: Clients, alice: User, world: World) -> None:
    client = client_of(alice)
    save(client)
    body = preview(client)
    effect = body["effect"]
    change = effect["changes"][0]
    assert (change["user"]["username"], change["was"], change["becomes"]) == ("bob", "active", "excluded")
    assert (change["n_judgments"], effect["n_judgments_stop"], effect["n_judgments_start"]) == (-6, 6, 0)
    assert (effect["n_pairs_reopen"], effect["n_labels_change"]) == (6, 4)
    assert effect["states"] == {"active": 1, "warned": 0, "paused": 0, "excluded": 1}
    assert body["findings"][0]["evidence"]["n_failed"] == 3
    assert AnnotatorState.objects.get(user__username="bob").state == "active"


def test_who_asks_again_while_it_is_worked_out_gets_the_same_run(
    client_of: Clients, alice: User, dora: User, world: World
) -> None:
    save(client_of(alice))
    asked = [client_of(user).post(f"{ROOT}/policies/1/preview").json()["run"] for user in (alice, dora)]
    assert asked[0] == asked[1]
    save(client_of(alice), note="Others.")
    other = client_of(alice).post(f"{ROOT}/policies/2/preview")
    assert (other.status_code, other.json()["code"]) == (409, "stage_running")


@pytest.mark.nightly
def test_a_preview_of_today_takes_the_place_of_yesterdays(
    client_of: Clients, alice: User, bob: User, world: World
) -> None:
    client = client_of(alice)
    save(client)
    assert preview(client)["effect"]["n_judgments_stop"] == 6
    world.submit(bob, 2, ["bad"] * 3)
    assert preview(client)["effect"]["n_judgments_stop"] == 9
    assert PolicyReplay.objects.count() == 1


@pytest.mark.nightly
def test_applying_is_a_run_and_makes_what_the_preview_said(client_of: Clients, alice: User, world: World) -> None:
    client = client_of(alice)
    save(client)
    foretold = preview(client)["effect"]
    answer = client.post(f"{ROOT}/policies/1/apply")
    assert answer.status_code == 202
    run = work_on(Run.objects.get(pk=answer.json()["run"]))
    assert (run.status, run.stage, run.counts["changed"]) == ("succeeded", "apply_policy", 1)
    body = client.get(f"{ROOT}/policies/1").json()
    assert body["policy"]["is_in_force"]
    assert body["replays"][0]["effect"] == foretold
    assert body["replays"][0]["applied_by"]["username"] == "alice"
    bob = body["replays"][0]["effect"]["changes"][0]["user"]
    findings = client.get(f"{ROOT}/annotators/{bob['id']}").json()["findings"]
    assert [(each["user"]["username"], each["collector"]) for each in findings] == [("bob", "control_failures")]
    assert Judgment.objects.count() == 20


def test_a_policy_begins_with_defaults_and_says_what_rules_are_made_of(
    client_of: Clients, alice: User, project: Project
) -> None:
    body = client_of(alice).get(f"{ROOT}/policies/defaults").json()
    assert {each["name"] for each in body["collectors"]} >= {each["collector"] for each in body["rules"]}
    assert save(client_of(alice), body["rules"]).status_code == 201


@pytest.mark.nightly
def test_the_table_holds_everybody_with_their_figures(client_of: Clients, dora: User, world: World) -> None:
    rows = {row["user"]["username"]: row for row in client_of(dora).get(f"{ROOT}/annotators").json()["results"]}
    assert set(rows) == {"bob", "dora"}
    bob, lead = rows["bob"], rows["dora"]
    assert (bob["hits"], bob["graded"], bob["failed"], bob["state"]) == (2, 4, 3, "active")
    assert (bob["passed"]["share"], bob["agreement"]["k"], bob["agreement"]["n"]) == (0.25, 2, 6)
    assert (lead["seconds"], bob["seconds"]) == (2.0, None)
    assert bob["passed"]["low"] < 0.25 < bob["passed"]["high"]


@pytest.mark.nightly
def test_habits_are_read_from_the_newest_hits_alone(
    world: World, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = Assignment.objects.filter(annotator__username="bob").order_by("submitted_at")
    Assignment.objects.filter(pk=first.pk).update(status=AssignmentStatus.LATE)
    annotator_states = annotators.list_annotator_states(project=project).order_by("username")
    bob, lead = annotators.describe(project=project, annotator_states=annotator_states)
    figures = vars(bob.annotator_state)
    assert (figures["n_late"], figures["n_skipped"], figures["last_at"]) == (1, 0, last.submitted_at)
    assert bob.habits.agreement is not None and bob.habits.agreement.n == 6
    assert lead.habits.seconds == 2.0
    monkeypatch.setattr(people, "NEWEST_HITS", 1)
    Snapshot.objects.all().delete()
    bob, lead = annotators.describe(project=project, annotator_states=annotator_states)
    assert bob.habits.agreement is not None and bob.habits.agreement.n == 3
    assert lead.habits.seconds is None


@pytest.mark.nightly
def test_the_table_is_paged_along_every_order(client_of: Clients, dora: User, world: World, project: Project) -> None:
    for n in range(3):
        world.submit(world.person(f"person-{n}"), 2, ["good"] * 3)
    client = client_of(dora)
    for sort in ("username", "-hits", "-failed", "-active", "-state"):
        url, seen = f"{ROOT}/annotators?sort={sort}&limit=2", []
        whole = client.get(f"{ROOT}/annotators?sort={sort}").json()["results"]
        while url:
            body = client.get(url).json()
            seen += [row["user"]["username"] for row in body["results"]]
            url = body["next"]
        assert seen == [row["user"]["username"] for row in whole], sort
        assert len(seen) == 5, sort


@pytest.mark.nightly
def test_one_person_has_findings_and_what_people_decided(
    client_of: Clients, alice: User, bob: User, world: World
) -> None:
    client = client_of(alice)
    save(client)
    work_on(Run.objects.get(pk=client.post(f"{ROOT}/policies/1/apply").json()["run"]))
    sent = {"state": "active", "reason": "We spoke; the controls were unclear."}
    body = client.post(f"{ROOT}/annotators/{bob.pk}/state", sent).json()
    assert (body["annotator"]["state"], body["annotator"]["is_by_hand"]) == ("active", True)
    assert [each["action"] for each in body["findings"]] == ["exclude"]
    assert [(each["state"], each["decided_by"]["username"]) for each in body["decisions"]] == [("active", "alice")]
    back = client.post(f"{ROOT}/annotators/{bob.pk}/state", {"state": "policy", "reason": "By the rules again."}).json()
    assert (back["annotator"]["state"], back["annotator"]["is_by_hand"]) == ("excluded", False)


@pytest.mark.nightly
def test_a_head_annotator_pauses_and_takes_that_back_and_no_more(
    client_of: Clients, bob: User, dora: User, world: World
) -> None:
    client, url = client_of(dora), f"{ROOT}/annotators/{bob.pk}/state"
    paused = client.post(url, {"state": "paused", "reason": "Let us talk first."})
    assert paused.json()["annotator"]["reasons"][0]["message"] == "Let us talk first."
    assert client.post(url, {"state": "excluded", "reason": "Enough."}).status_code == 403
    assert client.post(url, {"state": "policy", "reason": "We talked."}).json()["annotator"]["state"] == "active"
    assert client.post(url, {"state": "active", "reason": "Whatever."}).status_code == 403


def decide(client: APIClient, user: User, state: str) -> tuple[int, str]:
    code = client.post(f"{ROOT}/annotators/{user.pk}/state", {"state": state, "reason": "I looked."}).status_code
    return code, AnnotatorState.objects.get(user=user).state


def apply_rules(client: APIClient, rules: Any = RULES) -> None:
    save(client, rules)
    work_on(Run.objects.get(pk=client.post(f"{ROOT}/policies/1/apply").json()["run"]))


@pytest.mark.nightly
def test_a_head_annotators_pause_taken_back_leaves_what_a_curator_had_decided(
    client_of: Clients, alice: User, bob: User, dora: User, world: World
) -> None:
    """The rules exclude bob, a curator lets him work: a pause and its end must not put the rules above the curator."""
    curator, head = client_of(alice), client_of(dora)
    apply_rules(curator)
    assert decide(curator, bob, "active") == (200, "active")
    assert decide(head, bob, "policy") == (403, "active")
    assert decide(head, bob, "paused") == (200, "paused")
    assert decide(head, bob, "policy") == (200, "active")
    decisions = curator.get(f"{ROOT}/annotators/{bob.pk}").json()["decisions"]
    told = [(each["state"], each["decided_by"]["username"]) for each in decisions]
    assert told == [("active", "dora"), ("paused", "dora"), ("active", "alice")]
    work_on(Run.objects.get(pk=curator.post(f"{ROOT}/policies/1/apply").json()["run"]))
    assert AnnotatorState.objects.get(user=bob).state == "active"
    assert decide(head, bob, "policy") == (200, "active")  # a second click, of which nothing is written
    assert curator.get(f"{ROOT}/annotators/{bob.pk}").json()["decisions"] == decisions


@pytest.mark.nightly
def test_a_head_annotator_lifts_no_pause_of_the_rules_or_of_a_curator(
    client_of: Clients, alice: User, bob: User, dora: User, world: World
) -> None:
    """Nor by making it their own first."""
    curator, head = client_of(alice), client_of(dora)
    apply_rules(curator, [{**RULES[0], "action": "pause"}])
    assert decide(head, bob, "paused") == (403, "paused")
    assert decide(head, bob, "policy") == (403, "paused")
    assert decide(curator, bob, "active") == (200, "active")
    assert decide(curator, bob, "paused") == (200, "paused")
    assert decide(head, bob, "policy") == (403, "paused")


@pytest.mark.nightly
def test_a_head_annotator_notes_that_they_looked_where_the_rules_ask_for_it(
    client_of: Clients, alice: User, bob: User, dora: User, world: World
) -> None:
    head, looked = client_of(dora), {"state": "reviewed", "reason": "The controls were hard."}
    url = f"{ROOT}/annotators/{bob.pk}/state"
    assert head.post(url, looked).status_code == 409
    apply_rules(client_of(alice), [{**RULES[0], "action": "review"}])
    assert head.get(f"{ROOT}/annotators/{bob.pk}").json()["annotator"]["needs_review"] is True
    body = head.post(url, looked).json()
    assert (body["annotator"]["needs_review"], body["annotator"]["is_by_hand"]) == (False, False)
    assert body["decisions"][0]["state"] == "reviewed"


@pytest.mark.nightly
@pytest.mark.parametrize(
    "sent", [{"state": "paused"}, {"state": "paused", "reason": "  "}, {"state": "gone", "reason": "x"}]
)
def test_a_decision_needs_a_known_state_and_a_reason(
    client_of: Clients, alice: User, bob: User, world: World, sent: dict[str, str]
) -> None:
    assert client_of(alice).post(f"{ROOT}/annotators/{bob.pk}/state", sent).status_code == 400


READS = ("policies", "policies/defaults", "policies/1", "policies/1/preview", "annotators")


def test_an_id_that_no_row_can_have_is_nobody(client_of: Clients, alice: User, world: World) -> None:
    client, url = client_of(alice), f"{ROOT}/annotators/{10**30}"
    assert client.get(url).status_code == 404
    assert client.post(f"{url}/state", {"state": "paused", "reason": "A word first."}).status_code == 404


@pytest.mark.nightly
def test_reading_is_for_curators_and_head_annotators(
    client_of: Clients, alice: User, bob: User, charlie: User, dora: User, world: World
) -> None:
    save(client_of(alice))
    preview(client_of(alice))
    for path in (*READS, f"annotators/{bob.pk}"):
        codes = [client_of(user).get(f"{ROOT}/{path}").status_code for user in (alice, dora, bob, charlie, None)]
        assert codes == [200, 200, 403, 404, 401], path


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("policies", {"rules": RULES}, [403, 201, 403, 404, 401]),
        ("policies/1/apply", {}, [403, 202, 403, 404, 401]),
        ("policies/1/preview", {}, [202, 202, 403, 404, 401]),
        ("annotators/{bob}/state", {"state": "paused", "reason": "A word first."}, [200, 200, 403, 404, 401]),
    ],
)  # fmt: skip
def test_changing_is_for_curators(
    client_of: Clients, alice: User, bob: User, charlie: User, dora: User, world: World,
    path: str, body: dict[str, Any], expected: list[int],
) -> None:  # fmt: skip
    save(client_of(alice))
    url = f"{ROOT}/{path.format(bob=bob.pk)}"
    assert [client_of(user).post(url, body).status_code for user in (dora, alice, bob, charlie, None)] == expected


@pytest.mark.nightly
def test_another_projects_people_and_versions_are_not_found(
    client_of: Clients, charlie: User, alice: User, world: World
) -> None:
    save(client_of(alice))
    client = client_of(charlie)
    assert client.get("/api/v1/projects/elsewhere/policies/1").status_code == 404
    assert client.get(f"/api/v1/projects/elsewhere/annotators/{alice.pk}").status_code == 404
    decision = {"state": "paused", "reason": "Not mine."}
    assert client.post(f"/api/v1/projects/elsewhere/annotators/{alice.pk}/state", decision).status_code == 404
