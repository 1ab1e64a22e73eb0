"""Consensus and selection, shard by shard."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import get_args

from django.conf import settings

from backend.common.errors import InvalidInput
from backend.curation import selectors, services
from backend.curation.fitting import Fitted, fit
from backend.curation.models import Method, Variant
from backend.curation.selectors import Pool
from backend.curation.services import Ballot
from backend.methods.aggregation import Category, UnsureReading
from backend.methods.consensus import LABELS, Votes
from backend.methods.selection import Choice, GoodCaptions, select_by_cluster, select_least_alike
from backend.projects.models import Project
from backend.review.models import Verdict
from backend.review.selectors import standing_verdicts
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.caption_clusters import UmapKMeans, one_thread
from workers.engines.protocols import SentenceEncoder
from workers.tasks.stage import stage

PAIRS = 2000
IMAGES = 64
TOO_MANY_PINS = "Images with more than {k} pinned captions: {n}. Choose more captions, or remove pins."
CATEGORIES = (*get_args(Category), "no_votes")
READ_AS: dict[UnsureReading, str] = {
    "value": "as an answer", "missing": "as no answer", "middle": "between bad and good"
}  # fmt: skip


@stage("consensus")
def consensus(ledger: Ledger) -> None:
    """Label every pair in a HIT by the judgments there were when the run began, and by the verdicts above them."""
    project, method = ledger.run.project, Method(ledger.parameters.get("method", Method.MAJORITY))
    if "until" not in ledger.cursor:
        ledger.set_total(selectors.count_pairs_in_hits(project=project))
        with ledger.step() as step:
            until = selectors.get_last_judgment_id(project=project)
            step.cursor = {"until": until, "after": 0, "answers": selectors.count_answers(project=project)}
    verdicts = standing_verdicts(project=project)
    fitted = _fit(ledger, method, verdicts)
    while pairs := selectors.list_judged_pairs(project=project, after=ledger.cursor["after"], limit=PAIRS):
        _label(ledger, pairs, method, fitted, verdicts)
    _tell_readings(ledger)


def _fit(ledger: Ledger, method: Method, verdicts: Mapping[int, Verdict]) -> Fitted | None:
    """The model that the method asks for. Where judgments stopped counting since the run began, it starts over."""
    project, until = ledger.run.project, ledger.cursor["until"]
    settled = {pair: verdict.label for pair, verdict in verdicts.items()}
    fitted = fit(project=project, method=method, until=until, seed=ledger.seed, verdicts=settled)
    if fitted and ledger.cursor.get("fitted_to") != fitted.digest:
        with ledger.step() as step:
            step.start_over(ledger.run)
            step.cursor = {**ledger.cursor, "after": 0, "fitted_to": fitted.digest, "is_told": False}
            step.log.append(fitted.log)
    return fitted


def _label(
    ledger: Ledger, pairs: list[int], method: Method, fitted: Fitted | None, verdicts: Mapping[int, Verdict]
) -> None:
    project, min_votes = ledger.run.project, ledger.parameters["min_votes"]
    with ledger.step() as step:
        until = step.cursor["until"]
        votes = selectors.count_votes(project=project, first=pairs[0], last=pairs[-1], until=until)
        quorum = dict.fromkeys(pairs, min_votes) if min_votes else selectors.count_places(project=project, pairs=pairs)
        ballots = {
            pair: Ballot(
                votes.get(pair, Votes()), quorum[pair], fitted.of(pair) if fitted else None, verdicts.get(pair)
            )
            for pair in pairs
            if pair in votes or pair in verdicts
        }
        outcomes = services.record_consensus(run=ledger.run, pairs=pairs, ballots=ballots, until=until, method=method)
        step.cursor["after"], step.done = pairs[-1], len(pairs)
        step.counts.update({"in": len(pairs), "out": sum(outcomes[label] for label in LABELS)})
        step.counts.update({label: outcomes.pop(label, 0) for label in LABELS} | {"tied": outcomes["tied"]})
        step.dropped.update(+outcomes)


def _tell_readings(ledger: Ledger) -> None:
    """The categories under each reading of unsure, in the run's log, once."""
    if ledger.cursor.get("is_told"):
        return
    with ledger.step() as step:
        for reading, counts in selectors.count_categories(project=ledger.run.project).items():
            told = ", ".join(f"{counts[name]:,} {name.replace('_', ' ')}" for name in CATEGORIES if counts[name])
            step.log.append(f"Unsure {READ_AS[reading]}: {told or 'no pair has a vote'}.")
        step.cursor["is_told"] = True


