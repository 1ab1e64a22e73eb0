"""Difficulty over HTTP: the rule is changed from stored votes, all of them at once, and nothing unknown is a no."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from rest_framework.test import APIClient

from api_examples import Examples
from backend.catalogue.models import Image
from backend.curation import policies
from backend.curation.models import Difficulty, ModelScore, Rater, SelectionItem
from backend.methods.difficulty import DRAWN_BY, POLICIES, rate
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs import stage_command
from backend.runs.models import Run, RunStatus
from cast import bob_and_dora
from judged_project import finish_stage, judge_all, work_on
from kept_worlds import own_copy
from panels import StandIn, seat, store_pictures

Clients = Callable[..., APIClient]
RunStage = Callable[..., Run]
BASE = "/api/v1/projects/skies/difficulty"
NINE = tuple(f"model-{n}" for n in range(9))
PANEL, EXTRA = ",".join(NINE[:7]), ",".join(NINE[7:])


def choose(project: Project) -> None:
    """Four images with five captions each; the original of the first is gone."""
    opinion = lambda image, caption, person: "bad" if (caption, person) == (0, 0) else "good"  # noqa: E731
    judge_all(project, people=bob_and_dora(), images=4, captions=7, opinion=opinion)
    finish_stage(project, "consensus")
    finish_stage(project, "select")
    store_pictures(project)
    default_storage.delete(Image.objects.order_by("pk")[0].original)


KEPT_WORLD = choose


@pytest.fixture
def chosen(project: Project, settings: Any, tmp_path: Path) -> Project:
    settings.MEDIA_ROOT, settings.CALIBRATIONS = own_copy(tmp_path / "media"), tmp_path / "calibrations"
    return project


@pytest.fixture
def ask(run_stage: RunStage, settings: Any) -> RunStage:
    """Run Difficulty with nine models in this process; the stage lets go of each that it has asked."""

    def run(project: Project, **knobs: str) -> Run:
        for n, name in enumerate(NINE):
            score = lambda text, n=n: 0.3 if (len(text) + 3 * n) % 11 > n else 0.2  # noqa: E731
            seat(StandIn(name, score), folder=settings.CALIBRATIONS)
        return run_stage(project, "difficulty", **knobs)

    return run


@pytest.fixture
def rated(chosen: Project, ask: RunStage) -> Project:
    run = ask(chosen, panel=PANEL, extra_models=EXTRA)
    assert run.status == RunStatus.SUCCEEDED, run.error
    return chosen


def categories() -> dict[int, str]:
    return dict(Difficulty.objects.values_list("item__candidate", "category"))


def by_hand(policy: str) -> dict[int, str]:
    """Each category from the panel's votes, caption by caption."""
    return {
        row.item.candidate_id: rate(
            list(row.scores.filter(is_in_panel=True).values_list("vote", flat=True)), policy=policy
        ).category
        for row in Difficulty.objects.select_related("item")
    }


@pytest.mark.nightly
def test_extra_models_are_stored_and_change_no_category(
    rated: Project, ask: RunStage, run_stage: RunStage, client_of: Clients, dora: User
) -> None:
    assert ModelScore.objects.count() == 20 * 9
    assert categories() == by_hand("unanimous")
    before = dict(Difficulty.objects.values_list("item__candidate", "n_votes"))
    image = Image.objects.order_by("pk")[1]
    [caption, *_] = client_of(dora).get(f"/api/v1/projects/skies/images/{image.pk}/selection").json()["captions"]
    assert [one["model"] for one in caption["difficulty"]["votes"]] == list(NINE[:7])
    assert run_stage(rated, "release").status == RunStatus.SUCCEEDED
    told = Release.objects.get().manifest
    assert [one["model"] for one in told["difficulty"]["panel"]] == list(NINE[:7])
    assert ask(rated, panel=PANEL).status == RunStatus.SUCCEEDED
    assert ModelScore.objects.count() == 20 * 7
    assert dict(Difficulty.objects.values_list("item__candidate", "n_votes")) == before


