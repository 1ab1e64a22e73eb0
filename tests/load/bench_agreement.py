"""The agreement dashboard over a million judgments, while more come in, held against counting them anew.

    python tests/load/bench_agreement.py [--judgments 1000000] [--rounds 30] [--fresh 1000]

On one PostgreSQL, in one run:

* fold: all judgments into the tables, and the intervals of Cohen's kappa that a worker draws afterwards;
* page: `fresh` judgments come in, then somebody opens the page: GET agreement through Django's test client, from the
  address to the last byte of JSON; p50 and p95 over the rounds, at most 200 ms. While the chore of beat keeps up (every
  30 seconds) the page says what waits for it; where the chore is silent the page folds for a moment: both are timed.
  Beside them the matrix of annotators, another scope, and, after the chore, the page once more with nothing new;
* anew: what the page would have to do without tables: read the judgments that count, count them, draw the intervals;
* 200 annotators: Cohen's intervals of all their 19,900 pairs, under every reading, as a ratio to those of 30 annotators
  over as many judgments, and to scikit-learn's kappa once for each replicate, told from a few of them.

Ends with status 1 where p95 of the page is over 200 ms, where the tables differ from counting anew, or where 200
annotators take more than ten times as long as 30.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parents[1] / "support"), str(HERE.parent)]

import numpy as np  # noqa: E402
from bench_candidates_import import make_project, set_up_django  # noqa: E402

import services  # noqa: E402

PER_IMAGE, OVERLAP, ANNOTATORS, MOST_MS = 10, 3, 30, 200
MANY, MOST_RATIO = 200, 10
BEGAN = datetime(2026, 9, 7, tzinfo=UTC)
LABELS = np.array(["good", "bad", "unsure"])
KINDS = ("color", "number", "person")
Rows = Iterator[tuple[Any, ...]]


def copy(table: str, columns: str, rows: Rows) -> None:
    from django.db import connection

    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as into:
        for row in rows:
            into.write_row(row)


def load(n_judgments: int) -> Any:
    """A project in which `OVERLAP` of 30 people of unequal skill judged ten captions of every image, over ten weeks."""
    from django.contrib.auth.hashers import make_password
    from django.db import connection

    from backend.people.models import User
    from backend.projects.models import Membership, Role

    n_images = n_judgments // (PER_IMAGE * OVERLAP)
    project = make_project(n_images)
    Membership.objects.create(project=project, user=project.created_by, role=Role.CURATOR)
    nobody = make_password(None)
    people = User.objects.bulk_create(User(username=f"annotator-{n}", password=nobody) for n in range(ANNOTATORS))
    dice = np.random.default_rng(0)
    images = list(project.images.order_by("pk").values_list("pk", flat=True))
    copy("candidates_candidate", "project_id, image_id, key, raw_text, text, source, source_ref, status, drop_rule, "
         "drop_detail, created_at", pairs_of(project.pk, images))  # fmt: skip
    copy(
        "annotation_hit", "project_id, image_id, part, created_at", ((project.pk, image, 0, BEGAN) for image in images)
    )
    load_judgments(project, [person.pk for person in people], dice)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return project


def pairs_of(project: int, images: list[int]) -> Rows:
    for n, image in enumerate(images):
        for at in range(PER_IMAGE):
            source = ("human", "web", "other_image")[at % 3]
            yield project, image, f"{n * PER_IMAGE + at:032x}", "A dog.", "A dog.", source, "", "kept", "", "", BEGAN


def load_judgments(project: Any, people: list[int], dice: np.random.Generator) -> None:
    """Turns and their judgments, as COPY takes them."""
    import uuid

    from backend.annotation.models import Hit
    from backend.candidates.models import Candidate

    hits = list(Hit.objects.order_by("pk").values_list("pk", flat=True))
    candidates = np.array(Candidate.objects.order_by("pk").values_list("pk", flat=True)).reshape(-1, PER_IMAGE)
    truth = dice.choice(3, size=candidates.shape, p=[0.6, 0.35, 0.05])
    skill = dice.uniform(0.6, 0.95, size=len(people))
    turns = [(uuid.UUID(int=int(n) + 1), hit, who) for n, (hit, who) in enumerate(turns_of(hits, people, dice))]
    days = [BEGAN + timedelta(days=70 * n / len(turns)) for n in range(len(turns))]
    copy("annotation_assignment", "id, project_id, hit_id, annotator_id, status, seed, shown, options, controls, "
         "gave_way, leased_at, expires_at, submitted_at, idempotency_key, skip_reason, skip_comment, created_at",
         ((name, project.pk, hit, people[who], "submitted", 0, "[]", "[]", "{}", "[]", day, day, day, *[""] * 3, day)
          for (name, hit, who), day in zip(turns, days, strict=True)))  # fmt: skip
    row_of = {hit: at for at, hit in enumerate(hits)}

    def rows() -> Rows:
        for (name, hit, who), day in zip(turns, days, strict=True):
            at = row_of[hit]
            said = np.where(dice.random(PER_IMAGE) < skill[who], truth[at], dice.choice(3, size=PER_IMAGE))
            edits = [
                [{"kind": KINDS[int(pick)]}] if pick < len(KINDS) else [] for pick in dice.integers(20, size=PER_IMAGE)
            ]
            for place, (pair, label, edit) in enumerate(zip(candidates[at].tolist(), LABELS[said], edits, strict=True)):
                yield name, pair, people[who], label, place + 1, json_of(edit), "", "", False, True, False, day

    copy("annotation_judgment", "assignment_id, candidate_id, annotator_id, label, position, edits, lens, comment, "
         "is_generic, is_dirty, is_tallied, created_at", rows())  # fmt: skip


def turns_of(hits: list[int], people: list[int], dice: np.random.Generator) -> Iterator[tuple[int, int]]:
    for hit in hits:
        for who in dice.choice(len(people), size=OVERLAP, replace=False).tolist():
            yield hit, who


def json_of(edits: list[dict[str, str]]) -> str:
    return f'[{{"kind": "{edits[0]["kind"]}"}}]' if edits else "[]"


def add_fresh(project: Any, n: int, dice: np.random.Generator) -> None:
    """`n` judgments more: people take turns at HITs that they have not had."""
    from backend.annotation.models import Assignment, Hit, Judgment
    from backend.candidates.models import Candidate

    hits = list(Hit.objects.filter(pk__in=dice.choice(Hit.objects.count(), size=n // PER_IMAGE, replace=False) + 1))
    people = set(Assignment.objects.filter(hit=hits[0]).values_list("annotator_id", flat=True))
    everybody = list(
        Assignment.objects.order_by("annotator_id").distinct("annotator_id").values_list("annotator_id", flat=True)
    )
    now = BEGAN + timedelta(days=70)
    for hit in hits:
        people = set(hit.assignments.values_list("annotator_id", flat=True))
        who = next(int(person) for person in dice.permutation(everybody) if person not in people)
        turn = Assignment.objects.create(project=project, hit=hit, annotator_id=who, status="submitted", seed=0,
                                         shown=[], leased_at=now, expires_at=now, submitted_at=now)  # fmt: skip
        pairs = Candidate.objects.filter(image=hit.image_id).order_by("pk").values_list("pk", flat=True)
        Judgment.objects.bulk_create(
            Judgment(assignment=turn, candidate_id=pair, annotator_id=who, position=at, label=str(dice.choice(LABELS)))
            for at, pair in enumerate(pairs, start=1)
        )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fold_all(project: Any) -> None:
    from backend.review.folding import fold

    while fold(project=project):
        pass


def client_of(project: Any) -> Any:
    from rest_framework.test import APIClient

    client = APIClient(SERVER_NAME="localhost")
    client.force_login(project.created_by)
    return client


def open_page(pages: dict[str, list[float]], client: Any, address: str, name: str, where: str) -> None:
    pages.setdefault(name, []).append(1000 * seconds(lambda: client.get(address + where)))


def count_anew(project: Any) -> dict[tuple[str, str], float | None]:
    """Every figure of all pairs, intervals with them, from the judgments as they lie in the database."""
    from backend.review.folding import LABEL_PLACE, places_of

    from backend.annotation.selectors import counted_judgments
    from backend.methods.agreement import agreement_of
    from backend.methods.judgments import Judgments

    counted = counted_judgments(project=project).order_by()
    told = counted.values_list("candidate_id", "annotator_id", "label").iterator(chunk_size=20_000)
    rows = np.array([(pair, who, LABEL_PLACE[label]) for pair, who, label in told])
    pairs, items = np.unique(rows[:, 0], return_inverse=True)
    people, who = np.unique(rows[:, 1], return_inverse=True)
    places = places_of(pairs.tolist())
    clusters = np.array([places[pair][0] for pair in pairs.tolist()])
    judgments = Judgments(items, who, rows[:, 2], len(pairs), len(people), 3)
    return {(figure.measure, figure.reading): figure.value for figure in agreement_of(judgments, clusters=clusters)}


def measure(asked: Any) -> bool:
    from backend.review.agreement import renew_figures
    from backend.review.drawing import draw_stale
    from backend.review.upkeep import keep_up

    from backend.review.models import AgreementState
    from backend.review.selectors import count_waiting

    project = load(asked.judgments)
    folding = seconds(lambda: fold_all(project))
    print(f"{asked.judgments:,} judgments of {ANNOTATORS} annotators, overlap {OVERLAP}")
    print(f"  fold them all                      {folding:8.1f} s   {asked.judgments / folding:9,.0f} judgments/s")
    print(f"  figures of every slice             {seconds(lambda: renew_figures(project=project)):8.1f} s")
    print(f"  Cohen's intervals of every slice   {seconds(lambda: draw_stale(project=project)):8.1f} s")
    client, address, dice = client_of(project), f"/api/v1/projects/{project.slug}/agreement", np.random.default_rng(1)
    pages: dict[str, list[float]] = {}
    for _ in range(asked.rounds):
        add_fresh(project, asked.fresh, dice)
        open_page(pages, client, address, "page", "")
        AgreementState.objects.update(folded_at=BEGAN)
        open_page(pages, client, address, "page, no chore for long", "")
        pages.setdefault("waiting", []).append(count_waiting(project=project))
        for name, where in (("matrix", "/annotators"), ("sources", "?scope=source")):
            open_page(pages, client, address, name, where)
        pages.setdefault("chore", []).append(1000 * seconds(keep_up))
        open_page(pages, client, address, "page, nothing new", "")
    print(f"  after {asked.fresh:,} new judgments, over {asked.rounds} rounds:")
    waiting = pages.pop("waiting")
    for name, took in pages.items():
        p50, p95 = np.quantile(took, [0.5, 0.95])
        print(f"    {name:32} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms")
    print(f"    waiting after folding a moment   p50 {np.median(waiting):7,.0f}      most {max(waiting):,.0f}")
    answer = client.get(address).json()
    found: dict[tuple[str, str], float | None] = {}
    anew = seconds(lambda: found.update(count_anew(project)))
    p95 = max(float(np.quantile(pages[name], 0.95)) for name in ("page", "page, no chore for long"))
    print(f"  counting anew                      {anew:8.1f} s   {1000 * anew / p95:9,.0f} times the page's p95")
    shown = {(one["measure"], one["reading"]): one["value"] for one in answer["slices"][0]["figures"]}
    same = shown.keys() == found.keys() and all(_near(shown[name], found[name]) for name in shown)
    print(f"  page and counting anew say the same: {same}; {answer['n_waiting']} waiting; p95 at most {MOST_MS} ms")
    ratio = tell_many_pairs(asked.judgments)
    return same and p95 <= MOST_MS and ratio <= MOST_RATIO


def tell_many_pairs(n_judgments: int) -> float:
    """How many times as long the intervals of all pairs of 200 annotators take as those of 30."""
    from backend.review.pair_draws import BOOTSTRAP

    (few, n_few), (many, n_many) = (seconds_of_pairs(n_judgments, people) for people in (ANNOTATORS, MANY))
    alone = seconds_of_sklearn() * n_many * BOOTSTRAP.n_replicates
    print(f"  all {n_few:6,} pairs of {ANNOTATORS:3} annotators      {few:8.1f} s of processor time")
    print(f"  all {n_many:6,} pairs of {MANY:3} annotators      {many:8.1f} s   {many / few:9.1f} times as long")
    print(f"  the same kappas by scikit-learn    {alone:8.0f} s   {alone / many:9,.0f} times ours")
    return many / few


def seconds_of_pairs(n_judgments: int, people: int) -> tuple[float, int]:
    """Processor seconds of the intervals of all pairs under every reading, and how many pairs there are."""
    from backend.review.pair_draws import draw_pairs

    from backend.methods.agreement import co_ratings, groups_of
    from backend.methods.judgments import Judgments

    dice = np.random.default_rng(0)
    n_images = n_judgments // (PER_IMAGE * OVERLAP)
    who = dice.random((n_images, people)).argpartition(OVERLAP, axis=1)[:, :OVERLAP].repeat(PER_IMAGE, axis=0).ravel()
    items = np.arange(n_images * PER_IMAGE).repeat(OVERLAP)
    truth = dice.choice(3, size=n_images * PER_IMAGE, p=[0.6, 0.35, 0.05]).repeat(OVERLAP)
    said = np.where(dice.random(len(items)) < dice.uniform(0.6, 0.95, people)[who], truth, dice.choice(3, len(items)))
    judgments = Judgments(items, who, said, n_images * PER_IMAGE, people, 3)
    images = groups_of(np.arange(n_images)).repeat(PER_IMAGE)
    spent = time.process_time()
    draw_pairs(judgments, people=np.arange(people), clusters=images)
    return time.process_time() - spent, len(co_ratings(judgments).pairs)


def seconds_of_sklearn(n: int = 200) -> float:
    """Processor seconds of four kappas of fifty items: nominal, without unsure, linear, quadratic."""
    from sklearn.metrics import cohen_kappa_score

    one, other = np.random.default_rng(0).integers(0, 3, (2, 50))
    spent = time.process_time()
    for _ in range(n):
        for weights in (None, None, "linear", "quadratic"):
            cohen_kappa_score(one, other, labels=range(3), weights=weights)
    return (time.process_time() - spent) / n


def _near(one: float | None, other: float | None) -> bool:
    return one is other or (one is not None and other is not None and abs(one - other) < 1e-9)


def main() -> int:
    arguments = argparse.ArgumentParser(description="The agreement dashboard over a million judgments.")
    arguments.add_argument("--judgments", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=30)
    arguments.add_argument("--fresh", type=int, default=1000)
    arguments.add_argument(
        "--pairs-only", action="store_true", help="The intervals of 200 annotators, and no database."
    )
    asked = arguments.parse_args()
    if asked.pairs_only:
        return 0 if tell_many_pairs(asked.judgments) <= MOST_RATIO else 1
    with services.postgres() as url, tempfile.TemporaryDirectory() as folder:
        set_up_django(url, folder)
        good = measure(asked)
        from django.db import connection

        connection.close_pool()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