@stage("select")
def select(ledger: Ledger) -> None:
    """Choose k captions of each image.

    A shard is a fixed slice of the images in digest order, encoded together: no vector depends on where a run resumed.
    """
    project = ledger.run.project
    ledger.parameters = dict(read_parameters(get_stage("select"), ledger.parameters))  # old runs have fewer
    _refuse_pins(project, ledger.parameters["k"])
    encoder = registry.sentence_encoder(ledger.parameters["model"] or settings.SENTENCE_MODEL)
    digests = selectors.list_image_digests(project=project)
    ledger.set_total(len(digests), models_used={encoder.name: encoder.digest})
    for start in range(bisect_right(digests, ledger.cursor.get("after", "")), len(digests), IMAGES):
        _choose(ledger, encoder, digests[start : start + IMAGES])


def _choose(ledger: Ledger, encoder: SentenceEncoder, shard: list[str]) -> None:
    pools = selectors.list_pools(project=ledger.run.project, digests=shard)
    asked = ledger.parameters
    made = choose_captions(
        encoder, pools, k=asked["k"], variant=asked["variant"], seed=ledger.seed, n_seeds=asked["stability_seeds"]
    )
    with ledger.step() as step:
        outcomes = services.record_selections(run=ledger.run, made=made, k=asked["k"], variant=asked["variant"])
        step.cursor["after"], step.done = shard[-1], len(shard)
        step.counts.update({"in": len(shard), "out": outcomes.pop("selected", 0)})
        step.dropped.update(outcomes)
        if n_cut := sum(place.is_cut for _, choice in made if choice for place in choice.places.values()):
            step.counts["longer_than_read"] += n_cut


def choose_captions(
    encoder: SentenceEncoder, pools: Sequence[Pool], *, k: int, variant: str, seed: int, n_seeds: int = 0
) -> list[tuple[Pool, Choice | None]]:
    """What to take from each pool, None from a short one; the texts of all pools are encoded in one go."""
    texts = [text for pool in pools if pool.n_eligible >= k for text in pool.texts]
    vectors, cut = encoder.encode(texts), encoder.are_cut(texts)
    chosen: list[tuple[Pool, Choice | None]] = []
    at = 0
    with one_thread():
        for pool in pools:
            n = len(pool.keys) if pool.n_eligible >= k else 0
            are_cut = frozenset(key for key, is_cut in zip(pool.keys, cut[at : at + n], strict=False) if is_cut)
            captions = GoodCaptions(
                pool.keys, pool.texts, vectors[at : at + n], are_cut, pool.pinned - pool.banned, pool.banned
            )
            chosen.append((pool, _choose_of(captions, pool.digest, k, variant, seed, n_seeds) if n else None))
            at += n
    return chosen


def _choose_of(captions: GoodCaptions, digest: str, k: int, variant: str, seed: int, n_seeds: int) -> Choice | None:
    if variant == Variant.LEAST_ALIKE:
        return select_least_alike(captions, k)
    return select_by_cluster(captions, k, seed=seed, digest=digest, grouper=UmapKMeans(), n_seeds=n_seeds)


def _refuse_pins(project: Project, k: int) -> None:
    """Raises InvalidInput where an image has more pinned captions than captions are chosen."""
    if n := selectors.count_overpinned(project=project, k=k):
        raise InvalidInput(TOO_MANY_PINS, code="too_many_pins_for_k", params={"n": n, "k": k})
