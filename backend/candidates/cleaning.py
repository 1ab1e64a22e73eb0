"""The clean stage: every image's pool through the rules, in steps that a killed worker can resume between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn, Protocol

from django.db.models import QuerySet

from backend.candidates import bulk
from backend.candidates.bulk import keep_raw, write_cleaned
from backend.candidates.models import HUMAN, Candidate, CandidateStatus, Decision
from backend.common.errors import ConnoteError
from backend.methods.cleaning import (
    VERSION,
    Caption,
    Cleaned,
    Dropped,
    Page,
    Raw,
    TagsOf,
    clean_all,
    find_recurring,
    registered_domain,
)
from backend.methods.near_duplicates import find_near_duplicates
from backend.projects.models import Project
from backend.runs.ledger import Ledger, Step
from backend.runs.models import Run, RunStatus
from backend.runs.walk import get_stage, read_parameters

ROWS_AT_ONCE = 10_000
TITLES_AT_ONCE = 2_000  # where a parser reads them: a step holds the project, so it should not take long
POOLS_AT_ONCE = 500
EMPTIED = "Images without captions now: {n:,}. Look at the removed captions, import more, or use lower limits."


class Row(NamedTuple):
    """A candidate as cleaning reads it."""

    digest: str
    id: int
    key: str
    source: str
    source_ref: str
    page_url: str
    site_name: str
    raw_text: str
    text: str
    status: str


class Found(Protocol):
    """What cleaning must know of a caption: a Row or a Candidate."""

    @property
    def source(self) -> str: ...
    @property
    def source_ref(self) -> str: ...
    @property
    def page_url(self) -> str: ...
    @property
    def site_name(self) -> str: ...
    @property
    def raw_text(self) -> str: ...


Recurring = Mapping[str, frozenset[str]]  # by registered domain, see Page
COLUMNS = ("image__digest", *Row._fields[1:])


@dataclass(frozen=True)
class Demands:
    """What a run asks of captions. Those of `title_sources` are titles of web pages: every rule holds for them."""

    min_words: int
    title_min_words: int = 5
    title_sources: frozenset[str] = frozenset({"web"})

    def raw_of(self, found: Found, recurring: Recurring | None = None) -> Raw:
        """A caption with the rules for its source: those for titles, for people or for corpora."""
        if found.source not in self.title_sources:
            return Raw(found.raw_text, by_people=found.source == HUMAN)
        domain = domain_of(found.page_url, found.source_ref)
        return Raw(found.raw_text, Page(domain, found.site_name, (recurring or {}).get(domain, frozenset())))


def domain_of(page_url: str, source_ref: str) -> str:
    """The domain of a title's page. A search of the web keeps it as the reference of the title."""
    return registered_domain(page_url) or registered_domain(source_ref)


def read_demands(parameters: Mapping[str, Any]) -> Demands:
    """The parameters of a clean run; what a run from before a knob does not name has its default.

    Raises InvalidInput where one is unfit.
    """
    asked: dict[str, Any] = read_parameters(get_stage("clean"), dict(parameters))
    sources = frozenset(name.strip() for name in asked["title_sources"].split(",")) - {""}
    return Demands(asked["min_words"], asked["title_min_words"], sources)


def last_cleaning(project_id: int) -> Run | None:
    """The newest clean run that came to its end: what the candidates are as they are by."""
    cleaned = Run.objects.filter(project=project_id, stage="clean", status=RunStatus.SUCCEEDED)
    return cleaned.order_by("-created_at").first()


def demands_of(run: Run | None) -> Demands:
    """What a clean run asked for; the defaults where there is none."""
    return read_demands(run.parameters if run else {})


def has_titles(*, project_id: int, demands: Demands) -> bool:
    """Whether the project has a title, for which a parser will be needed."""
    return _titles(project_id, demands).exists()


def _titles(project_id: int, demands: Demands) -> QuerySet[Candidate]:
    return Candidate.objects.filter(project=project_id, source__in=demands.title_sources)


def refuse_titles(texts: Sequence[str]) -> NoReturn:
    """Stands in for a parser where there is none. Rule 8 is not skipped in silence."""
    raise ConnoteError(
        "Web titles need spaCy. Run the stage on a worker with spaCy, or clear title_sources.",
        code="no_parser",
    )