def test_a_model_in_the_panel_and_beside_it_is_refused(chosen: Project, ask: RunStage) -> None:
    run = ask(chosen, panel=PANEL, extra_models="model-3")
    assert (run.status, Difficulty.objects.count()) == (RunStatus.FAILED, 0)
    assert run.error["message"] == "The panel names model-3 more than once. Name each model once."


@pytest.mark.nightly
def test_another_rule_bins_the_stored_votes_as_a_new_run_would(
    client_of: Clients, alice: User, rated: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "CHUNK", 3)
    client = client_of(alice)
    promised = {one["policy"]: one["counts"] for one in client.get(f"{BASE}/summary").json()["policies"]}
    scores = list(ModelScore.objects.order_by("pk").values_list("pk", "score", "vote"))
    for policy in POLICIES:
        answer = client.post(f"{BASE}/policy", {"policy": policy}, "json")
        assert answer.status_code == 200, answer.json()
        assert categories() == by_hand(policy), policy
        assert set(Difficulty.objects.values_list("policy", flat=True)) == {policy}
        assert list(ModelScore.objects.order_by("pk").values_list("pk", "score", "vote")) == scores
        after = client.get(f"{BASE}/summary").json()
        assert after["policy"] == policy
        assert {one["policy"]: one["counts"] for one in after["policies"]} == promised
        counts = {name: n for name, n in promised[policy].items() if n}
        assert answer.json() == {"policy": policy, "counts": counts}
        assert counts["unrated"] == 5


@pytest.mark.nightly
def test_a_release_after_the_change_has_the_same_bytes_as_after_a_run_with_that_rule(
    client_of: Clients, alice: User, rated: Project, ask: RunStage, run_stage: RunStage
) -> None:
    client_of(alice).post(f"{BASE}/policy", {"policy": "hard<=1"}, "json")
    run_stage(rated, "release")
    first = Release.objects.get()
    assert ask(rated, panel=PANEL, extra_models=EXTRA, policy="hard<=1").status == RunStatus.SUCCEEDED
    again = run_stage(rated, "release")
    assert again.error["code"] == "nothing_changed", again.error
    assert first.manifest["difficulty"]["policy"] == first.manifest["stages"]["difficulty"]["parameters"]["policy"]


