"""Simulated annotators answer as reliably as their table says."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from backend.methods.consensus import LABELS
from workers.training.postcards.annotators import HABITS, Annotator, Profile
from workers.training.postcards.captions import Caption, Kind, caption, is_true_of
from workers.training.postcards.controls import accepted, truth
from workers.training.postcards.literal import literal
from workers.training.postcards.world import Scene, scene_of

pytestmark = pytest.mark.nightly

Asked = list[tuple[Caption, Scene]]


def pairs(kind: Kind, n: int = 1500, *, moved: int = 0) -> Asked:
    """Captions of `kind` under their own scene, or under the one `moved` seeds further."""
    found = ((caption(scene_of(seed), kind, 0), scene_of(seed + moved)) for seed in range(n))
    return [(said, scene) for said, scene in found if said]


def share(annotator: Annotator, asked: Asked, *, done: int = 0) -> float:
    """How many answers are accepted ones."""
    right = [annotator.judge(said, scene, done).label in accepted(said, scene) for said, scene in asked]
    return sum(right) / len(right)


def near(chance: float, n: int) -> object:
    """`chance`, give or take four standard errors of a share of `n`."""
    return pytest.approx(chance, abs=4 * math.sqrt(chance * (1 - chance) / n) + 1e-9)


@pytest.mark.nightly
@pytest.mark.parametrize("profile", [Profile.CAREFUL, Profile.HASTY])
def test_true_captions_are_judged_right_as_often_as_the_table_says(profile: Profile) -> None:
    asked = pairs(Kind.LITERAL)

    assert share(Annotator(profile, 1), asked) == near(HABITS[profile].right, len(asked))


@pytest.mark.nightly
def test_the_hasty_miss_half_of_the_wrong_details_and_the_careful_none() -> None:
    asked = pairs(Kind.WRONG)

    assert share(Annotator(Profile.HASTY, 1), asked) == near(0.5 * 0.85, len(asked))
    assert share(Annotator(Profile.CAREFUL, 1), asked) == near(0.95, len(asked))


def test_the_hasty_see_that_a_caption_belongs_to_another_picture() -> None:
    asked = [(said, scene) for said, scene in pairs(Kind.LITERAL, moved=1) if truth(said, scene) == "bad"]
    far = [
        (said, scene) for said, scene in asked
        if sum(scene.facts().get(facet) != value for facet, value in said.claims) > 1
    ]  # fmt: skip

    assert len(far) > 1000
    assert share(Annotator(Profile.HASTY, 1), far) == near(0.85, len(far))


@pytest.mark.nightly
def test_the_careful_are_unsure_of_a_quarter_of_the_ideas() -> None:
    asked = pairs(Kind.ABSTRACT)
    said = Counter(Annotator(Profile.CAREFUL, 2).judge(*one).label for one in asked)

    assert said["unsure"] / len(asked) == near(0.25, len(asked))
    assert share(Annotator(Profile.CAREFUL, 2), asked) > 0.95


def test_one_says_good_to_everything() -> None:
    asked = pairs(Kind.WRONG, 200) + pairs(Kind.GENERIC, 200)

    assert {Annotator(Profile.ALWAYS_GOOD, 1).judge(*one).label for one in asked} == {"good"}


def test_random_is_a_third_each() -> None:
    asked = pairs(Kind.LITERAL)
    said = Counter(Annotator(Profile.RANDOM, 1).judge(*one).label for one in asked)

    assert all(said[label] / len(asked) == near(1 / 3, len(asked)) for label in LABELS)


def test_one_turns_bad_after_as_many_answers_as_told() -> None:
    asked = pairs(Kind.LITERAL)
    turning = Annotator(Profile.TURNS_BAD, 1, turns_after=40)

    assert share(turning, asked, done=39) == near(0.95, len(asked))
    assert share(turning, asked, done=40) == near(1 / 3, len(asked))


def test_the_order_of_work_changes_no_answer() -> None:
    asked = pairs(Kind.LITERAL, 100) + pairs(Kind.WRONG, 100)
    for profile in (Profile.CAREFUL, Profile.HASTY, Profile.RANDOM):
        annotator = Annotator(profile, 3)
        forth = [annotator.judge(said, scene, done) for done, (said, scene) in enumerate(asked)]
        back = [annotator.judge(said, scene, done) for done, (said, scene) in enumerate(reversed(asked))]
        assert forth == back[::-1]


def test_two_annotators_err_at_different_places() -> None:
    asked = pairs(Kind.LITERAL)
    answers = [[Annotator(Profile.CAREFUL, n).judge(*one).label for one in asked] for n in (1, 2)]
    errors = [{place for place, label in enumerate(labels) if label != "good"} for labels in answers]

    assert len(errors[0] & errors[1]) < len(errors[0]) / 3


def test_the_hasty_are_quick_and_nobody_answers_in_no_time() -> None:
    asked = pairs(Kind.LITERAL)
    for profile, habit in HABITS.items():
        seconds = [Annotator(profile, 1).judge(*one).seconds for one in asked]
        assert sum(seconds) / len(seconds) == pytest.approx(habit.seconds, rel=0.06)
        assert min(seconds) > 0
    assert HABITS[Profile.HASTY].seconds < HABITS[Profile.CAREFUL].seconds / 3


def test_a_mistake_is_never_an_accepted_answer() -> None:
    """The hasty at 0.85 are right in 85 cases and in no more by luck."""
    scene = scene_of(4)
    said = literal(scene, 4)
    assert is_true_of(said, scene)

    labels = Counter(Annotator(Profile.HASTY, n).judge(said, scene).label for n in range(1500))
    assert labels["good"] / 1500 == near(0.85, 1500)
    assert labels["bad"] > 50 and labels["unsure"] > 50
