"""Captions in, cleaned, and looked through for what may need an edit."""

from __future__ import annotations

from backend.candidates import query_importing
from backend.candidates.borrowing import borrow_captions
from backend.candidates.bulk import refresh_statistics
from backend.candidates.cleaning import clean_candidates, has_titles, read_demands
from backend.candidates.importing import check_origin, import_captions
from backend.candidates.selectors import shown_captions
from backend.candidates.suggesting import suggest_for_captions
from backend.catalogue.selectors import columns_of, open_source_of, source_path
from backend.catalogue.sources import Limits
from backend.catalogue.sources.queries import read_queries
from backend.runs.ledger import Ledger
from backend.runs.outcome import NoCaptions, NoQueries, check_outcome
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.tasks.memory_limit import within_memory
from workers.tasks.stage import stage


@stage("import_candidates")
@within_memory
def import_candidates(ledger: Ledger) -> None:
    """The captions of a file, then those borrowed from other images. Without a file, only the borrowing."""
    asked = ledger.parameters
    check_origin(asked["origin"])
    if asked["source"] or asked["upload"] or not asked["borrow"]:
        import_captions(ledger=ledger, rows=open_source_of(run=ledger.run).captions(), origin=asked["origin"])
        check_outcome(ledger.run.counts, empty=NoCaptions)
    if asked["borrow"]:
        borrow_captions(ledger=ledger, n_borrowed=asked["borrow"])
    refresh_statistics()


@stage("import_queries")
@within_memory
def import_queries(ledger: Ledger) -> None:
    path, names = source_path(run=ledger.run), ledger.parameters.get("columns", "")
    rows = read_queries(path, Limits(columns=columns_of(names)))
    query_importing.import_queries(ledger=ledger, rows=rows)
    check_outcome(ledger.run.counts, empty=NoQueries)


@stage("clean")
def clean(ledger: Ledger) -> None:
    """A parser is loaded only where there are titles; one that cannot be had fails the run, which says so."""
    asked = read_parameters(get_stage("clean"), ledger.parameters)  # a run from before these knobs has their defaults
    demands = read_demands(asked)
    if not has_titles(project_id=ledger.run.project_id, demands=demands):
        clean_candidates(ledger=ledger, demands=demands)
        return
    parser = registry.parser(str(asked["parser"]))
    used = {parser.name: parser.digest}
    clean_candidates(ledger=ledger, demands=demands, tags_of=parser.tags, models_used=used)


@stage("suggest_edits")
def suggest_edits(ledger: Ledger) -> None:
    """A parser is loaded only where there is a caption to read; one that cannot be had fails the run, which says so."""
    if not shown_captions(project=ledger.run.project).exists():
        ledger.set_total(0)
        return
    asked = read_parameters(get_stage("suggest_edits"), ledger.parameters)  # runs of before have no `captions`
    parser = registry.parser(str(asked["parser"]))
    suggest_for_captions(
        ledger=ledger,
        parse=parser.parse,
        models_used={parser.name: parser.digest},
        only_new=asked["captions"] == "new",
    )
