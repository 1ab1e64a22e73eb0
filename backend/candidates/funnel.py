"""The cleaning funnel: how many captions each rule dropped, repaired or flagged, and examples of each.

Counted from the candidates as they stand, so that what a person decided since the run counts too. How often a rule
repaired is known from the newest run of the clean stage alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from backend.candidates.cleaning import Demands, demands_of, last_cleaning
from backend.candidates.models import Candidate, CandidateStatus, Decision
from backend.candidates.selectors import ORDINARY, count_generic, count_suggested, described
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.methods.cleaning import Dropped, Outcome, comparison_form, readable_text
from backend.methods.cleaning.rules import repair
from backend.projects.models import Project

# The rules as the chain applies them (methods/cleaning/rules), then likeness within a pool, then what people decided.
REPAIRING = ("markup", "encoding", "characters", "addresses", "site_name", "hashtags")
CHAIN = (
    *REPAIRING, "keyword_list", "unstable", "empty", "repetition", "part_of_speech", "too_short", "duplicate",
    "near_duplicate", "by_hand",
)  # fmt: skip
KEPT_BY_HAND = "kept_by_hand"
SITE_NAME = "site_name"
# What must stand in a text for the rule to have repaired it, so that not every caption is read to find three.
SIGNS = {
    "markup": Q(raw_text__contains="<") | Q(raw_text__contains="&"),
    "addresses": Q(raw_text__contains="."),
    "hashtags": Q(raw_text__contains="#"),
}


@dataclass(frozen=True)
class PerImage:
    """How many images have so many kept captions."""

    n_captions: int
    n_images: int


@dataclass
class SourceCounts:
    """One source's candidates by their result; `dropped` by rule, `flags` by flag."""

    source: str
    n_candidates: int = 0
    n_kept: int = 0
    n_dropped: int = 0
    n_new: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class RuleCounts:
    """`n_repaired` is None where the rule does not repair or no run says how often."""

    rule: str
    n_dropped: int
    n_repaired: int | None


@dataclass(frozen=True)
class Funnel:
    """A project's candidates from in to kept. `cleaned_at` is when the newest clean run ended, UTC."""

    n_candidates: int
    n_kept: int
    n_dropped: int
    n_new: int
    n_kept_by_hand: int
    rules: list[RuleCounts]
    sources: list[SourceCounts]
    per_image: list[PerImage]
    cleaned_at: datetime | None


@dataclass(frozen=True)
class Example:
    """A caption with the text that its rule saw, or, where it is kept, the one it became, and what repaired it."""

    candidate: Candidate
    seen: str
    repaired: tuple[str, ...]


def count_by_source(candidates: QuerySet[Candidate]) -> list[SourceCounts]:
    """Counts of these candidates, one for each source by name; one query, grouped by what it returns."""
    groups = candidates.order_by().values_list("source", "status", "drop_rule", "flags").annotate(n=Count("id"))
    found: dict[str, SourceCounts] = {}
    for source, status, rule, flags, n in groups:
        counts = found.setdefault(source, SourceCounts(source))
        counts.n_candidates += n
        counts.n_kept += n * (status == CandidateStatus.KEPT)
        counts.n_new += n * (status == CandidateStatus.NEW)
        counts.n_dropped += n * (status == CandidateStatus.DROPPED)
        counts.dropped.update({rule: n} if rule else {})
        counts.flags.update(dict.fromkeys(flags, n))
    return [found[source] for source in sorted(found)]


def read_funnel(*, project: Project) -> Funnel:
    """The funnel of a project; five queries, however many candidates there are."""
    sources = count_by_source(Candidate.objects.filter(ORDINARY, project=project))
    run = last_cleaning(project.pk)
    counts = run.counts if run else {}
    return Funnel(
        n_candidates=sum(one.n_candidates for one in sources),
        n_kept=sum(one.n_kept for one in sources),
        n_dropped=sum(one.n_dropped for one in sources),
        n_new=sum(one.n_new for one in sources),
        n_kept_by_hand=_kept_by_hand(project).count(),
        rules=_by_rule(sources, counts),
        sources=sources,
        per_image=count_per_image(project=project),
        cleaned_at=run.finished_at if run else None,
    )


def count_per_image(*, project: Project) -> list[PerImage]:
    """How many images have 0, 1, 2 ... kept captions, fewest first; numbers that no image has are left out."""
    kept = Candidate.objects.filter(ORDINARY, project=project, status=CandidateStatus.KEPT).order_by()
    counts = Counter(kept.values("image").annotate(n=Count("pk")).values_list("n", flat=True))
    without = Image.objects.filter(project=project).count() - counts.total()
    if without > 0:
        counts[0] = without
    return [PerImage(n, counts[n]) for n in sorted(counts)]


