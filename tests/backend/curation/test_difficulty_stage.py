"""A panel of models votes on every chosen caption: all votes are kept, and what is not known is never a no."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.catalogue.models import Image
from backend.curation import rating
from backend.curation.models import Difficulty, ModelScore, Rater, SelectionItem
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import cancel_run, retry_run
from cast import bob_and_dora
from judged_project import PulledPlug, finish_stage, judge_all, work_on
from kept_worlds import own_copy
from panels import StandIn, seat, store_pictures
from workers.engines import registry
from workers.engines.calibrations import find_record, own_place, write_record
from workers.engines.carried import LADDER, folder_of
from workers.tasks import difficulty as stage

RunStage = Callable[..., Run]
Seated = Callable[..., list[StandIn]]
SEVEN = tuple(f"model-{n}" for n in range(1, 8))
KNOBS = {"panel": ",".join(SEVEN), "policy": "unanimous"}


def choose(project: Project) -> None:
    """Five images with five captions each, and their thumbnails."""
    judge_all(project, people=bob_and_dora(), images=5, captions=6)
    finish_stage(project, "consensus")
    finish_stage(project, "select")
    store_pictures(project)


KEPT_WORLD = choose


@pytest.fixture
def chosen(project: Project, settings: Any, tmp_path: Path) -> Project:
    """The kept world; the thumbnails lie in a folder of this test."""
    settings.MEDIA_ROOT, settings.CALIBRATIONS = own_copy(tmp_path / "media"), tmp_path / "calibrations"
    return project


@pytest.fixture
def seated(settings: Any) -> Seated:
    """Seven models, the n-th of which says yes to captions longer than `longer_than(n)` letters."""

    def make(*, names: tuple[str, ...] = SEVEN, longer_than: Callable[[int], int] = lambda n: 20 + 2 * n) -> Any:
        def cosine(n: int) -> Callable[[str], float]:
            return lambda text: 0.3 + n / 1000 if len(text) > longer_than(n) else 0.2 + n / 1000

        return [seat(StandIn(name, cosine(n)), folder=settings.CALIBRATIONS) for n, name in enumerate(names)]

    return make


def rated(project: Project) -> dict[str, tuple[str, int | None, tuple[bool | None, ...]]]:
    """Category, count and votes in the panel's order, by the caption's key."""
    rows = Difficulty.objects.filter(item__selection__image__project=project).select_related("item__candidate")
    return {
        row.item.candidate.key: (row.category, row.n_votes, tuple(row.scores.values_list("vote", flat=True)))
        for row in rows
    }


def texts_of(project: Project) -> dict[str, str]:
    items = SelectionItem.objects.filter(selection__image__project=project)
    return dict(items.values_list("candidate__key", "candidate__text"))


@pytest.mark.nightly
def test_every_model_votes_by_its_own_threshold_and_the_votes_make_the_category(
    chosen: Project, seated: Seated, run_stage: RunStage
) -> None:
    models = seated()
    run = run_stage(chosen, "difficulty", **KNOBS)
    assert run.status == RunStatus.SUCCEEDED, run.error
    found, texts = rated(chosen), texts_of(chosen)
    assert set(found) == set(texts)
    for key, text in texts.items():
        votes = tuple(len(text) > 20 + 2 * n for n in range(7))
        category = "hard" if not any(votes) else "easy" if all(votes) else "medium"
        assert found[key] == (category, sum(votes), votes)
    categories = [category for category, _, _ in found.values()]
    assert set(categories) >= {"easy", "medium"}
    assert run.counts == {
        "in": 25, "out": 25, "dropped": {}, **{name: categories.count(name) for name in ("easy", "medium", "hard")},
    }  # fmt: skip
    assert (run.done, run.total) == (35, 35)
    assert run.models_used == {model.name: model.digest for model in models}
    assert list(Rater.objects.order_by("pk").values_list("name", "threshold")) == [(name, 0.25) for name in SEVEN]
    assert read_counters([chosen.pk])[chosen.pk]["rated"] == 25
    assert ModelScore.objects.filter(score__gt=0.3).exclude(vote=True).count() == 0


@pytest.mark.nightly
def test_two_models_called_alike_are_told_apart(chosen: Project, seated: Seated, run_stage: RunStage) -> None:
    one, other = seated(names=("one", "other"))
    registry.image_encoder("other").name = "one"  # as that of local-dir:/elsewhere/one
    run = run_stage(chosen, "difficulty", panel="one,other")
    assert run.models_used == {"one": one.digest, f"one ({other.digest[:12]})": other.digest}
    assert set(ModelScore.objects.values_list("position", "rater__name", "rater__digest")) == {
        (1, "one", one.digest), (2, "one", other.digest),
    }  # fmt: skip


def test_one_model_under_two_names_is_refused_before_anything_is_scored(
    chosen: Project, seated: Seated, run_stage: RunStage, settings: Any
) -> None:
    [first, *_] = seated(names=("one", "two"))
    elsewhere = "local-dir:/elsewhere/one"
    registry.use_image_encoder(elsewhere, registry.image_encoder("one"))
    registry.use_text_encoder(elsewhere, registry.text_encoder("one"))
    write_record(own_place(elsewhere, settings.CALIBRATIONS), find_record("one", settings.CALIBRATIONS))
    run = run_stage(chosen, "difficulty", panel=f"one,two,{elsewhere}")
    assert (run.status, first.seen, Difficulty.objects.count()) == (RunStatus.FAILED, [], 0)
    assert "Models 1 and 3 of the panel have the same weights, those of one" in run.error["message"]


def test_scores_are_cut_to_four_decimals_and_still_vote_as_they_were(
    chosen: Project, run_stage: RunStage, settings: Any
) -> None:
    seat(StandIn("near", lambda text: 0.250079), folder=settings.CALIBRATIONS, threshold=0.25)
    seat(StandIn("below", lambda text: 0.249961), folder=settings.CALIBRATIONS, threshold=0.25)
    run_stage(chosen, "difficulty", panel="near,below")
    assert set(ModelScore.objects.values_list("rater__name", "score", "vote")) == {
        ("near", 0.25, True), ("below", 0.2499, False),
    }  # fmt: skip


@pytest.mark.nightly
def test_an_image_that_cannot_be_read_leaves_its_captions_unrated_and_the_others_alone(
    chosen: Project, seated: Seated, run_stage: RunStage
) -> None:
    seated()
    gone, broken = Image.objects.order_by("pk")[:2]
    default_storage.delete(gone.original)
    default_storage.delete(broken.original)
    default_storage.save(broken.original, ContentFile(b"broken"))
    run = run_stage(chosen, "difficulty", **KNOBS)
    assert (run.counts["in"], run.counts["out"], run.counts["dropped"]) == (25, 15, {"unrated": 10})
    unread = Difficulty.objects.filter(item__selection__image__in=[gone, broken])
    assert set(unread.values_list("category", "n_votes")) == {("unrated", None)}
    assert set(ModelScore.objects.filter(difficulty__in=unread).values_list("score", "vote")) == {(None, None)}


@pytest.mark.nightly
def test_another_policy_makes_other_categories_of_the_same_votes(
    chosen: Project, seated: Seated, run_stage: RunStage
) -> None:
    seated(longer_than=lambda n: 5 if n == 0 else 500)
    run_stage(chosen, "difficulty", **KNOBS)
    assert {row[:2] for row in rated(chosen).values()} == {("medium", 1)}
    seated(longer_than=lambda n: 5 if n == 0 else 500)
    run_stage(chosen, "difficulty", **KNOBS | {"policy": "hard<=1"})
    assert {row[:2] for row in rated(chosen).values()} == {("hard", 1)}
    assert ModelScore.objects.count() == 25 * 7


@pytest.mark.nightly
def test_a_selection_made_anew_drops_its_difficulty(chosen: Project, seated: Seated, run_stage: RunStage) -> None:
    seated()
    run_stage(chosen, "difficulty", **KNOBS)
    run_stage(chosen, "select", k=3)
    assert not Difficulty.objects.exists()
    assert not ModelScore.objects.exists()


def test_the_empty_panel_is_the_one_of_the_settings(
    chosen: Project, seated: Seated, run_stage: RunStage, settings: Any
) -> None:
    settings.DIFFICULTY_PANEL = "model-2, model-5"
    seated()
    run = run_stage(chosen, "difficulty")
    assert list(run.models_used) == ["model-2", "model-5"]
    assert {len(votes) for _, _, votes in rated(chosen).values()} == {2}


def test_the_panel_of_the_settings_is_the_ladder_that_comes_with_connote() -> None:
    assert tuple(django_settings.DIFFICULTY_PANEL.split(",")) == LADDER


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in LADDER if folder_of(name)])
def test_each_carried_model_has_a_record_that_holds_for_its_weights(name: str, tmp_path: Path) -> None:
    record = find_record(name, tmp_path)
    record.check(registry.image_encoder(name), name=name)
    registry.forget(name)
    assert record.calibration.batch_size == 256
    assert 0.1 < record.calibration.pool_keep_fraction < 0.99


@pytest.mark.parametrize(
    ("knobs", "sentence"),
    [
        ({"panel": " , "}, "There is no model"),
        ({"panel": "model-1,model-2,model-1"}, "names model-1 more than once"),
        ({"panel": "model-1", "policy": "hard<=1"}, "at least 2 models, not 1"),
        ({"panel": "model-1,never-calibrated"}, "manage.py calibrate never-calibrated --pairs TABLE"),
    ],
)
def test_a_panel_that_cannot_vote_fails_the_run_before_anything_is_scored(
    chosen: Project, seated: Seated, run_stage: RunStage, knobs: dict[str, str], sentence: str
) -> None:
    [first, *_] = seated()
    run = run_stage(chosen, "difficulty", **knobs)
    assert (run.status, first.seen, Difficulty.objects.count()) == (RunStatus.FAILED, [], 0)
    assert sentence in run.error["message"]


@pytest.mark.parametrize("what", ["weights", "preprocessing"])
def test_a_record_of_other_weights_or_another_preprocessing_is_refused(
    chosen: Project, run_stage: RunStage, settings: Any, what: str
) -> None:
    seat(StandIn("model", lambda text: 0.3), folder=settings.CALIBRATIONS)
    other = StandIn("other", lambda text: 0.3) if what == "weights" else StandIn("model", lambda text: 0.3, "squashed")
    registry.use_image_encoder("model", type("Tower", (), {**vars(other), "digest": other.digest})())
    run = run_stage(chosen, "difficulty", panel="model")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "not_calibrated")
    assert f"other {what}" in run.error["message"]
    assert "manage.py calibrate model" in run.error["message"]


@pytest.mark.nightly
def test_one_model_at_a_time_is_held_in_memory(chosen: Project, seated: Seated, run_stage: RunStage) -> None:
    seated()
    run_stage(chosen, "difficulty", **KNOBS)
    for kind in (registry.image_encoder, registry.text_encoder):
        assert not set(SEVEN) & set(kind._engines)


def test_a_model_whose_turn_fails_is_let_go(chosen: Project, seated: Seated, run_stage: RunStage) -> None:
    seated()
    registry.image_encoder("model-3").preprocessing = "another"
    assert run_stage(chosen, "difficulty", **KNOBS).error["code"] == "not_calibrated"
    for kind in (registry.image_encoder, registry.text_encoder):
        assert set(SEVEN) & set(kind._engines) == set(SEVEN[3:])  # the others were not asked for


@pytest.mark.nightly
def test_a_killed_worker_is_resumed_with_the_same_pictures_encoded_together(
    chosen: Project, seated: Seated, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(stage, "IMAGES", 2)
    smooth = seated()
    undisturbed = run_stage(chosen, "difficulty", **KNOBS)
    expected = rated(chosen)
    Difficulty.objects.all().delete()

    killed = seated()
    run = Run.objects.create(project=chosen, stage="difficulty", parameters=KNOBS)
    record, calls = rating.record_scores, []

    def break_at_the_third_model(**given: Any) -> Any:
        calls.append(given["seat"].position)
        if calls == [1, 1, 1, 2, 2, 2, 3, 3]:
            raise PulledPlug
        return record(**given)

    with monkeypatch.context() as patch, pytest.raises(PulledPlug):
        patch.setattr(rating, "record_scores", break_at_the_third_model)
        work_on(run)
    assert {category for category, _, _ in rated(chosen).values()} == {""}
    seat(killed[2], folder=settings.CALIBRATIONS)
    with time_machine.travel(timezone.now() + 2 * timedelta(seconds=django_settings.RUN_STALE_SECONDS), tick=False):
        run = work_on(run)
    assert (run.status, run.attempt, run.counts, run.done) == (RunStatus.SUCCEEDED, 2, undisturbed.counts, 35)
    assert rated(chosen) == expected
    killed[2].seen.remove(killed[2].seen[1])  # what the plug was pulled on is seen again
    assert [model.seen for model in killed] == [model.seen for model in smooth]


@pytest.mark.nightly
def test_a_cancelled_run_leaves_no_category_and_its_retry_goes_on(
    chosen: Project, seated: Seated, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    models = seated()
    run = Run.objects.create(project=chosen, stage="difficulty", parameters=KNOBS)
    record = rating.record_scores

    def cancel_at_the_last_model(**given: Any) -> Any:
        if given["seat"].position == 6:
            cancel_run(run=Run.objects.get(pk=run.pk))
        return record(**given)

    with monkeypatch.context() as patch:
        patch.setattr(rating, "record_scores", cancel_at_the_last_model)
        run = work_on(run)
    assert run.status == RunStatus.CANCELLED
    assert {category for category, _, _ in rated(chosen).values()} == {""}
    seat(models[5], folder=settings.CALIBRATIONS)
    again = work_on(retry_run(run=run, started_by=None))
    assert (again.status, again.done, again.counts["in"]) == (RunStatus.SUCCEEDED, 35, 25)
    assert {len(votes) for _, _, votes in rated(chosen).values()} == {7}


@pytest.mark.nightly
def test_a_caption_chosen_while_the_panel_votes_comes_out_unrated(
    chosen: Project, seated: Seated, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated()
    record = rating.record_scores

    def choose_anew_at_the_fourth_model(**given: Any) -> Any:
        if given["seat"].position == 4:
            run_stage(chosen, "select", k=4)
        return record(**given)

    monkeypatch.setattr(rating, "record_scores", choose_anew_at_the_fourth_model)
    run = run_stage(chosen, "difficulty", **KNOBS)
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert {row[:2] for row in rated(chosen).values()} == {("unrated", None)}
    assert len(rated(chosen)) == 20


@pytest.mark.parametrize(
    "nonsense",
    [{"category": "easy", "n_votes": None}, {"category": "unrated", "n_votes": 3}, {"category": "", "n_votes": 0}],
)
def test_the_database_refuses_a_count_of_unknown_votes(chosen: Project, nonsense: dict[str, Any]) -> None:
    item = SelectionItem.objects.earliest("pk")
    with pytest.raises(IntegrityError), transaction.atomic():
        Difficulty.objects.create(item=item, policy="unanimous", **nonsense)


def test_the_database_refuses_a_vote_without_a_score(chosen: Project) -> None:
    row = Difficulty.objects.create(item=SelectionItem.objects.earliest("pk"), policy="unanimous")
    rater = Rater.objects.create(name="m", digest="d", threshold=0.2, calibration={})
    for nonsense in ({"score": None, "vote": False}, {"score": 0.3, "vote": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ModelScore.objects.create(difficulty=row, rater=rater, position=1, **nonsense)
