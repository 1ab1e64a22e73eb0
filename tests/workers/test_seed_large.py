"""A large project in one go: its rows are such as the site itself would have written."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, F
from rest_framework.test import APIClient

from backend.annotation.models import AnnotatorState, Assignment, HitItem, Judgment, Slot
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.controls.audit import recount_controls
from backend.feedback.models import Remark, RemarkReply
from backend.methods.edits import Edit, apply_edits
from backend.people.models import RightsRecord, User
from backend.projects.models import Membership, Project, Role
from backend.qualification.models import Control
from backend.review.models import Verdict
from workers.demo.large import Size

pytestmark = pytest.mark.nightly

SMALL = {"judgments": 3_000, "images": 40, "annotators": 12, "days": 5}


@pytest.fixture
def large(db: None, settings: Any, tmp_path: Any) -> Project:
    settings.MEDIA_ROOT = tmp_path
    call_command("seed_large", **SMALL, password="correct horse battery", verbosity=0)
    return Project.objects.get()


def test_it_has_as_many_rows_as_were_asked_for(large: Project) -> None:
    pairs = Judgment.objects.filter(control=None, supersedes=None)
    assert (pairs.count(), Image.objects.count(), large.overlap) == (3_000, 40, 5)
    assert Membership.objects.filter(role=Role.ANNOTATOR).count() == 12
    assert Assignment.objects.values("submitted_at__date").distinct().count() == 5
    for model in (Verdict, Remark, RemarkReply, RightsRecord):
        assert model.objects.exists()
    unlike: tuple[dict[str, Any], ...] = ({"comment": ""}, {"edits": []}, {"lens": ""}, {"is_generic": False})
    for given in unlike:
        assert pairs.exclude(**given).exists(), given
    assert Judgment.objects.exclude(supersedes=None).exists()
    assert Judgment.objects.filter(outcome="failed").exists()


@pytest.mark.nightly
def test_each_pair_has_the_answers_of_different_people_each_on_a_place_of_its_own(large: Project) -> None:
    answers = Judgment.objects.filter(control=None, supersedes=None).values("candidate")
    counted = answers.annotate(n=Count("pk"), people=Count("annotator", distinct=True)).values_list("n", "people")
    assert set(counted) == {(5, 5)}
    assert not Slot.objects.filter(assignment=None).exists()
    assert not Slot.objects.exclude(assignment__hit=F("hit")).exists()
    for assignment in Assignment.objects.all():
        said = assignment.judgments.filter(supersedes=None).order_by("position")
        assert list(said.values_list("candidate", flat=True)) == assignment.shown
        assert list(said.values_list("position", flat=True)) == list(range(1, len(assignment.shown) + 1))
        items = HitItem.objects.filter(hit=assignment.hit).values_list("candidate", flat=True)
        assert set(items) == set(assignment.shown)


def test_the_counters_are_those_that_submitting_would_have_left(large: Project) -> None:
    assert recount_controls(large) == 0
    for state in AnnotatorState.objects.all():
        done = Assignment.objects.filter(annotator=state.user_id)
        assert state.n_submitted == done.count()
        assert state.n_judgments == Judgment.objects.filter(annotator=state.user_id, supersedes=None).count()
        assert state.n_revised == Judgment.objects.filter(annotator=state.user_id, supersedes__isnull=False).count()


@pytest.mark.nightly
def test_edits_fit_their_captions_and_answers_again_follow_the_first(large: Project) -> None:
    for judgment in Judgment.objects.exclude(edits=[]).select_related("candidate"):
        text = judgment.candidate.text
        assert apply_edits(text, [Edit(**edit) for edit in judgment.edits]) != text
    for again in Judgment.objects.exclude(supersedes=None).select_related("supersedes"):
        first = again.supersedes
        assert first is not None
        assert (again.candidate_id, again.annotator_id, again.position) == (
            first.candidate_id, first.annotator_id, first.position,
        )  # fmt: skip
        assert again.created_at > first.created_at


def test_annotators_differ_in_skill(large: Project) -> None:
    """The last two answer without looking: the controls show it."""
    shares = [state.n_failed / state.n_graded for state in AnnotatorState.objects.order_by("user") if state.n_graded]
    assert max(shares[:-2]) < min(shares[-2:])
    good = Judgment.objects.filter(annotator=User.objects.latest("pk"), control=None)
    assert set(good.values_list("label", flat=True)) >= {Label.GOOD}


@pytest.mark.nightly
def test_its_curator_signs_in_and_opens_the_project(large: Project) -> None:
    client = APIClient()
    assert client.login(username="large-curator", password="correct horse battery")
    row = client.get(f"/api/v1/projects/{large.slug}").json()
    assert row["counts"]["judgments"] > 3_000
    page = client.get(f"/api/v1/projects/{large.slug}/images").json()
    assert client.get(page["results"][0]["thumbnail"]["small"]["url"]).getvalue().startswith(b"RIFF")
    assert not User.objects.get(username="large-annotator-001").has_usable_password()


@pytest.mark.nightly
def test_equal_seeds_make_equal_work(large: Project) -> None:
    call_command("seed_large", **SMALL, project_slug="again", verbosity=0)
    first, second = (
        list(
            Judgment.objects.filter(assignment__project__slug=slug)
            .order_by("pk")
            .values_list("label", "ms", "position")
        )
        for slug in ("large", "again")
    )
    assert first == second
    call_command("seed_large", **SMALL, project_slug="other", seed=1, verbosity=0)
    other = Judgment.objects.filter(assignment__project__slug="other").order_by("pk")
    assert list(other.values_list("label", "ms", "position")) != first


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "holds other projects"),
        ({"project_slug": "skies"}, "There is a project with this slug"),
        ({"project_slug": "no slug!"}, "valid"),
        ({"project_slug": "new", "judgments": 0}, "at least 1 image"),
        ({"project_slug": "new", "annotators": 1}, "at least 2 annotators"),
        ({"project_slug": "new", "judgments": 10_000_000, "images": 1}, "more images"),
    ],
)
def test_a_database_in_use_and_sizes_that_cannot_be_are_refused(
    project: Project, asked: dict[str, Any], why: str
) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("seed_large", **asked, verbosity=0)
    assert list(Project.objects.values_list("slug", flat=True)) == [project.slug]
    assert not Candidate.objects.exists() and not Control.objects.exists()


def test_a_name_that_belongs_to_somebody_is_left_alone(db: None) -> None:
    User.objects.create_user("large-curator")
    with pytest.raises(CommandError, match="large-curator"):
        call_command("seed_large", **SMALL, verbosity=0)
    assert not Project.objects.exists()


@pytest.mark.nightly
@pytest.mark.parametrize(("judgments", "images", "annotators"), [(1, 1, 2), (7, 7, 2), (1_001, 3, 5)])
def test_small_sizes_work_too(
    db: None, settings: Any, tmp_path: Any, judgments: int, images: int, annotators: int
) -> None:
    settings.MEDIA_ROOT = tmp_path
    size = Size(judgments, images, annotators, 1)
    call_command("seed_large", judgments=judgments, images=images, annotators=annotators, days=1, verbosity=0)
    n = Judgment.objects.filter(control=None, supersedes=None).count()
    assert n == size.n_hits * size.n_captions * size.overlap >= judgments
