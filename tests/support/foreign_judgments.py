"""What workers said elsewhere of the pairs of a HIT, and its import."""

from __future__ import annotations

from backend.annotation.models import Hit, HitItem
from backend.foreign.services import ImportedJudgments, import_judgments
from backend.methods.foreign.told import Told
from backend.projects.models import Project


def keys(hit: Hit) -> list[str]:
    return list(HitItem.objects.filter(hit=hit).order_by("position").values_list("candidate__key", flat=True))


def of_workers(hit: Hit, *workers: str, label: str = "good") -> list[Told]:
    """What each worker says of every pair of the HIT."""
    return [Told(f"{worker} {n}", key, worker, label) for worker in workers for n, key in enumerate(keys(hit), start=1)]


def run(project: Project, told: list[Told]) -> ImportedJudgments:
    return import_judgments(project=Project.objects.get(pk=project.pk), told=told)
