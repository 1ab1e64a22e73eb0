"""Agreement over HTTP: live figures with intervals, n and prevalence, for reviewers and nobody else."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.annotation.models import Judgment
from backend.candidates.models import Candidate
from backend.methods.agreement import (
    PairTable,
    agreement_of,
    co_ratings,
    groups_of,
    mean_kappa_of_table,
    pair_figures,
)
from backend.methods.consensus import LABELS
from backend.methods.judgments import code_judgments
from backend.people.models import User
from backend.projects.models import Project
from backend.review import agreement, annotators, drawing, folding, pair_draws
from backend.review.models import AgreementState, AgreementTable
from backend.review.upkeep import keep_up
from world import World

pytestmark = pytest.mark.both_engines

Clients = Callable[..., APIClient]
AGREEMENT = "/api/v1/projects/skies/agreement"
ANNOTATORS = "/api/v1/projects/skies/agreement/annotators"


def mixed(image: int, caption: int, person: int) -> str:
    """They agree on two captions in three."""
    labels = ("good", "bad", "unsure")
    return labels[(image + caption) % 3] if (image * 6 + caption) % 3 else labels[(image + person) % 3]


@pytest.fixture
def judged(project: Project, make_judged: Callable[..., Project]) -> Project:
    return make_judged(project, images=6, captions=6, opinion=mixed)


def test_every_measure_comes_under_every_reading_with_interval_n_and_prevalence(
    client_of: Clients, dora: User, judged: Project
) -> None:
    answer = client_of(dora).get(AGREEMENT).json()
    assert (answer["scope"], answer["n_waiting"]) == ("overall", 0)
    [whole] = answer["slices"]
    assert (whole["n_judgments"], whole["n_pairs"], whole["draws"]["n_judgments"]) == (72, 36, 72)
    said = {(figure["measure"], figure["reading"]): figure for figure in whole["figures"]}
    assert set(said) == {
        ("cohen", "value"), ("cohen", "missing"), ("cohen_linear", "middle"), ("cohen_quadratic", "middle"),
        ("fleiss", "value"), ("fleiss", "missing"), ("fleiss", "middle"),
        ("alpha_nominal", "value"), ("alpha_nominal", "missing"), ("alpha_ordinal", "middle"),
    }  # fmt: skip
    for (measure, reading), figure in said.items():
        if figure["value"] is None:
            assert (measure, figure["reason"] != "") == ("fleiss", True), (measure, reading)
        else:
            assert figure["interval"]["low"] <= figure["value"] <= figure["interval"]["high"]
            assert figure["interval"]["n_groups"] == 6
            assert sum(figure["prevalence"].values()) == pytest.approx(1)


def test_new_judgments_are_counted_by_the_next_look(client_of: Clients, dora: User, judged: Project) -> None:
    before = client_of(dora).get(AGREEMENT).json()
    mine = Judgment.objects.filter(annotator=dora).earliest("pk")
    mine.is_dirty = True
    mine.save(update_fields=["is_dirty"])
    World(judged).change_mind(mine, "bad" if mine.label == "good" else "good")
    after = client_of(dora).get(AGREEMENT).json()
    assert after["as_of"] > before["as_of"]
    assert after["slices"][0]["figures"] != before["slices"][0]["figures"]
    client = client_of(dora)
    client.get(AGREEMENT)
    client.get(AGREEMENT)


def test_what_is_more_than_one_look_folds_is_told(
    client_of: Clients, dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "FOLDED_AT_ONCE", 30)
    monkeypatch.setattr(agreement, "FOLDING_SECONDS", 0)
    answer = client_of(dora).get(AGREEMENT).json()
    assert 0 < answer["n_waiting"] < 72
    assert answer["slices"][0]["n_judgments"] + answer["n_waiting"] == 72


def test_readers_of_a_large_project_leave_folding_to_the_chore_that_keeps_up_and_are_told_what_waits(
    client_of: Clients, dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "FOLDED_BY_READERS", 50)
    before = client_of(dora).get(AGREEMENT).json()
    Judgment.objects.filter(pk__in=Judgment.objects.order_by("pk").values("pk")[:3]).update(is_dirty=True)
    waiting = client_of(dora).get(AGREEMENT).json()
    assert (waiting["n_waiting"], waiting["as_of"]) == (3, before["as_of"])
    keep_up()
    assert client_of(dora).get(AGREEMENT).json()["n_waiting"] == 0


def test_where_the_chore_does_not_keep_up_readers_fold(
    client_of: Clients, dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "FOLDED_BY_READERS", 50)
    client_of(dora).get(AGREEMENT)
    Judgment.objects.filter(pk__in=Judgment.objects.order_by("pk").values("pk")[:3]).update(is_dirty=True)
    AgreementState.objects.update(folded_at=timezone.now() - 2 * agreement.KEEPS_UP)
    assert client_of(dora).get(AGREEMENT).json()["n_waiting"] == 0


def test_slices_come_by_source_week_and_kind_of_edit(client_of: Clients, dora: User, judged: Project) -> None:
    Candidate.objects.filter(pk__in=judged.candidates.order_by("pk").values("pk")[:9]).update(source="web")
    Judgment.objects.filter(pk__in=Judgment.objects.order_by("pk").values("pk")[:8]).update(edits=[{"kind": "color"}])
    said = {
        scope: client_of(dora).get(AGREEMENT, {"scope": scope}).json()["slices"] for scope in ("source", "week", "edit")
    }
    assert [(one["value"], one["n_pairs"]) for one in said["source"]] == [("human", 27), ("web", 9)]
    assert [one["n_pairs"] for one in said["week"]] == [36]
    [colour] = said["edit"]
    figures = {one["measure"]: one for one in colour["figures"]}
    assert (colour["value"], set(figures)) == ("color", {"cohen", "fleiss", "alpha_nominal"})
    assert figures["cohen"]["prevalence"] == pytest.approx({"no": 64 / 72, "yes": 8 / 72})
    assert figures["cohen"]["n_items"] == 36


def test_the_figures_are_those_of_the_judgments_themselves(client_of: Clients, dora: User, judged: Project) -> None:
    """Also where an image holds pairs that one person judged, and one image nothing else: all images are drawn."""
    first = judged.images.order_by("pk")[0]
    Judgment.objects.filter(annotator=dora, candidate__in=first.candidates.all()).delete()
    Judgment.objects.filter(annotator=dora, candidate__in=judged.candidates.order_by("-pk")[:2]).delete()
    rows = Judgment.objects.values_list("candidate__key", "annotator__username", "label")
    coded = code_judgments(rows, labels=("good", "bad", "unsure"))
    images = {pair.key: int(pair.image.digest[:16], 16) for pair in judged.candidates.select_related("image")}
    clusters = groups_of(np.array([images[key] for key in coded.items], dtype=np.uint64))
    wanted = {(one.measure, one.reading): one for one in agreement_of(coded.judgments, clusters=clusters)}
    [whole] = client_of(dora).get(AGREEMENT).json()["slices"]
    assert (whole["n_pairs"], wanted["cohen", "value"].n_items) == (36, 28)
    for figure in whole["figures"]:
        one = wanted[figure["measure"], figure["reading"]]
        assert figure["value"] == (None if one.value is None else pytest.approx(one.value))
        assert (figure["n_items"], figure["n_judgments"]) == (one.n_items, one.n_judgments)
        if one.interval:
            assert figure["interval"]["low"] == pytest.approx(one.interval.low)
            assert figure["interval"]["high"] == pytest.approx(one.interval.high)


def test_every_two_annotators_have_their_kappa_and_each_their_mean(
    client_of: Clients, dora: User, bob: User, judged: Project
) -> None:
    answer = client_of(dora).get(ANNOTATORS).json()
    [pair] = answer["pairs"]
    assert ({pair["first"], pair["second"]}, pair["n_items"]) == ({bob.pk, dora.pk}, 36)
    assert pair["interval"]["low"] <= pair["value"] <= pair["interval"]["high"]
    assert {one["username"]: (one["mean"], one["n_others"], one["n_items"]) for one in answer["annotators"]} == {
        "bob": (pytest.approx(pair["value"]), 1, 36), "dora": (pytest.approx(pair["value"]), 1, 36),
    }  # fmt: skip
    of_readings = [
        client_of(dora).get(ANNOTATORS, {"reading": reading}).json()["pairs"][0]["value"]
        for reading in ("value", "missing", "middle_linear", "middle_quadratic")
    ]
    assert of_readings[0] != of_readings[1]


def test_the_mean_of_who_is_compared_with_one_alone_is_that_pairs_kappa(
    client_of: Clients, dora: User, charlie: User, bob: User, project: Project, make_judged: Callable[..., Project]
) -> None:
    """Charlie judged one pair: there is no mean, it says why, and for the others charlie is nobody to compare with."""
    make_judged(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    kept = Judgment.objects.filter(annotator=charlie).earliest("pk")
    Judgment.objects.filter(annotator=charlie).exclude(pk=kept.pk).delete()
    answer = client_of(dora).get(ANNOTATORS).json()
    pair = next(pair for pair in answer["pairs"] if pair["value"] is not None)
    means = {one["username"]: one for one in answer["annotators"]}
    assert means["bob"]["interval"] == means["dora"]["interval"] == pair["interval"]
    assert {name: (one["n_others"], one["n_items"]) for name, one in means.items()} == {
        "bob": (1, 37), "dora": (1, 37), "charlie": (0, 2),
    }  # fmt: skip
    none = means["charlie"]
    assert (none["mean"], none["reason_code"], none["interval"]) == (None, "no_two", None)
    assert sum(none["prevalence"].values()) == pytest.approx(1)


def test_everybodys_mean_has_an_interval_over_the_images_they_judged(
    client_of: Clients, dora: User, charlie: User, bob: User, project: Project, make_judged: Callable[..., Project]
) -> None:
    make_judged(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    [whole] = client_of(dora).get(AGREEMENT).json()["slices"]
    for reading in annotators.READS:
        for one in client_of(dora).get(ANNOTATORS, {"reading": reading}).json()["annotators"]:
            interval = one["interval"]
            assert (one["n_others"], one["reason_code"]) == (2, None)
            assert interval["low"] <= one["mean"] <= interval["high"]
            assert (interval["how"], interval["n_groups"], interval["n_replicates"]) == ("left_out", 6, 6)
    assert {one["interval"]["how"] for one in whole["figures"] if one["measure"] == "cohen"} == {"left_out"}
    everybody, of_bob = (client_of(dora).get(ANNOTATORS, asked).json() for asked in ({}, {"annotator": bob.pk}))
    assert of_bob["annotators"] == everybody["annotators"], "the means are over all whichever pairs are asked for"
    assert (len(everybody["pairs"]), len(of_bob["pairs"])) == (3, 2)


def test_an_interval_that_was_kept_before_it_said_how_it_was_drawn_is_shown_until_it_is_drawn_anew(
    client_of: Clients, dora: User, judged: Project
) -> None:
    client_of(dora).get(AGREEMENT)
    overall = AgreementTable.objects.get(project=judged, scope="overall")
    for drawn in overall.draws:
        del drawn["interval"]["method"]
    AgreementTable.objects.filter(pk=overall.pk).update(draws=overall.draws)
    [whole] = client_of(dora).get(AGREEMENT).json()["slices"]
    assert {one["interval"]["how"] for one in whole["figures"] if one["interval"]} == {"bootstrap"}
    AgreementTable.objects.filter(pk=overall.pk).update(
        draws_version=overall.version, drawn_at=timezone.now() - drawing.AGAIN_AFTER
    )
    drawing.draw_stale(project=judged)
    overall.refresh_from_db()
    assert {drawn["interval"]["method"] for drawn in overall.draws} == {"bootstrap"}  # of two people: one pair's
    assert overall.draws_version == drawing.token_of(overall, overall)


def test_the_interval_of_two_annotators_draws_images(client_of: Clients, dora: User, judged: Project) -> None:
    answer = client_of(dora).get(ANNOTATORS).json()
    rows = Judgment.objects.values_list("candidate__key", "annotator_id", "label")
    coded = code_judgments([(key, str(person), label) for key, person, label in rows], labels=LABELS)
    images = {pair.key: int(pair.image.digest[:16], 16) for pair in judged.candidates.select_related("image")}
    clusters = np.array([images[key] for key in coded.items], dtype=np.uint64).view(np.int64)
    [wanted] = pair_figures(
        co_ratings(coded.judgments), annotators.VALUE, "nominal", clusters=clusters, bootstrap=pair_draws.BOOTSTRAP
    )
    [pair] = answer["pairs"]
    assert wanted.figure.interval is not None
    assert (pair["interval"]["low"], pair["interval"]["high"]) == pytest.approx(
        (wanted.figure.interval.low, wanted.figure.interval.high)
    )
    assert (pair["interval"]["n_groups"], pair["interval"]["n_replicates"]) == (6, 2000)
    assert pair["prevalence"] == pytest.approx(wanted.figure.prevalence)
    assert answer["draws"]["n_judgments"] == 72


def test_images_that_lie_in_one_bucket_are_drawn_one_by_one_between_annotators(
    client_of: Clients, dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people who judged two images of one bucket were told that all of it was of one image."""
    monkeypatch.setattr(folding, "groups_of", np.zeros_like)
    [pair] = client_of(dora).get(ANNOTATORS).json()["pairs"]
    assert pair["interval"]["n_groups"] == 6
    assert pair["interval"]["low"] <= pair["value"] <= pair["interval"]["high"]


