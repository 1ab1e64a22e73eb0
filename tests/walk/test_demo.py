"""The command of `make demo`: it serves first, walks to a release, and goes on after Ctrl-C where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from demo_site import COMPLETE, SERVES, DemoSite, demo_site
from deploy.processes import ProcessEndedError
from workers.demo.accounts import READERS
from workers.demo.world import World
from workers.engines.carried import LADDER
from workers.training.postcards.annotators import Profile
from workers.training.postcards.controls import truth

# They share one demo, which takes minutes: too long for every commit.
pytestmark = [pytest.mark.stack, pytest.mark.nightly]
PROJECT = "/projects/postcards"
INTERRUPTED = 130


@pytest.fixture(scope="module")
def demo(artefacts: Path) -> Iterator[DemoSite]:
    """A complete demo, stopped by Ctrl-C once while its annotators were at work."""
    with demo_site(artefacts / "demo") as site:
        site.wait_until_said("Judge .*[1-9][0-9]* captions")
        assert site.press_ctrl_c() == INTERRUPTED, site.said
        site.start()
        site.wait_until_said(COMPLETE)
        yield site


def runs_of(demo: DemoSite) -> list[dict[str, Any]]:
    return list(demo.person("curator").rows(f"{PROJECT}/runs"))


def released(demo: DemoSite, name: str) -> list[dict[str, Any]]:
    """The rows of one file of the demo's release."""
    curator = demo.person("curator")
    [release] = curator.rows(f"{PROJECT}/releases")
    [address] = [file["url"] for file in release["files"] if file["name"] == name]
    return [json.loads(line) for line in curator.download(address).decode().splitlines()]


def test_it_ends_with_a_release_and_tasks_left_to_judge(demo: DemoSite) -> None:
    counts = demo.person("curator").get(PROJECT)["counts"]
    assert (counts["images"], counts["releases"]) == (demo.order.targets, 1)
    left = demo.person("annotator").post(f"{PROJECT}/assignments/next")
    assert left["assignment"]["items"]


def test_after_ctrl_c_nothing_was_done_twice(demo: DemoSite) -> None:
    stages = [run["stage"] for run in runs_of(demo)]
    assert len(stages) == len(set(stages))
    progress = demo.person("curator").get(f"{PROJECT}/progress")["project"]
    judged = {row["user"]["username"]: row for row in demo.person("curator").rows(f"{PROJECT}/annotators")}
    assert all(judged[reader]["hits"] == progress["hits"] for reader in READERS), judged


def test_the_annotator_is_offered_suggested_edits(demo: DemoSite) -> None:
    annotator = demo.person("annotator")
    assignment = annotator.post(f"{PROJECT}/assignments/next")["assignment"]
    found = annotator.get(f"/assignments/{assignment['id']}/suggestions")["items"]
    assert any(item["suggestions"] for item in found)


def test_the_guidelines_have_three_examples(demo: DemoSite) -> None:
    annotator = demo.person("annotator")
    assert "**Good**" in annotator.get(PROJECT)["guidelines"]
    examples = annotator.get(f"{PROJECT}/guidelines/examples")["examples"]
    assert [example["label"] for example in examples] == ["good", "good", "bad"]
    assert [bool(example["edited_text"]) for example in examples] == [False, True, False]


def test_every_released_caption_says_how_hard_it_is_for_the_seven_models(demo: DemoSite) -> None:
    captions = released(demo, "captions.jsonl")
    assert captions
    for caption in captions:
        said = caption["difficulty"]
        assert [vote["model"] for vote in said["panel"]] == list(LADDER)
        assert said["n_votes"] == sum(vote["vote"] for vote in said["panel"])


def test_captions_show_how_many_other_images_they_fit(demo: DemoSite) -> None:
    curator = demo.person("curator")
    images = curator.rows(f"{PROJECT}/images")
    captions = [caption for image in images for caption in curator.rows(f"{PROJECT}/images/{image['id']}/candidates")]
    kept = [caption for caption in captions if caption["status"] == "kept"]
    assert all(caption["generic"]["n_judged"] > 0 for caption in kept)
    [report] = curator.get(f"{PROJECT}/polysemy")
    assert [corpus["corpus"] for corpus in report["corpora"]] == ["postcards"]


def test_the_demo_ends_with_the_seven_models_on_its_release(demo: DemoSite) -> None:
    curator = demo.person("curator")
    [release] = curator.rows(f"{PROJECT}/releases")
    board = curator.get(f"{PROJECT}/releases/{release['id']}/benchmarks")
    assert {row["model"] for row in board["rows"]} == set(LADDER)
    assert all(row["is_of_release"] and row["cells"]["text_to_image.mrr"]["value"] > 0 for row in board["rows"])
    assert all(name in demo.said for name in ("How often each model", *LADDER))


def test_what_the_annotators_released_is_true_of_the_drawn_world(demo: DemoSite) -> None:
    """Four annotators answer; one is hasty and one becomes bad. Nearly every selected caption fits its image."""
    world = World(Path(demo.environment["CONNOTE_DATA_DIR"]) / "postcards", demo.order)
    captions = released(demo, "captions.jsonl")
    scenes = {row["digest"]: world.targets[row["key"]].scene for row in released(demo, "images.jsonl")}
    right = [
        truth(world.pairs[row["source_ref"].rpartition(":")[2]].caption, scenes[row["image"]]) != "bad"
        for row in captions
    ]
    assert sum(right) / len(right) > 0.9


def test_test_questions_say_that_the_careful_annotators_look(demo: DemoSite) -> None:
    found = {row["user"]["username"]: row for row in demo.person("curator").rows(f"{PROJECT}/annotators")}
    assert all(found[reader]["graded"] > 0 for reader in READERS)
    careful = [found[reader] for reader, profile in READERS.items() if profile == Profile.CAREFUL]
    assert sum(row["failed"] for row in careful) <= 0.2 * sum(row["graded"] for row in careful)


@pytest.mark.parametrize("role", ["curator", "head_annotator", "annotator"])
def test_each_account_signs_in_without_a_password(demo: DemoSite, role: str) -> None:
    [project] = demo.person(role).rows("/projects")
    assert project["role"] == role


def test_the_embedded_site_is_ready_by_itself_and_serves_the_front_end(demo: DemoSite) -> None:
    ready = requests.get(f"{demo.url}/health/ready", timeout=10)
    assert ready.status_code == 200, ready.text
    page = requests.get(f"{demo.url}{PROJECT}/images", timeout=10)
    assert page.headers["Content-Type"].startswith("text/html")


def test_a_second_demo_on_the_same_data_is_refused(demo: DemoSite) -> None:
    second = DemoSite(demo.folder, demo.order)
    second.start()
    with pytest.raises(ProcessEndedError, match="Another demo runs"):
        second.wait_until_said(SERVES)
    second.process.stop()


def test_a_complete_demo_serves_at_once_and_changes_nothing(demo: DemoSite) -> None:
    before = runs_of(demo)
    assert demo.press_ctrl_c() == 0, demo.said
    demo.start()
    demo.wait_until_said(COMPLETE)
    assert "Draw images" not in demo.said
    assert runs_of(demo) == before


def test_a_stage_that_fails_is_named_and_the_site_stays_open(demo: DemoSite, artefacts: Path) -> None:
    with demo_site(artefacts / "demo-that-fails", CONNOTE_VISION_MODEL="no-such-model") as site:
        site.wait_until_said("The demo stopped here: .*")
        assert "no-such-model" in site.said
        assert requests.get(f"{site.url}/health/ready", timeout=10).status_code == 200
        assert site.press_ctrl_c() == 1
