"""Good captions become the few least alike ones, shard by shard, the same wherever a run was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from backend.candidates.models import Candidate, CandidateStatus
from backend.curation.models import CaptionChoice, Selection, SelectionItem, SelectionStatus
from backend.methods.selection import image_seed, select_diverse_vectors
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from judged_project import PulledPlug, work_on
from word_sentences import WordSentences
from workers.engines import registry
from workers.tasks import curation

pytestmark = pytest.mark.both_engines

Make = Callable[..., Project]
RunStage = Callable[..., Run]


def choices(project: Project) -> dict[str, tuple[str, ...]]:
    """The chosen captions' keys by image digest."""
    rows = SelectionItem.objects.filter(selection__image__project=project).order_by("selection", "position")
    found: dict[str, tuple[str, ...]] = {}
    for digest, key in rows.values_list("selection__image__digest", "candidate__key"):
        found[digest] = (*found.get(digest, ()), key)
    return found


def test_each_image_gets_its_least_alike_captions(project: Project, make_judged: Make, run_stage: RunStage) -> None:
    run_stage(make_judged(project, images=3, captions=7), "consensus")
    run = run_stage(project, "select", variant="least_alike")
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert run.counts == {"in": 3, "out": 3, "dropped": {}}
    assert run.models_used == {"words": WordSentences.digest}
    for selection in Selection.objects.filter(image__project=project):
        pool = list(Candidate.objects.filter(image=selection.image).order_by("key"))
        vectors = WordSentences().encode([one.text for one in pool])
        best = select_diverse_vectors([one.key for one in pool], vectors, 5)
        assert best is not None
        assert choices(project)[selection.image.digest] == best.ids
        assert (selection.method, selection.mean_similarity, selection.n_good) == ("exact", best.mean_similarity, 7)
        assert (selection.variant, selection.n_clusters, selection.stability) == ("least_alike", None, 1.0)
    assert read_counters([project.pk])[project.pk]["selected"] == 3


@pytest.mark.nightly
def test_one_caption_of_each_cluster_is_chosen_where_nothing_else_is_said(
    project: Project, make_judged: Make, run_stage: RunStage
) -> None:
    run_stage(make_judged(project, images=2, captions=8), "consensus")
    assert run_stage(project, "select").status == RunStatus.SUCCEEDED
    for selection in Selection.objects.filter(image__project=project):
        clusters = list(selection.items.values_list("cluster", flat=True))
        assert (selection.variant, selection.method, selection.n_clusters) == ("kmeans", "kmeans", 5)
        assert sorted(clusters) == [0, 1, 2, 3, 4]
        assert 0 <= (selection.stability or 0) <= 1
        at = {candidate: cluster for candidate, _, _, cluster, _ in selection.places}
        assert len(at) == 8
        assert [at[one] for one in selection.items.values_list("candidate", flat=True)] == clusters
    assert run_stage(project, "select", stability_seeds=0).status == RunStatus.SUCCEEDED
    assert set(Selection.objects.values_list("stability", flat=True)) == {None}


def test_a_rejected_caption_of_each_image_is_kept_and_another_seed_may_take_another(
    project: Project, make_judged: Make, run_stage: RunStage
) -> None:
    run_stage(
        make_judged(
            project, images=2, captions=9, opinion=lambda image, at, _: "bad" if at > 5 - image * 9 else "good"
        ),
        "consensus",
    )
    run_stage(project, "select")
    first, second = Selection.objects.order_by("image__digest")
    bad = Candidate.objects.filter(consensus__label="bad")
    assert {first.negative.image_id, second.negative.image_id} == {first.image_id, second.image_id}
    assert {first.negative, second.negative} <= set(bad)
    again = {image_seed(seed, first.image.digest) for seed in range(20)}
    assert len(again) == 20


def pin(text_of: Candidate, kind: str, by: User) -> None:
    CaptionChoice.objects.create(candidate=text_of, kind=kind, reason="It is the best.", made_by=by)


@pytest.mark.nightly
def test_a_pinned_caption_is_chosen_and_a_banned_one_never_is(
    project: Project, make_judged: Make, run_stage: RunStage, dora: User
) -> None:
    run_stage(make_judged(project, images=1, captions=9), "consensus")
    run_stage(project, "select")
    before = Selection.objects.get()
    taken = [item.candidate for item in before.items.select_related("candidate")]
    left = Candidate.objects.exclude(pk__in=[one.pk for one in taken]).earliest("key")
    pin(left, "pin", dora)
    pin(taken[0], "ban", dora)
    for variant in ("kmeans", "least_alike"):
        run_stage(project, "select", variant=variant)
        now = {item.candidate_id: item.is_pinned for item in SelectionItem.objects.all()}
        assert now[left.pk]
        assert taken[0].pk not in now
        assert (len(now), sum(now.values()), Selection.objects.get().n_good) == (5, 1, 8)
    pin(left, "", dora)
    pin(taken[0], "", dora)
    run_stage(project, "select")
    assert [item.candidate for item in SelectionItem.objects.select_related("candidate")] == taken


