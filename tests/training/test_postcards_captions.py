"""What Postcards says about its scenes: true, or false in one detail, as it should be, and in good English."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightly import examples
from workers.training.postcards import literal as literals
from workers.training.postcards import moods, words
from workers.training.postcards.captions import (
    Caption,
    Kind,
    Wrong,
    caption,
    captions_of,
    is_true_of,
    wrong_of,
)
from workers.training.postcards.literal import literal
from workers.training.postcards.turns import IMAGES
from workers.training.postcards.world import COATS, PLACES, Scene, scene_of

pytestmark = pytest.mark.nightly

SEEDS = st.integers(0, 10**8)
SCENES = SEEDS.map(scene_of)
TRUE_KINDS = [kind for kind in Kind if kind is not Kind.WRONG]
VOWEL = re.compile(r"\ba(n?) (?!hour)(\w)", re.IGNORECASE)
COAT = "(red|brown|white|black|blue|orange|yellow)"
MANY = re.compile(rf"\b(two|three|four|five|a pair of) {COAT} (\w+)", re.IGNORECASE)
ONE = re.compile(rf"\b(an?|one|a single) {COAT} (\w+)", re.IGNORECASE)
FACETS = {"land", "time", "weather", "water", "plants", "sky", "building", "building_colour", "vehicle",
          "vehicle_colour", "person", "person_colour", "animals", "animals_colour", "n_animals"}  # fmt: skip
# Words that give a time away, and the only time they may be said of.
HOURS = {
    "dawn": r"\bdawn|sunrise|daybreak|morning\b",
    "day": r"\bnoon|midday|afternoon|daylight|by day\b",
    "dusk": r"\bdusk|sunset|evening|sundown\b",
    "night": r"\bnight|after dark\b",
}
NAMES = {name for table in (words.VEHICLES, words.BUILDINGS) for names in table.values() for name in names}
NAMES |= {name for place in PLACES.values() for name in (*place.animals, *place.buildings, *place.vehicles)}


@given(SCENES, SEEDS, st.sampled_from(TRUE_KINDS))
def test_what_a_caption_claims_holds_in_its_scene(scene: Scene, seed: int, kind: Kind) -> None:
    said = caption(scene, kind, seed)

    assert said is None or (said.kind is kind and is_true_of(said, scene))
    assert said is None or {facet for facet, _ in said.claims} <= FACETS


@given(SCENES, SEEDS)
def test_every_scene_has_a_literal_a_figurative_an_emotional_and_an_abstract_caption(scene: Scene, seed: int) -> None:
    kinds = Counter(said.kind for said in captions_of(scene, seed))

    assert kinds[Kind.LITERAL] == 3
    assert {Kind.FIGURATIVE, Kind.EMOTIONAL, Kind.ABSTRACT, Kind.GENERIC, Kind.TITLE} < kinds.keys()


@given(SCENES, SEEDS)
def test_a_literal_caption_names_its_place_and_two_facts_more(scene: Scene, seed: int) -> None:
    facets = dict(literal(scene, seed).claims)

    assert "land" in facets or "building" in facets
    assert len(facets) >= 2 + min(2, len(scene.facts()) - 3)
    assert not any(scene.facts().get(thing) for thing in literals.THINGS) or facets.keys() & set(literals.THINGS)


@given(SCENES, SEEDS)
def test_what_a_literal_caption_claims_is_what_it_says(scene: Scene, seed: int) -> None:
    """Each thing claimed is in the text under one of its names, with its colour; nothing else is named."""
    said = literal(scene, seed)
    claims, text = dict(said.claims), said.text.lower()
    for facet in literals.THINGS:
        told = re.search(rf"{claims[f'{facet}_colour']} \w+" if facet in claims else r"\Z", text)
        assert told, (said, facet)
    for (facet, value), phrases in words.SCENERY.items():
        if any(phrase.lower() in text for phrase in phrases):
            assert claims.get(facet) == value


@given(SCENES, SEEDS, st.sampled_from([Kind.LITERAL, Kind.WRONG, Kind.PARTLY_LITERAL, Kind.FIGURATIVE]))
def test_no_caption_names_the_hour_of_another_time(scene: Scene, seed: int, kind: Kind) -> None:
    said = caption(scene, kind, seed)
    named = {time for time, pattern in HOURS.items() if said and re.search(pattern, said.text.lower())}

    assert named <= {str(scene.time)}
    if said and "time" not in dict(said.claims):
        assert not named


@given(SCENES, SEEDS, st.sampled_from(TRUE_KINDS[:-1]))
def test_articles_and_plurals_agree(scene: Scene, seed: int, kind: Kind) -> None:
    said = caption(scene, kind, seed)
    text = said.text if said else ""

    for n, letter in VOWEL.findall(text):
        assert bool(n) == (letter.lower() in "aeiou"), text
    for _, _, noun in MANY.findall(text):
        assert noun in {words.plural(kind) for kind in COATS}, text
    for _, _, noun in ONE.findall(text):
        assert noun not in {words.plural(kind) for kind in COATS if words.plural(kind) != kind}, text
    assert text == " ".join(text.split())
    assert not re.search(r" [,:;.]|,,|[{}]|\b(\w+) \1\b", text), text


@given(SCENES, SEEDS)
def test_the_verb_agrees_with_its_subject(scene: Scene, seed: int) -> None:
    text = literal(scene, seed).text.lower()
    animals = words.animals_named(scene.facts(), f"literal {scene.seed} {seed}") if scene.animals else "nothing"
    if found := re.match(rf"{animals.lower()} (\w+)", text):
        singulars, plurals = ({verb[i] for verb in words.VERBS["grazers"]} for i in (0, 1))
        assert found[1] not in (plurals if scene.facts()["n_animals"] == "1" else singulars), text


def test_there_are_several_and_there_is_one() -> None:
    """So too "and so do four dogs" and "and so does a dog"."""
    right = r"there is (an?|one) |there are (two|three|four|five|a pair) |so do |so does an? |so does one "
    told = [literal(scene_of(seed), seed).text.lower() for seed in range(2000)]
    said = [text for text in told if re.search(r"there (is|are)|so (do|does) ", text)]

    assert len(said) > 100
    assert [text for text in said if not re.search(right, text)] == []
    assert [text for text in said if re.search(r"so do (?!two|three|four|five|a pair)(?!.* and )", text)] == []


@given(SCENES, SEEDS, SEEDS, st.sampled_from([None, *Wrong]))
def test_a_wrong_caption_differs_in_one_detail_that_is_false(
    scene: Scene, seed: int, draw: int, which: Wrong | None
) -> None:
    right = literal(scene, seed)
    wrong = wrong_of(right, scene, draw, which)
    if wrong is None:
        return
    changed = [(old, new) for old, new in zip(right.claims, wrong.claims, strict=True) if old != new]

    assert wrong.kind is Kind.WRONG and wrong.wrong is (which or wrong.wrong)
    assert len(changed) == 1 and changed[0][0][0] == changed[0][1][0]
    assert scene.facts()[changed[0][1][0]] != changed[0][1][1]
    assert not is_true_of(wrong, scene)


@given(SCENES, SEEDS, SEEDS)
def test_the_edit_of_a_wrong_caption_brings_the_right_one_back_and_is_short(scene: Scene, seed: int, draw: int) -> None:
    right = literal(scene, seed)
    wrong = wrong_of(right, scene, draw)
    if wrong is None or wrong.edit is None:
        return

    assert wrong.edit.applied(wrong.text) == right.text
    assert wrong.text[wrong.edit.start : wrong.edit.end] == wrong.edit.before
    assert 1 <= len(wrong.edit.before.split()) <= 6 and wrong.edit.after


def test_every_type_of_wrong_detail_occurs_and_changes_what_it_says() -> None:
    facets = {Wrong.COLOR: "_colour", Wrong.NUMBER: "n_animals", Wrong.PERSON: "person"}
    found = Counter[Wrong]()
    for seed in range(400):
        scene = scene_of(seed)
        right, wrong = literal(scene, seed), caption(scene, Kind.WRONG, seed)
        if wrong and wrong.wrong:
            found[wrong.wrong] += 1
            (changed,) = {facet for facet, _ in set(wrong.claims) - set(right.claims)}
            assert changed.endswith(facets.get(wrong.wrong, ("animals", "vehicle", "land", "building")))

    assert min(found[which] for which in Wrong) > 30


@pytest.mark.nightly
def test_a_word_more_is_repaired_with_its_neighbour() -> None:
    """ "a brown dog" for "a single brown dog" would otherwise be an edit of no words at no place."""
    for seed in range(5_000_000, 5_004_000):
        scene = scene_of(seed)
        right = literal(scene, seed)
        wrong = wrong_of(right, scene, seed, Wrong.LOCATION)
        if wrong and wrong.edit:
            assert wrong.edit.before and wrong.edit.after and wrong.edit.applied(wrong.text) == right.text


def test_nobody_is_wrong_who_calls_a_hiker_a_woman() -> None:
    hikers = [scene for scene in map(scene_of, range(3000)) if scene.person and scene.person.kind == "hiker"]
    told = [wrong_of(literal(scene, n), scene, n, Wrong.PERSON) for n, scene in enumerate(hikers)]

    said = {dict(wrong.claims)["person"] for wrong in told if wrong}
    assert said == {"child", "couple", "fisherman", "painter"}


def test_a_caption_of_another_scene_cannot_be_told_wrong() -> None:
    with pytest.raises(ValueError, match="literal caption of this very scene"):
        wrong_of(literal(scene_of(1), 1), scene_of(2), 1)


def test_an_edit_refuses_a_text_it_was_not_made_for() -> None:
    wrong = caption(scene_of(0), Kind.WRONG, 0)
    assert wrong and wrong.edit

    with pytest.raises(ValueError, match="does not stand at"):
        wrong.edit.applied("Somebody else's words")


@given(SCENES, SEEDS)
def test_a_figurative_caption_names_no_thing(scene: Scene, seed: int) -> None:
    said = moods.figurative(scene, seed)

    assert not NAMES & set(re.findall(r"\w+", said.text.lower()))
    assert {facet for facet, _ in said.claims} <= {"land", "time", "weather"}


@given(SCENES, SEEDS)
def test_a_partly_literal_caption_holds_a_thing_and_a_turn(scene: Scene, seed: int) -> None:
    said = moods.partly_literal(scene, seed)
    if said is None:
        assert not any(facet in scene.facts() for facet in literals.THINGS)
        return

    deeds = [deed for claim, (_, deeds) in IMAGES.items() if claim in said.claims for deed in deeds]
    assert any(deed in said.text for deed in deeds)
    assert any(facet in dict(said.claims) for facet in literals.THINGS)


@given(SCENES, SCENES, SEEDS)
def test_a_generic_caption_is_true_of_every_scene(scene: Scene, other: Scene, seed: int) -> None:
    said = moods.generic(scene, seed)

    assert said.claims == () and is_true_of(said, scene) and is_true_of(said, other)


@pytest.mark.nightly
def test_among_a_hundred_scenes_one_literal_caption_is_true_of_each() -> None:
    """97 in 100 was the aim; over these ten hundreds it was 99 when this was written."""
    alone = 0
    for hundred in range(10):
        scenes = [scene_of(10_000_000 + hundred * 100 + n) for n in range(100)]
        said = [literal(scene, 1) for scene in scenes]
        alone += sum(sum(is_true_of(one, scene) for one in said) == 1 for scene in scenes)

    print(f"one caption in a hundred is true of a scene in {alone / 10:.1f}% of cases")
    assert alone >= 970


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("kind", "least"),
    [(Kind.LITERAL, 0.995), (Kind.PARTLY_LITERAL, 0.99), (Kind.FIGURATIVE, 0.85), (Kind.EMOTIONAL, 0.85),
     (Kind.ABSTRACT, 0.8), (Kind.GENERIC, 0.75), (Kind.WRONG, 0.995)],
)  # fmt: skip
def test_captions_are_seldom_the_same(kind: Kind, least: float) -> None:
    told = [said.text for said in (caption(scene_of(seed), kind, 0) for seed in range(2000)) if said]
    share = len(set(told)) / len(told)

    print(f"{kind}: {share:.1%} of {len(told)} are distinct")
    assert share >= least


@settings(max_examples=examples(30))
@given(SCENES)
def test_one_scene_is_worded_in_many_ways(scene: Scene) -> None:
    assert len({literal(scene, seed).text for seed in range(40)}) >= 25


def test_there_are_thirty_frames_and_each_has_room_for_all_that_is_told() -> None:
    everything = literals.LONE + literals.NEAR + literals.TOGETHER + literals.OF_LAND
    assert len(set(everything)) >= 30
    for frame in literals.NEAR + literals.TOGETHER + literals.OF_LAND:
        slots = set(re.findall(r"\{(\w+)\}", frame))
        assert "all" in slots or ("lead" in slots and slots & {"near", "others"}), frame
        assert slots & {"land", "a_land"} and "when" in slots, frame
    for frame in literals.OF_TIME_AND_WEATHER + literals.OF_TIME:
        assert "{land}" in frame and ("{occasion}" in frame or "{hour}" in frame)


def test_every_value_of_the_world_has_a_word() -> None:
    places = PLACES.values()
    assert words.LANDS.keys() == words.LAND_NAMES.keys() == {str(land) for land in PLACES}
    assert words.TIMES.keys() == words.TIME_NOUNS.keys() == words.PARTS_OF_DAY.keys()
    assert {("water", value) for place in places for value in place.water if value} <= words.SCENERY.keys()
    assert {("plants", value) for place in places for value in place.plants if value} <= words.SCENERY.keys()
    assert {value for place in places for value in place.people} == words.PEOPLE.keys()


def test_no_phrase_belongs_to_two_facts() -> None:
    for table in (words.LANDS, words.LAND_NAMES, words.TIMES, words.TIME_NOUNS, words.WEATHERS, words.SCENERY):
        phrases = list(itertools.chain.from_iterable(set(phrases) for phrases in table.values()))
        assert len(phrases) == len(set(phrases))


def test_another_process_words_the_same() -> None:
    script = (
        "from workers.training.postcards.captions import captions_of\n"
        "from workers.training.postcards.world import scene_of\n"
        "print([c for n in range(20) for c in captions_of(scene_of(n), n)])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    here: list[Caption] = [said for n in range(20) for said in captions_of(scene_of(n), n)]

    assert told == {f"{here}\n"}
