"""A figure of agreement as a line of a report, with all that is needed to read it: interval, n, what was drawn, how
often each label was said, and how many drawings had no figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from backend.methods.agreement import NO_INTERVAL, REASONS, Figure, Interval
from backend.methods.foreign.told import Line

BY_IMAGE = " by image"  # what is said of one picture is alike: it is drawn as one
BY_QUERY = " by query"  # and so is what is said of one query, under which a picture rarely stands twice
LABELS_SHOWN, PLACES_SHOWN = 20, 5


def agreement_line(figure: Figure, why: str = "", by: str = "") -> Line:
    """A figure with its interval, or why it has none; `by` says in which clusters it was drawn."""
    name = under(figure.measure, figure.reading)
    if figure.value is None:
        why = f"No figure: {REASONS[figure.reason]}" if figure.reason else ""
        return Line(name, "-", why=why)
    n = f"n={figure.n_items:,}"
    interval = figure.interval
    if interval is None or interval.low is None or interval.high is None:
        reason = f"No interval: {NO_INTERVAL[interval.reason]}" if interval and interval.reason else ""
        return Line(name, f"{decimal(figure.value)} {n}", why=_joined(why, reason, _prevalence(figure.prevalence)))
    shown = f"{decimal(figure.value)} [{decimal(interval.low)}, {decimal(interval.high)}] {n}{by}"
    return Line(name, shown, why=_joined(why, _prevalence(figure.prevalence), _undefined(interval)))


def decimal(value: float) -> str:
    """To four places; what rounds to nothing has no sign."""
    return f"{value:z.4f}"


def under(name: str, reading: str) -> str:
    """What a line is called under a reading of unsure; by its name alone where the labels are not ours."""
    return name if reading in ("", "as given") else f"{name}, unsure as {reading}"


def said(counts: Iterable[int], labels: Sequence[str]) -> str:
    """How many say each label: of two numbers beside each other nobody knows which is the label."""
    return listed([f"{n:,} {_named(label)}" for n, label in zip(counts, labels, strict=True)])


def places(names: Sequence[str]) -> str:
    """The first of them."""
    return ", ".join([*names[:PLACES_SHOWN], *(["..."] if len(names) > PLACES_SHOWN else [])])


def _named(label: str) -> str:
    return f'"{label}"' if label[:1].isdigit() or label[:1] in "+-." else label


def _prevalence(shares: Mapping[str, float]) -> str:
    return f"Labels: {listed([f'{share:.1%} {_named(label)}' for label, share in shares.items()])}." if shares else ""


def listed(labels: Sequence[str]) -> str:
    """The first of them, and how many there are more."""
    rest = len(labels) - LABELS_SHOWN
    return ", ".join([*labels[:LABELS_SHOWN], *([f"and {rest:,} more"] if rest > 0 else [])])


def _undefined(interval: Interval) -> str:
    """How many of the drawings were dropped: the interval is that of the others."""
    share = interval.undefined_share
    told = "under 0.1%" if 0 < share < 0.001 else f"{share:.1%}"
    return f"{told} of the samples have no figure and are left out." if share > 0 else ""


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