def test_bans_can_make_a_pool_short_and_more_pins_than_captions_stop_the_run_before_it_begins(
    project: Project, make_judged: Make, run_stage: RunStage, dora: User
) -> None:
    run_stage(make_judged(project, images=1, captions=6), "consensus")
    first, second, third, *_ = Candidate.objects.order_by("key")
    for one in (first, second):
        pin(one, "ban", dora)
    assert run_stage(project, "select").counts["dropped"] == {"short_pool": 1}
    assert (Selection.objects.get().n_good, Selection.objects.get().n_missing) == (4, 1)
    for one in (first, second, third):
        pin(one, "pin", dora)
    run = run_stage(project, "select", k=2)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "too_many_pins_for_k")
    assert run.error["message"] == "Images with more than 2 pinned captions: 1. Choose more captions, or remove pins."


@pytest.mark.nightly
def test_an_image_with_too_few_good_captions_is_a_short_pool(
    project: Project, make_judged: Make, run_stage: RunStage
) -> None:
    make_judged(
        project, images=2, captions=5, opinion=lambda image, caption, person: "bad" if image + caption == 0 else "good"
    )
    run_stage(project, "consensus")
    run = run_stage(project, "select")
    assert run.counts == {"in": 2, "out": 1, "dropped": {"short_pool": 1}}
    short = Selection.objects.get(status=SelectionStatus.SHORT_POOL)
    assert (short.n_good, short.method, short.mean_similarity, short.items.count()) == (4, "", None, 0)
    whole = Selection.objects.get(status=SelectionStatus.SELECTED)
    assert (whole.method, whole.stability, whole.n_clusters) == ("all", 1.0, None)


def test_a_caption_that_was_dropped_after_it_was_judged_is_not_chosen(
    project: Project, make_judged: Make, run_stage: RunStage
) -> None:
    run_stage(make_judged(project, images=1, captions=6), "consensus")
    dropped = Candidate.objects.earliest("key")
    Candidate.objects.filter(pk=dropped.pk).update(status=CandidateStatus.DROPPED, drop_rule="too_short")
    run_stage(project, "select")
    assert Selection.objects.get().n_good == 5
    assert dropped.key not in next(iter(choices(project).values()))


@pytest.mark.nightly
def test_running_again_takes_the_place_of_the_earlier_choice(
    project: Project, make_judged: Make, run_stage: RunStage
) -> None:
    run_stage(make_judged(project, captions=8), "consensus")
    run_stage(project, "select")
    first = choices(project)
    run_stage(project, "select")
    assert choices(project) == first
    run_stage(project, "select", k=3)
    assert {len(keys) for keys in choices(project).values()} == {3}
    run_stage(project, "select", k=9)
    assert not choices(project)
    assert set(Selection.objects.values_list("status", "method")) == {("short_pool", "")}


class Watched(WordSentences):
    """Remembers what was encoded together; can be pulled the plug on."""

    def __init__(self, break_at: int = -1) -> None:
        self.calls: list[list[str]] = []
        self.break_at = break_at

    def encode(self, texts: list[str]) -> np.ndarray:  # type: ignore[override]
        if len(self.calls) == self.break_at:
            raise PulledPlug
        self.calls.append(list(texts))
        return super().encode(texts)


@pytest.mark.nightly
def test_a_killed_worker_is_resumed_with_the_same_texts_encoded_together(
    project: Project, make_judged: Make, run_stage: RunStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_stage(make_judged(project, images=7, captions=6), "consensus")
    monkeypatch.setattr(curation, "IMAGES", 3)
    smooth, killed = Watched(), Watched(break_at=1)
    registry.use_sentence_encoder("watched", smooth)
    undisturbed = run_stage(project, "select", model="watched")
    expected = choices(project)
    Selection.objects.all().delete()

    registry.use_sentence_encoder("watched", killed)
    run = Run.objects.create(project=project, stage="select", parameters={"k": 5, "model": "watched"}, seed=7)
    with pytest.raises(PulledPlug):
        work_on(run)
    assert Selection.objects.count() == 3
    killed.break_at = -1
    with time_machine.travel(timezone.now() + 2 * timedelta(seconds=settings.RUN_STALE_SECONDS), tick=False):
        run = work_on(run)
    assert (run.status, run.counts, run.done) == (RunStatus.SUCCEEDED, undisturbed.counts, 7)
    assert killed.calls == smooth.calls
    assert choices(project) == expected


def test_a_model_that_cannot_be_had_fails_the_run_with_what_to_do(
    project: Project, make_judged: Make, run_stage: RunStage
) -> None:
    run_stage(make_judged(project, images=1), "consensus")
    run = run_stage(project, "select", model="no-such-model-anywhere")
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "model_not_found")
    assert "Use a local path" in run.error["message"]
