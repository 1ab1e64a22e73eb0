"""The walk's stages and their knobs."""

from __future__ import annotations

import pytest

from backend.common.errors import InvalidInput
from backend.projects.models import Direction
from backend.runs.queue import QUEUES, TASKS
from backend.runs.walk import STAGES, get_stage, read_parameters, stages_between, stages_of


def test_every_stage_that_people_do_not_do_has_a_task_on_a_known_queue() -> None:
    assert set(TASKS) == {stage.name for stage in STAGES if not stage.by_people}
    assert {stage.queue for stage in STAGES} <= set(QUEUES)


def test_every_stage_but_the_first_says_what_it_waits_for() -> None:
    assert all(stage.needs and (stage.why_not or stage.by_people) for stage in STAGES[1:])


def test_an_unknown_stage_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidInput, match="import_images, sample, import_candidates"):
        get_stage("polish")


def test_parameters_are_completed_with_their_defaults() -> None:
    assert read_parameters(get_stage("select"), {"k": 3}) == {
        "k": 3,
        "variant": "kmeans",
        "stability_seeds": 10,
        "model": "",
    }


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"k": 1}, "k must be from 2 to 20"),
        ({"k": "five"}, "k takes a whole number"),
        ({"k": True}, "k takes a whole number"),
        ({"model": 3}, "model takes a text"),
        ({"depth": 1}, "Select captions has no setting depth. Its settings are: k, variant, stability_seeds, model"),
    ],
)
def test_an_unfit_parameter_is_refused_by_name(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        read_parameters(get_stage("select"), given)


def test_a_choice_outside_the_list_is_refused() -> None:
    with pytest.raises(InvalidInput, match="layout must be one of: auto, table, coco"):
        read_parameters(get_stage("import_images"), {"layout": "zoo"})


def test_text_that_does_not_fit_its_pattern_is_refused_in_words() -> None:
    with pytest.raises(InvalidInput, match="takes a list with commas, for example web"):
        read_parameters(get_stage("clean"), {"title_sources": "Web!"})


def test_the_walk_runs_between_two_stages_both_in() -> None:
    names = [stage.name for stage in stages_between("build_hits", "consensus")]
    assert names == ["build_hits", "judge", "settle", "preview_policy", "apply_policy", "consensus"]


def test_the_walk_does_not_run_backwards() -> None:
    with pytest.raises(InvalidInput, match="release comes after clean in the pipeline"):
        stages_between("release", "clean")


@pytest.mark.parametrize("direction", Direction.values)
def test_every_direction_has_a_pipeline_whose_stages_all_say_what_comes_first(direction: str) -> None:
    stages = stages_of(direction)
    names = {stage.name for stage in stages}
    assert {"import_images", "make_controls", "build_hits", "judge", "apply_policy", "consensus"} <= names
    assert ("import_queries" in names) == (direction == Direction.IMAGES_OF_A_QUERY)
    assert {"import_candidates", "clean", "suggest_edits", "select", "release"}.isdisjoint(names) == (
        direction == Direction.IMAGES_OF_A_QUERY
    )
    # What comes first is a stage of the same project.
    others = {stage.label for stage in STAGES if stage not in stages}
    reasons = [stage.why_not_in(direction) for stage in stages]
    assert not [reason for reason in reasons if any(reason.startswith(label) for label in others)]


def test_a_default_follows_what_the_project_has_and_is_never_more_than_half_of_it() -> None:
    sample = get_stage("sample")
    found = [read_parameters(sample, {}, {"images": n})["k"] for n in (0, 1, 16, 17, 9_999, 1_000_000)]
    assert found == [5000, 1, 8, 9, 5000, 5000]
    assert read_parameters(sample, {"k": 12}, {"images": 16})["k"] == 12


def test_every_setting_has_a_label_of_its_own_in_its_stage() -> None:
    for stage in STAGES:
        labels = [parameter.label for parameter in stage.parameters]
        assert len(set(labels)) == len(labels) and all(labels)


def test_what_people_type_stands_for_whole_numbers_within_the_bounds() -> None:
    scaled = {p.name: p for stage in STAGES for p in stage.parameters if p.scale != 1}
    assert set(scaled) == {"min_dist", "low", "high", "copy", "epsilon", "most", "alike"}
    assert {name: int(p.default) / p.scale for name, p in scaled.items()} == {
        "min_dist": 0.1, "low": 0.7, "high": 0.8, "copy": 0.95, "epsilon": 0, "most": 1, "alike": 0.8,
    }  # fmt: skip
