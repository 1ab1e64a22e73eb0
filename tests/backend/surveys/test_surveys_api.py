"""Surveys over HTTP: for curators and head annotators, and for participants, who have no account."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from api_examples import Examples
from backend.erasure import deleting
from backend.erasure.models import ProjectDeletion
from backend.people.models import User
from backend.projects.models import Project
from backend.surveys.models import Participant, Survey, SurveyAnswer, SurveyItem
from surveyed import TEXTS, answer_all, careful, careless, make_rated, opened, take_part

pytestmark = pytest.mark.django_db
Clients = Callable[..., APIClient]
SURVEYS = "/api/v1/projects/skies/surveys"


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


@pytest.fixture
def survey(project: Project, alice: User) -> Survey:
    make_rated(project, hard=10)
    return opened(project, alice, pairs_each=5, distractors_each=2)


def begin(client: APIClient, token: str, **sent: Any) -> Any:
    return client.post(f"/api/v1/s/{token}/agree", {"start_key": str(uuid4()), **sent})


def answer(client: APIClient, token: str, number: int, label: str = "good", **sent: Any) -> Any:
    return client.put(f"/api/v1/s/{token}/answers/{number}", {"answer": label, **sent})


def table(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


@pytest.mark.nightly
def test_a_curator_makes_opens_and_closes_a_survey(client_of: Clients, project: Project, alice: User) -> None:
    make_rated(project, hard=4)
    client = client_of(alice)
    made = client.post(SURVEYS, {**TEXTS, "n_pairs": 3, "pairs_each": 2})
    assert made.status_code == 201
    told = made.json()
    assert (told["state"], told["n_items"], told["model"]) == ("draft", 0, "clip-l")
    address = f"{SURVEYS}/{told['id']}"
    preview = client.get(f"{address}/preview").json()
    assert [len(preview[side]) for side in ("pairs", "distractors")] == [3, 20]
    assert client.patch(address, {"title": "Hard ones", "n_pairs": 4}).json()["title"] == "Hard ones"
    told = client.post(f"{address}/open").json()
    assert (told["state"], told["n_items"]) == ("open", 4)
    assert told["url"].startswith("http://testserver/s/")
    refused = client.patch(address, {"consent": "Other words"})
    assert (refused.status_code, refused.json()["code"]) == (409, "survey_not_draft")
    assert client.delete(address).json()["code"] == "survey_still_open"
    assert client.post(f"{address}/close").json()["closed_by"] == "curator"
    assert client.delete(address).status_code == 204
    assert client.get(SURVEYS).json()["results"] == []


@pytest.mark.nightly
def test_curators_change_heads_read_and_nobody_else_sees_a_survey(
    client_of: Clients, survey: Survey, alice: User, dora: User, bob: User, charlie: User
) -> None:
    people = (alice, dora, bob, charlie, None)
    address = f"{SURVEYS}/{survey.pk}"
    reads = ("", "/preview", "/results", "/participants", "/pairs.csv", "/participants.csv", "/answers.csv",
             "/results.json")  # fmt: skip
    for end in reads:
        statuses = [client_of(user).get(f"{address}{end}").status_code for user in people]
        assert (end, statuses) == (end, [200, 200, 403, 404, 401])
    for path in (SURVEYS, f"{SURVEYS}/models"):
        assert [client_of(user).get(path).status_code for user in people] == [200, 200, 403, 404, 401]
    writes = [("post", SURVEYS, TEXTS), ("patch", address, {"fail_rate": 0.6}), ("post", f"{address}/link", None),
              ("post", f"{address}/links", {"n": 1}), ("post", f"{address}/open", None),
              ("post", f"{address}/close", None)]  # fmt: skip
    for method, path, body in writes:
        statuses = [getattr(client_of(user), method)(path, body).status_code for user in people[1:]]
        assert (path, statuses) == (path, [403, 403, 404, 401])
        assert getattr(client_of(alice), method)(path, body).status_code in (200, 201)
    assert [client_of(user).delete(address).status_code for user in people[1:]] == [403, 403, 404, 401]


@pytest.mark.nightly
def test_only_curators_see_the_link(client_of: Clients, survey: Survey, alice: User, dora: User) -> None:
    seen = [client_of(user).get(f"{SURVEYS}/{survey.pk}").json()["url"] for user in (alice, dora)]
    assert seen == [f"http://testserver/s/{survey.token}", None]
    assert survey.token not in client_of(dora).get(f"{SURVEYS}/{survey.pk}/results.json").content.decode()


def test_a_survey_of_another_project_is_not_found(
    client_of: Clients, survey: Survey, alice: User, charlie: User
) -> None:
    other = Project.objects.create(slug="seas", name="Seas", created_by=alice)
    other.memberships.create(user=charlie, role="curator")
    assert client_of(charlie).get(f"/api/v1/projects/seas/surveys/{survey.pk}").status_code == 404


@pytest.mark.nightly
@pytest.mark.parametrize(
    "wrong",
    [{"n_pairs": 0}, {"fail_rate": 0}, {"title": ""}, {"closes_at": "soon"}, {"seed": 2**40}, {"max_participants": 0},
     {"distractors_from": "nowhere"}, {"consent": "x" * 20_001}],
)  # fmt: skip
def test_wrong_values_are_told_at_their_field(
    wrong: dict[str, Any], client_of: Clients, project: Project, alice: User
) -> None:
    make_rated(project)
    refused = client_of(alice).post(SURVEYS, {**TEXTS, **wrong})
    assert refused.status_code == 400
    assert set(wrong) <= set(refused.json()["details"])


@pytest.mark.nightly
def test_a_participant_answers_without_an_account_and_goes_on_after_a_reload(
    client_of: Clients, survey: Survey
) -> None:
    client = client_of()
    door = client.get(f"/api/v1/s/{survey.token}").json()
    assert (door["stage"], door["n_pairs"], door["items"]) == ("consent", 7, [])
    series = begin(client, survey.token).json()["items"]
    assert [item["number"] for item in series] == [1, 2, 3, 4, 5, 6, 7]
    assert answer(client, survey.token, 1, ms=1200).json() == {"is_finished": False}
    assert answer(client, survey.token, 2, "bad").status_code == 200
    again = client.get(f"/api/v1/s/{survey.token}").json()
    assert again["stage"] == "answering"
    assert [item["answer"] for item in again["items"]] == ["good", "bad", None, None, None, None, None]
    assert [item["text"] for item in again["items"]] == [item["text"] for item in series]
    for number in range(3, 8):
        told = answer(client, survey.token, number)
    assert told.json() == {"is_finished": True}
    assert client.get(f"/api/v1/s/{survey.token}").json()["stage"] == "finished"
    assert client_of().get(f"/api/v1/s/{survey.token}").json()["stage"] == "consent"


def test_nothing_tells_a_participant_which_pairs_are_distractors(client_of: Clients, survey: Survey) -> None:
    series = begin(client_of(), survey.token).json()["items"]
    distractors = set(survey.items.filter(is_distractor=True).values_list("text", flat=True))
    assert sum(item["text"] in distractors for item in series) == 2
    assert {tuple(sorted(item)) for item in series} == {("answer", "image", "number", "text")}
    assert {tuple(sorted(item["image"])) for item in series} == {("alt", "thumbnail")}
    assert {item["image"]["alt"] for item in series} == {"A photograph to judge."}


def test_the_cookie_is_signed_hidden_from_scripts_and_sent_to_the_survey_alone(
    client_of: Clients, survey: Survey
) -> None:
    client = client_of()
    begin(client, survey.token)
    name = f"survey_{survey.pk}"
    cookie = client.cookies[name]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/api/v1/s/")
    stranger = client_of()
    stranger.cookies[name] = str(Participant.objects.get().pk)
    refused = answer(stranger, survey.token, 1)
    assert (refused.status_code, refused.json()["code"]) == (404, "not_taking_part")


@pytest.mark.nightly
def test_another_survey_does_not_take_the_cookie(
    client_of: Clients, project: Project, survey: Survey, alice: User
) -> None:
    client = client_of()
    begin(client, survey.token)
    other = opened(project, alice)
    client.cookies[f"survey_{other.pk}"] = client.cookies[f"survey_{survey.pk}"].value
    assert answer(client, other.token, 1).status_code == 404
    assert client.get(f"/api/v1/s/{other.token}").json()["stage"] == "consent"


@pytest.mark.parametrize(("token", "status", "code"), [("x", 404, "no_such_survey"), ("a" * 32, 404, "no_such_survey")])
def test_a_wrong_link_is_one_sentence(token: str, status: int, code: str, client_of: Clients, project: Project) -> None:
    told = client_of().get(f"/api/v1/s/{token}")
    assert (told.status_code, told.json()["code"]) == (status, code)


@pytest.mark.nightly
def test_closed_and_full_surveys_are_one_sentence_each(
    client_of: Clients, survey: Survey, project: Project, alice: User
) -> None:
    full = opened(project, alice, max_participants=1)
    take_part(full)
    client_of(alice).post(f"{SURVEYS}/{survey.pk}/close")
    for token, code in ((full.token, "survey_full"), (survey.token, "survey_closed")):
        told = [client_of().get(f"/api/v1/s/{token}"), begin(client_of(), token)]
        assert {(each.status_code, each.json()["code"]) for each in told} == {(410, code)}


def test_the_anonymous_need_the_csrf_token_of_the_site(survey: Survey) -> None:
    client = APIClient(enforce_csrf_checks=True)
    refused = begin(client, survey.token)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    assert not Participant.objects.exists()


@pytest.mark.nightly
def test_one_address_cannot_start_without_end(client_of: Clients, survey: Survey, monkeypatch: Any) -> None:
    from backend.surveys.api import SurveyJoinThrottle

    monkeypatch.setattr(SurveyJoinThrottle, "rate", "2/hour", raising=False)
    assert [begin(client_of(), survey.token).status_code for _ in range(3)] == [200, 200, 429]
    assert Participant.objects.count() == 2


@pytest.mark.nightly
@pytest.mark.parametrize("sent", [{"answer": "unsure"}, {"answer": ""}, {"answer": "good", "ms": -1}, {}])
def test_other_answers_are_refused(sent: dict[str, Any], client_of: Clients, survey: Survey) -> None:
    client = client_of()
    begin(client, survey.token)
    assert client.put(f"/api/v1/s/{survey.token}/answers/1", sent).status_code == 400
    assert not SurveyAnswer.objects.exclude(answer="").exists()


@pytest.mark.nightly
def test_single_use_links_are_shown_once_and_counted(client_of: Clients, survey: Survey, alice: User) -> None:
    made = client_of(alice).post(f"{SURVEYS}/{survey.pk}/links", {"n": 2}).json()["urls"]
    token = made[0].rpartition("/")[2]
    phone, desk = client_of(), client_of()
    first = begin(phone, token).json()["items"]
    assert begin(desk, token).json()["items"] == first
    assert answer(desk, token, 1).status_code == 200
    told = client_of(alice).get(f"{SURVEYS}/{survey.pk}").json()
    assert (told["n_links"], told["n_links_used"], told["n_participants"]) == (2, 1, 1)


def test_the_results_come_with_intervals_and_as_files(client_of: Clients, survey: Survey, dora: User) -> None:
    for label in (careful, careful, careless):
        answer_all(take_part(survey), label=label)
    client, address = client_of(dora), f"{SURVEYS}/{survey.pk}"
    told = client.get(f"{address}/results").json()
    assert (told["n_counted"], told["n_excluded"], told["agreement"]["n_answers"]) == (2, 1, 10)
    assert told["agreement"]["mean"] == 1
    assert told["histogram"][-1]["n"] == 10
    share = told["pairs"][0]["share"]
    assert (share["k"], share["n"], round(share["low"], 4), share["high"]) == (1, 1, 0.2065, 1)
    people = client.get(f"{address}/participants").json()["results"]
    assert [(each["number"], each["standing"]) for each in people] == [
        (1, "counted"), (2, "counted"), (3, "excluded"),
    ]  # fmt: skip
    pairs = table(client.get(f"{address}/pairs.csv"))
    assert [row["position"] for row in pairs] == [str(n) for n in range(1, 11)]
    assert pairs[0]["share_good"] == "1.0"
    assert [row["standing"] for row in table(client.get(f"{address}/participants.csv"))][2] == "excluded"
    rows = table(client.get(f"{address}/answers.csv"))
    assert len(rows) == 21
    assert {row["kind"] for row in rows} == {"pair", "distractor"}
    whole = json.loads(client.get(f"{address}/results.json").content)
    assert whole["survey"]["seed"] == 7
    assert (len(whole["pairs"]), len(whole["distractors"]), len(whole["participants"])) == (10, 8, 3)


def test_a_survey_is_deleted_with_its_project(project: Project, survey: Survey, alice: User) -> None:
    answer_all(take_part(survey), label=careful)
    ProjectDeletion.objects.create(project_key=project.pk, project_slug=project.slug, requested_by=alice)
    assert deleting.delete_projects() == 1
    assert not (Survey.objects.exists() or SurveyItem.objects.exists() or SurveyAnswer.objects.exists())


def test_surveys_are_as_in_their_examples(
    example: Examples, client_of: Clients, project: Project, alice: User, settings: Any
) -> None:
    make_rated(project, hard=6)
    client, own, visitor = client_of(alice), "projects/skies/surveys", client_of()
    example("projects_surveys_models_list", client.get, f"{own}/models")
    sent = {**TEXTS, "n_pairs": 4, "pairs_each": 2, "distractors_each": 1}
    one = f"{own}/{example('projects_surveys_create', client.post, own, sent)['id']}"
    example("projects_surveys_partial_update", client.patch, one, {"title": "Captions that models do not understand"})
    example("projects_surveys_preview_retrieve", client.get, f"{one}/preview")
    example("projects_surveys_open_create", client.post, f"{one}/open")
    token = example("projects_surveys_link_create", client.post, f"{one}/link")["url"].rpartition("/")[2]
    example("projects_surveys_links_create", client.post, f"{one}/links", {"n": 2})
    example("s_retrieve", visitor.get, f"s/{token}")
    example("s_agree_create", visitor.post, f"s/{token}/agree", {"start_key": str(uuid4())})
    for number in (1, 2, 3):
        said = {"answer": "good", "ms": 2400}
        example("s_answers_update", visitor.put, f"s/{token}/answers/{number}", said)
    example("projects_surveys_list", client.get, own)
    example("projects_surveys_retrieve", client.get, one)
    example("projects_surveys_participants_list", client.get, f"{one}/participants")
    example("projects_surveys_results_retrieve", client.get, f"{one}/results")
    example("survey_results_json", client.get, f"{one}/results.json")
    example("projects_surveys_close_create", client.post, f"{one}/close")
    example("projects_surveys_destroy", client.delete, one)
