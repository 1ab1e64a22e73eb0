"""What retrieval left of an image, read back."""

from __future__ import annotations

from typing import Any

from backend.candidates.models import Candidate, Pool


def pool_of(image: str = "t0") -> Pool:
    return Pool.objects.filter(image__key=image).order_by("-run__created_at")[0]


def lent(image: str = "t0") -> list[tuple[Any, ...]]:
    rows = Candidate.objects.filter(image__key=image).order_by("rank", "key")
    return list(rows.values_list("raw_text", "source", "source_ref", "rank", "similarity", "status"))
