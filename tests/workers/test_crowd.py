from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from backend.methods.edits import Edit, apply_edits
from workers.demo.crowd import TURNS_AFTER, SimulatedMind, draw_character, read_truth
from workers.simulation.client import ApiRefusedError
from workers.simulation.work import GIVEN_UP, Said, Worker
from workers.training.postcards.annotators import Profile

N = 600
KNOWN = {("/a.jpg", f"a red dog number {n}"): ("good",) if n % 2 else ("bad",) for n in range(N)}


def answers(profile: Profile, seed: int = 1) -> list[dict[str, Any]]:
    mind = SimulatedMind(draw_character(profile, seed), seed, KNOWN)
    return [mind.judge("/a.jpg", f"A red dog, number {n}.").answer for n in range(N)]


def share_right(said: list[dict[str, Any]]) -> float:
    right = [answer["label"] in KNOWN["/a.jpg", f"a red dog number {n}"] for n, answer in enumerate(said)]
    return sum(right) / len(right)


def test_each_is_as_reliable_as_their_profile_says() -> None:
    for profile in (Profile.CAREFUL, Profile.HASTY):
        assert share_right(answers(profile)) == pytest.approx(draw_character(profile, 1).skill, abs=0.04)
    assert share_right(answers(Profile.RANDOM)) == pytest.approx(1 / 3, abs=0.06)
    assert {answer["label"] for answer in answers(Profile.ALWAYS_GOOD)} == {"good"}


def test_one_turns_bad_half_way() -> None:
    mind = SimulatedMind(draw_character(Profile.TURNS_BAD, 1), 1, KNOWN)
    said = [mind.judge("/a.jpg", f"A red dog, number {n}.").answer for n in range(N)]
    assert share_right(said[:TURNS_AFTER]) > 0.88
    late = Counter(answer["label"] for answer in said[TURNS_AFTER:])
    assert min(late.values()) > 0.25 * sum(late.values())


@pytest.mark.parametrize(
    ("profile", "bounds"),
    [(Profile.CAREFUL, (0.91, 0.99)), (Profile.HASTY, (0.73, 0.97)), (Profile.TURNS_BAD, (0.91, 0.99))],
)
def test_skills_are_drawn_around_the_profiles_and_stay_within_bounds(
    profile: Profile, bounds: tuple[float, float]
) -> None:
    skills = [draw_character(profile, seed).skill or 0.0 for seed in range(N)]
    low, high = bounds
    assert low <= min(skills) < low + 0.01 and high - 0.01 < max(skills) <= high
    assert sum(skills) / N == pytest.approx((low + high) / 2, abs=0.005) and len(set(skills)) == N


def test_speeds_are_drawn_too_and_nobody_hasty_is_as_slow_as_anybody_careful() -> None:
    careful, hasty = ([draw_character(p, seed).seconds for seed in range(N)] for p in (Profile.CAREFUL, Profile.HASTY))
    assert 5 < min(careful) < 6 and 14 < max(careful) < 15 and 1.5 < min(hasty) < max(hasty) < min(careful)
    slowest = max(range(N), key=careful.__getitem__)
    mind = SimulatedMind(draw_character(Profile.CAREFUL, slowest), slowest, KNOWN)
    seconds = [mind.judge("/a.jpg", f"A red dog, number {n}.").seconds for n in range(N)]
    assert sum(seconds) / N == pytest.approx(mind.character.seconds, rel=0.07)


@pytest.mark.parametrize(("skills", "share"), [((0.0, 0.0), 0.0), ((1.0, 1.0), 1.0)])
def test_a_skill_can_be_asked_for_and_those_who_never_look_have_none(skills: tuple[float, float], share: float) -> None:
    mind = SimulatedMind(draw_character(Profile.HASTY, 1, skills), 1, KNOWN)
    assert share_right([mind.judge("/a.jpg", f"A red dog, number {n}.").answer for n in range(N)]) == share
    assert draw_character(Profile.ALWAYS_GOOD, 1, skills).skill is None
    assert 0.2 < (draw_character(Profile.CAREFUL, 1, (0.2, 0.4)).skill or 0.0) < 0.4


