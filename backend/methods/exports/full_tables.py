"""judgments.parquet, candidates.parquet and annotators.csv: everything that was said, also of rejected captions.

A curator may leave columns out. They stay in the schema and are null, so that every release has the same columns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from backend.methods.exports.choices import LEAVABLE
from backend.methods.quality.shares import share_of

TEXT, WHOLE, YES_NO = pa.string(), pa.int32(), pa.bool_()
EDIT_FIELDS = {"start": WHOLE, "end": WHOLE, "kind": TEXT, "before": TEXT, "after": TEXT}
EDIT = pa.struct(list(EDIT_FIELDS.items()))
JUDGMENTS = pa.schema([
    ("image", TEXT), ("caption", TEXT), ("split", TEXT), ("annotator", TEXT), ("label", TEXT), ("revision", WHOLE),
    ("is_latest", YES_NO), ("is_counted", YES_NO), ("is_surplus", YES_NO), ("is_generic", YES_NO), ("lens", TEXT),
    ("edits", pa.list_(EDIT)), ("comment", TEXT), ("seconds", pa.float64()), ("position", WHOLE),
    ("options", pa.list_(TEXT)), ("submitted_at", pa.timestamp("ms", tz="UTC")),
])  # fmt: skip
CANDIDATES = pa.schema([
    ("image", TEXT), ("key", TEXT), ("split", TEXT), ("text", TEXT), ("raw_text", TEXT), ("source", TEXT),
    ("source_ref", TEXT), ("page_url", TEXT), ("rank", WHOLE), ("similarity", pa.float64()), ("status", TEXT),
    ("drop_rule", TEXT), ("drop_detail", TEXT), ("label", TEXT), ("decided_by", TEXT), ("n_good", WHOLE),
    ("n_bad", WHOLE), ("n_unsure", WHOLE), ("category", TEXT), ("entropy", pa.float64()), ("position", WHOLE),
])  # fmt: skip
ANNOTATOR_COLUMNS = (
    "annotator", "judgments", "counted", "changed", "is_excluded", "controls", "controls_passed", "controls_share",
    "controls_low", "controls_high", "decided", "agreed", "agreement", "agreement_low", "agreement_high",
    "median_seconds",
)  # fmt: skip
GOOD, DROPPED = "good", "dropped"
MOST_TENTHS = 36_000  # an hour: a longer answer was an interrupted one


def hide(row: Mapping[str, Any], left_out: Iterable[str]) -> dict[str, Any]:
    """The judgment without the columns that are left out."""
    hidden = {column for name in left_out for column in LEAVABLE[name]}
    return {column: None if column in hidden else value for column, value in row.items()}


def is_rejected(status: str, label: str) -> bool:
    """Whether a caption was dropped, or people did not find it good."""
    return status == DROPPED or label != GOOD


@dataclass(frozen=True)
class Said:
    """One stored judgment. `who` is any token of this installation, "" for a vote without a name."""

    who: str
    number: int
    label: str
    lens: str
    is_generic: bool
    edits: list[dict[str, Any]]
    comment: str
    ms: int | None
    position: int
    options: list[str]
    submitted_at: int | None  # in milliseconds
    is_late: bool
    is_excluded: bool


def caption_judgments(said: Iterable[Said], *, until: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """(who, row) of all judgments of one caption, each person's in their order.

    `until` is the newest judgment that the consensus on the caption saw; None where there is no consensus. The row of
    each person that counts is their newest one up to there, if they are not excluded and submitted it in time.
    """
    chains: dict[str, list[Said]] = defaultdict(list)
    for n, each in enumerate(sorted(said, key=lambda each: each.number)):
        chains[each.who or f"#{n}"].append(each)
    for chain in chains.values():
        seen = [each for each in chain if until is None or each.number <= until]
        for revision, each in enumerate(chain, start=1):
            is_counted = bool(seen) and each is seen[-1] and not each.is_late and not each.is_excluded
            yield each.who, _row(each, revision, is_latest=each is chain[-1], is_counted=is_counted)


def _row(each: Said, revision: int, *, is_latest: bool, is_counted: bool) -> dict[str, Any]:
    return {
        "label": each.label,
        "revision": revision,
        "is_latest": is_latest,
        "is_counted": is_counted,
        "is_surplus": each.is_late,
        "is_generic": each.is_generic,
        "lens": each.lens or None,
        "edits": [
            {name: edit.get(name) for name in ("start", "end", "kind", "before", "after")} for edit in each.edits
        ],
        "comment": each.comment or None,
        "seconds": None if each.ms is None else each.ms / 1000,
        "position": each.position,
        "options": each.options,
        "submitted_at": each.submitted_at,
    }


@dataclass
class Record:
    """What one annotator did, counted as their rows go by."""

    judgments: int = 0
    counted: int = 0
    changed: int = 0
    decided: int = 0
    agreed: int = 0
    tenths: Counter[int] = field(default_factory=Counter)  # tenths of a second -> answers that took them

    def see(self, row: Mapping[str, Any], label: str) -> None:
        """One row of theirs; `label` is the final label of the caption, "" where it has none."""
        self.judgments += row["revision"] == 1
        self.changed += row["revision"] > 1
        self.counted += row["is_counted"]
        if row["is_counted"] and label:
            self.decided += 1
            self.agreed += row["label"] == label
        if row["seconds"] is not None:
            self.tenths[min(round(10 * row["seconds"]), MOST_TENTHS)] += 1

    @property
    def median_seconds(self) -> float | None:
        """None where no time is known."""
        half, below = self.tenths.total() / 2, 0
        for tenths in sorted(self.tenths):
            below += self.tenths[tenths]
            if below >= half:
                return tenths / 10
        return None


def annotator_row(name: str, record: Record, *, is_excluded: bool, controls: tuple[int, int]) -> dict[str, Any]:
    """A line of annotators.csv. `controls` are those that the annotator passed, and all that were graded."""
    passed, graded = controls
    seconds = record.median_seconds
    return {
        "annotator": name,
        **{column: getattr(record, column) for column in ("judgments", "counted", "changed", "decided", "agreed")},
        "is_excluded": "yes" if is_excluded else "no",
        "controls": graded,
        "controls_passed": passed,
        **_share("controls", "controls_share", passed, graded),
        **_share("agreement", "agreement", record.agreed, record.decided),
        "median_seconds": None if seconds is None else f"{seconds:.1f}",
    }


def _share(name: str, value: str, k: int, n: int) -> dict[str, str | None]:
    share = share_of(k, n)
    shown = (share.share, share.low, share.high) if share else (None, None, None)
    names = (value, f"{name}_low", f"{name}_high")
    return {column: None if each is None else f"{each:.4f}" for column, each in zip(names, shown, strict=True)}
