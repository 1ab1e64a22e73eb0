"""Judgments made elsewhere as judgments of a project: of its own pairs, by people who cannot sign in.

A foreign worker becomes a user without password and membership, named after project and worker, so that a second file
of the same worker finds them again and every table that knows annotators knows them too. Votes without names are dealt
to users who stand for nobody; the tables of people leave these out. What a worker said of the pairs of a HIT is one
assignment on a place of its own; what then is missing, or over, the HIT's settling sees to. Here judgments find their
pairs, storing.py makes them rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from backend.annotation.foreign.storing import Found, Voter, store_found
from backend.annotation.models import HitItem, Label
from backend.methods.foreign.bounds import check_twos
from backend.methods.foreign.label_studio import OF_NOBODY
from backend.methods.foreign.labels import LABELS, plain
from backend.methods.foreign.told import Told, Why
from backend.methods.foreign.unnamed import MOST_VOTES, TOO_MANY, TWICE
from backend.projects.models import Project

BATCH = 1000  # keys that a statement names
CHUNK = 5000  # rows in memory at a time
BROKEN = re.compile("[\\0\\ud800-\\udfff]")
DIGEST = re.compile("[0-9a-f]{64}")  # of an image
OTHER_VOTES = Why("row_other_votes", "Other votes for this pair were imported before. Connote kept them.")
GOLD = Why("row_is_gold", "It is marked as a correct answer. Make a test question of it.")
NOT_TEXT = Why("row_not_text", "It has characters that are not valid in a text.")
NO_PAIR = Why("row_no_pair", "No pair in a task has this key, or this image and text.")
PAIR_TWICE = Why("row_pair_twice", "This person already answered the pair.")
SHOWN = 80  # characters of a label that is none of ours: a cell may hold a novel
Progress = Callable[[int, int], object]  # (judgments dealt with since the last call, of how many there are)
# Label Studio puts eight characters and a hyphen before the name of an uploaded file, and names one of its own disk as
# /data/local-files/?d=photos/pier.jpg.
UPLOADED, LOCAL = 9, "/local-files/"


class Refused(NamedTuple):
    """A judgment that was not taken, by its place in the file, the reason in words that many share, and what is the
    matter with this one."""

    where: str
    reason: str
    detail: str = ""

    @property
    def place(self) -> str:
        """Where, with what is the matter."""
        return f"{self.where} ({self.detail})" if self.detail else self.where

    @property
    def why(self) -> str:
        """The whole sentence."""
        return f"{self.reason.removesuffix('.')}: {self.detail}." if self.detail else self.reason


@dataclass
class Imported:
    """What a file came to: judgments stored, those that were there, by how many people whom it names, and those
    refused."""

    n_new: int = 0
    n_there: int = 0
    n_people: int = 0
    refused: list[Refused] = field(default_factory=list)


class Pair(NamedTuple):
    """A pair of the project and the HIT in which it stands."""

    hit_id: int
    candidate_id: int


def import_judgments(
    *, project: Project, told: Sequence[Told], labels: Mapping[str, str] | None = None, progress: Progress | None = None
) -> Imported:
    """Store what people said elsewhere of pairs that are in HITs. Importing the same again adds nothing, and going on
    where an import was stopped adds what is missing.

    `labels` says which of ours theirs are, in small letters; by default `LABELS`. Pairs are found by their key, given
    as the task, or by image and text, which may be as a release names them. `progress` is called with what each
    transaction has dealt with. Raises NotJudgmentsError, before anything is stored, where so many judged the same pairs
    that not every two people could be compared.
    """
    outcome = Imported()
    usable = [each for each in told if _keep(each, labels or LABELS, outcome)]
    found = _found(project, usable, labels or LABELS, outcome)
    _check_twos([each for each in found if not each.voter.is_unnamed])
    for stored in store_found(project=project, found=found):
        outcome.n_new += stored.n_new
        for each, before in stored.there:
            _tell_there(each, before, outcome)
        outcome.refused += [Refused(each.where, OTHER_VOTES) for each in stored.other]
        outcome.refused += [Refused(each.where, TOO_MANY) for each in stored.crowded]
        if progress:
            progress(stored.n_new + len(stored.there) + len(stored.other) + len(stored.crowded), len(found))
    outcome.n_people = len({each.voter for each in found if not each.voter.is_unnamed})
    return outcome


def _check_twos(named: Sequence[Found]) -> None:
    """Of pairs with too many judgments none is taken."""
    n_judged = Counter(each.candidate_id for each in named)
    pairs = (each.candidate_id for each in named if n_judged[each.candidate_id] <= MOST_VOTES)
    check_twos(pairs, n_people=len({each.voter for each in named}), n_labels=len(Label))


def _tell_there(found: Found, before: str, outcome: Imported) -> None:
    """What is there with another label is refused, as judgments never change."""
    if before == found.label:
        outcome.n_there += 1
    else:
        why = Why("row_said_otherwise", f"It was imported before as {before}. Connote kept that answer.")
        outcome.refused.append(Refused(found.where, why))


def _keep(told: Told, labels: Mapping[str, str], outcome: Imported) -> bool:
    why, detail = told.why_not, ""
    if told.is_gold:
        why = GOLD
    elif not why and not told.worker:
        why = OF_NOBODY
    elif not why and BROKEN.search("".join(told[:6])):
        why = NOT_TEXT
    elif not why and not _ours(told, labels):
        why = Why("row_not_our_label", f"The label is not one of: {', '.join(sorted(labels))}.")
        detail = repr(told.label[:SHOWN])
    if why:
        outcome.refused.append(Refused(told.where, why, detail))
    return not why


def _ours(told: Told, labels: Mapping[str, str]) -> str:
    """Our label for theirs, empty where there is none. Votes without names are told in ours."""
    return (LABELS if told.is_unnamed else labels).get(plain(told.label), "")


def _found(project: Project, told: Sequence[Told], labels: Mapping[str, str], outcome: Imported) -> list[Found]:
    """Each judgment's pair, in a HIT. Two by one person on one pair: the first is taken. So it is with votes without
    names that stand under two names of one pair."""
    by_key = _pairs_by_key(project, {each.task for each in told})
    by_text = _pairs_by_text(project, {name for each in told for name in _names(each.image)})
    found: list[Found] = []
    first: dict[tuple[int, str], str] = {}
    named: dict[int, tuple[str, str]] = {}
    for each in told:
        detail, name = "", (each.image, each.text)
        pair = by_key.get(each.task) or _pair_of(each, by_text)
        if pair is None:
            why = NO_PAIR
        elif each.is_unnamed and named.setdefault(pair.candidate_id, name) != name:
            why = TWICE
        elif (pair.candidate_id, each.worker) in first:
            why, detail = PAIR_TWICE, first[pair.candidate_id, each.worker]
        else:
            first[pair.candidate_id, each.worker] = each.where
            voter = Voter(each.worker, each.is_unnamed)
            found.append(Found(each.where, voter, _ours(each, labels), *pair))
            continue
        outcome.refused.append(Refused(each.where, why, detail))
    return found


def _pair_of(told: Told, by_text: Mapping[tuple[str, str], Pair]) -> Pair | None:
    return next(filter(None, (by_text.get((name, told.text)) for name in _names(told.image))), None)


def _pairs_by_key(project: Project, keys: Iterable[str]) -> dict[str, Pair]:
    """No index knows a key alone. Few are asked for in one statement that reads all candidates; for many the project's
    pairs are gone through once, where asking for a part after the other would read all of them for each part."""
    wanted = {key for key in keys if key}
    items = HitItem.objects.filter(hit__project=project).order_by("pk")
    if len(wanted) <= BATCH:
        items = items.filter(candidate__key__in=wanted)
    rows = items.values_list("candidate__key", "hit_id", "candidate_id").iterator(chunk_size=CHUNK)
    return {key: Pair(*pair) for key, *pair in rows if key in wanted}


def _pairs_by_text(project: Project, images: Iterable[str]) -> dict[tuple[str, str], Pair]:
    """By the image's key, or its digest as in a release, with the text as cleaned, as imported where that is another,
    or the pair's own key, which a release has in its place."""
    items = HitItem.objects.filter(hit__project=project).order_by("pk")
    names = ("hit_id", "candidate_id", "candidate__text", "candidate__raw_text", "candidate__key")
    asked = set(images)
    found: dict[tuple[str, str], Pair] = {}
    for name, told in (("key", asked), ("digest", filter(DIGEST.fullmatch, asked))):
        column = f"candidate__image__{name}"
        for part in _parts(told):
            for image, hit, candidate, *texts in items.filter(**{f"{column}__in": part}).values_list(column, *names):
                for each in texts:
                    found.setdefault((image, each), Pair(hit, candidate))
    return found


def _parts(names: Iterable[str]) -> list[list[str]]:
    told = sorted(name for name in set(names) if name)
    return [told[first : first + BATCH] for first in range(0, len(told), BATCH)]


def _names(image: str) -> tuple[str, ...]:
    """What the image may be called here: as told, its file's name, and that without Label Studio's prefix. An address
    whose host is none, as of `//nas[2]/pier.jpg`, has no name but the one told."""
    if not image:
        return ()
    try:
        address = urlsplit(image)
    except ValueError:
        return (image,)
    local = parse_qs(address.query).get("d", [""])[0] if address.path.endswith(LOCAL) else ""
    name = PurePosixPath(local or unquote(address.path)).name
    return (image, name, name[UPLOADED:] if name[UPLOADED - 1 : UPLOADED] == "-" else name)