def test_many_annotators_wait_for_the_drawing_of_the_chore(
    client_of: Clients, dora: User, bob: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "FEW_ANNOTATORS", 1)
    before = client_of(dora).get(ANNOTATORS).json()
    assert (before["pairs"][0]["interval"], before["draws"]) == (None, None)
    keep_up()
    for asked in ({}, {"annotator": bob.pk}, {"reading": "missing"}, {"reading": "middle_quadratic"}):
        [pair] = client_of(dora).get(ANNOTATORS, asked).json()["pairs"]
        assert pair["interval"]["low"] <= pair["value"] <= pair["interval"]["high"], asked
    assert client_of(dora).get(ANNOTATORS, {"annotator": 10**9}).status_code == 404


def test_two_annotators_who_only_ever_said_one_thing_have_no_kappa_no_interval_and_the_reason(
    client_of: Clients, dora: User, project: Project, make_judged: Callable[..., Project]
) -> None:
    make_judged(project, images=3, captions=2, opinion=lambda *_: "good")
    [pair] = client_of(dora).get(ANNOTATORS).json()["pairs"]
    assert (pair["value"], pair["interval"], pair["reason_code"], pair["n_items"]) == (None, None, "one_label", 6)
    assert pair["prevalence"] == {"good": 1, "bad": 0, "unsure": 0}