def clean_candidates(
    *,
    ledger: Ledger,
    demands: Demands,
    tags_of: TagsOf = refuse_titles,
    models_used: Mapping[str, str] | None = None,
) -> None:
    """Clean every caption of the project but hidden controls, those in a HIT, and those a person decided on.

    Also those that an earlier run cleaned otherwise. A caption that people may have judged, or that somebody kept by
    hand, never changes; one that says nearly the same is dropped in its favour. `models_used` names what is behind
    `tags_of`, for the run.
    """
    project_id = ledger.run.project_id
    total = _captions().filter(project=project_id).count()
    ledger.set_total(total, models_used={"cleaning-rules": VERSION, **(models_used or {})})
    chain = Chain(demands, _recurring(project_id, demands), tags_of)
    n_at_once = TITLES_AT_ONCE if has_titles(project_id=project_id, demands=demands) else ROWS_AT_ONCE
    while _clean_some(ledger, chain, min(n_at_once, ROWS_AT_ONCE)):
        pass
    _tell_what_is_empty(ledger)


def _captions() -> QuerySet[Candidate]:
    """What cleaning reads: no text of a query, and no control, whose row the annotation room above holds."""
    return Candidate.objects.filter(query=None, control=None)


def _recurring(project_id: int, demands: Demands) -> Recurring:
    """Per domain what begins or ends three of its titles in this project: the name of a site, in all likelihood."""
    rows = _titles(project_id, demands).values_list("page_url", "source_ref", "raw_text").order_by()
    return find_recurring((domain_of(page, ref), title) for page, ref, title in rows.iterator(chunk_size=10_000))


@dataclass(frozen=True)
class Chain:
    """The pure rules with what they need to know of this project."""

    demands: Demands
    recurring: Recurring
    tags_of: TagsOf

    def clean(self, rows: Iterable[Row]) -> list[Cleaned]:
        return clean_all(
            [self.demands.raw_of(row, self.recurring) for row in rows],
            min_words=self.demands.min_words,
            title_min_words=self.demands.title_min_words,
            tags_of=self.tags_of,
        )


def _clean_some(ledger: Ledger, chain: Chain, n_at_once: int) -> bool:
    """One step over the next images by digest. False when there are none."""
    with ledger.step() as step:
        rows = _read_next(ledger.run.project_id, after=step.cursor.get("cleaned_up_to", ""), n_at_once=n_at_once)
        if rows:
            _clean(step, ledger.run.project_id, rows, chain)
            step.cursor["cleaned_up_to"] = rows[-1].digest
    return bool(rows)


def _tell_what_is_empty(ledger: Ledger) -> None:
    """A line in the run's log, once, where images have no caption left."""
    n_empty = ledger.run.counts.get("no_candidates", 0)
    if n_empty and not ledger.cursor.get("told"):
        with ledger.step() as step:
            step.log.append(EMPTIED.format(n=n_empty))
            step.cursor["told"] = True


