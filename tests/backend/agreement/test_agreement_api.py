"""Agreement over HTTP: figures of one snapshot with intervals, n and prevalence, for reviewers and nobody else."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from backend.agreement import matrix, selectors, services
from backend.agreement.models import Part, Snapshot, SnapshotPart
from backend.agreement.rows import cluster_of
from backend.annotation.leases import skip_assignment
from backend.annotation.models import AnnotatorState, AnnotatorStatus, Judgment, SkipReason
from backend.candidates.models import Candidate
from backend.common.labels import Label
from backend.methods.agreement import UNSURE_READINGS, agreement_of, co_ratings, pair_figures
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments, code_judgments
from backend.methods.quality import plurality, wilson
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.models import QualityPolicy
from backend.quality.replay import evaluate
from backend.review.services import record_verdict
from pages_in_hand import submit, take
from world import World

pytestmark = pytest.mark.both_engines

Clients = Callable[..., APIClient]
AGREEMENT = "/api/v1/projects/skies/agreement"
HEADLINE, ANNOTATORS, CONFUSIONS = (f"{AGREEMENT}/{name}" for name in ("headline", "annotators", "confusions"))


def mixed(image: int, caption: int, person: int) -> str:
    """They agree on two captions in three."""
    labels = ("good", "bad", "unsure")
    return labels[(image + caption) % 3] if (image * 6 + caption) % 3 else labels[(image + person) % 3]


@pytest.fixture
def make_known(make_judged: Callable[..., Project]) -> Callable[..., Project]:
    """`make_judged`, and the state of everybody who judged says so."""

    def make(project: Project, **given: object) -> Project:
        made = make_judged(project, **given)
        for user in set(Judgment.objects.values_list("annotator", flat=True)):
            n = Judgment.objects.filter(annotator=user).count()
            AnnotatorState.objects.update_or_create(project=made, user_id=user, defaults={"n_judgments": n})
        return made

    return make


@pytest.fixture
def judged(project: Project, make_known: Callable[..., Project]) -> Project:
    return make_known(project, images=6, captions=6, opinion=mixed)


def rows_of_csv(answer: object) -> list[dict[str, str]]:
    text = answer.getvalue().decode()  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(text)))


def coded_of(project: Project) -> tuple[Judgments, list[int], np.ndarray]:
    """All judgments by (pair, user id, label), the ids that annotators stand for, and each pair's image."""
    rows = Judgment.objects.filter(superseded_by=None).values_list("candidate__key", "annotator_id", "label")
    coded = code_judgments([(key, f"{person:09}", label) for key, person, label in rows], labels=LABELS)
    images = {pair.key: pair.image.digest for pair in project.candidates.select_related("image")}
    clusters = np.array([cluster_of(images[key], None) for key in coded.items])
    return coded.judgments, [int(name) for name in coded.annotators], clusters


