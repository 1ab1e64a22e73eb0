"""Embed a corpus on as many workers as there are: one sees the run through, the others lend a hand."""

from __future__ import annotations

import time
from typing import Any

import structlog
from django.conf import settings

from backend.catalogue import corpora_work
from backend.catalogue.corpora_reads import corpus_of
from backend.catalogue.models import Corpus, ShardState
from backend.catalogue.sources.pairs import URL_TABLE, Fetch
from backend.catalogue.sources.pairs.url_table import NOT_FETCHED
from backend.common.errors import Conflict, ConnoteError, InvalidInput
from backend.runs import queue
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Run
from workers.engines import registry
from workers.engines.protocols import EngineError, ImageEncoder
from workers.engines.shards import plan_shards
from workers.tasks.corpora_folders import folder_of, recipe_by
from workers.tasks.corpora_hands import Hand
from workers.tasks.stage import stage

logger = structlog.get_logger(__name__)
STAGE = "embed_corpus"
MOST_HANDS = 64  # invitations in the queue at once: who is not needed comes back at once
A_TURN = 120.0  # seconds after which a helper lets other runs have their turn, between two shards
WAIT = 1.0  # seconds between two looks at shards that others have in hand
REFUSED = "{n:,} of the {total:,} shards were refused. The others are embedded. The first: {name}: {why}"
OTHER_WEIGHTS = (
    "The run started with another model than {name!r} on this worker. Give all workers the same "
    "CONNOTE_VISION_MODEL and weights, or start a new run."
)
EMPTY = "The corpus {name!r} has no image with a caption that Connote can read. Register another corpus."


class NotWantedError(Exception):
    """The run is over or cancelled, so a helper goes home."""


@stage(STAGE)
def embed_corpus(ledger: Ledger) -> None:
    """Shares the shards out, works on them as every helper does, and waits for those that others have in hand."""
    corpus = corpus_of(run=ledger.run)
    fetch = fetcher_of(corpus)
    encoder = registry.image_encoder(_model_of(ledger.run))
    if not _is_its_model(encoder, ledger.run):
        raise Conflict(OTHER_WEIGHTS.format(name=encoder.name), code="other_weights")
    ledger.set_total(corpus.n_pairs, models_used={encoder.name: encoder.digest})
    plan_shards(folder_of(corpus, encoder.digest), recipe_by(encoder), corpus.n_shards)
    n_open = corpora_work.lay_out(run=ledger.run, corpus=corpus)
    queue.invite(str(ledger.run.pk), stage=STAGE, n=min(n_open - 1, MOST_HANDS))
    _see_through(ledger, Hand(ledger.run, encoder, lambda: _report(ledger), fetch))
    _close(ledger, corpus)


@queue.app.task(name=queue.HELPERS[STAGE])
def embed_shards(run_id: str) -> None:
    """Lend a hand to a run for a turn, and come back behind what else waits in the queue while a shard is free.

    Nothing depends on it: a run finishes without helpers.
    """
    run = Run.objects.select_related("project").filter(pk=run_id).first()
    if run is None or not corpora_work.is_wanted(run_id=run_id):
        return
    try:
        encoder = registry.image_encoder(_model_of(run))
        if _is_its_model(encoder, run):
            fetch = fetcher_of(corpus_of(run=run))
            hand = Hand(run, encoder, lambda: _stay_only_if_wanted(run), fetch, is_own=False)
            if hand.work(seconds=A_TURN):
                queue.invite(run_id, stage=STAGE, n=1)
        else:
            logger.warning("other_weights_here", run=run_id, model=encoder.name)
    except NotWantedError:
        logger.info("helper_not_wanted", run=run_id)
    except (EngineError, ConnoteError) as error:  # the shard was given back, and the run's own worker will say so
        logger.warning("helper_stopped", run=run_id, error=str(error))


def _model_of(run: Run) -> str:
    return str(run.parameters["model"] or settings.VISION_MODEL)


def _is_its_model(encoder: ImageEncoder, run: Run) -> bool:
    """Whether these are the weights that the run began with, on whichever machine; true before it began."""
    return not run.models_used or encoder.digest in run.models_used.values()


def fetcher_of(corpus: Corpus) -> Fetch | None:
    """What fetches the pictures of a list of addresses. Raises InvalidInput where this site may not do that."""
    if corpus.layout != URL_TABLE:
        return None
    if not settings.FETCH_CORPORA:
        raise InvalidInput(NOT_FETCHED, code="not_fetched")
    from workers.tasks.corpora_fetching import Fetcher

    return Fetcher()


def _stay_only_if_wanted(run: Run) -> None:
    if not corpora_work.is_wanted(run_id=run.pk):
        raise NotWantedError


def _see_through(ledger: Ledger, hand: Hand) -> None:
    """Work until every shard is done or refused, by whomever. A shard whose worker fell silent is taken up here."""
    while True:
        hand.work()
        if not corpora_work.tally(run=ledger.run).n_open:
            return
        time.sleep(WAIT)


def _report(ledger: Ledger) -> None:
    """Write down how far all workers are. Raises RunCancelled or RunLost."""
    found = corpora_work.tally(run=ledger.run)
    with ledger.step() as step:
        step.done = found.n_done + found.n_skipped - ledger.run.done


def _close(ledger: Ledger, corpus: Corpus) -> None:
    """The run's counts, once nothing is open. Raises ConnoteError where shards were refused or nothing was found."""
    corpora_work.note_size(corpus=corpus)
    found = corpora_work.tally(run=ledger.run)
    n_rows = found.n_done + found.n_skipped
    ledger.set_total(n_rows)
    with ledger.step() as step:
        step.done = n_rows - ledger.run.done
        n_refused = found.shards[ShardState.REFUSED]
        counts = {"in": n_rows, "out": found.n_done, "shards": found.shards[ShardState.DONE]}
        _set_counts(ledger, step, counts | {"shards_refused": n_refused}, dict(found.dropped))
    if n_refused:
        name, why = corpora_work.refused_shards(run=ledger.run)[0]
        message = REFUSED.format(n=n_refused, total=corpus.n_shards, name=name, why=why)
        raise ConnoteError(message, code="shards_refused")
    if not found.n_done:
        raise InvalidInput(EMPTY.format(name=corpus.name), code="empty_corpus")


def _set_counts(ledger: Ledger, step: Step, counts: dict[str, int], dropped: dict[str, int]) -> None:
    """A step adds to what is there; a retry brings the counts of the run before, which these replace."""
    there: dict[str, Any] = ledger.run.counts
    step.counts.update({name: n - there.get(name, 0) for name, n in counts.items()})
    names = {*dropped, *there.get("dropped", {})}
    step.dropped.update({name: dropped.get(name, 0) - there.get("dropped", {}).get(name, 0) for name in names})
