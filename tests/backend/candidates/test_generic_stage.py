"""Generic captions: on how many other pictures the panel says a caption fits; a flag with its score, never a drop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from backend.candidates.models import Candidate, GenericScore
from backend.projects.models import Project
from backend.runs.models import Refusal, Run, RunStatus
from backend.runs.services import NotStartable
from generic_fixtures import CLOSE, DEGREES, KNOBS, NARROW, RISING, VOTES, WIDE, Pool, RunStage, found
from judged_project import work_on
from knowing_panel import SEVEN, Knowing, is_loaded, seat_likeness, seat_panel
from nightly import nightly
from workers.engines import matches, registry
from workers.tasks import generic as stage


def test_a_panel_worked_by_hand(pool: Pool, score: RunStage) -> None:
    """p1 is alike p0. The wide one has 4, 3 and 7 votes on the other three, and 4 of 7 make a match.

    One match is a quarter of the others, and not many.
    """
    pool((0, WIDE), (0, NARROW), (2, NARROW), (2, CLOSE))
    run = score()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert found() == {
        ("p0", WIDE): (2 / 3, 2, 3, 0, 5, "fits_many"),
        ("p0", NARROW): (0.0, 0, 3, 0, 5, ""),
        ("p2", NARROW): (1 / 4, 1, 4, 0, 5, ""),
        ("p2", CLOSE): (2 / 4, 2, 4, 0, 5, "fits_many"),
    }
    assert run.counts == {
        "in": 4, "out": 4, "no_decided_pair": 0, "flagged_fits_many": 2, "dropped": {},
    }  # fmt: skip
    assert run.done == run.total == 8 * 5 + 7 * 3 + 2 * 4
    assert run.log_tail == ["5 images, 4 captions, 3 different texts; 4 of 7 make a match."]
    assert set(run.models_used) == {*SEVEN, "plane"}


@pytest.mark.nightly
def test_a_caption_that_fits_no_more_than_it_may_is_not_flagged(pool: Pool, score: RunStage) -> None:
    pool((0, WIDE), (2, NARROW))
    run = score(most=500)
    assert [row[0::5] for row in found().values()] == [(2 / 3, "fits_many"), (1 / 4, "")]
    assert run.counts["flagged_fits_many"] == 1


@pytest.mark.nightly
def test_which_images_may_share_a_caption_hangs_on_alike(pool: Pool, score: RunStage) -> None:
    pool((0, NARROW), (1, NARROW))
    score()
    assert [row[1:3] for row in found().values()] == [(0, 3), (0, 3)]
    score(alike=99)
    assert [row[1:3] for row in found().values()] == [(0, 4), (1, 4)]


@pytest.mark.parametrize(
    ("n", "matched"), [(1, 4), nightly(2, 3), nightly(3, 3), (4, 2), nightly(5, 2), nightly(6, 1), (7, 1)]
)
def test_more_than_half_of_a_smaller_panel_makes_a_match(pool: Pool, score: RunStage, n: int, matched: int) -> None:
    """On the others the first n models give it 1, 2, 3 and 4 votes, but no more than n."""
    pool((4, RISING))
    score(panel=",".join(SEVEN[:n]))
    assert found()["p4", RISING][1:3] == (matched, 4)


@pytest.mark.nightly
def test_nothing_is_dropped_and_no_caption_changes(pool: Pool, score: RunStage) -> None:
    pool((0, WIDE), (0, NARROW))
    before = list(Candidate.objects.order_by("pk").values())
    score()
    assert list(Candidate.objects.order_by("pk").values()) == before


@pytest.mark.nightly
def test_an_image_whose_original_is_gone_is_a_missing_vote_and_listed(pool: Pool, score: RunStage) -> None:
    """p4 is undecided for the others; of its own captions nobody knows which images may share them."""
    gone = pool((0, WIDE), (4, NARROW))[4]
    default_storage.delete(gone.original)
    run = score()
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert found() == {("p0", WIDE): (1 / 2, 1, 2, 1, 4, ""), ("p4", NARROW): (None, 0, 0, 4, 4, "")}
    assert (run.counts["out"], run.counts["no_decided_pair"], run.counts["dropped"]) == (1, 1, {"gone": 1})
    assert Refusal.objects.get(run=run).name == gone.digest


@pytest.mark.nightly
def test_a_picture_that_one_model_cannot_see_is_decided_by_the_others_where_they_can(
    pool: Pool, score: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the first model p0 has 6 of 6 for the narrow one, and three votes of six on p3 could still be four."""
    images = pool((2, WIDE), (2, NARROW))
    blind = Knowing.encode_images

    def without_two(self: Knowing, pictures: Any) -> Any:
        hidden = {images[0].digest, images[3].digest} if self.name == "model-1" else set()
        return blind(self, [(key, b"broken" if key in hidden else data) for key, data in pictures])

    monkeypatch.setattr(Knowing, "encode_images", without_two)
    score()
    assert found()["p2", WIDE][1:4] == (3, 4, 0)  # p3: two of six, three at most
    assert found()["p2", NARROW][1:4] == (1, 4, 0)


@pytest.mark.nightly
def test_one_image_alone_has_no_others_and_no_score(pool: Pool, score: RunStage) -> None:
    pool((0, WIDE), images=1)
    run = score()
    assert (run.status, run.counts["no_decided_pair"], run.counts["out"]) == (RunStatus.SUCCEEDED, 1, 0)
    assert found() == {("p0", WIDE): (None, 0, 0, 0, 1, "")}