def _read_next(project_id: int, *, after: str, n_at_once: int) -> list[Row]:
    """The candidates of the next images by digest: whole pools of at most `n_at_once` together, or one larger one.

    The project is locked first: a HIT that is just being built in it (its row needs a key-share lock on the project's)
    is either there before we look, or waits until this step is over.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project_id)
    ahead = _captions().filter(image__project=project_id, image__digest__gt=after).order_by("image__digest")
    rows = _read(ahead[:n_at_once])
    if len(rows) < n_at_once:
        return rows
    last = rows[-1].digest
    if rows[0].digest == last:
        return _read(_captions().filter(image__project=project_id, image__digest=last))
    return [row for row in rows if row.digest != last]


def _read(candidates: QuerySet[Candidate]) -> list[Row]:
    return list(map(Row._make, candidates.values_list(*COLUMNS)))


def _clean(step: Step, project_id: int, rows: list[Row], chain: Chain) -> None:
    in_hits, decided = _ids_in_hits(project_id, rows), _ids_decided(project_id, rows)
    pools = [list(pool) for _, pool in groupby(rows, key=attrgetter("digest"))]
    shares = (pools[start : start + POOLS_AT_ONCE] for start in range(0, len(pools), POOLS_AT_ONCE))
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="cleaner") as cleaner:
        for share in cleaner.map(lambda share: _clean_pools(share, in_hits | decided, chain), shares):
            # PostgreSQL writes this share while the next ones are being cleaned.
            keep_raw(share.as_they_are)
            write_cleaned(share.changed)
            step.counts.update(share.counts)
            step.dropped.update(share.dropped)
    step.done = step.counts["in"] = len(rows)
    step.counts["in_hits"], step.counts["decided"] = len(in_hits), len(decided - in_hits)


@dataclass
class Share:
    """Some pools after cleaning: ids of captions kept unchanged, and all others with their changes."""

    as_they_are: list[int] = field(default_factory=list)
    changed: list[bulk.Cleaned] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def take(self, row: Row, cleaned: Cleaned) -> None:
        if cleaned.outcome == row.raw_text and not cleaned.flags:
            self.as_they_are.append(row.id)
        else:
            self.changed.append(_as_row(row, cleaned))
        if isinstance(cleaned.outcome, Dropped):
            self.dropped[cleaned.outcome.rule] += 1
        else:
            self.counts["out"] += 1
        self.counts.update(f"repaired_{rule}" for rule in cleaned.repaired)
        self.counts.update(f"flagged_{flag}" for flag in cleaned.flags)


def _clean_pools(pools: list[list[Row]], settled: set[int], chain: Chain) -> Share:
    """What becomes of these images' candidates, all cleaned together. No database: runs in a thread."""
    free = [row for pool in pools for row in pool if row.id not in settled]
    cleaned = dict(zip((row.id for row in free), chain.clean(free), strict=True))
    share = Share()
    for pool in pools:
        kept = [row for row in pool if row.id not in cleaned and row.status == CandidateStatus.KEPT]
        outcomes = _without_duplicates([(row, cleaned[row.id]) for row in pool if row.id in cleaned], kept)
        for row, one in outcomes:
            share.take(row, one)
        if not kept and all(isinstance(one.outcome, Dropped) for _, one in outcomes):
            share.counts["no_candidates"] += 1
    return share


def _without_duplicates(pool: Sequence[tuple[Row, Cleaned]], kept: Sequence[Row]) -> list[tuple[Row, Cleaned]]:
    """Each candidate with its result, after near-duplicates of a better one or of one of `kept` are dropped."""
    captions = [
        Caption(row.key, row.source, one.outcome, len(one.repaired))
        for row, one in pool
        if isinstance(one.outcome, str)
    ]
    repeats = find_near_duplicates(captions, settled=[Caption(row.key, row.source, row.text) for row in kept])
    return [(row, Cleaned(repeats[row.key], one.repaired) if row.key in repeats else one) for row, one in pool]


def _as_row(row: Row, cleaned: Cleaned) -> bulk.Cleaned:
    outcome = cleaned.outcome
    if isinstance(outcome, Dropped):
        return bulk.Cleaned(row.id, CandidateStatus.DROPPED, "", outcome.rule, outcome.detail)
    return bulk.Cleaned(row.id, CandidateStatus.KEPT, outcome, "", "", cleaned.flags)


def _ids_in_hits(project_id: int, rows: list[Row]) -> set[int]:
    """Those of the rows' candidates that stand in a HIT, which people may have judged.

    `hit_items` belongs to the annotation room above. Asking the relation itself, and not a flag of ours that annotation
    would have to set, keeps one truth: what stands in a HIT cannot be cleaned again, however it came there.
    """
    hits = {"hit_items__hit__image__project": project_id}
    images = {"hit_items__hit__image__digest__range": (rows[0].digest, rows[-1].digest)}
    return set(Candidate.objects.filter(**hits, **images).values_list("id", flat=True))


def _ids_decided(project_id: int, rows: list[Row]) -> set[int]:
    """Those of the rows' candidates that a person kept or dropped by hand."""
    images = {"candidate__image__digest__range": (rows[0].digest, rows[-1].digest)}
    decisions = Decision.objects.filter(candidate__image__project=project_id, **images).order_by()
    return set(decisions.values_list("candidate_id", flat=True))
