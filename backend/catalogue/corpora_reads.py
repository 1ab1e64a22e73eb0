"""Reads over corpora, their shards and how far those are embedded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, QuerySet, Subquery, UUIDField

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
    """How far the newest run over a corpus is: its shards by state."""

    run: Run
    shards: dict[str, int]


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


def get_progress(*, corpora: Sequence[Corpus]) -> dict[int, Progress]:
    """The newest run over each corpus that has one, and its shards by state: three queries."""
    newest = ShardWork.objects.filter(shard__corpus=OuterRef("pk")).order_by("-run__created_at", "-run").values("run")
    rows = Corpus.objects.filter(pk__in=[corpus.pk for corpus in corpora]).annotate(
        newest=Subquery(newest[:1], UUIDField())
    )
    run_of = dict(rows.exclude(newest=None).values_list("pk", "newest"))
    runs = Run.objects.in_bulk(list(run_of.values()))
    counts: dict[tuple[int, object], dict[str, int]] = {}
    works = ShardWork.objects.filter(run__in=runs, shard__corpus__in=run_of)
    for corpus_id, run_id, state, n in works.values_list("shard__corpus", "run", "state").annotate(n=Count("id")):
        counts.setdefault((corpus_id, run_id), {})[state] = n
    return {
        corpus_id: Progress(runs[run_id], _as_seen(runs[run_id], counts.get((corpus_id, run_id), {})))
        for corpus_id, run_id in run_of.items()
    }


def _as_seen(run: Run, counts: dict[str, int]) -> dict[str, int]:
    """Nobody works for a run that is over: what it had in hand waits for the next."""
    shown = {state.value: counts.get(state, 0) for state in ShardState}
    if run.status not in LIVE:
        shown["pending"] += shown["working"]
        shown["working"] = 0
    return shown


def list_shards(*, corpus: Corpus, run: Run | None) -> QuerySet[CorpusShard]:
    """The shards in order, each with its part in `run`: `state`, `n_done`, `n_skipped`, `dropped`, `error`."""
    work = ShardWork.objects.filter(shard=OuterRef("pk"), run=run)
    names = ("state", "n_done", "n_skipped", "dropped", "error", "heartbeat_at")
    parts = {name: Subquery(work.values(name)[:1]) for name in names}
    return CorpusShard.objects.filter(corpus=corpus).annotate(**parts).order_by("position")


def count_corpora(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The gauge `corpora` of each project."""
    rows = Corpus.objects.filter(project__in=project_ids).values_list("project").annotate(n=Count("id"))
    counted = dict(rows)
    return {project_id: {"corpora": counted.get(project_id, 0)} for project_id in project_ids}
