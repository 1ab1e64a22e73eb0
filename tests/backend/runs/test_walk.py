"""The walk's stages and their knobs."""

from __future__ import annotations

import pytest

from backend.common.errors import InvalidInput
from backend.runs.queue import QUEUES, TASKS
from backend.runs.walk import STAGES, get_stage, read_parameters, stages_between


def test_every_stage_that_people_do_not_do_has_a_task_on_a_known_queue() -> None:
    assert set(TASKS) == {stage.name for stage in STAGES if not stage.by_people}
    assert {stage.queue for stage in STAGES} <= set(QUEUES)


def test_every_stage_but_the_first_says_what_it_waits_for() -> None:
    assert all(stage.needs and (stage.why_not or stage.by_people) for stage in STAGES[1:])


def test_an_unknown_stage_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidInput, match="import_images, sample, import_candidates"):
        get_stage("polish")


def test_parameters_are_completed_with_their_defaults() -> None:
    assert read_parameters(get_stage("select"), {"k": 3}) == {"k": 3, "model": ""}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"k": 1}, "k must lie between 2 and 20"),
        ({"k": "five"}, "k takes a whole number"),
        ({"k": True}, "k takes a whole number"),
        ({"model": 3}, "model takes text"),
        ({"depth": 1}, "Select does not know depth. It takes: k, model"),
    ],
)
def test_an_unfit_parameter_is_refused_by_name(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidInput, match=sentence):
        read_parameters(get_stage("select"), given)


def test_a_choice_outside_the_list_is_refused() -> None:
    with pytest.raises(InvalidInput, match="layout must be one of: auto, table, coco"):
        read_parameters(get_stage("import_images"), {"layout": "zoo"})


def test_text_that_does_not_fit_its_pattern_is_refused_in_words() -> None:
    with pytest.raises(InvalidInput, match="takes names of sources by comma, such as web, and 'Web!' is not that"):
        read_parameters(get_stage("clean"), {"title_sources": "Web!"})


def test_the_walk_runs_between_two_stages_both_in() -> None:
    names = [stage.name for stage in stages_between("build_hits", "consensus")]
    assert names == ["build_hits", "judge", "preview_policy", "apply_policy", "consensus"]


def test_the_walk_does_not_run_backwards() -> None:
    with pytest.raises(InvalidInput, match="release comes after clean"):
        stages_between("release", "clean")
