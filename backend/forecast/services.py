"""The forecast of a large project is kept, and a worker makes it again from time to time. Others are worked out
for each reader, which is fast."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone

from backend.annotation.models import AnnotatorState
from backend.forecast.models import KeptForecast
from backend.forecast.selectors import ProjectForecast, forecast_of, get_outlook
from backend.methods.budget.outlook import Outlook, restored
from backend.projects.models import Project

LARGE = 20_000  # judgments made or left, from which a forecast is kept
AT_LEAST = timedelta(minutes=1)  # from one making to the next
REST = 500  # times as long as the making took, likewise


def look(*, project: Project) -> ProjectForecast:
    """The forecast of a reader: kept where the project is large, else of this moment."""
    kept = KeptForecast.objects.filter(project=project).first()
    outlook = restored(kept.figures) if kept else renew(project=project)
    return forecast_of(outlook, project=project, as_of=kept.as_of if kept else None)


def renew(*, project: Project) -> Outlook:
    """Work the forecast out, and keep it where the project is large."""
    began, as_of = time.monotonic(), timezone.now()
    outlook = get_outlook(project=project)
    made = AnnotatorState.objects.filter(project=project).aggregate(n=Sum("n_judgments", default=0))["n"]
    if made + outlook.left.judgments.mean >= LARGE:
        found = {"as_of": as_of, "seconds": time.monotonic() - began, "figures": asdict(outlook)}
        KeptForecast.objects.update_or_create(project=project, defaults=found)
    else:
        for kept in KeptForecast.objects.filter(project=project):  # SQLite locks for each DELETE, also of no row
            kept.delete()
    return outlook


def keep_up() -> int:
    """Make every kept forecast again that is old enough. Returns how many were."""
    due = [
        kept.project
        for kept in KeptForecast.objects.select_related("project").order_by("as_of")
        if timezone.now() - kept.as_of >= max(AT_LEAST, timedelta(seconds=REST * kept.seconds))
    ]
    return len([renew(project=project) for project in due])
