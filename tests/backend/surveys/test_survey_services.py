"""What a survey asks, who gets which pairs, and whose answers count."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from at_once import at_once
from backend.common.errors import ConnoteError
from backend.curation.models import ModelScore, Selection
from backend.people.models import User
from backend.projects.models import Project
from backend.surveys import selectors
from backend.surveys.drawing import draw
from backend.surveys.models import Participant, Survey, SurveyAnswer, SurveyItem
from backend.surveys.participation import (
    AlreadyFinished,
    NoSuchSurvey,
    SurveyClosed,
    SurveyFull,
    SurveyNotOpenYet,
    find_door,
    give_answer,
    join,
)
from backend.surveys.services import (
    NoHardCaptions,
    NotADraft,
    StillOpen,
    TooFewDistractors,
    change_survey,
    close_survey,
    create_survey,
    delete_survey,
    make_links,
    open_survey,
    renew_link,
)
from surveyed import TEXTS, answer_all, careful, careless, left_alone, make_rated, opened, rejected, take_part

pytestmark = pytest.mark.django_db


def test_a_survey_asks_about_the_lowest_scores_among_the_hard_captions(project: Project, alice: User) -> None:
    pairs = make_rated(project, hard=12)
    survey = opened(project, alice, n_pairs=5, pairs_each=3)
    items = selectors.list_items(survey=survey, is_distractor=False)
    assert [item.text for item in items] == [pair.text for pair in pairs[:5]]
    assert [item.score for item in items] == [0.001, 0.002, 0.003, 0.004, 0.005]


def test_equal_scores_are_ordered_by_the_key_of_the_caption(project: Project, alice: User) -> None:
    pairs = make_rated(project, hard=12)
    ModelScore.objects.filter(vote=False).update(score=0.1)
    survey = opened(project, alice, n_pairs=4)
    keys = [item.key for item in selectors.list_items(survey=survey, is_distractor=False)]
    assert keys == sorted(pair.key for pair in pairs[:12])[:4]


def test_a_survey_with_fewer_hard_captions_than_asked_for_asks_about_all(project: Project, alice: User) -> None:
    make_rated(project, hard=3)
    survey = opened(project, alice, n_pairs=100, pairs_each=25)
    assert survey.items.filter(is_distractor=False).count() == 3
    assert take_part(survey).answers.count() == 3 + 5


def test_a_distractor_shows_an_image_with_the_caption_of_another(project: Project, alice: User) -> None:
    pairs = make_rated(project)
    own = {pair.text: pair.image.digest for pair in pairs}
    hard = {pair.text for pair in pairs[:12]}
    survey = opened(project, alice)
    distractors = selectors.list_items(survey=survey, is_distractor=True)
    assert len(distractors) == len({item.text for item in distractors}) == 20
    for item in distractors:
        assert own[item.text] != item.digest
        assert item.text not in hard


@pytest.mark.nightly
def test_the_same_seed_draws_the_same_distractors(project: Project, alice: User) -> None:
    make_rated(project)
    first, second, other = (
        create_survey(project=project, created_by=alice, fields={**TEXTS, "seed": seed}) for seed in (3, 3, 4)
    )
    texts = [[item.text for item in draw(each).distractors] for each in (first, second, other)]
    assert texts[0] == texts[1] != texts[2]


def test_distractors_can_be_captions_that_people_rejected(project: Project, alice: User) -> None:
    pairs = make_rated(project)
    for pair in pairs[30:]:
        rejected(pair)
    survey = opened(project, alice, distractors_from="rejected")
    shown = {(item.digest, item.text) for item in selectors.list_items(survey=survey, is_distractor=True)}
    assert shown == {(pair.image.digest, pair.text) for pair in pairs[30:]}


def test_a_survey_without_enough_distractors_says_how_many_there_are(project: Project, alice: User) -> None:
    make_rated(project)
    with pytest.raises(TooFewDistractors, match="only 0 distractors"):
        opened(project, alice, distractors_from="rejected")


def test_a_model_without_hard_captions_makes_no_survey(project: Project, alice: User) -> None:
    with pytest.raises(NoHardCaptions):
        create_survey(project=project, created_by=alice, fields=TEXTS)
    make_rated(project, hard=2, models=("clip-b", "clip-l"))
    with pytest.raises(NoHardCaptions):
        create_survey(project=project, created_by=alice, fields={**TEXTS, "model": "clip-x"})
    made = create_survey(project=project, created_by=alice, fields={**TEXTS, "model": "clip-b"})
    assert made.model_digest.startswith("clip-b")


@pytest.mark.nightly
def test_an_open_survey_keeps_its_pairs_when_captions_and_images_go(project: Project, alice: User) -> None:
    pairs = make_rated(project)
    survey = opened(project, alice)
    person = take_part(survey)
    before = [row.item.text for row in selectors.list_series(person)]
    Selection.objects.filter(image__project=project).delete()
    for pair in pairs:
        pair.delete()
        pair.image.delete()
    assert [row.item.text for row in selectors.list_series(person)] == before
    answer_all(person, label=careful)
    found = selectors.get_results(survey=survey)
    assert (found.n_counted, found.agreement.mean, found.pairs[0].item.image_id) == (1, 1.0, None)


def test_the_texts_and_pairs_of_an_open_survey_are_fixed_and_its_limits_are_not(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice)
    with pytest.raises(NotADraft):
        change_survey(survey=survey, fields={"consent": "Another text"})
    change_survey(survey=survey, fields={"consent": survey.consent, "max_participants": 3, "fail_rate": 0.5})
    survey.refresh_from_db()
    assert (survey.max_participants, survey.fail_rate) == (3, 0.5)


@pytest.mark.nightly
def test_every_pair_is_dealt_about_equally_often(project: Project, alice: User) -> None:
    make_rated(project, hard=17)
    survey = opened(project, alice, n_pairs=17, pairs_each=5, distractors_each=3)
    for _ in range(9):
        take_part(survey)
    dealt = selectors.times_dealt(survey=survey, is_distractor=False)
    assert sorted(Counter(dealt.values()).items()) == [(2, 6), (3, 11)]
    distractors = selectors.times_dealt(survey=survey, is_distractor=True)
    assert max(distractors.values()) - min(distractors.values()) <= 1


def test_pairs_of_people_who_left_or_failed_are_dealt_again(project: Project, alice: User) -> None:
    make_rated(project, hard=10)
    survey = opened(project, alice, pairs_each=5)
    gone, failed = take_part(survey), take_part(survey)
    left_alone(gone, hours=30)
    answer_all(failed, label=careless)
    assert set(selectors.times_dealt(survey=survey, is_distractor=False).values()) == {0}


def test_participants_get_their_pairs_in_different_orders(project: Project, alice: User) -> None:
    make_rated(project, hard=10)
    survey = opened(project, alice)
    orders = {tuple(row.item_id for row in selectors.list_series(take_part(survey))) for _ in range(5)}
    assert len(orders) == 5


def test_agreeing_twice_makes_one_participant(project: Project, alice: User) -> None:
    make_rated(project)
    survey, key = opened(project, alice), uuid4()
    first = join(token=survey.token, start_key=key, participant_id=None)
    assert join(token=survey.token, start_key=key, participant_id=None) == first
    assert join(token=survey.token, start_key=uuid4(), participant_id=first.pk) == first
    assert Participant.objects.count() == 1


def test_an_answer_sent_twice_counts_once_and_the_last_word_stands(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice)
    person = take_part(survey)
    for answer in ("good", "good", "bad"):
        give_answer(participant=person, number=1, answer=answer, ms=900)
    assert list(SurveyAnswer.objects.exclude(answer="").values_list("position", "answer")) == [(1, "bad")]


def test_the_last_answer_finishes_and_can_be_corrected_for_ten_minutes(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice, max_participants=1)
    person = take_part(survey)
    answer_all(person, label=careful)
    person.refresh_from_db()
    assert person.finished_at
    assert selectors.closed_by(survey) == "number"
    give_answer(participant=person, number=1, answer="bad", ms=None)
    with time_machine.travel(timezone.now() + timedelta(minutes=11)), pytest.raises(AlreadyFinished):
        give_answer(participant=person, number=1, answer="good", ms=None)


def test_a_number_that_nobody_dealt_is_not_found(project: Project, alice: User) -> None:
    make_rated(project)
    person = take_part(opened(project, alice))
    with pytest.raises(ConnoteError) as refused:
        give_answer(participant=person, number=99, answer="good", ms=None)
    assert refused.value.status == 404


def test_a_survey_opens_and_closes_by_hand_by_date_and_by_number(project: Project, alice: User) -> None:
    make_rated(project)
    draft = create_survey(project=project, created_by=alice, fields=TEXTS)
    with pytest.raises(SurveyNotOpenYet):
        take_part(draft)
    tomorrow = timezone.now() + timedelta(days=1)
    dated = opened(project, alice, closes_at=tomorrow)
    person = take_part(dated)
    with time_machine.travel(tomorrow + timedelta(seconds=1)):
        assert selectors.state_of(dated) == "closed"
        with pytest.raises(SurveyClosed):
            take_part(dated)
        with pytest.raises(SurveyClosed):
            give_answer(participant=person, number=1, answer="good", ms=None)
    by_hand = opened(project, alice)
    with pytest.raises(StillOpen):
        delete_survey(survey=by_hand)
    close_survey(survey=by_hand)
    with pytest.raises(SurveyClosed):
        take_part(by_hand)
    delete_survey(survey=by_hand)
    counted = opened(project, alice, max_participants=1)
    answer_all(take_part(counted), label=careful)
    with pytest.raises(SurveyFull):
        take_part(counted)


def test_a_place_that_nobody_uses_for_a_day_goes_to_another_person(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice, max_participants=1)
    slow = take_part(survey)
    with pytest.raises(SurveyFull):
        take_part(survey)
    left_alone(slow, hours=25)
    quick = take_part(survey)
    with pytest.raises(SurveyFull):
        give_answer(participant=slow, number=1, answer="good", ms=None)
    left_alone(quick, hours=25)
    give_answer(participant=slow, number=1, answer="good", ms=None)
    slow.refresh_from_db()
    assert slow.holds_place


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_people_who_come_at_once_never_exceed_the_limit(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice, max_participants=3)
    came = at_once([partial(take_part, survey) for _ in range(8)])
    assert Counter(type(each).__name__ for each in came) == {"Participant": 3, "SurveyFull": 5}
    assert sorted(Participant.objects.values_list("number", flat=True)) == [1, 2, 3]
    dealt = selectors.times_dealt(survey=survey, is_distractor=True)
    assert max(dealt.values()) - min(dealt.values()) <= 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_make_one_participant_and_one_answer(project: Project, alice: User) -> None:
    make_rated(project)
    survey, key = opened(project, alice), uuid4()
    came = at_once([partial(join, token=survey.token, start_key=key, participant_id=None)] * 4)
    assert len(set(came)) == 1
    at_once([partial(give_answer, participant=came[0], number=1, answer="good", ms=5)] * 4)
    assert SurveyAnswer.objects.exclude(answer="").count() == 1


def test_a_single_use_link_lets_one_participant_in_and_continues(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice, has_link=False)
    with pytest.raises(NoSuchSurvey):
        find_door(survey.token)
    first, second = make_links(survey=survey, n=2)
    person = join(token=first, start_key=uuid4(), participant_id=None)
    assert join(token=first, start_key=uuid4(), participant_id=None) == person
    assert join(token=second, start_key=uuid4(), participant_id=person.pk) != person
    assert first not in str(list(survey.links.values()))


def test_a_renewed_link_replaces_the_old_one(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice)
    old = survey.token
    renew_link(survey=survey)
    with pytest.raises(NoSuchSurvey):
        find_door(old)
    survey.refresh_from_db()
    assert find_door(survey.token).survey == survey


@pytest.mark.parametrize("token", ["", "x", "a" * 500, "a\x00b" * 8, "ä" * 20, "../../etc/passwd"])
def test_a_wrong_link_leads_nowhere(token: str, project: Project) -> None:
    with pytest.raises(NoSuchSurvey):
        find_door(token)


@pytest.mark.nightly
def test_who_fails_the_distractors_is_left_out_of_the_figures(project: Project, alice: User) -> None:
    make_rated(project, hard=10)
    survey = opened(project, alice, pairs_each=10)
    answer_all(take_part(survey), label=careful)
    answer_all(take_part(survey), label=lambda row: "bad" if row.item.is_distractor or row.position % 2 else "good")
    answer_all(take_part(survey), label=careless)
    answer_all(take_part(survey), label=careful, until=7)
    found = selectors.get_results(survey=survey)
    assert (found.n_participants, found.n_counted, found.n_unfinished, found.n_excluded) == (4, 2, 1, 1)
    assert {each.n for each in found.pairs} == {2}
    assert found.agreement.minimum == 0.5
    assert found.agreement.minimum_n == 2
    people = [selectors.describe(survey, row) for row in selectors.list_participants(survey=survey)]
    assert [each.standing for each in people] == ["counted", "counted", "excluded", "unfinished"]
    assert (people[2].n_right, people[2].n_graded, people[2].fail_rate) == (0, 5, 1.0)
    assert people[3].n_answered == 7
    assert people[0].seconds == 22.5


@pytest.mark.nightly
@pytest.mark.parametrize(("n_wrong", "standing"), [(3, "counted"), (4, "excluded")])
def test_seventy_percent_of_wrong_distractors_exclude(
    n_wrong: int, standing: str, project: Project, alice: User
) -> None:
    make_rated(project)
    survey = opened(project, alice)
    person, wrong = take_part(survey), []
    for row in selectors.list_series(person):
        if row.item.is_distractor and len(wrong) < n_wrong:
            wrong.append(row.position)
    answer_all(person, label=lambda row: "good" if row.position in wrong else careful(row))
    assert selectors.describe(survey, selectors.list_participants(survey=survey).get()).standing == standing


def test_another_rule_changes_the_figures_at_once(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice)
    answer_all(take_part(survey), label=careless)
    answer_all(take_part(survey), label=careful, until=3)
    assert selectors.get_results(survey=survey).n_counted == 0
    change_survey(survey=survey, fields={"counts_unfinished": True, "fail_rate": 1.0})
    survey.refresh_from_db()
    assert selectors.get_results(survey=survey).n_counted == 1
    assert selectors.get_results(survey=survey).agreement.n_answers <= 3


def test_a_survey_without_distractors_excludes_nobody(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice, distractors_each=0)
    answer_all(take_part(survey), label=careless)
    assert selectors.get_results(survey=survey).n_counted == 1


def test_a_survey_without_answers_has_no_figures(project: Project, alice: User) -> None:
    make_rated(project)
    found = selectors.get_results(survey=opened(project, alice))
    assert (found.agreement.mean, found.agreement.minimum, sum(each.n for each in found.histogram)) == (None, None, 0)
    assert {each.share for each in found.pairs} == {None}


def test_opening_twice_stores_the_pairs_once(project: Project, alice: User) -> None:
    make_rated(project)
    survey = opened(project, alice)
    n = SurveyItem.objects.count()
    open_survey(survey=Survey.objects.get(pk=survey.pk))
    assert SurveyItem.objects.count() == n