@pytest.mark.nightly
def test_every_measure_comes_under_every_reading_with_interval_n_and_prevalence(
    client_of: Clients, dora: User, judged: Project
) -> None:
    answer = client_of(dora).get(AGREEMENT).json()
    assert (answer["scope"], answer["is_stale"]) == ("overall", False)
    [whole] = answer["slices"]
    assert (whole["n_judgments"], whole["n_pairs"]) == (72, 36)
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
            assert sum(figure["prevalence"].values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.nightly
def test_a_figure_is_the_same_in_the_answer_in_the_snapshot_and_by_the_methods(
    client_of: Clients, dora: User, bob: User, charlie: User, project: Project, make_known: Callable[..., Project]
) -> None:
    """The headline, one cell of the matrix and one share, all three ways; also where one person judged a pair alone."""
    judged = make_known(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    Judgment.objects.filter(annotator__in=(dora, charlie), candidate__in=judged.candidates.order_by("-pk")[:2]).delete()
    client = client_of(dora)
    headline, cells = client.get(HEADLINE).json(), client.get(ANNOTATORS).json()["pairs"]
    figures = client.get(f"{ANNOTATORS}/{bob.pk}").json()
    parts = {(part.part, part.value): part.figures for part in SnapshotPart.objects.filter(snapshot__project=judged)}
    judgments, people, clusters = coded_of(judged)

    methods = {(one.measure, one.reading): one for one in agreement_of(judgments, clusters=clusters)}
    alpha = methods["alpha_nominal", "value"]
    kept = next(one for one in parts[Part.OVERALL, ""]["figures"] if one["measure"] == "alpha_nominal")
    assert alpha.interval is not None
    for value in (headline["value"], kept["value"]):
        assert value == pytest.approx(alpha.value, rel=1e-5)
    assert (headline["low"], headline["high"]) == pytest.approx((alpha.interval.low, alpha.interval.high), rel=1e-5)
    assert (headline["n_items"], headline["n_judgments"]) == (alpha.n_items, alpha.n_judgments)

    wanted = pair_figures(co_ratings(judgments), UNSURE_READINGS[0], "nominal", clusters=clusters)
    by_pair = {(people[one.first], people[one.second]): one.figure for one in wanted}
    kept_kappas = dict(zip(zip(parts[Part.TABLES, ""]["first"], parts[Part.TABLES, ""]["second"], strict=True),
                           parts[Part.KAPPAS, "value"], strict=True))  # fmt: skip
    assert len(cells) == len(by_pair) == 3
    for cell in cells:
        figure = by_pair[cell["first"], cell["second"]]
        assert figure.interval is not None
        assert cell["value"] == pytest.approx(figure.value, rel=1e-5)
        assert kept_kappas[cell["first"], cell["second"]][0] == cell["value"]
        bounds = (cell["interval"]["low"], cell["interval"]["high"])
        assert bounds == pytest.approx((figure.interval.low, figure.interval.high), rel=1e-5)

    mine = judgments.annotators == people.index(bob.pk)
    others = (judgments.counts()[judgments.items] - np.eye(3, dtype=int)[judgments.labels])[mine]
    consensus, own = plurality(others), judgments.labels[mine]
    k, n = int((consensus == own)[consensus >= 0].sum()), int((consensus >= 0).sum())
    assert figures["with_consensus"] == parts[Part.ANNOTATOR, str(bob.pk)]["with_consensus"]
    assert (figures["with_consensus"]["k"], figures["with_consensus"]["n"]) == (k, n)
    assert (figures["with_consensus"]["low"], figures["with_consensus"]["high"]) == pytest.approx(
        wilson(k, n), rel=1e-5
    )
    table = np.zeros((3, 3), dtype=int)
    np.add.at(table, (consensus[consensus >= 0], own[consensus >= 0]), 1)
    assert figures["confusion"] == table.tolist()


@pytest.mark.nightly
def test_new_judgments_are_counted_by_the_next_look(client_of: Clients, dora: User, judged: Project) -> None:
    before = client_of(dora).get(AGREEMENT).json()
    assert client_of(dora).get(AGREEMENT).json()["as_of"] == before["as_of"]
    mine = Judgment.objects.filter(annotator=dora).earliest("pk")
    World(judged).change_mind(mine, "bad" if mine.label == "good" else "good")
    after = client_of(dora).get(AGREEMENT).json()
    assert after["as_of"] > before["as_of"]
    assert after["slices"][0]["figures"] != before["slices"][0]["figures"]


@pytest.mark.nightly
def test_judgments_of_excluded_people_leave_the_figures_and_come_back(
    client_of: Clients, dora: User, bob: User, judged: Project
) -> None:
    before = client_of(dora).get(AGREEMENT).json()["slices"]
    mine = AnnotatorState.objects.filter(project=judged, user=bob)
    mine.update(state=AnnotatorStatus.EXCLUDED)
    [whole] = client_of(dora).get(AGREEMENT).json()["slices"]
    assert (whole["n_judgments"], client_of(dora).get(ANNOTATORS).json()["pairs"]) == (36, [])
    theirs = client_of(dora).get(f"{ANNOTATORS}/{bob.pk}").json()
    assert (theirs["n_judgments"], theirs["n_counted"], theirs["with_consensus"]["n"]) == (36, 0, 36)
    mine.update(state=AnnotatorStatus.ACTIVE)
    assert client_of(dora).get(AGREEMENT).json()["slices"] == before


def test_readers_of_many_judgments_are_told_that_the_snapshot_is_stale_until_the_chore_made_another(
    client_of: Clients, dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "FEW", 50)
    first = client_of(dora).get(AGREEMENT).json()
    assert (first["as_of"], first["is_stale"], first["slices"]) == (None, True, [])
    assert client_of(dora).get(HEADLINE).json()["value"] is None
    assert services.keep_up() == 1
    before = client_of(dora).get(AGREEMENT).json()
    World(judged).change_mind(Judgment.objects.filter(annotator=dora).earliest("pk"), "unsure")
    stale = client_of(dora).get(AGREEMENT).json()
    assert stale == before | {"is_stale": True}
    Snapshot.objects.update(seconds=60)
    assert services.keep_up() == 0, "a large project is given a rest"
    Snapshot.objects.update(as_of=timezone.now() - timedelta(seconds=60 * services.REST))
    assert (services.keep_up(), services.keep_up()) == (1, 0)
    after = client_of(dora).get(AGREEMENT).json()
    assert not after["is_stale"]
    assert after["slices"] != before["slices"]


@pytest.mark.nightly
def test_one_process_works_at_a_time_and_a_claim_of_a_killed_one_runs_out(
    client_of: Clients, dora: User, judged: Project
) -> None:
    client_of(dora).get(AGREEMENT)
    World(judged).change_mind(Judgment.objects.filter(annotator=dora).earliest("pk"), "unsure")
    Snapshot.objects.update(claimed_at=timezone.now())
    assert client_of(dora).get(AGREEMENT).json()["is_stale"]
    assert not services.renew(project=judged)
    Snapshot.objects.update(claimed_at=timezone.now() - 2 * services.CLAIM)
    assert not client_of(dora).get(AGREEMENT).json()["is_stale"]


@pytest.mark.nightly
def test_a_reader_waits_for_the_process_that_makes_the_first_snapshot(
    client_of: Clients, dora: User, judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    Snapshot.objects.create(project=judged, claimed_at=timezone.now())

    def let_the_other_process_finish(seconds: float) -> None:
        Snapshot.objects.update(claimed_at=None)
        services.renew(project=judged)

    monkeypatch.setattr("time.sleep", let_the_other_process_finish)
    told = client_of(dora).get(f"/api/v1/projects/{judged.slug}/agreement/headline").json()
    assert told["as_of"] is not None and not told["is_stale"]


def test_a_process_that_fails_or_is_overtaken_changes_no_snapshot(
    judged: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.renew(project=judged)
    before = list(SnapshotPart.objects.values_list("pk", flat=True))

    def fail(rows: object) -> None:
        raise MemoryError

    def be_overtaken(rows: object) -> list[object]:
        Snapshot.objects.update(claimed_at=timezone.now() + timedelta(seconds=1))
        return []

    monkeypatch.setattr(services, "tell_all", fail)
    with pytest.raises(MemoryError):
        services.renew(project=judged)
    assert Snapshot.objects.get().claimed_at is None
    monkeypatch.setattr(services, "tell_all", be_overtaken)
    assert not services.renew(project=judged)
    assert list(SnapshotPart.objects.values_list("pk", flat=True)) == before


def test_slices_come_by_source_day_and_kind_of_edit(client_of: Clients, dora: User, judged: Project) -> None:
    Candidate.objects.filter(pk__in=judged.candidates.order_by("pk").values("pk")[:9]).update(source="web")
    Judgment.objects.filter(pk__in=Judgment.objects.order_by("pk").values("pk")[:8]).update(edits=[{"kind": "color"}])
    early = judged.candidates.order_by("pk").values("pk")[:12]
    Judgment.objects.filter(candidate__in=early).update(created_at=timezone.now() - timedelta(days=3))
    get = client_of(dora).get
    said = {scope: get(AGREEMENT, {"scope": scope}).json()["slices"] for scope in ("source", "day", "edit")}
    assert [(one["value"], one["n_pairs"]) for one in said["source"]] == [("human", 27), ("web", 9)]
    assert [one["n_pairs"] for one in said["day"]] == [24, 12], "newest first"
    [today, earlier] = [one["value"] for one in said["day"]]
    assert [one["value"] for one in get(AGREEMENT, {"scope": "day", "before": today}).json()["slices"]] == [earlier]
    [colour] = said["edit"]
    figures = {one["measure"]: one for one in colour["figures"]}
    assert (colour["value"], set(figures)) == ("color", {"cohen", "fleiss", "alpha_nominal"})
    assert figures["cohen"]["prevalence"] == pytest.approx({"no": 64 / 72, "yes": 8 / 72}, rel=1e-5)
    assert figures["cohen"]["n_items"] == 36
    trend = get(HEADLINE, {"reading": "middle"}).json()["trend"]
    assert [(point["day"], point["n_items"]) for point in trend] == [(earlier, 12), (today, 24)]
    for point, slice_of_day in zip(trend, reversed(said["day"]), strict=True):
        of_day = next(one for one in slice_of_day["figures"] if one["measure"] == "alpha_ordinal")
        assert (point["value"], point["low"]) == (of_day["value"], of_day["interval"]["low"])


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_the_mean_of_who_is_compared_with_one_alone_is_that_pairs_kappa(
    client_of: Clients, dora: User, charlie: User, bob: User, project: Project, make_known: Callable[..., Project]
) -> None:
    """Charlie judged one pair: there is no mean, it says why, and for the others charlie is nobody to compare with."""
    make_known(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    kept = Judgment.objects.filter(annotator=charlie).earliest("pk")
    Judgment.objects.filter(annotator=charlie).exclude(pk=kept.pk).delete()
    answer = client_of(dora).get(ANNOTATORS).json()
    pair = next(pair for pair in answer["pairs"] if pair["value"] is not None)
    means = {one["username"]: one for one in answer["annotators"]}
    same = {name: pair["interval"][name] for name in ("low", "high", "n_groups")}
    assert all(same.items() <= means[name]["interval"].items() for name in ("bob", "dora"))
    assert {name: (one["n_others"], one["n_items"]) for name, one in means.items()} == {
        "bob": (1, 37), "dora": (1, 37), "charlie": (0, 2),
    }  # fmt: skip
    none = means["charlie"]
    assert (none["mean"], none["reason_code"], none["interval"]) == (None, "no_two", None)
    assert sum(none["prevalence"].values()) == pytest.approx(1)


@pytest.mark.nightly
def test_everybodys_mean_has_an_interval_over_the_images_they_judged(
    client_of: Clients, dora: User, charlie: User, bob: User, project: Project, make_known: Callable[..., Project]
) -> None:
    make_known(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    [whole] = client_of(dora).get(AGREEMENT).json()["slices"]
    for reading in ("value", "missing", "middle_linear", "middle_quadratic"):
        for one in client_of(dora).get(ANNOTATORS, {"reading": reading}).json()["annotators"]:
            interval = one["interval"]
            assert (one["n_others"], one["reason_code"]) == (2, None)
            assert interval["low"] <= one["mean"] <= interval["high"]
            assert (interval["how"], interval["n_groups"], interval["n_replicates"]) == ("left_out", 6, 6)
    assert {one["interval"]["how"] for one in whole["figures"] if one["measure"] == "cohen"} == {"left_out"}
    everybody, of_bob = (client_of(dora).get(ANNOTATORS, asked).json() for asked in ({}, {"annotator": bob.pk}))
    assert of_bob["annotators"] == everybody["annotators"]
    assert (len(everybody["pairs"]), len(of_bob["pairs"])) == (3, 2)
    assert sorted(everybody["order"]) == sorted(user.pk for user in (bob, dora, charlie))


def test_two_who_share_nothing_have_no_kappa_and_the_reason(
    client_of: Clients, dora: User, charlie: User, bob: User, project: Project, make_known: Callable[..., Project]
) -> None:
    make_known(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    pairs = list(project.candidates.order_by("pk"))
    Judgment.objects.filter(annotator=charlie, candidate__in=pairs[:18]).delete()
    Judgment.objects.filter(annotator=bob, candidate__in=pairs[18:]).delete()
    first, second = sorted((bob.pk, charlie.pk))
    cells = client_of(dora).get(ANNOTATORS).json()["pairs"]
    [none] = [cell for cell in cells if (cell["first"], cell["second"]) == (first, second)]
    assert (none["value"], none["reason_code"], none["n_items"], none["interval"]) == (None, "nothing_shared", 0, None)
    two = client_of(dora).get(f"{AGREEMENT}/pairs/{first}/{second}").json()
    assert (two["kappa"], two["reason_code"], two["confusion"]) == (None, "nothing_shared", None)
    assert two["items"]["results"] == []


def test_two_annotators_who_only_ever_said_one_thing_have_no_kappa_no_interval_and_the_reason(
    client_of: Clients, dora: User, project: Project, make_known: Callable[..., Project]
) -> None:
    make_known(project, images=1, captions=6, opinion=lambda *_: "good")
    [pair] = client_of(dora).get(ANNOTATORS).json()["pairs"]
    assert (pair["value"], pair["interval"], pair["reason_code"], pair["n_items"]) == (None, None, "one_label", 6)


def test_what_two_annotators_said_of_one_image_has_a_kappa_and_an_interval_that_says_why_it_is_none(
    client_of: Clients, dora: User, project: Project, make_known: Callable[..., Project]
) -> None:
    make_known(project, images=1, captions=6, opinion=mixed)
    [pair] = client_of(dora).get(ANNOTATORS).json()["pairs"]
    assert pair["value"] is not None
    assert (pair["interval"]["low"], pair["interval"]["reason_code"]) == (None, "one_cluster")


def test_the_matrix_shows_the_busiest_and_one_annotator_with_all_others(
    client_of: Clients, dora: User, charlie: User, bob: User, project: Project, make_known: Callable[..., Project],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    make_known(project, images=6, captions=6, opinion=mixed, people=(bob, dora, charlie))
    Judgment.objects.filter(annotator=charlie, candidate__in=project.candidates.order_by("pk")[:20]).delete()
    monkeypatch.setattr(matrix, "MOST_PEOPLE", 2)
    shown = client_of(dora).get(ANNOTATORS).json()
    assert ({one["username"] for one in shown["annotators"]}, shown["n_annotators"]) == ({"bob", "dora"}, 3)
    assert len(shown["pairs"]) == 1
    theirs = client_of(dora).get(ANNOTATORS, {"annotator": charlie.pk}).json()
    assert (len(theirs["pairs"]), len(theirs["annotators"])) == (2, 3)
    assert client_of(dora).get(ANNOTATORS, {"annotator": 10**9}).status_code == 404


def test_behind_a_cell_are_the_shared_pairs_with_both_answers_and_the_decision(
    client_of: Clients, dora: User, bob: User, judged: Project
) -> None:
    address = f"{AGREEMENT}/pairs/{dora.pk}/{bob.pk}"
    World(judged).change_mind(Judgment.objects.filter(annotator=dora).earliest("pk"), "unsure")
    decided = judged.candidates.order_by("pk")[1]
    record_verdict(project=judged, candidate_id=decided.pk, label=Label.BAD, decided_by=dora)
    answer = client_of(dora).get(address, {"limit": 500}).json()
    said = {
        user: dict(Judgment.objects.filter(annotator=user, superseded_by=None).values_list("candidate_id", "label"))
        for user in (dora, bob)
    }
    items = {one["candidate"]: one for one in answer["items"]["results"]}
    assert {pk: (one["first_label"], one["second_label"]) for pk, one in items.items()} == {
        pk: (said[dora][pk], said[bob][pk]) for pk in said[dora]
    }
    assert {pk: one["verdict"] for pk, one in items.items() if one["verdict"]} == {decided.pk: "bad"}
    assert items[decided.pk]["image"]["thumbnail"] and items[decided.pk]["text"] == decided.text
    table = [[0] * 3 for _ in range(3)]
    for one in items.values():
        table[LABELS.index(one["first_label"])][LABELS.index(one["second_label"])] += 1
    assert (answer["confusion"], answer["n_items"], answer["labels"]) == (table, 36, list(LABELS))
    turned = client_of(dora).get(f"{AGREEMENT}/pairs/{bob.pk}/{dora.pk}").json()
    assert np.array(turned["confusion"]).T.tolist() == table
    assert (turned["kappa"], turned["first"]["username"]) == (answer["kappa"], "bob")
    for one, first_label in enumerate(LABELS):
        for other, second_label in enumerate(LABELS):
            asked = {"first_label": first_label, "second_label": second_label, "limit": 2}
            n, url, params = 0, address, asked
            while url:
                page = client_of(dora).get(url, params).json()["items"]
                n, url, params = n + len(page["results"]), page["next"], {}
            assert n == table[one][other]
    for missing in (f"{bob.pk}/{bob.pk}", f"{bob.pk}/{10**9}", f"{bob.pk}/{10**30}"):
        assert client_of(dora).get(f"{AGREEMENT}/pairs/{missing}").status_code == 404


def test_the_most_frequent_confusions_come_first(client_of: Clients, dora: User, bob: User, judged: Project) -> None:
    found = client_of(dora).get(CONFUSIONS).json()["results"]
    both = client_of(dora).get(f"{AGREEMENT}/pairs/{found[0]['first']['id']}/{found[0]['second']['id']}").json()
    counts = [one["share"]["k"] for one in found]
    assert counts == sorted(counts, reverse=True) and counts[-1] > 0
    assert sum(counts) == 36 - sum(both["confusion"][at][at] for at in range(3))
    assert {one["share"]["n"] for one in found} == {36}
    assert client_of(dora).get(CONFUSIONS, {"annotator": 10**9}).json()["results"] == []


@pytest.mark.nightly
def test_before_anything_is_judged_there_is_no_value_and_the_reason_is_said(
    client_of: Clients, dora: User, project: Project
) -> None:
    answer = client_of(dora).get(AGREEMENT).json()
    assert {(one["value"], one["reason_code"]) for one in answer["slices"][0]["figures"]} <= {
        (None, "no_overlap"), (None, "nominal_only"),
    }  # fmt: skip
    assert client_of(dora).get(ANNOTATORS).json()["pairs"] == []
    headline = client_of(dora).get(HEADLINE).json()
    assert (headline["value"], headline["trend"]) == (None, [])
    assert client_of(dora).get(CONFUSIONS).json()["results"] == []
    assert client_of(dora).get(f"{ANNOTATORS}/{dora.pk}").status_code == 404
    AnnotatorState.objects.create(project=project, user=dora)
    nothing = client_of(dora).get(f"{ANNOTATORS}/{dora.pk}").json()
    assert (nothing["n_judgments"], nothing["with_consensus"], nothing["days"]) == (0, None, [])


def test_each_table_comes_as_a_file_in_which_no_cell_is_a_formula(
    client_of: Clients, dora: User, bob: User, judged: Project
) -> None:
    def table(address: str, **asked: str) -> list[dict[str, str]]:
        answer = client_of(dora).get(address, {"format": "csv", **asked})
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
        return rows_of_csv(answer)

    assert len(table(AGREEMENT)) == 10
    assert len(table(HEADLINE)) == 1
    [kappa] = table(ANNOTATORS)
    assert {kappa["first"], kappa["second"]} == {"bob", "dora"}
    assert table(CONFUSIONS)
    [day] = table(f"{ANNOTATORS}/{bob.pk}")
    assert (day["n"], day["with_consensus_n"]) == ("36", "36")
    pairs = table(f"{AGREEMENT}/pairs/{bob.pk}/{dora.pk}")
    assert len(pairs) == 36
    assert {row["text"][0] for row in pairs if row["text"][1:2] in "=+-@" or row["text"][0] in "=+-@"} == {"'"}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("address", "asked"),
    [
        (AGREEMENT, {"scope": "moon"}), (AGREEMENT, {"scope": "week"}), (AGREEMENT, {"before": "yesterday"}),
        (AGREEMENT, {"format": "exe"}), (HEADLINE, {"reading": "as given"}), (ANNOTATORS, {"reading": "tea leaves"}),
        (ANNOTATORS, {"annotator": "x"}), (CONFUSIONS, {"annotator": str(2**70)}),
        (f"{AGREEMENT}/pairs/1/2", {"first_label": "fine"}),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused_in_words(
    client_of: Clients, dora: User, project: Project, address: str, asked: dict[str, str]
) -> None:
    answer = client_of(dora).get(address, asked)
    assert (answer.status_code, bool(answer.json()["message"])) == (400, True)


PLACES = ("", "/headline", "/annotators", "/confusions", "/habits", "/annotators/{bob}", "/pairs/{bob}/{dora}")


@pytest.mark.nightly
def test_only_reviewers_of_the_project_get_in(
    client_of: Clients, judged: Project, alice: User, dora: User, bob: User, charlie: User
) -> None:
    clients = [client_of(user) for user in (alice, dora, bob, charlie, None)]
    for address in PLACES:
        place = AGREEMENT + address.format(bob=bob.pk, dora=dora.pk)
        for form in ("json", "csv"):
            statuses = [client.get(place, {"format": form}).status_code for client in clients]
            assert statuses == [200, 200, 403, 404, 401], (place, form)


@pytest.mark.nightly
def test_a_look_asks_few_statements_however_many_parts_there_are(
    client_of: Clients, dora: User, judged: Project, django_assert_max_num_queries: Callable[..., object]
) -> None:
    client = client_of(dora)
    client.get(AGREEMENT)
    for address in (AGREEMENT, HEADLINE, ANNOTATORS, CONFUSIONS):
        with django_assert_max_num_queries(8):  # type: ignore[attr-defined]
            client.get(address)


@pytest.mark.nightly
def test_everybodys_habits_are_what_their_own_figures_say(
    client_of: Clients, dora: User, bob: User, judged: Project
) -> None:
    answer = client_of(dora).get(f"{AGREEMENT}/habits")
    habits = {row["annotator"]["id"]: row for row in answer.json()["results"]}
    own = client_of(dora).get(f"{ANNOTATORS}/{bob.pk}").json()
    assert set(habits) == {bob.pk, dora.pk}
    assert habits[bob.pk]["with_consensus"] == own["with_consensus"]
    assert habits[bob.pk]["kappa"] == own["kappa"]
    [day] = own["days"]
    assert habits[bob.pk]["trend"] == [{"day": day["day"], "share": day["with_consensus"]["share"]}]
    measures = {each["collector"]: each for each in habits[bob.pk]["measures"]}
    assert measures["disagreement"]["value"] == pytest.approx(1 - own["with_consensus"]["share"])
    assert measures["disagreement"]["n"] == own["with_consensus"]["n"]
    assert "control_failures" not in measures  # nothing was graded


@pytest.mark.nightly
def test_what_the_rule_on_skips_finds_is_among_everybodys_habits(
    client_of: Clients, dora: User, bob: User, project: Project
) -> None:
    """Also of somebody who only skips: they have no answers."""
    World(project).add_hits(4, 2)
    submit(take(project, bob))
    for user in (bob, dora, dora):
        skip_assignment(assignment=take(project, user), reason=SkipReason.BROKEN)
    rows = client_of(dora).get(f"{AGREEMENT}/habits").json()["results"]
    skips = {row["annotator"]["id"]: one for row in rows for one in row["measures"] if one["collector"] == "skips"}
    assert skips == {
        bob.pk: {"collector": "skips", "value": 0.5, "n": 2},
        dora.pk: {"collector": "skips", "value": 1.0, "n": 2},
    }
    rules = [{"collector": "skips", "action": "review", "condition": {"threshold": 0.4, "min_n": 1}}]
    found = evaluate(policy=QualityPolicy(project=project, rules=rules)).people
    evidence = {each.user_id: each.findings[0].evidence for each in found}
    assert {user: (one["share"], one["n"]) for user, one in evidence.items()} == {bob.pk: (0.5, 2), dora.pk: (1.0, 2)}


@pytest.mark.nightly
def test_the_mark_follows_every_change_of_what_counts(judged: Project, dora: User) -> None:
    marks = [selectors.read_mark(project=judged).digest]
    mine = AnnotatorState.objects.filter(project=judged, user=dora)
    for change in ({"n_judgments": 99}, {"n_revised": 1}, {"n_failed": 0, "n_graded": 1}, {"state": "excluded"}):
        mine.update(**change)
        marks.append(selectors.read_mark(project=judged).digest)
    assert len(set(marks)) == len(marks)
    mine.update(state="paused")
    assert selectors.read_mark(project=judged).digest == marks[-2], "who is paused still counts"