def test_what_two_annotators_said_of_one_image_has_a_kappa_and_an_interval_that_says_why_it_is_none(
    client_of: Clients, dora: User, project: Project, make_judged: Callable[..., Project]
) -> None:
    make_judged(project, images=1, captions=6, opinion=mixed)
    [pair] = client_of(dora).get(ANNOTATORS).json()["pairs"]
    assert pair["value"] is not None
    assert (pair["interval"]["low"], pair["interval"]["reason_code"]) == (None, "one_cluster")


def test_means_are_over_all_pairs_of_which_those_among_the_busiest_are_listed(make_user: Callable[..., User]) -> None:
    people = [make_user(f"person-{n}").pk for n in range(6)]
    pairs = np.array([(one, other) for at, one in enumerate(people) for other in people[at + 1 :]])
    confusions = np.random.default_rng(5).integers(0, 9, (len(pairs), 3, 3))
    confusions[0] = np.diag([4, 0, 0])  # no kappa: all the same
    table, (reading, weights) = PairTable(pairs, confusions), annotators.READ_AS["value"]
    in_common = {}
    for mean in annotators._means(table, reading, weights, pair_draws.intervals_of(b"", reading, weights)):
        mine = (pairs == mean.id).any(axis=1)
        wanted = mean_kappa_of_table(PairTable(pairs[mine], confusions[mine]), reading, weights, n_items=0)
        assert (mean.mean, mean.n_others) == (pytest.approx(wanted.value), 4 if mean.id in people[:2] else 5)
        assert (mean.reason, mean.interval, mean.prevalence) == (None, None, pytest.approx(wanted.prevalence))
        assert mean.n_items == wanted.n_judgments / 2 == confusions[mine].sum()
        in_common[mean.id] = mean.n_items
    busiest = sorted(in_common, key=lambda person: -in_common[person])[:4]
    listed = table.of_busiest(4)
    assert {tuple(pair) for pair in listed.pairs.tolist()} == set(itertools.combinations(sorted(busiest), 2))
    assert table.of_busiest(99).pairs.tolist() == pairs.tolist()


