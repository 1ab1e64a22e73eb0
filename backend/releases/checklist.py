"""What a curator looks at before a release is made. Nothing here blocks a release."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from backend.agreement import selectors as agreement_selectors
from backend.agreement.models import Part
from backend.agreement.services import look
from backend.annotation.models import AnnotatorState, AnnotatorStatus
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.common.checklist import Item
from backend.curation.models import ModelScore, Selection, SelectionStatus
from backend.methods.difficulty import DRAWN_BY, is_carried
from backend.methods.licences import may_be_passed_on, parse_licence
from backend.projects.models import Project
from backend.releases.models import Withdrawal
from backend.review.models import ReasonCode, ReviewReason

CODES = (
    "agreement", "annotators_below_line", "open_disputes", "unread_comments", "images_left_out",
    "panel_not_for_photographs", "licences",
)  # fmt: skip
# From which alpha on it has which name, as on the page Quality. Below 0.667 Krippendorff draws no conclusions.
BANDS = ((0.667, "strong"), (0.4, "moderate"), (0.2, "weak"), (-1.0, "chance"))
UNKNOWN: dict[str, Any] = {"value": None, "interval": None, "n_items": 0}
BELOW_LINE = (AnnotatorStatus.WARNED, AnnotatorStatus.PAUSED)  # answers of excluded annotators do not count anyway
DISPUTES = (ReasonCode.DISPUTED, ReasonCode.TIE, ReasonCode.LOW_AGREEMENT)
WORDS = (ReasonCode.COMMENT, ReasonCode.REPLY)


def get_checklist(*, project: Project) -> list[Item]:
    """Every line, in the order of CODES."""
    return [
        _agreement(project),
        _annotators(project),
        _cases(project, "open_disputes", DISPUTES),
        _cases(project, "unread_comments", WORDS),
        _left_out(project),
        _panel(project),
        _licences(project),
    ]


def _page(project: Project, name: str) -> str:
    return f"/projects/{project.slug}/{name}"


def _agreement(project: Project) -> Item:
    """Krippendorff's alpha of all pairs, `unsure` as a value of its own."""
    view = look(project=project, parts=agreement_selectors.list_parts((Part.OVERALL, ""), project=project))
    figures = (view.get(Part.OVERALL) or {"figures": []})["figures"]
    mine = (each for each in figures if (each["measure"], each["reading"]) == ("alpha_nominal", "value"))
    figure: dict[str, Any] = next(mine, UNKNOWN)
    value, interval = figure["value"], figure["interval"] or {"low": None, "high": None}
    band = _band(value)
    state = {"unknown": "info", "strong": "ok"}.get(band, "warning")
    params = {"value": value, "low": interval["low"], "high": interval["high"], "band": band}
    return Item("agreement", state, figure["n_items"], _page(project, "quality"), params)


def _band(value: float | None) -> str:
    if value is None:
        return "unknown"
    return next(name for least, name in BANDS if value >= least)


def _annotators(project: Project) -> Item:
    """Annotators that the rules or a head annotator warned or paused: their answers count."""
    n = AnnotatorState.objects.filter(project=project, state__in=BELOW_LINE, n_judgments__gt=0).count()
    return Item("annotators_below_line", "warning" if n else "ok", n, _page(project, "quality"))


def _cases(project: Project, code: str, reasons: tuple[ReasonCode, ...]) -> Item:
    """Cases of the review queue that are open for one of these reasons."""
    open_reasons = ReviewReason.objects.filter(project=project, code__in=reasons, closed_at=None)
    n = open_reasons.order_by().values("case").distinct().count()
    return Item(code, "warning" if n else "ok", n, _page(project, "review"))


def _left_out(project: Project) -> Item:
    """Images that the release would not have, by reason."""
    by_status = Selection.objects.filter(image__project=project).order_by().values_list("status")
    counts = dict(by_status.annotate(n=Count("pk")))
    n_images = Image.objects.filter(project=project).count()
    n_withdrawn = Withdrawal.objects.filter(project=project).count()
    short = counts.get(SelectionStatus.SHORT_POOL, 0)
    n_targets = target_images(project=project).count()
    params = {
        "short_pool": short,
        "not_selected": max(0, n_targets - sum(counts.values())),
        "not_in_sample": max(0, n_images - n_withdrawn - n_targets),
        "withdrawn": n_withdrawn,
    }
    n = sum(params.values())
    return Item("images_left_out", "info" if n else "ok", n, _page(project, "selection"), params)


def _panel(project: Project) -> Item:
    """Images whose captions were rated by models that learned from drawings, and that are no drawings."""
    asked = ModelScore.objects.filter(difficulty__item__candidate__project=project).order_by()
    names = sorted(name for name in asked.values_list("rater__name", flat=True).distinct() if is_carried(name))
    chosen = Image.objects.filter(project=project, selection__status=SelectionStatus.SELECTED)
    n = chosen.exclude(author=DRAWN_BY).count() if names else 0
    params = {"models": ", ".join(names)}
    return Item("panel_not_for_photographs", "warning" if n else "ok", n, _page(project, "difficulty"), params)


def _licences(project: Project) -> Item:
    """Selected images under a licence that nobody knows, or that forbids copies."""
    chosen = Image.objects.filter(project=project, selection__status=SelectionStatus.SELECTED)
    counts = dict(chosen.order_by().values_list("licence").annotate(n=Count("pk")))
    unknown = sum(n for code, n in counts.items() if parse_licence(code) is None)
    no_copies = sum(n for code, n in counts.items() if parse_licence(code) and not may_be_passed_on(code))
    state = "warning" if unknown else "info" if no_copies else "ok"
    params = {"unknown": unknown, "no_copies": no_copies}
    return Item("licences", state, unknown + no_copies, _page(project, "images"), params)