def _by_rule(sources: list[SourceCounts], counts: Mapping[str, int]) -> list[RuleCounts]:
    """Every rule that dropped or repaired something in the order of the chain, unknown ones last by name."""
    dropped: Counter[str] = sum((one.dropped for one in sources), Counter())
    repaired = {rule: counts[f"repaired_{rule}"] for rule in REPAIRING if counts.get(f"repaired_{rule}")}
    order = defaultdict(lambda: len(CHAIN), {rule: place for place, rule in enumerate(CHAIN)})
    rules = sorted(dropped.keys() | repaired.keys(), key=lambda rule: (order[rule], rule))
    return [RuleCounts(rule, dropped[rule], repaired.get(rule)) for rule in rules]


def list_affected(*, project: Project, rule: str, source: str = "") -> QuerySet[Candidate]:
    """Candidates that `rule` dropped, may have repaired (see `explain`) or flagged, or a person kept; oldest first."""
    mine = _kept_by_hand(project) if rule == KEPT_BY_HAND else Candidate.objects.filter(ORDINARY, project=project)
    mine = mine.filter(source=source) if source else mine
    return described(_affected(mine, rule)).select_related("image").order_by("id")


def _affected(mine: QuerySet[Candidate], rule: str) -> QuerySet[Candidate]:
    if rule == KEPT_BY_HAND:
        return mine
    if rule in REPAIRING:
        return mine.filter(SIGNS.get(rule, Q()), status=CandidateStatus.KEPT).exclude(text=F("raw_text"))
    if rule in CHAIN:
        return mine.filter(status=CandidateStatus.DROPPED, drop_rule=rule)
    # A flag, or a rule that this chain has no more.
    searchable = mine.annotate(flags_text=Cast("flags", TextField()))
    return searchable.filter(Q(status=CandidateStatus.KEPT, flags_text__contains=f'"{rule}"') | Q(drop_rule=rule))


def explain(*, project: Project, rule: str, candidates: list[Candidate]) -> list[Example]:
    """Each candidate with what its rule saw. Of a repairing rule, only those that it had a hand in."""
    demands = demands_of(last_cleaning(project.pk))
    examples = [_explain(candidate, demands) for candidate in candidates]
    return [one for one in examples if rule not in REPAIRING or rule in one.repaired]


def _explain(candidate: Candidate, demands: Demands) -> Example:
    raw = demands.raw_of(candidate)
    if candidate.status != CandidateStatus.KEPT:
        return Example(candidate, readable_text(raw), ())
    repaired = repair(raw.text, raw.rules)
    by = repaired.by
    if raw.page and SITE_NAME not in by and _is_less_an_end_of(candidate.text, repaired.outcome):
        by = (*by, SITE_NAME)  # a name that only the other titles of its domain gave away
    return Example(candidate, candidate.text, by)


def _is_less_an_end_of(text: str, outcome: Outcome) -> bool:
    """Whether `text` is what the page's own rules made of a title, but for words before it or after it."""
    shorter, whole = comparison_form(text), "" if isinstance(outcome, Dropped) else comparison_form(outcome)
    return (
        bool(shorter)
        and shorter != whole
        and (f"{whole} ".startswith(f"{shorter} ") or f" {whole}".endswith(f" {shorter}"))
    )


def _kept_by_hand(project: Project) -> QuerySet[Candidate]:
    decided = Decision.objects.filter(candidate=OuterRef("pk"))
    return Candidate.objects.filter(ORDINARY, Exists(decided), project=project, status=CandidateStatus.KEPT)


@dataclass(frozen=True)
class PoolSummary:
    """One image's pool in numbers, and the images before and after it in the gallery's order.

    `suggests` is {kind of edit: captions for which one is suggested}, `n_generic` counts those that fit many images.
    """

    image: int
    previous: int | None
    next: int | None
    sources: list[SourceCounts]
    suggests: dict[str, int]
    n_generic: int


def summarise_pool(*, project: Project, image_id: int) -> PoolSummary:
    """What the pool of an image holds; six queries. Raises NotFound outside the project."""
    images = Image.objects.filter(project=project).values_list("id", flat=True)
    if not images.filter(pk=image_id).exists():
        raise NotFound()
    before = images.filter(pk__lt=image_id).order_by("-id").first()
    after = images.filter(pk__gt=image_id).order_by("id").first()
    sources = count_by_source(Candidate.objects.filter(ORDINARY, project=project, image=image_id))
    suggests = count_suggested(project=project, image_id=image_id)
    n_generic = count_generic(project=project, image_id=image_id)
    return PoolSummary(image_id, before, after, sources, suggests, n_generic)
