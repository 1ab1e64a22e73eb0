"""A worker's part in an embedding run: take a shard nobody has, embed it, and so on until there is none.

Every worker of a run does the same. One killed in the middle falls silent, its shard is taken up by another, and what
it had published is found finished.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from backend.catalogue.corpora_work import (
    LeftOut,
    beat_shard,
    claim_shard,
    finish_shard,
    give_back,
    is_wanted,
    refuse_shard,
)
from backend.catalogue.models import ShardWork
from backend.catalogue.sources import SourceUnreadable
from backend.catalogue.sources.pairs import Fetch
from backend.runs.models import Run
from workers.engines.protocols import ImageEncoder, NotFiniteError
from workers.tasks.corpora_shards import embed_shard
from workers.tasks.heartbeat import beating

logger = structlog.get_logger(__name__)
PATIENCE = 3  # shards in a row that a helper cannot read before it goes home
PULSE = 2.0  # seconds between two looks at whether the run still wants the work


class ShardLostError(Exception):
    """Another worker has taken this shard up; this one stops without writing."""


@dataclass
class Hand:
    """A worker of `run`. `check()` is called every few seconds, and raises where the run does not want it any more.

    Only the run's own worker may refuse a shard: a helper's machine may not have the corpus, or an old copy of it.
    """

    run: Run
    encoder: ImageEncoder
    check: Callable[[], None]
    fetch: Fetch | None = None
    is_own: bool = True
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    _next_pulse: float = 0.0
    _left_alone: set[int] = field(default_factory=set)
    _n_in_vain: int = 0

    def work(self, *, seconds: float = math.inf) -> bool:
        """Embed shards until every one is done or in another's hands. Raises what `check` and the engine raise.

        Returns whether it stopped between two shards because `seconds` were over.
        """
        self.check()
        until = time.monotonic() + seconds
        while (work := claim_shard(run=self.run, worker=self.token, but=self._left_alone)) is not None:
            self._do(work)
            if self._n_in_vain >= PATIENCE:
                return False
            if time.monotonic() >= until:
                return True
        return False

    def _do(self, work: ShardWork) -> None:
        log = logger.bind(run=str(self.run.pk), shard=str(work.shard), attempt=work.attempt)
        try:
            with beating(lambda: self._beat(work), shard=str(work.shard)):
                self._embed(work)
            self._n_in_vain = 0
            log.info("shard_embedded")
        except ShardLostError:
            log.warning("shard_lost")
        except (SourceUnreadable, NotFiniteError) as error:
            log.warning("shard_refused" if self.is_own else "shard_left_alone", reason=str(error))
            self._refuse(work, error)
        except BaseException:
            give_back(work=work)
            raise

    def _beat(self, work: ShardWork) -> bool:
        """Whether the shard is still wanted. The run's own worker learns that from the heartbeat of its run."""
        is_mine = beat_shard(work=work)
        return self.is_own or (is_mine and is_wanted(run_id=work.run_id))

    def _refuse(self, work: ShardWork, error: SourceUnreadable | NotFiniteError) -> None:
        if self.is_own:
            code = error.error_code if isinstance(error, SourceUnreadable) else error.code
            refuse_shard(work=work, code=code, message=str(error))
            return
        self._left_alone.add(work.pk)
        self._n_in_vain += 1
        give_back(work=work)

    def _embed(self, work: ShardWork) -> None:
        manifest = embed_shard(self.encoder, work.shard, keep_going=lambda n: self._pulse(work, n), fetch=self.fetch)
        left_out = [LeftOut(skipped.key, skipped.code, skipped.reason) for skipped in manifest.skipped]
        if not finish_shard(work=work, n_done=manifest.count, left_out=left_out):
            raise ShardLostError

    def _pulse(self, work: ShardWork, n_done: int) -> None:
        now = time.monotonic()
        if now < self._next_pulse:
            return
        self._next_pulse = now + PULSE
        if not beat_shard(work=work, n_done=n_done):
            raise ShardLostError
        self.check()
