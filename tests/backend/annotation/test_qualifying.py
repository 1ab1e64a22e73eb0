"""What keeps a newcomer from the first HIT, and what asks those who had begun again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.common.errors import Stale
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.services import update_project
from backend.qualification.models import Qualification, QualificationState
from backend.qualification.selectors import (
    PASS_AGAIN,
    PASS_FIRST,
    READ_AGAIN,
    READ_FIRST,
    guidelines_digest,
    why_not_qualified,
)
from backend.qualification.services import GuidelinesChanged, read_guidelines, set_terms

pytestmark = pytest.mark.django_db


def terms(project: Project, **changes: Any) -> Qualification:
    return set_terms(project=project, version=0, passes_anew=False, changes=changes)


def why(project: Project, user: User) -> str | None:
    fresh = Project.objects.get(pk=project.pk)
    return why_not_qualified(project=fresh, user=user)


def passed(project: Project, user: User, days_ago: float = 0) -> QualificationState:
    at = timezone.now() - timedelta(days=days_ago)
    return QualificationState.objects.update_or_create(project=project, user=user, defaults={"quiz_passed_at": at})[0]


@pytest.fixture
def written(project: Project) -> Project:
    return update_project(project=project, version=1, changes={"guidelines": "Look, then judge."})


def test_without_terms_everybody_may_begin(project: Project, bob: User) -> None:
    assert why(project, bob) is None


def test_guidelines_are_read_before_the_first_hit(written: Project, bob: User, dora: User) -> None:
    terms(written)
    assert why(written, bob) == READ_FIRST
    read_guidelines(project=written, user=bob, digest=guidelines_digest(written))
    assert why(written, bob) is None
    assert why(written, dora) == READ_FIRST
    assert QualificationState.objects.get(user=bob).guidelines_read == 2


def test_another_text_is_to_be_read_again_another_setting_is_not(written: Project, bob: User) -> None:
    terms(written)
    read_guidelines(project=written, user=bob, digest=guidelines_digest(written))
    update_project(project=written, version=2, changes={"overlap": 5})
    assert why(written, bob) is None
    update_project(project=written, version=3, changes={"guidelines": "Look twice."})
    assert why(written, bob) == READ_AGAIN
    update_project(project=written, version=4, changes={"guidelines": "Look, then judge."})
    assert why(written, bob) is None


def test_guidelines_that_changed_while_they_were_read_do_not_count(written: Project, bob: User) -> None:
    seen = guidelines_digest(written)
    update_project(project=written, version=2, changes={"guidelines": "Look twice."})
    with pytest.raises(GuidelinesChanged):
        read_guidelines(project=written, user=bob, digest=seen)
    assert not QualificationState.objects.filter(user=bob).exists()


def test_an_empty_text_needs_no_reading(project: Project, bob: User) -> None:
    terms(project)
    assert why(project, bob) is None


def test_a_pass_holds_as_long_as_the_terms_in_force_say(project: Project, bob: User) -> None:
    terms(project, n_questions=5)
    assert why(project, bob) == PASS_FIRST
    passed(project, bob, days_ago=30)
    assert why(project, bob) is None
    set_terms(project=project, version=1, passes_anew=False, changes={"valid_days": 31})
    assert why(project, bob) is None
    set_terms(project=project, version=2, passes_anew=False, changes={"valid_days": 30})
    assert why(project, bob) == PASS_AGAIN


def test_higher_terms_leave_those_who_passed_alone_unless_everybody_is_asked_anew(project: Project, bob: User) -> None:
    terms(project, n_questions=5, pass_mark=0.5)
    passed(project, bob)
    set_terms(project=project, version=1, passes_anew=False, changes={"pass_mark": 1})
    assert why(project, bob) is None
    set_terms(project=project, version=2, passes_anew=True, changes={})
    assert why(project, bob) == PASS_AGAIN
    passed(project, bob)
    assert why(project, bob) is None


def test_terms_that_were_changed_meanwhile_are_not_overwritten(project: Project) -> None:
    terms(project, n_questions=5)
    with pytest.raises(Stale) as twice:
        terms(project, n_questions=6)
    assert twice.value.details == {"version": 1}
    set_terms(project=project, version=1, passes_anew=False, changes={"n_questions": 7})
    with pytest.raises(Stale) as late:
        set_terms(project=project, version=1, passes_anew=False, changes={"n_questions": 8})
    assert late.value.details == {"version": 2}
    assert Qualification.objects.get().n_questions == 7
