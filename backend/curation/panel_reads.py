"""Reads over difficulty: captions by category and policy, the panel behind them, and examples."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.conf import settings
from django.db.models import Count, Prefetch, Q, QuerySet

from backend.catalogue.models import Image
from backend.curation.models import Consensus, Difficulty, DifficultyCategory, ModelScore, Rater, SelectionItem
from backend.curation.selectors import panel_scores
from backend.methods.agreement import percentile_interval
from backend.methods.agreement.bootstrap import sum_groups
from backend.methods.difficulty import CODES, DRAWN_BY, POLICIES, category_of, cuts_of, is_carried, least_models, suits
from backend.methods.robustness import Stored
from backend.methods.said import Said
from backend.projects.models import Project

ENTROPY_BINS = 10
MOST_ENTROPY = float(np.log2(3))  # of three answers
REPLICATES = 1000
TRAINED_ON_DRAWINGS = Said(
    "trained_on_drawings",
    "These models learned from drawings, and this project has other images. On camera images they call almost every "
    "caption hard: 178 of 180 in a test. Do not use the result for research.",
)

TRAINED_ON_DRAWINGS_GENERIC = Said(
    "trained_on_drawings_generic",
    "These models learned from drawings, and this project has other images. On camera images they almost never say "
    "yes. So the marks mean little. Do not use the result for research.",
)


@dataclass(frozen=True)
class Honesty:
    """Whether models that were trained on drawings rate images that are none."""

    is_trained_on_drawings: bool
    n_images: int
    n_drawn: int

    @property
    def is_warning(self) -> bool:
        return self.is_trained_on_drawings and self.n_drawn < self.n_images


def difficulties_of(*, project: Project) -> QuerySet[Difficulty]:
    """The difficulties of the project's chosen captions."""
    return Difficulty.objects.filter(item__candidate__project=project).order_by()


def honesty_of(*, project: Project, models: list[str]) -> Honesty:
    """Whether these models may rate this project's images.

    An image counts as a drawing where its author is that of the Postcards, the drawn set that comes with Connote; its
    import writes the author into every image, and no other rule is needed for any other image.
    """
    images = Image.objects.filter(project=project)
    n_drawn = images.filter(author=DRAWN_BY).count()
    return Honesty(any(map(is_carried, models)), images.count(), n_drawn)


def warn_of_difficulty(project: Project, parameters: Mapping[str, object]) -> Said | None:
    """What is to be known before a panel rates the project: models that were trained on drawings judge other images."""
    return TRAINED_ON_DRAWINGS if _judge_other_images(project, parameters) else None


def warn_of_generic(project: Project, parameters: Mapping[str, object]) -> Said | None:
    """The same before a panel looks for generic captions."""
    return TRAINED_ON_DRAWINGS_GENERIC if _judge_other_images(project, parameters) else None


def _judge_other_images(project: Project, parameters: Mapping[str, object]) -> bool:
    models = listed(str(parameters.get("panel") or "")) or default_panel()
    others = Image.objects.filter(project=project).exclude(author=DRAWN_BY)
    return any(map(is_carried, models)) and others.exists()


def get_summary(*, project: Project) -> dict[str, Any]:
    """What `GET difficulty/summary` shows: counts under every policy, the panel, entropy by category."""
    rows = difficulties_of(project=project).exclude(category="")
    counted = list(
        rows.values_list("n_votes", "n_models", "tie_breaker_vote", "category", "policy").annotate(n=Count("pk"))
    )
    n_selected = SelectionItem.objects.filter(candidate__project=project).count()
    n_asked = sum(row[-1] for row in counted)
    used = Counter[str]()
    for *_, policy, n in counted:
        used[policy] += n
    policy = used.most_common(1)[0][0] if used else None
    panel = list_models(project=project)
    members = [one for one in panel if one["is_in_panel"]]
    sizes = {row[1] for row in counted if row[1]}
    n_models = max(sizes, default=len(members))
    votes = Counter[int]()
    for n_votes, _, _, _, _, n in counted:
        if n_votes is not None:
            votes[n_votes] += n
    names = [one["model"] for one in members] or default_panel()
    return {
        "n_selected": n_selected,
        "n_rated": sum(votes.values()),
        "policy": policy,
        "is_mixed": len(used) > 1 or len(sizes) > 1,
        "n_models": n_models,
        "policies": [_under(name, policy, n_models, counted, n_selected - n_asked, sizes) for name in POLICIES],
        "votes": [{"n_votes": n, "captions": votes[n]} for n in range(n_models + 1)] if votes else [],
        "panel": panel,
        "entropy": entropy_by_category(project=project),
        "honesty": honesty_of(project=project, models=names),
    }


def policy_of(*, project: Project) -> str | None:
    """The policy behind the categories; None where nothing is rated."""
    rows = difficulties_of(project=project).exclude(category="").values_list("policy").annotate(n=Count("pk"))
    return max(((n, str(policy)) for policy, n in rows), default=(0, None))[1]


def default_panel() -> list[str]:
    """The models that this site asks where a run names none."""
    return listed(settings.DIFFICULTY_PANEL)


