"""Generic captions where the work begins anew: after a kill, a retry, and for captions and images that changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from backend.candidates import generic as service
from backend.candidates.models import Candidate, GenericScore
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import cancel_run, retry_run
from generic_fixtures import CLOSE, DEGREES, KNOBS, NARROW, VOTES, WIDE, Pool, RunStage, found, put_sample_in_force
from judged_project import PulledPlug, fall_silent, work_on
from knowing_panel import seat_likeness, seat_panel
from panels import seat
from workers.engines import matches, tallies
from workers.tasks import generic as stage


def pulled_at(monkeypatch: pytest.MonkeyPatch, where: str, what: Callable[..., bool]) -> None:
    """Pull the plug where `what(...)` first says so, and never again."""
    owner, name = (stage, "embed_captions") if where == "encoding" else (service, "keep_scores")
    calm = getattr(owner, name)
    pulled: list[bool] = []

    def work(*given: Any, **more: Any) -> Any:
        if not pulled and what(*given, **more):
            pulled.append(True)
            raise PulledPlug
        return calm(*given, **more)

    monkeypatch.setattr(owner, name, work)


@pytest.mark.nightly
def test_a_killed_worker_is_resumed_without_asking_finished_models_again(
    pool: Pool, project: Project, score: RunStage, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool((0, WIDE), (0, NARROW), (2, NARROW), (2, CLOSE))
    monkeypatch.setattr(stage, "WRITTEN_AT_ONCE", 1)
    undisturbed = score()
    expected = found()
    GenericScore.objects.all().delete()
    settings.EMBEDDINGS = settings.EMBEDDINGS / "anew"

    models = seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    seat_likeness(project, DEGREES)
    run = Run.objects.create(project=project, stage="generic", parameters=KNOBS)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        pulled_at(patch, "encoding", lambda ledger, encoder, *rest: encoder.name == "model-3")
        work_on(run)
    assert not GenericScore.objects.exists()
    fall_silent(run)
    seat(models[2], folder=settings.CALIBRATIONS)
    plane = seat_likeness(project, DEGREES)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        pulled_at(patch, "writing", lambda **given: GenericScore.objects.count() == 2)
        work_on(run)
    assert GenericScore.objects.count() == 2
    fall_silent(run)
    seat_likeness(project, DEGREES)
    run = work_on(run)
    assert (run.status, run.attempt, run.error) == (RunStatus.SUCCEEDED, 3, None)
    assert found() == expected
    assert (run.counts, run.done, run.total) == (undisturbed.counts, undisturbed.done, undisturbed.total)
    assert [len(model.seen) for model in models] == [1] * 7 and plane.seen == []
    assert [sorted(model.read) for model in models] == [sorted([WIDE, NARROW, CLOSE])] * 7


@pytest.mark.nightly
def test_a_cancelled_run_keeps_the_older_scores_and_its_retry_goes_on(
    pool: Pool, project: Project, score: RunStage, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool((0, WIDE), (2, NARROW), (2, CLOSE))
    monkeypatch.setattr(stage, "WRITTEN_AT_ONCE", 1)
    older = score(alike=99)
    keep = service.keep_scores

    def cancel_and_keep(**given: Any) -> None:
        keep(**given)
        cancel_run(run=Run.objects.get(pk=given["run"].pk))

    with monkeypatch.context() as patch:
        patch.setattr(service, "keep_scores", cancel_and_keep)
        run = score()
    assert run.status == RunStatus.CANCELLED
    assert sorted(GenericScore.objects.values_list("run", flat=True)) == sorted([older.pk, older.pk, run.pk])
    seat_likeness(project, DEGREES)
    again = work_on(retry_run(run=run, started_by=None))
    assert (again.status, again.counts["in"]) == (RunStatus.SUCCEEDED, 3)
    assert set(GenericScore.objects.values_list("run", flat=True)) == {again.pk}


@pytest.mark.nightly
def test_a_worker_killed_while_counting_goes_on_behind_the_last_block(
    pool: Pool, project: Project, score: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool((0, WIDE), (0, NARROW), (2, NARROW), (2, CLOSE))
    undisturbed, expected = score(), found()
    GenericScore.objects.all().delete()
    monkeypatch.setattr(matches, "CAPTIONS", 1)
    counted: list[int] = []
    count, keep = matches._Jury.count, tallies.keep_tally

    def count_and_tell(self: Any, some: Any, first: int, hubs: Any) -> Any:
        counted.append(first)
        return count(self, some, first, hubs)

    def keep_and_die(*given: Any, **more: Any) -> None:
        keep(*given, **more)
        if len(counted) == 2:
            raise PulledPlug

    monkeypatch.setattr(matches._Jury, "count", count_and_tell)
    run = Run.objects.create(project=project, stage="generic", parameters=KNOBS)
    seat_likeness(project, DEGREES)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(stage, "keep_tally", keep_and_die)
        work_on(run)
    fall_silent(run)
    seat_likeness(project, DEGREES)
    run = work_on(run)
    assert (counted, found()) == ([0, 1, 2], expected)
    assert (run.counts, run.done, run.total) == (undisturbed.counts, undisturbed.done, undisturbed.total)
    assert not stage.tally_path(project).exists()


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["resumed", "retried"])
def test_a_run_that_goes_on_with_other_targets_scores_all_of_them_and_no_others(
    pool: Pool, project: Project, score: RunStage, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The captions of p0 have lower ids than the one that was written last; those of p3 are no longer asked about."""
    images = pool((0, WIDE), (0, NARROW), (2, CLOSE), (3, NARROW), (4, WIDE))
    score()
    put_sample_in_force(project, images[1:])
    monkeypatch.setattr(stage, "WRITTEN_AT_ONCE", 1)
    run = Run.objects.create(project=project, stage="generic", parameters=KNOBS)
    seat_likeness(project, DEGREES)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        pulled_at(patch, "writing", lambda **given: GenericScore.objects.filter(run=run).count() == 2)
        work_on(run)
    if how == "resumed":
        fall_silent(run)
    else:
        Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED)
        run.refresh_from_db()
        run = retry_run(run=run, started_by=None)
    put_sample_in_force(project, [images[0], images[2], images[4]])
    seat_likeness(project, DEGREES)
    run = work_on(run)
    assert (run.status, run.error) == (RunStatus.SUCCEEDED, None)
    went_on = found()
    assert [key for key, _ in went_on] == ["p0", "p0", "p2", "p4"] and run.done == run.total
    assert any(line.startswith("The captions, their images or the models have changed") for line in run.log_tail)
    anew = score()
    assert (went_on, {name: n for name, n in run.counts.items() if n}) == (
        found(), {name: n for name, n in anew.counts.items() if n},
    )  # fmt: skip


