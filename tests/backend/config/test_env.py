"""Each reader of the environment complains by the variable's name and says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from backend.config import env

NAME = "CONNOTE_UNDER_TEST"


@pytest.fixture(autouse=True)
def known_afterwards() -> Iterator[None]:
    """What these tests declare is not what the settings read."""
    before = dict(env.KNOWN)
    yield
    env.KNOWN.clear()
    env.KNOWN.update(before)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda value: monkeypatch.setenv(NAME, value)


def test_text_is_stripped_and_empty_means_the_default(given: Callable[[str], None]) -> None:
    assert env.env_str(NAME, "default", help="") == "default"
    given("   ")
    assert env.env_str(NAME, "default", help="") == "default"
    given("  set ")
    assert env.env_str(NAME, "default", help="") == "set"


@pytest.mark.parametrize(("value", "read"), [("1", True), ("TRUE", True), ("on", True), ("no", False), ("0", False)])
def test_truth_has_several_spellings(given: Callable[[str], None], value: str, read: bool) -> None:
    given(value)
    assert env.env_bool(NAME, not read, help="") is read


def test_what_is_neither_true_nor_false_is_refused(given: Callable[[str], None]) -> None:
    given("perhaps")
    with pytest.raises(ImproperlyConfigured, match=rf"{NAME} is 'perhaps'. Set it to true or false"):
        env.env_bool(NAME, False, help="")


@pytest.mark.parametrize("value", ["many", "1.5", "-1", "0", "--2", "1e3"])
def test_what_is_no_whole_number_is_refused(given: Callable[[str], None], value: str) -> None:
    given(value)
    with pytest.raises(ImproperlyConfigured, match=rf"{NAME} is '{value}'\. Set it to a whole number of at least 1"):
        env.env_int(NAME, 5, minimum=1, help="")


def test_whole_numbers_are_read(given: Callable[[str], None]) -> None:
    given("12")
    assert env.env_int(NAME, 5, help="") == 12


def test_a_choice_that_is_none_is_refused_with_those_there_are(given: Callable[[str], None]) -> None:
    given("xml")
    with pytest.raises(ImproperlyConfigured, match=rf"{NAME} is 'xml'\. Set it to one of: json, console"):
        env.env_choice(NAME, "json", choices=("json", "console"), help="")


def test_lists_lose_their_empty_parts(given: Callable[[str], None]) -> None:
    given(" a, ,b,")
    assert env.env_list(NAME, help="") == ["a", "b"]


def test_paths_are_absolute(given: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    given("data")
    assert env.env_path(NAME, Path("/default"), help="") == tmp_path / "data"


@pytest.mark.parametrize("value", ["", "short", "x" * 31, "the-default-of-the-repository-change-me", "d" * 40])
def test_a_secret_that_is_none_is_refused_with_the_way_to_make_one(given: Callable[[str], None], value: str) -> None:
    given(value)
    with pytest.raises(ImproperlyConfigured, match=rf"{NAME} must be your own secret.*token_urlsafe"):
        env.env_secret(NAME, debug=False, debug_value="d" * 40, help="")


def test_only_debug_goes_without_a_secret(given: Callable[[str], None]) -> None:
    assert env.env_secret(NAME, debug=True, debug_value="stand-in", help="") == "stand-in"
    given("own")
    assert env.env_secret(NAME, debug=True, debug_value="stand-in", help="") == "own"


def test_every_reader_remembers_what_it_read() -> None:
    env.env_int(NAME, 5, help="How many.")
    assert env.KNOWN[NAME] == env.Variable(NAME, "5", "How many.")


def test_every_variable_of_the_settings_says_what_it_is_for() -> None:
    assert len(env.KNOWN) > 20
    for variable in env.KNOWN.values():
        assert variable.name.startswith("CONNOTE_")
        assert len(variable.help) > 10, variable.name
