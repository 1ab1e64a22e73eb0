"""What happens while nobody looks: everything is folded, figures are ready, and large projects get their intervals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from backend.annotation.models import Judgment
from backend.people.models import User
from backend.projects.models import Project
from backend.review import agreement, drawing, upkeep
from backend.review.models import AgreementState, AgreementTable
from world import World

AGREEMENT = "/api/v1/projects/skies/agreement"
ANNOTATORS = f"{AGREEMENT}/annotators"
EDIT = {"kind": "color", "start": 0, "end": 1, "before": "A", "after": "The"}


@pytest.fixture
def judged(project: Project, make_judged: Callable[..., Project]) -> Project:
    labels = ("good", "bad", "unsure")
    return make_judged(project, images=5, captions=4, opinion=lambda i, c, p: labels[(i + c * (1 + p)) % 3])


def of_cohen(answer: Any) -> list[Any]:
    return [one["interval"] for one in answer["slices"][0]["figures"] if one["measure"].startswith("cohen")]


def test_everything_is_folded_and_every_slice_has_its_figures_and_intervals(judged: Project) -> None:
    assert upkeep.keep_up() == 40
    assert not Judgment.objects.filter(is_dirty=True).exists()
    tables = AgreementTable.objects.filter(project=judged)
    assert {table.scope for table in tables} == {"overall", "source", "week"}
    assert all(table.figures and table.draws and table.drawn_at for table in tables)
    assert upkeep.keep_up() == 0


def test_a_large_project_is_not_drawn_while_somebody_waits_but_by_the_worker(
    client_of: Callable[..., Any], dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "FEW_JUDGMENTS", 10)
    assert of_cohen(client_of(dora).get(AGREEMENT).json()) == [None] * 4
    upkeep.keep_up()
    answer = client_of(dora).get(AGREEMENT).json()
    assert all(interval["n_groups"] == 5 for interval in of_cohen(answer))
    assert answer["slices"][0]["draws"]["n_judgments"] == 40


def test_what_a_migration_threw_away_is_drawn_anew_though_nobody_judges_any_more(judged: Project) -> None:
    upkeep.keep_up()
    AgreementState.objects.update(folded_at=timezone.now() - timedelta(days=9))
    AgreementTable.objects.update(figures_version=None, draws=[], pair_draws=b"", draws_version=None, drawn_at=None)
    upkeep.keep_up()
    tables = AgreementTable.objects.filter(project=judged)
    assert all(
        table.draws and table.drawn_at and table.figures_version == drawing.MANNER + table.version for table in tables
    )
    assert tables.get(scope="overall").pair_draws


def test_a_site_that_was_down_when_intervals_were_due_draws_them_when_it_is_back(
    judged: Project,
) -> None:
    """The last judgments came within minutes of the drawing before; then the site stood still for a day."""
    Judgment.objects.filter(candidate__project=judged).update(edits=[EDIT])
    upkeep.keep_up()
    of_edit = AgreementTable.objects.get(project=judged, scope="edit")
    AgreementTable.objects.filter(pk=of_edit.pk).update(draws_version=drawing.MANNER + of_edit.version)
    long_ago = timezone.now() - timedelta(days=1)
    AgreementState.objects.update(folded_at=long_ago)
    AgreementTable.objects.update(drawn_at=long_ago)
    upkeep.keep_up()
    assert {table.scope for table in AgreementTable.objects.filter(drawn_at__gt=long_ago)} == {"edit"}
    AgreementTable.objects.filter(scope="overall").update(version=F("version") + 1, drawn_at=long_ago)
    upkeep.keep_up()
    overall = AgreementTable.objects.get(project=judged, scope="overall")
    assert {overall.draws_version, overall.figures_version} == {drawing.MANNER + overall.version}


def test_no_figure_is_beside_an_interval_of_other_judgments(
    client_of: Callable[..., Any], dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.36 was beside "0.63 to 0.69" for minutes, after the last of four annotators had disagreed with everybody; and
    an interval that still held its figure was of fewer judgments than the figure."""
    monkeypatch.setattr(drawing, "FEW_JUDGMENTS", 0)
    upkeep.keep_up()
    assert all(of_cohen(client_of(dora).get(AGREEMENT).json()))
    first = Judgment.objects.earliest("pk")
    World(judged).change_mind(first, "bad" if first.label == "good" else "good")
    answer = client_of(dora).get(AGREEMENT).json()
    assert (of_cohen(answer), answer["slices"][0]["draws"]) == ([None] * 4, None)
    annotators = client_of(dora).get(ANNOTATORS).json()
    told = [each["interval"] for each in (*annotators["pairs"], *annotators["annotators"])]
    assert (set(told), annotators["draws"]) == ({None}, None)
    upkeep.keep_up()  # nobody judges any more
    assert all(of_cohen(client_of(dora).get(AGREEMENT).json()))


def test_the_first_look_after_an_import_is_at_all_of_it(
    client_of: Callable[..., Any], dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in a large project, where the chore has just been there and readers leave a few new judgments to it."""
    monkeypatch.setattr(agreement, "FOLDED_BY_READERS", 0)
    monkeypatch.setattr(agreement, "FEW_NEW", 20)
    monkeypatch.setattr(agreement, "FOLDED_AT_ONCE", 5)
    AgreementState.objects.update_or_create(project=judged, defaults={"folded_at": timezone.now()})
    answer = client_of(dora).get(AGREEMENT).json()
    assert (answer["n_waiting"], answer["slices"][0]["n_judgments"]) == (0, 40)


def test_intervals_of_a_moment_ago_are_not_drawn_again_while_judgments_pour_in(judged: Project) -> None:
    upkeep.keep_up()
    drawn = AgreementTable.objects.get(project=judged, scope="overall").drawn_at
    Judgment.objects.filter(pk=Judgment.objects.latest("pk").pk).update(is_dirty=True, is_tallied=False)
    AgreementTable.objects.update(version=9)
    assert drawing.draw_stale(project=judged) == 0
    AgreementTable.objects.update(drawn_at=drawn - 2 * drawing.AGAIN_AFTER)
    assert drawing.draw_stale(project=judged) == 3


def test_intervals_of_few_judgments_are_drawn_again_at_once_where_there_are_many_now(judged: Project) -> None:
    """A project that was imported in five minutes said "no interval yet" for ten, drawn as it was when it began."""
    upkeep.keep_up()
    AgreementTable.objects.update(version=9)
    table = AgreementTable.objects.get(project=judged, scope="overall")
    AgreementTable.objects.filter(pk=table.pk).update(draws_judgments=drawing.count_judgments(table) // 3)
    assert drawing.draw_stale(project=judged) == 1