@pytest.mark.nightly
def test_a_change_that_breaks_half_way_changes_nothing(
    alice: User, rated: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "CHUNK", 3)
    before, real, calls = categories(), policies.bin_votes, []

    def break_at_the_third(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 3:
            raise OSError
        real(*arguments)

    monkeypatch.setattr(policies, "bin_votes", break_at_the_third)
    with pytest.raises(OSError):
        policies.change_policy(project=rated, policy="majority", by=alice)
    assert categories() == before


def test_each_rule_that_cannot_be_used_is_refused_in_a_sentence(
    client_of: Clients, alice: User, chosen: Project, ask: RunStage
) -> None:
    def refused(policy: str) -> str:
        answer = client_of(alice).post(f"{BASE}/policy", {"policy": policy}, "json")
        assert answer.status_code >= 400
        return str(answer.json()["code"])

    assert refused("unanimous") == "nothing_rated"
    assert ask(chosen, panel="model-0,model-1").status == RunStatus.SUCCEEDED
    assert refused("strict") == "unknown_policy"
    assert refused("hard<=1,easy>=n-1") == "panel_too_small"
    Difficulty.objects.filter(pk=Difficulty.objects.order_by("pk").first().pk).update(category="", n_votes=None)
    assert refused("hard<=1") == "half_rated"
    Run.objects.create(project=chosen, stage="difficulty", status=RunStatus.RUNNING)
    assert refused("hard<=1") == "still_rating"


def test_the_summary_tells_the_panel_and_the_entropy_of_the_human_votes(
    client_of: Clients, dora: User, rated: Project
) -> None:
    told = client_of(dora).get(f"{BASE}/summary").json()
    assert (told["n_selected"], told["n_rated"], told["n_models"], told["is_mixed"]) == (20, 15, 7, False)
    assert [(one["model"], one["is_in_panel"], one["is_tie_breaker"]) for one in told["panel"]] == [
        (name, n < 7, n == 6) for n, name in enumerate(NINE)
    ]
    assert told["policies"][3]["cuts"] == {"hard": [0, 1], "medium": [2, 5], "easy": [6, 7]}
    assert sum(one["captions"] for one in told["votes"]) == 15
    for one in told["entropy"]:
        rows = SelectionItem.objects.filter(difficulty__category=one["category"])
        entropies = list(rows.values_list("candidate__consensus__entropy", flat=True))
        assert (one["n"], sum(one["bins"])) == (len(entropies), len(entropies))
        if entropies:
            assert one["mean"] == pytest.approx(sum(entropies) / len(entropies))
        assert one["low"] is None or one["low"] <= one["mean"] <= one["high"]


def test_before_the_stage_ran_the_summary_is_empty_and_names_no_rule(
    client_of: Clients, dora: User, project: Project
) -> None:
    told = client_of(dora).get(f"{BASE}/summary").json()
    assert (told["policy"], told["n_rated"], told["panel"], told["votes"]) == (None, 0, [], [])
    assert not any(one["is_possible"] for one in told["policies"])


def test_examples_come_with_their_image_the_panels_votes_and_those_of_people(
    client_of: Clients, dora: User, rated: Project
) -> None:
    rows = client_of(dora).get(f"{BASE}/examples", {"category": "unrated", "limit": 3}).json()
    more = client_of(dora).get(rows["next"]).json()
    assert (len(rows["results"]), len(more["results"])) == (3, 2)
    one = rows["results"][0]
    assert one["image"]["thumbnail"]["small"]["url"]
    assert [vote["vote"] for vote in one["votes"]] == [None] * 7
    assert one["people"]["n_good"] + one["people"]["n_bad"] == 2
    assert client_of(dora).get(f"{BASE}/examples", {"category": "odd"}).status_code == 400


def test_robustness_comes_from_stored_scores_and_says_when_they_are_too_few(
    client_of: Clients, dora: User, rated: Project, ask: RunStage
) -> None:
    told = client_of(dora).get(f"{BASE}/robustness", {"panels": 5, "seed": 3}).json()
    assert (told["n_models"], told["n_captions"], told["n_left_out"], len(told["panels"])) == (9, 15, 5, 5)
    assert told["between"]["linear"]["n"] + told["between"]["linear"]["n_undefined"] == 10
    assert [one["model"] for one in told["influence"]] == list(NINE)
    assert client_of(dora).get(f"{BASE}/robustness", {"panels": 5, "seed": 3}).json() == told
    assert ask(rated, panel=PANEL).status == RunStatus.SUCCEEDED
    without_one = client_of(dora).get(f"{BASE}/robustness").json()
    assert (without_one["n_models"], without_one["size"], len(without_one["panels"])) == (7, 6, 7)
    refused = client_of(dora).get(f"{BASE}/robustness", {"size": 7})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_few_models")
    assert client_of(dora).get(f"{BASE}/robustness", {"panels": 1000}).status_code == 400


@pytest.mark.nightly
def test_ten_panels_of_seven_are_drawn_from_thirty_models(client_of: Clients, dora: User, rated: Project) -> None:
    """As the paper draws them. The votes of the other 21 models are stored beside those of the nine that were asked."""
    raters = [
        Rater.objects.create(name=f"more-{n}", digest=str(n) * 8, threshold=0.25, calibration={}, record=str(n))
        for n in range(21)
    ]
    ModelScore.objects.bulk_create(
        ModelScore(
            difficulty=row, rater=rater, position=10 + n, is_in_panel=False,
            score=0.3 if (row.pk + n) % 3 else 0.2, vote=bool((row.pk + n) % 3),
        )
        for row in Difficulty.objects.all()
        for n, rater in enumerate(raters)
    )  # fmt: skip
    told = client_of(dora).get(f"{BASE}/robustness", {"panels": 10, "size": 7}).json()
    assert (told["n_models"], told["size"], len(told["panels"])) == (30, 7, 10)
    names = {*NINE, *(rater.name for rater in raters)}
    assert all(len(set(panel)) == 7 and set(panel) <= names for panel in told["panels"])
    assert len({tuple(panel) for panel in told["panels"]}) == 10
    for kind in ("nominal", "linear"):
        assert told["between"][kind]["n"] + told["between"][kind]["n_undefined"] == 45
        assert told["with_reference"][kind]["n"] + told["with_reference"][kind]["n_undefined"] == 10


@pytest.mark.nightly
def test_reviewers_read_and_nobody_else(
    client_of: Clients, rated: Project, alice: User, dora: User, bob: User, charlie: User
) -> None:
    for page in ("summary", "examples?category=hard", "robustness?size=3"):
        statuses = [client_of(user).get(f"{BASE}/{page}").status_code for user in (alice, dora, bob, charlie, None)]
        assert statuses == [200, 200, 403, 404, 401], page


def test_curators_change_the_rule_and_nobody_else(
    client_of: Clients, rated: Project, alice: User, dora: User, bob: User, charlie: User
) -> None:
    sent = {"policy": "hard<=1"}
    statuses = [
        client_of(user).post(f"{BASE}/policy", sent, "json").status_code for user in (dora, bob, charlie, None, alice)
    ]
    assert statuses == [403, 403, 404, 401, 200]


@pytest.mark.nightly
@pytest.mark.parametrize(("author", "is_warned"), [("Ann Other", True), (DRAWN_BY, False)])
def test_models_trained_on_drawings_are_warned_of_before_and_with_the_result_on_other_images_only(
    client_of: Clients, alice: User, chosen: Project, run_stage: RunStage, settings: Any,
    monkeypatch: pytest.MonkeyPatch, author: str, is_warned: bool,
) -> None:  # fmt: skip
    Image.objects.update(author=author)
    settings.DIFFICULTY_PANEL = "postcards-x"
    seat(StandIn("postcards-x", lambda text: 0.1), folder=settings.CALIBRATIONS)
    walk = client_of(alice).get("/api/v1/projects/skies/walk").json()
    before = {stage["name"]: stage["warning"] for stage in walk["stages"]}
    assert (before["difficulty"] is not None) == is_warned
    assert before["select"] is None
    run = run_stage(chosen, "difficulty")
    assert ("178 of 180" in " ".join(run.log_tail)) == is_warned
    seat(StandIn("postcards-x", lambda text: 0.1), folder=settings.CALIBRATIONS)
    monkeypatch.setattr(stage_command, "follow_run", lambda *, run, out: work_on(run))
    printed = io.StringIO()
    how = {"project": "skies", "first": "difficulty", "last": "difficulty"}
    call_command("walk", **how, stdout=io.StringIO(), stderr=printed)
    assert ("learned from drawings" in printed.getvalue()) == is_warned
    assert client_of(alice).get(f"{BASE}/summary").json()["honesty"]["is_warning"] == is_warned
    run_stage(chosen, "release")
    release = Release.objects.get()
    drawings = 4 if author == DRAWN_BY else 0
    assert release.manifest["difficulty"]["trained_on_drawings"] == {
        "models": ["postcards-x"], "n_images": 4, "n_drawings": drawings,
    }  # fmt: skip


@pytest.mark.nightly
def test_difficulty_is_as_in_its_examples(example: Examples, client_of: Clients, alice: User, rated: Project) -> None:
    client, own = client_of(alice), "projects/skies/difficulty"
    example("projects_difficulty_summary_retrieve", client.get, f"{own}/summary")
    example("projects_difficulty_policy_create", client.post, f"{own}/policy", {"policy": "hard<=1"})
    example("projects_difficulty_examples_list", client.get, f"{own}/examples?category=hard")
    example("projects_difficulty_robustness_retrieve", client.get, f"{own}/robustness")