def test_a_project_without_kept_captions_cannot_start(pool: Pool, score: RunStage) -> None:
    pool()
    with pytest.raises(NotStartable, match="Clean the captions first"):
        score()


def test_what_was_kept_when_the_run_began_may_be_gone_when_it_works(
    pool: Pool, project: Project, run_stage: RunStage, settings: Any
) -> None:
    pool((0, WIDE))
    Candidate.objects.update(status="dropped", drop_rule="by_hand", text="")
    run = work_on(Run.objects.create(project=project, stage="generic", parameters=KNOBS | {"panel": "model-1"}))
    assert run.error and run.error["code"] == "not_calibrated"
    seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    run = work_on(Run.objects.create(project=project, stage="generic", parameters=KNOBS))
    assert (run.status, run.counts, GenericScore.objects.count()) == (RunStatus.SUCCEEDED, {"dropped": {}}, 0)


@pytest.mark.nightly
def test_the_stage_twice_gives_the_same_rows_and_loads_no_model_of_the_panel_again(
    pool: Pool, score: RunStage, project: Project, run_stage: RunStage
) -> None:
    pool((0, WIDE), (0, NARROW), (2, NARROW), (2, CLOSE))
    first = score()
    rows = found()
    seat_likeness(project, DEGREES)  # the models of the panel were let go, and nobody seats them again
    second = run_stage(project, "generic", **KNOBS)
    assert second.status == RunStatus.SUCCEEDED, second.error
    assert found() == rows and rows
    assert second.counts == first.counts
    assert (second.done, second.total) == (first.done, first.total)
    assert set(GenericScore.objects.values_list("run", flat=True)) == {second.pk}


@pytest.mark.nightly
def test_only_new_texts_are_read_when_captions_came(
    pool: Pool, project: Project, run_stage: RunStage, add_caption: Callable[..., Candidate], settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("workers.tasks.caption_vectors.SHARD_SIZE", 1)
    images = pool((0, WIDE), (1, NARROW))
    seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    run_stage(project, "generic", **KNOBS)
    add_caption(images[3], CLOSE, text=CLOSE, status="kept")
    seat_likeness(project, DEGREES)
    models = seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    run_stage(project, "generic", **KNOBS)
    assert [(model.read, model.seen) for model in models] == [([CLOSE], [])] * 7
    assert len(found()) == 3


def test_scores_of_captions_that_are_no_longer_asked_about_go(pool: Pool, score: RunStage) -> None:
    pool((0, WIDE), (2, NARROW))
    score()
    Candidate.objects.filter(text=WIDE).update(status="dropped", drop_rule="by_hand", text="")
    score()
    assert list(found()) == [("p2", NARROW)]


@pytest.mark.nightly
def test_a_text_that_changes_while_the_models_work_gets_no_score(
    pool: Pool, score: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool((0, WIDE), (2, NARROW))
    count = matches.count_matches

    def change_and_count(*given: Any, **more: Any) -> Any:
        Candidate.objects.filter(text=WIDE).update(text="Something else")
        return count(*given, **more)

    monkeypatch.setattr(stage, "count_matches", change_and_count)
    run = score()
    assert list(found()) == [("p2", NARROW)]
    assert (run.counts["in"], run.counts["out"], run.counts["changed_meanwhile"]) == (2, 1, 1)


@pytest.mark.nightly
def test_one_model_at_a_time_is_in_memory_and_none_stays(
    pool: Pool, score: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool((0, WIDE))
    score()
    assert not [name for name in (*SEVEN, "plane") if is_loaded(name)]


@pytest.mark.parametrize(
    ("knobs", "sentence"),
    [
        ({"panel": " , "}, "There is no model"),
        ({"panel": "model-1,model-2,model-1"}, "names model-1 more than once"),
        ({"panel": "model-1,never-calibrated"}, "manage.py calibrate never-calibrated --pairs TABLE"),
    ],
)
def test_a_panel_that_cannot_vote_is_a_sentence_before_anything_is_seen(
    pool: Pool, project: Project, run_stage: RunStage, settings: Any, knobs: dict[str, str], sentence: str
) -> None:
    pool((0, WIDE))
    [first, *_] = seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    run = run_stage(project, "generic", **KNOBS | knobs)
    assert (run.status, first.seen, GenericScore.objects.count()) == (RunStatus.FAILED, [], 0)
    assert run.error and sentence in run.error["message"]


def test_a_record_of_other_weights_is_refused(pool: Pool, project: Project, run_stage: RunStage, settings: Any) -> None:
    pool((0, WIDE))
    seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    registry.use_image_encoder("model-2", registry.image_encoder("model-3"))
    run = run_stage(project, "generic", **KNOBS)
    assert run.error and (run.status, run.error["code"]) == (RunStatus.FAILED, "not_calibrated")
    assert "other weights" in run.error["message"] and not is_loaded("model-2")


@pytest.mark.nightly
@pytest.mark.parametrize("nonsense", [{"n_judged": 0}, {"score": None}])
def test_the_database_refuses_a_score_of_no_pairs(pool: Pool, score: RunStage, nonsense: dict[str, Any]) -> None:
    pool((0, WIDE))
    score()
    with pytest.raises(IntegrityError), transaction.atomic():
        GenericScore.objects.update(**nonsense)
