"""Thin tasks: load ids, call an engine and a method, hand the result to a room's service."""

from __future__ import annotations

from workers.tasks import (
    agreement,
    annotation,
    candidates,
    catalogue,
    control_making,
    corpora,
    curation,
    difficulty,
    erasure,
    generic,
    policies,
    polysemy,
    releases,
    retrieval,
    runs,
    sampling,
    settling,
    web_titles,
)

__all__ = [
    "agreement",
    "annotation",
    "candidates",
    "catalogue",
    "control_making",
    "corpora",
    "curation",
    "difficulty",
    "erasure",
    "generic",
    "policies",
    "polysemy",
    "releases",
    "retrieval",
    "runs",
    "sampling",
    "settling",
    "web_titles",
]
