"""Reads over corpora, their shards and how far those are embedded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery, Sum

from backend.catalogue.models import Corpus, CorpusShard, ShardState, ShardWork
from backend.common.errors import InvalidInput, NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import check_standing
from backend.runs.models import LIVE, Run

NO_CORPUS = (
    "There is no corpus {name!r} in this project. It has: {names}. Register one with `manage.py register_corpus`."
)
WHICH = "This project has several corpora ({names}): name one of them."


@dataclass(frozen=True)
class Progress:
    """How far a run over a corpus is: its shards by state, its pictures with a vector, and what it left out."""

    run: Run
    shards: dict[str, int]
    n_done: int
    n_skipped: int

    @property
    def model(self) -> str:
        """The encoder by name; a run is over shards only once it knows its encoder."""
        return next(iter(self.run.models_used), "")


def list_corpora(*, project: Project) -> QuerySet[Corpus]:
    """A project's corpora, oldest first."""
    return Corpus.objects.filter(project=project).select_related("project").order_by("id")


def get_corpus(*, user: User, corpus_id: int) -> Corpus:
    """A corpus, for reviewers of its project. Raises NotFound outside their projects, NotAllowed inside."""
    corpus = Corpus.objects.select_related("project").filter(pk=corpus_id).first()
    if corpus is None:
        raise NotFound()
    check_standing(user=user, project_id=corpus.project_id)
    return corpus


def find_corpus(*, project: Project, name: str = "") -> Corpus:
    """The corpus called `name`; without a name the only one there is. Raises InvalidInput with the names there are."""
    corpora = list(list_corpora(project=project))
    names = ", ".join(corpus.name for corpus in corpora) or "none"
    if not name and len(corpora) > 1:
        raise InvalidInput(WHICH.format(names=names), code="which_corpus")
    found = next((corpus for corpus in corpora if corpus.name == name or not name), None)
    if found is None:
        raise InvalidInput(NO_CORPUS.format(name=name, names=names), code="no_such_corpus")
    return found


def corpus_of(*, run: Run) -> Corpus:
    """The corpus an embedding run is about: once its shards are laid out that one, whatever was registered since.

    Raises InvalidInput as `find_corpus`.
    """
    work = ShardWork.objects.filter(run=run).select_related("shard__corpus").first()
    return work.shard.corpus if work else find_corpus(project=run.project, name=run.parameters["corpus"])


def get_progress(*, corpora: Sequence[Corpus]) -> dict[int, list[Progress]]:
    """The newest run over each corpus for each model that there is one for, newest first: two queries."""
    works = ShardWork.objects.filter(shard__corpus__in=corpora).order_by()
    counted = works.values_list("shard__corpus", "run", "state").annotate(
        n=Count("id"), n_done=Sum("n_done"), n_skipped=Sum("n_skipped")
    )
    found: dict[tuple[int, UUID], list[tuple[str, int, int, int]]] = {}
    for corpus_id, run_id, *sums in counted:
        found.setdefault((corpus_id, run_id), []).append(tuple(sums))
    runs = Run.objects.in_bulk({run_id for _, run_id in found})
    shown: dict[int, dict[str, Progress]] = {}
    for corpus_id, run_id in sorted(found, key=lambda one: (runs[one[1]].created_at, one[1]), reverse=True):
        progress = _summed(runs[run_id], found[corpus_id, run_id])
        shown.setdefault(corpus_id, {}).setdefault(progress.model, progress)
    return {corpus_id: list(by_model.values()) for corpus_id, by_model in shown.items()}


def _summed(run: Run, rows: Sequence[tuple[str, int, int, int]]) -> Progress:
    """From (state, shards, pictures done, pictures skipped) by state."""
    shards = _as_seen(run, {state: n for state, n, _, _ in rows})
    return Progress(run, shards, sum(row[2] for row in rows), sum(row[3] for row in rows))


def _as_seen(run: Run, counts: dict[str, int]) -> dict[str, int]:
    """Nobody works for a run that is over: what it had in hand waits for the next."""
    shown = {state.value: counts.get(state, 0) for state in ShardState}
    if run.status not in LIVE:
        shown["pending"] += shown["working"]
        shown["working"] = 0
    return shown


def get_run_over(*, corpus: Corpus, run_id: UUID | None = None) -> Run | None:
    """A run over the corpus, by default the newest there is. Raises NotFound where the one named is not over it."""
    over = Run.objects.filter(Exists(ShardWork.objects.filter(run=OuterRef("pk"), shard__corpus=corpus)))
    run = (over.filter(pk=run_id) if run_id else over.order_by("-created_at", "-pk")).first()
    if run_id and run is None:
        raise NotFound()
    return run


def list_shards(*, corpus: Corpus, run: Run | None, state: str = "") -> QuerySet[CorpusShard]:
    """The shards in order, each with its part in `run`: `state`, `n_done`, `n_skipped`, `dropped`, `error`.

    With `state` only those that it left so.
    """
    work = ShardWork.objects.filter(shard=OuterRef("pk"), run=run)
    names = ("state", "n_done", "n_skipped", "dropped", "error", "heartbeat_at")
    parts = {name: Subquery(work.values(name)[:1]) for name in names}
    shards = CorpusShard.objects.filter(corpus=corpus).annotate(**parts).order_by("position")
    return shards.filter(Exists(work.filter(state__in=_stored_as(state, run)))) if state else shards


def _stored_as(state: str, run: Run | None) -> tuple[str, ...]:
    """The states of rows that are seen as `state`: what a run that is over had in hand waits."""
    if run is not None and run.is_over and state == ShardState.WORKING:
        return ()
    if run is not None and run.is_over and state == ShardState.PENDING:
        return (ShardState.PENDING, ShardState.WORKING)
    return (state,)


def count_corpora(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The gauges of each project: `corpora`, and `new_corpora`, those that have no vector yet; one query."""
    done = ShardWork.objects.filter(shard__corpus=OuterRef("pk"), state=ShardState.DONE)
    gauges = {project_id: {"corpora": 0, "new_corpora": 0} for project_id in project_ids}
    rows = Corpus.objects.filter(project__in=project_ids).annotate(is_new=~Exists(done)).order_by()
    for project_id, is_new in rows.values_list("project", "is_new"):
        gauges[project_id]["corpora"] += 1
        gauges[project_id]["new_corpora"] += is_new
    return gauges
