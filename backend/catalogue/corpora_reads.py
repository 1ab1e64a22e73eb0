"""Reads over corpora, their shards and how far those are embedded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum

from backend.catalogue.models import Corpus, CorpusShard, ShardState, ShardWork
from backend.common.errors import InvalidInput, NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import check_standing
from backend.runs.models import LIVE, Run

STAGE = "embed_corpus"
NO_CORPUS = "This project has no corpus {name}. It has: {names}."
WHICH = "This project has several corpora. Choose one of: {names}."


@dataclass(frozen=True)
class Progress:
    """How far a run over a corpus is: its shards by state, pictures with a vector by its model, what it left out."""

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
        raise InvalidInput(WHICH, code="which_corpus", params={"names": names})
    found = next((corpus for corpus in corpora if corpus.name == name or not name), None)
    if found is None:
        raise InvalidInput(NO_CORPUS, code="no_such_corpus", params={"name": name, "names": names})
    return found


def corpus_of(*, run: Run) -> Corpus:
    """The corpus an embedding run is about: once its shards are laid out that one, whatever was registered since.

    Raises InvalidInput as `find_corpus`.
    """
    work = ShardWork.objects.filter(run=run).select_related("shard__corpus").first()
    return work.shard.corpus if work else find_corpus(project=run.project, name=run.parameters["corpus"])


def get_progress(*, corpora: Sequence[Corpus]) -> dict[int, list[Progress]]:
    """The newest run over each corpus for each model that there is one for, newest first.

    Two queries, however many runs there were; one more for each model that is not through all of its corpora.
    """
    runs = _runs_by_model(corpora)
    newest = [own[0] for own in runs.values()]
    rows: dict[UUID, list[tuple[str, int, int, int]]] = {run.pk: [] for run in newest}
    works = ShardWork.objects.filter(run__in=newest).order_by().values_list("run", "state")
    for run_id, *sums in works.annotate(n=Count("id"), n_done=Sum("n_done"), n_skipped=Sum("n_skipped")):
        rows[run_id].append(tuple(sums))
    unfinished = {key: own for key, own in runs.items() if {row[0] for row in rows[own[0].pk]} != {ShardState.DONE}}
    n_done = _count_done(unfinished)
    shown: dict[int, list[Progress]] = {}
    for (corpus_id, digest), own in runs.items():
        progress = _summed(own[0], rows[own[0].pk], n_done.get((corpus_id, digest)))
        shown.setdefault(corpus_id, []).append(progress)
    return shown


def _runs_by_model(corpora: Sequence[Corpus]) -> dict[tuple[int, str], list[Run]]:
    """The runs over each corpus by the digest of their encoder, newest first."""
    about = ShardWork.objects.filter(run=OuterRef("pk")).order_by().values("shard__corpus")[:1]
    over = Run.objects.filter(project__in={corpus.project_id for corpus in corpora}, stage=STAGE)
    found = over.annotate(corpus=Subquery(about)).filter(corpus__in=[corpus.pk for corpus in corpora])
    runs: dict[tuple[int, str], list[Run]] = {}
    for run in found.defer("cursor", "log_tail").order_by("-created_at", "-pk"):
        runs.setdefault((run.corpus, next(iter(run.models_used.values()), "")), []).append(run)
    return runs


def _count_done(runs: Mapping[tuple[int, str], Sequence[Run]]) -> dict[tuple[int, str], int]:
    """Pictures with a vector, by corpus and model: a shard that a run has not come to yet may be done since another."""
    counted: dict[tuple[int, str], int] = {}
    for digest in {digest for _, digest in runs}:
        alike = [run for (_, other), own in runs.items() if other == digest for run in own]
        newest = [own[0] for (_, other), own in runs.items() if other == digest]
        works = ShardWork.objects.filter(Q(run__in=newest) | Q(run__in=alike, state=ShardState.DONE)).order_by()
        for corpus_id, _, n in works.values_list("shard__corpus", "shard").annotate(n=Max("n_done")):
            counted[corpus_id, digest] = counted.get((corpus_id, digest), 0) + n
    return counted


def _summed(run: Run, rows: Sequence[tuple[str, int, int, int]], n_done: int | None) -> Progress:
    """From (state, shards, pictures done, pictures skipped) by state; `n_done` where other runs did some as well."""
    shards = _as_seen(run, {state: n for state, n, _, _ in rows})
    return Progress(run, shards, sum(row[2] for row in rows) if n_done is None else n_done, sum(row[3] for row in rows))


def _as_seen(run: Run, counts: dict[str, int]) -> dict[str, int]:
    """Nobody works for a run that is over: what it had in hand waits for the next."""
    shown = {state.value: counts.get(state, 0) for state in ShardState}
    if run.status not in LIVE:
        shown["pending"] += shown["working"]
        shown["working"] = 0
    return shown


def get_run_over(*, corpus: Corpus, run_id: UUID | None = None) -> Run | None:
    """A run over the corpus, by default the newest there is. Raises NotFound where the one named is not over it."""
    works = ShardWork.objects.filter(run=OuterRef("pk"), shard__corpus=corpus)
    over = Run.objects.filter(Exists(works), project=corpus.project_id, stage=STAGE)
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
    """The counters of each project: `corpora`, and `new_corpora`, those that have no vector yet; one query."""
    done = ShardWork.objects.filter(shard__corpus=OuterRef("pk"), state=ShardState.DONE)
    counters = {project_id: {"corpora": 0, "new_corpora": 0} for project_id in project_ids}
    rows = Corpus.objects.filter(project__in=project_ids).annotate(is_new=~Exists(done)).order_by()
    for project_id, is_new in rows.values_list("project", "is_new"):
        counters[project_id]["corpora"] += 1
        counters[project_id]["new_corpora"] += is_new
    return counters
