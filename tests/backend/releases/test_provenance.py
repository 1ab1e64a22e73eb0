"""Each caption of a release can be followed back to its source, whatever the project holds by now."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from backend.annotation.models import Judgment, Slot
from backend.candidates.models import Candidate
from backend.curation.models import SelectionItem
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run
from released_worlds import choose

KEPT_WORLD = choose

Clients = Callable[..., APIClient]


@pytest.fixture
def lent(chosen: Project, run_stage: Callable[..., Run]) -> Candidate:
    """A selected caption that came from a row of a corpus."""
    Slot.objects.filter(assignment=None).delete()
    caption = SelectionItem.objects.filter(candidate__project=chosen).earliest("pk").candidate
    Candidate.objects.filter(pk=caption.pk).update(
        source="corpus", source_ref="redcaps:3:row-17", rank=2, similarity=0.5, raw_text="RAW"
    )
    run_stage(chosen, "release")
    return Candidate.objects.get(pk=caption.pk)


@pytest.mark.nightly
@pytest.mark.both_engines
def test_a_caption_is_followed_from_the_row_of_its_corpus_to_its_judgments(
    lent: Candidate, client_of: Clients, bob: User
) -> None:
    release = Release.objects.get()
    place = f"/api/v1/releases/{release.pk}/captions/{lent.key}"
    told = client_of(bob).get(place).json()
    origin = told["origin"]
    assert (origin["corpus"], origin["shard"], origin["row"], origin["rank"]) == ("redcaps", 3, "row-17", 2)
    assert (told["raw_text"], told["cleaning"]["is_changed"], told["cleaning"]["status"]) == ("RAW", True, "kept")
    assert len(told["judgments"]) == Judgment.objects.filter(candidate=lent).count() > 0
    assert {each["annotator"] for each in told["judgments"]} <= {"annotator-001", "annotator-002"}
    assert {each["submitted_at"] for each in told["judgments"]} == {None}  # the curator left the times out
    assert told["consensus"]["n_good"] == sum(each["label"] == "good" for each in told["judgments"])
    assert (told["consensus"]["policy"], told["selection"]["variant"]) == ("majority/1", "kmeans")
    assert told["stages"]["select"]["models"]
    Candidate.objects.filter(pk=lent.pk).update(source_ref="changed", text="changed")
    assert client_of(bob).get(place).json() == told


def test_members_follow_captions_and_others_do_not(
    lent: Candidate, client_of: Clients, alice: User, bob: User, charlie: User, dora: User
) -> None:
    place = f"/api/v1/releases/{Release.objects.get().pk}/captions"
    answers = [client_of(one).get(f"{place}/{lent.key}").status_code for one in (alice, dora, bob, charlie)]
    assert answers == [200, 200, 200, 404]
    assert APIClient().get(f"{place}/{lent.key}").status_code in (401, 403)
    assert client_of(alice).get(f"{place}/nothing").json()["code"] == "no_such_caption_in_release"
