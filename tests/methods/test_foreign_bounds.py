"""A file of too many judgments, for those who wait: refused while it is read."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import nullcontext

import pytest

from backend.methods.foreign.bounds import TooManyError, check_labels, check_twos, n_tables_of
from backend.methods.foreign.reading import read_judgments, tell_judgments
from backend.methods.foreign.report import report_rows
from backend.methods.foreign.told import NotJudgmentsError

N, MOST = 400_000, 100
ROW = {"task": "1", "worker": "2", "label": "1"}
RECORD, RATED = json.dumps(ROW) + "\n", json.dumps({"identifier": "1", "evals": {"2": "1"}}) + "\n"
HEAD = "task,worker,label\n"


@pytest.mark.parametrize("text", [HEAD + N * "1,2,1\n", HEAD + N * "1,,\n", N * RECORD, N * RATED])
def test_what_is_too_much_is_refused_where_it_becomes_too_much(text: str) -> None:
    raw = text.encode()
    tracemalloc.start()
    with pytest.raises(TooManyError, match="more than 100 answers"):
        tell_judgments(raw, most=MOST)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_500_000


@pytest.mark.parametrize("value", ["good", [1, 0, 0], [0, 0, 0]])
def test_nested_judgments_are_refused_at_the_first_that_is_too_many(value: object) -> None:
    nested = {str(n): {"a": value} for n in range(MOST + 1)}
    with pytest.raises(TooManyError, match=r"more than 100 answers"):
        tell_judgments(json.dumps(nested), most=MOST)


def test_as_many_as_are_taken_are_taken_and_without_a_bound_all_are() -> None:
    assert len(tell_judgments(HEAD + MOST * "1,2,1\n", most=MOST)) == MOST
    assert len(tell_judgments(MOST * RECORD, most=MOST)) == MOST
    assert len(tell_judgments(HEAD + 2 * MOST * "1,2,1\n")) == 2 * MOST


def test_what_is_broken_is_told_so_and_not_that_it_is_too_much() -> None:
    with pytest.raises(NotJudgmentsError, match="This is not JSON from line 2"):
        tell_judgments("{\n" + '"a" 1,\n' * (MOST + 1) + "}\n", most=MOST)


def test_so_few_labels_are_compared_of_however_many_judgments_and_more_of_fewer() -> None:
    for n_labels, n_tables in ((20, 10**9), (101, 20_000), (300, 2500)):
        check_labels(n_labels, n_tables)
        with pytest.raises(NotJudgmentsError, match="Check the column"):
            check_labels(n_labels + 100, n_tables)


def test_an_item_makes_a_table_and_so_does_each_two_who_judged_it() -> None:
    assert n_tables_of(["a", "b", "a", "a", "c", "c"]) == (1 + 3) + 1 + (1 + 1)


def test_one_item_that_thousands_judged_is_refused_before_every_two_of_them_are_compared() -> None:
    """6,000 took five gigabytes and 80 seconds, 12,000 ended in a MemoryError."""
    rows = read_judgments(HEAD + "".join(f"t,w{n},{n % 2}\n" for n in range(8000)))
    tracemalloc.start()
    with pytest.raises(
        NotJudgmentsError, match=r"31,996,000 comparisons of 8,000 people.* Check the column of the tasks"
    ):
        report_rows(rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 2**20


@pytest.mark.parametrize(
    ("n_items", "n_each", "n_people", "n_labels", "is_refused"),
    [
        (1, 3300, 3300, 3, False), (1, 3600, 3600, 3, True),
        (20, 1000, 1000, 3, False), (60, 1000, 1000, 3, True),
        (60_000, 10, 40, 20, False), (60_000, 10, 4000, 20, True),
    ],
)  # fmt: skip
def test_as_many_twos_are_compared_as_can_be_held(
    n_items: int, n_each: int, n_people: int, n_labels: int, is_refused: bool
) -> None:
    refused = pytest.raises(NotJudgmentsError, match="which is too many") if is_refused else nullcontext()
    with refused:
        check_twos((n // n_each for n in range(n_items * n_each)), n_people=n_people, n_labels=n_labels)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["mturk", "human_scores"])
def test_votes_of_items_over_labels_of_their_own_are_bounded_too(name: str) -> None:
    own = {"mturk": lambda n: {f"{n}": 1}, "human_scores": lambda n: [n / 7]}[name]
    items = {f"i{n}": {name: own(n)} for n in range(2000)}
    with pytest.raises(NotJudgmentsError, match="2,000 different labels"):
        read_judgments(json.dumps(items))


@pytest.mark.parametrize(("name", "said"), [("mturk", {"caption": 2}), ("human_scores", [3, 4])])
@pytest.mark.parametrize("other", [None, 5, "x"])
def test_an_item_without_votes_among_others_is_named_and_not_taken_for_a_worker(
    name: str, said: object, other: object
) -> None:
    items = {"a": {name: said}, "c": {name: other}, "d": {}}
    with pytest.raises(NotJudgmentsError, match=f"are in `{name}`, but c has none"):
        read_judgments(json.dumps(items))


def test_items_that_all_have_scores_are_read_by_these_though_one_has_no_votes() -> None:
    items = {"a": {"mturk": {"caption": 2}, "human_scores": [1, 2]}, "b": {"mturk": None, "human_scores": [2, 2]}}
    assert read_judgments(json.dumps(items)).item == ("a", "b")
