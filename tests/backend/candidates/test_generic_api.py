"""What the API says of a generic score: beside its caption, only while the text is the one that was scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from backend.candidates.generic import Scored, keep_scores
from backend.candidates.models import Candidate, text_digest
from backend.catalogue.models import Image
from backend.methods.generic import Generic
from backend.people.models import User
from backend.runs.ledger import Ledger
from backend.runs.services import finish_run

Clients = Callable[..., Any]
SCORES = {
    "Something is here": Generic(0.5, 2, 4, 0, 3, "fits_many"),
    "Two bears on a dry plain": Generic(0.0, 0, 4, 1, 0, None),
    "A lamp shines on a bed": Generic(None, 0, 0, 5, 1, None),
    "A view of something": Generic(0.01, 1, 100, 0, 0, "among_the_highest"),
}


@pytest.fixture
def scored(
    make_images: Callable[..., list[Image]], add_caption: Callable[..., Candidate], hold_run: Callable[..., Ledger]
) -> list[Candidate]:
    """Four kept captions with their scores, and one that came later."""
    [image] = make_images("p0")
    rows = [add_caption(image, text, text=text, status="kept") for text in (*SCORES, "A later one")]
    keep(hold_run("generic"), rows)
    return rows


def keep(ledger: Ledger, rows: list[Candidate]) -> None:
    scored = [Scored(row.pk, text_digest(row.text), SCORES[row.text]) for row in rows if row.text in SCORES]
    with ledger.step() as step:
        keep_scores(step=step, run=ledger.run, scored=scored)
    finish_run(run=ledger.run)


def address_of(rows: list[Candidate], more: str = "") -> str:
    return f"/api/v1/projects/skies/images/{rows[0].image_id}/candidates{more}"


def test_every_caption_says_how_many_other_images_it_fits(
    client_of: Clients, alice: User, scored: list[Candidate]
) -> None:
    found = [row["generic"] for row in client_of(alice).get(address_of(scored)).json()["results"]]
    assert found[0] == {
        "score": 0.5, "n_matched": 2, "n_judged": 4, "n_undecided": 0, "hubness": 3, "reason_code": "fits_many",
    }  # fmt: skip
    assert [one and (one["score"], one["reason_code"]) for one in found[1:]] == [
        (0.0, None), (None, None), (0.01, "among_the_highest"), None,
    ]  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize(
    "change", [{"text": "Something was here"}, {"text": "", "status": "dropped", "drop_rule": "by_hand"}]
)
def test_a_score_of_another_text_is_not_shown_and_comes_back_with_its_text(
    client_of: Clients, alice: User, scored: list[Candidate], change: dict[str, str]
) -> None:
    client = client_of(alice)
    Candidate.objects.filter(pk=scored[0].pk).update(**change)
    rows = client.get(address_of(scored)).json()["results"]
    assert rows[0]["generic"] is None and rows[1]["generic"] is not None
    flagged = client.get(address_of(scored, "?generic=flagged")).json()["results"]
    assert [row["text"] for row in flagged] == ["A view of something"]
    assert client.get(address_of(scored, "/summary")).json()["n_generic"] == 1
    by_score = client.get(address_of(scored, "?sort=generic")).json()["results"]
    assert [row["text"] for row in by_score[:2]] == ["A view of something", "Two bears on a dry plain"]
    Candidate.objects.filter(pk=scored[0].pk).update(text=scored[0].text, status="kept", drop_rule="")
    assert client.get(address_of(scored)).json()["results"][0]["generic"]["reason_code"] == "fits_many"


def test_the_flagged_ones_are_found_counted_and_sorted(
    client_of: Clients, alice: User, scored: list[Candidate]
) -> None:
    client = client_of(alice)
    flagged = client.get(address_of(scored, "?generic=flagged&sort=generic")).json()["results"]
    assert [row["text"] for row in flagged] == ["Something is here", "A view of something"]
    assert client.get(address_of(scored, "/summary")).json()["n_generic"] == 2
    page = client.get(address_of(scored, "?sort=generic&limit=3")).json()
    rest = client.get(page["next"]).json()["results"]
    shares = [row["generic"] and row["generic"]["score"] for row in (*page["results"], *rest)]
    assert shares == [0.5, 0.01, 0.0, None, None]
    assert client.get(address_of(scored, "?generic=all")).status_code == 400


def test_a_later_run_writes_over_the_scores(
    client_of: Clients, alice: User, scored: list[Candidate], hold_run: Callable[..., Ledger]
) -> None:
    keep(hold_run("generic"), scored)
    rows = client_of(alice).get(address_of(scored)).json()["results"]
    assert [row["generic"] is not None for row in rows] == [True] * 4 + [False]


def test_annotators_do_not_see_scores(client_of: Clients, bob: User, scored: list[Candidate]) -> None:
    assert client_of(bob).get(address_of(scored)).status_code == 403