@pytest.mark.nightly
def test_a_run_whose_captions_are_all_gone_when_it_goes_on_leaves_no_score(
    pool: Pool, project: Project, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool((0, WIDE), (2, NARROW))
    monkeypatch.setattr(stage, "WRITTEN_AT_ONCE", 1)
    run = Run.objects.create(project=project, stage="generic", parameters=KNOBS)
    seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        pulled_at(patch, "writing", lambda **given: GenericScore.objects.count() == 1)
        work_on(run)
    fall_silent(run)
    Candidate.objects.update(status="dropped", drop_rule="by_hand", text="")
    run = work_on(run)
    assert (run.status, run.done, run.total) == (RunStatus.SUCCEEDED, 0, 0)
    assert not GenericScore.objects.exists()


@pytest.mark.django_db
def test_what_a_retry_takes_over_is_found_by_an_index() -> None:
    with connection.cursor() as cursor:
        known = connection.introspection.get_constraints(cursor, GenericScore._meta.db_table)
    assert ["run_id"] in [one["columns"] for one in known.values() if one["index"]]


@pytest.mark.nightly
def test_a_caption_that_is_dropped_makes_no_vector_anew(
    pool: Pool, project: Project, score: RunStage, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.tasks.caption_vectors.SHARD_SIZE", 2)
    pool((0, WIDE), (0, NARROW), (2, NARROW), (2, CLOSE))
    score()
    Candidate.objects.filter(text=WIDE).update(status="dropped", drop_rule="by_hand", text="")
    seat_likeness(project, DEGREES)  # and nobody seats the panel again
    run = run_stage(project, "generic", **KNOBS)
    assert (run.status, run.error) == (RunStatus.SUCCEEDED, None)
    assert list(found()) == [("p0", NARROW), ("p2", NARROW), ("p2", CLOSE)]


@pytest.mark.nightly
def test_the_panel_sees_the_targets_only_and_after_another_sample_only_the_new_ones(
    pool: Pool, project: Project, run_stage: RunStage, settings: Any
) -> None:
    images = pool((0, WIDE), (2, NARROW))
    seen = []
    for targets in (images[0:3:2], images[2:]):
        put_sample_in_force(project, targets)
        seat_likeness(project, DEGREES)
        models = seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
        run = run_stage(project, "generic", **KNOBS)
        assert (run.status, run.error, run.done) == (RunStatus.SUCCEEDED, None, run.total)
        seen.append([sorted(digest for block in model.seen for digest in block) for model in models])
    assert seen == [
        [sorted([images[0].digest, images[2].digest])] * 7,
        [sorted([images[3].digest, images[4].digest])] * 7,
    ]


@pytest.mark.nightly
def test_an_image_is_seen_once_its_original_is_there_again(
    pool: Pool, project: Project, score: RunStage, run_stage: RunStage, settings: Any
) -> None:
    gone = pool((0, WIDE))[4]
    default_storage.delete(gone.original)
    score()
    seat_likeness(project, DEGREES)
    assert run_stage(project, "generic", **KNOBS).status == RunStatus.SUCCEEDED  # without the panel
    default_storage.save(gone.original, ContentFile(gone.digest.encode()))
    seat_likeness(project, DEGREES)
    models = seat_panel(project, VOTES, folder=settings.CALIBRATIONS)
    run_stage(project, "generic", **KNOBS)
    assert [(model.seen, model.read) for model in models] == [([[gone.digest]], [])] * 7
    assert found()["p0", WIDE][1:4] == (2, 3, 0)