def test_before_anything_is_judged_there_is_no_value_and_the_reason_is_said(
    client_of: Clients, dora: User, project: Project
) -> None:
    answer = client_of(dora).get(AGREEMENT).json()
    assert {(one["value"], one["reason_code"]) for one in answer["slices"][0]["figures"]} <= {
        (None, "no_overlap"), (None, "nominal_only"),
    }  # fmt: skip
    assert client_of(dora).get(ANNOTATORS).json()["pairs"] == []


@pytest.mark.parametrize("asked", [{"scope": "moon"}, {"reading": "tea leaves"}, {"annotator": "x"}])
def test_what_there_is_not_is_refused_in_words(
    client_of: Clients, dora: User, project: Project, asked: dict[str, str]
) -> None:
    answer = client_of(dora).get(AGREEMENT if "scope" in asked else ANNOTATORS, asked)
    assert (answer.status_code, bool(answer.json()["message"])) == (400, True)


@pytest.mark.parametrize("address", [AGREEMENT, ANNOTATORS])
def test_only_reviewers_of_the_project_get_in(
    client_of: Clients, project: Project, alice: User, dora: User, bob: User, charlie: User, address: str
) -> None:
    statuses = [client_of(user).get(address).status_code for user in (alice, dora, bob, charlie, None)]
    assert statuses == [200, 200, 403, 404, 401]
