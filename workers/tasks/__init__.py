"""Thin tasks: load ids, call an engine and a method, hand the result to a room's service."""

from __future__ import annotations

from workers.tasks import (
    annotation,
    candidates,
    catalogue,
    chores,
    control_making,
    corpora,
    curation,
    difficulty,
    diversity,
    exporting,
    generic,
    mapping,
    policies,
    polysemy,
    releases,
    retrieval,
    sampling,
    settling,
    web_titles,
    webhook_delivery,
)

__all__ = [
    "annotation",
    "candidates",
    "catalogue",
    "chores",
    "control_making",
    "corpora",
    "curation",
    "difficulty",
    "diversity",
    "exporting",
    "generic",
    "mapping",
    "policies",
    "polysemy",
    "releases",
    "retrieval",
    "sampling",
    "settling",
    "web_titles",
    "webhook_delivery",
]