def test_the_same_seed_says_the_same_and_another_something_else() -> None:
    assert answers(Profile.CAREFUL) == answers(Profile.CAREFUL) != answers(Profile.CAREFUL, seed=2)


def test_a_pair_nobody_knows_leaves_a_careful_person_unsure() -> None:
    assert (
        SimulatedMind(draw_character(Profile.CAREFUL, 1), 1, {}).judge("/b.jpg", "A cat.").answer["label"] == "unsure"
    )


def test_edits_fit_into_the_text_and_lenses_belong_to_good_captions() -> None:
    said = answers(Profile.HASTY)
    edits = [Edit(**edit) for answer in said for edit in answer.get("edits", ())]
    assert edits and all(apply_edits("A red dog, number 7.", [edit]) != "A red dog, number 7." for edit in edits)
    assert all(answer["label"] == "good" for answer in said if "lens" in answer)
    assert any("lens" in answer for answer in said) and any("is_generic" in answer for answer in said)


def test_truth_is_read_from_lines_and_a_line_without_an_answer_is_named(tmp_path: Path) -> None:
    rows = [{"image_id": "a", "text": "A Dog!", "accepted": ["good", "unsure"]}, {"image_id": "b", "text": "x"}]
    file = tmp_path / "truth.jsonl"
    file.write_text(json.dumps(rows[0]) + "\n")
    assert read_truth([file]) == {("a", "a dog"): ("good", "unsure")}
    file.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(ValueError, match="line 2"):
        read_truth([file])


class Site:
    """Answers like the API: one page of one item, then nothing; a quiz that is failed `fails` times."""

    def __init__(self, *, fails: int = 0, attempts: int = 3) -> None:
        self.asked: list[str] = []
        self.fails, self.left = fails, attempts
        self.pages = [
            {"id": "p1", "query": None, "image": thumbnail("/a.jpg"), "items": [{"position": 1, "text": "x"}]}
        ]

    def get(self, address: str) -> dict[str, Any]:
        self.asked.append(address)
        quiz = {"attempts_left": self.left, "next_attempt_at": None}
        guidelines = {"is_asked": True, "is_read": False, "text": "Look.", "digest": "d"}
        return {"is_qualified": self.fails < 0, "guidelines": guidelines, "quiz": quiz}

    def post(self, address: str, body: object = None) -> dict[str, Any]:
        self.asked.append(address)
        if address.endswith("/quiz"):
            self.fails, self.left = self.fails - 1, self.left - 1
            question = {"position": 1, "text": "x", "image": thumbnail("/a.jpg"), "feedback": None}
            return {"number": 1, "questions": [question]}
        if address.endswith("/answers"):
            return {}
        if address.endswith("/guidelines-read"):
            return self.get("mine")
        return {"assignment": self.pages.pop() if self.pages else None, "reason": "none_left"}

    def submit(self, assignment_id: str, judgments: list[dict[str, Any]]) -> None:
        self.asked.append(f"submit {assignment_id} {judgments[0]['label']}")


def thumbnail(url: str) -> dict[str, Any]:
    return {"thumbnail": {"small": {"url": url}}}


class SaysGood:
    def judge(self, picture: str, text: str) -> Said:
        return Said(2.0, {"label": "good"})

    def skips(self) -> None:
        return None


def work(site: Site) -> Worker:
    worker = Worker(site, name="ann", project="p", mind=SaysGood())  # type: ignore[arg-type]
    worker.work()
    return worker


def test_they_read_take_the_quiz_judge_and_say_how_it_ended() -> None:
    site = Site(fails=0)
    day = work(site).day
    assert day.ended == "none_left"
    assert (day.done["guidelines read"], day.done["quiz attempts"], day.done["HITs"], day.seconds) == (1, 1, 1, 4.25)
    assert "submit p1 good" in site.asked


def test_who_fails_the_quiz_too_often_goes_home() -> None:
    day = work(Site(fails=9)).day
    assert (day.ended, day.done["quiz attempts"], day.done["HITs"]) == (GIVEN_UP, 3, 0)


def test_what_the_site_refuses_is_how_the_day_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Site, address: str) -> dict[str, Any]:
        raise ApiRefusedError("You are not of this project.")

    monkeypatch.setattr(Site, "get", refuse)
    assert work(Site()).day.ended == "You are not of this project."