def listed(names: str) -> list[str]:
    """The names between commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


def _under(
    name: str, used: str | None, n_models: int, counted: list[Any], n_not_asked: int, sizes: set[int]
) -> dict[str, Any]:
    """How the stored votes come out under the policy called `name`."""
    is_possible = bool(n_models) and all(suits(name, size) for size in sizes or {n_models})
    counts = Counter[str]({"not_asked": n_not_asked})
    for n_votes, size, breaks, _, _, n in counted if is_possible else ():
        counts[category_of(n_votes, size, bool(breaks), name) if n_votes is not None else "unrated"] += n
    cuts = cuts_of(name, n_models) if is_possible else dict.fromkeys(CODES)
    return {
        "policy": name,
        "is_used": name == used,
        "is_possible": is_possible,
        "least_models": least_models(name),
        "cuts": {category: list(span) if span else None for category, span in cuts.items()},
        "counts": {category: counts[category] for category in (*DifficultyCategory.values, "not_asked")},
    }


def list_models(*, project: Project) -> list[dict[str, Any]]:
    """Every model with a stored vote on the project's captions, in the panel's order; extra ones come last."""
    scores = ModelScore.objects.filter(difficulty__item__candidate__project=project).order_by()
    places = scores.values_list("rater", "is_in_panel", "position").annotate(n=Count("pk"), yes=Count("pk", filter=YES))
    raters = Rater.objects.in_bulk({row[0] for row in places})
    rows = [_model(raters[rater], *rest) for rater, *rest in places]
    rows = sorted(rows, key=lambda row: (row["position"], row["model"]))
    last = max((row["position"] for row in rows if row["is_in_panel"]), default=0)
    return [row | {"is_tie_breaker": row["is_in_panel"] and row["position"] == last} for row in rows]


YES = Q(vote=True)


def _model(rater: Rater, is_in_panel: bool, position: int, n: int, yes: int) -> dict[str, Any]:
    made = rater.calibration
    return {
        "rater": rater.pk,
        "model": rater.name,
        "digest": rater.digest,
        "threshold": rater.threshold,
        "f1": made.get("f1"),
        "batch_size": made.get("batch_size"),
        "pairs": made.get("pairs", ""),
        "position": position,
        "is_in_panel": is_in_panel,
        "is_carried": is_carried(rater.name),
        "n_scores": n,
        "n_yes": yes,
    }


def entropy_by_category(*, project: Project) -> list[dict[str, Any]]:
    """The entropy of the human votes on the captions of each category: n, mean, interval over images, histogram."""
    rows = SelectionItem.objects.filter(
        candidate__project=project, difficulty__category__in=CODES, candidate__consensus__entropy__isnull=False
    ).order_by("pk")
    values: dict[str, list[tuple[int, float]]] = defaultdict(list)
    told = ("difficulty__category", "selection_id", "candidate__consensus__entropy")
    for category, selection, entropy in rows.values_list(*told).iterator(chunk_size=10_000):
        values[category].append((selection, entropy))
    return [_entropy(category, values[category]) for category in reversed(CODES)]


def _entropy(category: str, rows: list[tuple[int, float]]) -> dict[str, Any]:
    if not rows:
        return {"category": category, "n": 0, "mean": None, "low": None, "high": None, "bins": [0] * ENTROPY_BINS}
    images, entropies = np.array([image for image, _ in rows]), np.array([entropy for _, entropy in rows])
    _, clusters = np.unique(images, return_inverse=True)  # numbers of rows differ between two databases
    sums = sum_groups(np.stack([np.ones_like(entropies), entropies], axis=1), clusters)
    mean_of = lambda totals: totals[:, 1] / totals[:, 0]  # noqa: E731
    interval = percentile_interval(sums, mean_of, n_replicates=REPLICATES)
    bins, _ = np.histogram(np.clip(entropies, 0, MOST_ENTROPY), bins=ENTROPY_BINS, range=(0, MOST_ENTROPY))
    return {
        "category": category,
        "n": len(rows),
        "mean": float(entropies.mean()),
        "low": interval.low,
        "high": interval.high,
        "bins": bins.tolist(),
    }


def list_examples(*, project: Project, category: str) -> QuerySet[Difficulty]:
    """The captions of a category with their images, the votes of the panel and those of people."""
    rows = difficulties_of(project=project).filter(category=category)
    loaded = rows.select_related("item__candidate__consensus", "item__selection__image")
    return loaded.prefetch_related(Prefetch("scores", queryset=panel_scores()))


def get_stored(*, project: Project) -> Stored:
    """The stored votes of every model on every caption that each of them has seen, (models, captions)."""
    models = list_models(project=project)
    place = {one["rater"]: at for at, one in enumerate(models)}
    rows = ModelScore.objects.filter(difficulty__item__candidate__project=project).order_by()
    told = rows.exclude(difficulty__category="").values_list("difficulty_id", "rater_id", "vote")
    rows_of = ((item, place[rater], -1 if vote is None else vote) for item, rater, vote in told.iterator(10_000))
    table = np.fromiter(rows_of, dtype=np.dtype((np.int64, 3)))
    items, at = np.unique(table[:, 0], return_inverse=True)
    votes = np.full((len(models), len(items)), -1, dtype=np.int8)
    votes[table[:, 1], at] = table[:, 2]
    return Stored(tuple(one["model"] for one in models), tuple(one["is_in_panel"] for one in models), votes)


def consensus_of(row: Difficulty) -> Consensus | None:
    """What people said of the caption; None where that is gone since."""
    return getattr(row.item.candidate, "consensus", None)
