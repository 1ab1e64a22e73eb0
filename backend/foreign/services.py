"""Judgments made elsewhere as judgments of a project: of its own pairs, by people who cannot sign in.

A foreign worker becomes a user without password and membership, named after project and worker, so that a second file
of the same worker finds them again and every table that knows annotators knows them too. Votes without names are dealt
to users who stand for nobody; the tables of people leave these out. What a worker said of the pairs of a HIT is one
assignment on a slot of its own; settling the HIT then adds or removes slots. Here judgments find their pairs, rows.py
stores them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from backend.annotation.selectors import pairs_in_hits
from backend.catalogue.image_index import ImageIndex
from backend.catalogue.models import Image
from backend.catalogue.sources.rows import MemberRefused
from backend.common.labels import Label
from backend.foreign.rows import FoundJudgment, Voter, store_found
from backend.methods.foreign.bounds import check_twos
from backend.methods.foreign.label_studio import OF_NOBODY
from backend.methods.foreign.labels import LABELS, composed, plain
from backend.methods.foreign.told import Told, Why
from backend.methods.foreign.unnamed import MOST_VOTES, TWICE
from backend.projects.models import Project

BATCH = 1000  # keys that a statement names
CHUNK = 5000  # rows in memory at a time
BROKEN = re.compile("[\\0\\ud800-\\udfff]")
DIGEST = re.compile("[0-9a-f]{64}")  # of an image
GOLD = Why("row_is_gold", "It is marked as a correct answer. Make a test question of it.")
NOT_TEXT = Why("row_not_text", "It has characters that are not valid in a text.")
SEVERAL_IMAGES = Why("row_image_several", "The name of the image can mean several images.")
NO_PAIR = Why("row_no_pair", "No pair in a task has this key, or this image and text.")
PAIR_TWICE = Why("row_pair_twice", "This person already answered the pair.")
SHOWN = 80  # characters of a label that is none of ours: a cell may hold a novel
OnProgress = Callable[[int, int], object]  # (judgments dealt with since the last call, of how many there are)


class RefusedJudgment(NamedTuple):
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
class ImportedJudgments:
    """What a file came to: judgments stored, those that were there, by how many people whom it names, and those
    refused."""

    n_new: int = 0
    n_there: int = 0
    n_people: int = 0
    refused: list[RefusedJudgment] = field(default_factory=list)


class HitPair(NamedTuple):
    """A pair of the project and the HIT in which it stands."""

    hit_id: int
    candidate_id: int


def import_judgments(
    *,
    project: Project,
    told: Sequence[Told],
    labels: Mapping[str, str] | None = None,
    progress: OnProgress | None = None,
) -> ImportedJudgments:
    """Store what people said elsewhere of pairs that are in HITs. Importing the same again adds nothing, and going on
    where an import was stopped adds what is missing.

    `labels` says which of ours theirs are, in small letters; by default `LABELS`. Pairs are found by their key, given
    as the task, or by image and text, which may be as a release names them. `progress` is called with what each
    transaction has dealt with. Raises NotJudgmentsError, before anything is stored, where so many judged the same pairs
    that not every two people could be compared.
    """
    outcome = ImportedJudgments()
    usable = [each for each in told if _keep(each, labels or LABELS, outcome)]
    found = _found(project, usable, labels or LABELS, outcome)
    named = [each for each in found if not each.voter.is_unnamed]
    n_judged = Counter(each.candidate_id for each in named)
    comparable = (each.candidate_id for each in named if n_judged[each.candidate_id] <= MOST_VOTES)
    outcome.n_people = len({each.voter for each in named})
    check_twos(comparable, n_people=outcome.n_people, n_labels=len(Label))
    for stored in store_found(project=project, found=found):
        outcome.n_new += stored.n_new
        outcome.n_there += stored.n_there
        outcome.refused += [RefusedJudgment(each.where, why) for each, why in stored.refused]
        if progress:
            progress(stored.n_new + stored.n_there + len(stored.refused), len(found))
    return outcome


def _keep(told: Told, labels: Mapping[str, str], outcome: ImportedJudgments) -> bool:
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
        outcome.refused.append(RefusedJudgment(told.where, why, detail))
    return not why


def _ours(told: Told, labels: Mapping[str, str]) -> str:
    """Our label for theirs, empty where there is none. Votes without names are told in ours."""
    return (LABELS if told.is_unnamed else labels).get(plain(told.label), "")


def _found(
    project: Project, told: Sequence[Told], labels: Mapping[str, str], outcome: ImportedJudgments
) -> list[FoundJudgment]:
    """Each judgment's pair, in a HIT. Two by one person on one pair: the first is taken. So it is with votes without
    names that stand under two names of one pair."""
    pairs = _Pairs(project, told)
    found: list[FoundJudgment] = []
    first: dict[tuple[int, str], str] = {}
    named: dict[int, tuple[str, str]] = {}
    for each in told:
        detail, name = "", (each.image, each.text)
        pair = pairs.find(each)
        if not isinstance(pair, HitPair):
            why, detail = pair
        elif each.is_unnamed and named.setdefault(pair.candidate_id, name) != name:
            why = TWICE
        elif (pair.candidate_id, each.worker) in first:
            why, detail = PAIR_TWICE, first[pair.candidate_id, each.worker]
        else:
            first[pair.candidate_id, each.worker] = each.where
            voter = Voter(each.worker, each.is_unnamed)
            found.append(FoundJudgment(each.where, voter, _ours(each, labels), *pair))
            continue
        outcome.refused.append(RefusedJudgment(each.where, why, detail))
    return found


class _Pairs:
    """The pairs in HITs that judgments name: by key, given as the task, or by image and text.

    The text is that of the pair as cleaned, as imported, or the pair's own key, which a release has in its place.
    """

    def __init__(self, project: Project, told: Sequence[Told]) -> None:
        self._items = pairs_in_hits(project=project).order_by("pk")
        self._by_key = self._read_keys({key for each in told for key in (each.task, composed(each.task)) if key})
        names = {each.image for each in told if each.image and not self._of_key(each)}
        self._images = _images_of(project, names) if names else {}
        self._by_text = self._read_texts(sorted({pk for pk in self._images.values() if isinstance(pk, int)}))

    def find(self, told: Told) -> HitPair | tuple[Why, str]:
        """The pair, or why there is none, with the detail."""
        if (pair := self._of_key(told)) is not None:
            return pair
        image = self._images.get(told.image)
        if isinstance(image, str):
            return SEVERAL_IMAGES, image
        return self._by_text.get((image, _plain(told.text)), (NO_PAIR, "")) if image else (NO_PAIR, "")

    def _of_key(self, told: Told) -> HitPair | None:
        """By the pair's key; 391895.0 is what a table makes of 391895."""
        return self._by_key.get(told.task) or self._by_key.get(composed(told.task))

    def _read_keys(self, keys: set[str]) -> dict[str, HitPair]:
        """No index knows a key alone: few are asked for in one statement; for many all pairs are read once."""
        items = self._items.filter(candidate__key__in=keys) if len(keys) <= BATCH else self._items
        rows = items.values_list("candidate__key", "hit_id", "candidate_id").iterator(chunk_size=CHUNK)
        return {key: HitPair(*pair) for key, *pair in rows if key in keys}

    def _read_texts(self, images: Sequence[int]) -> dict[tuple[int | str, str], HitPair]:
        names = ("hit_id", "candidate_id", "candidate__text", "candidate__raw_text", "candidate__key")
        found: dict[tuple[int | str, str], HitPair] = {}
        for start in range(0, len(images), BATCH):
            items = self._items.filter(candidate__image__in=images[start : start + BATCH])
            for image, hit, candidate, *texts in items.values_list("candidate__image_id", *names):
                for each in texts:
                    found.setdefault((image, _plain(each)), HitPair(hit, candidate))
        return found


def _images_of(project: Project, names: set[str]) -> dict[str, int | str]:
    """The image that each name means, by its digest as in a release or by any of its names; or the names of the several
    that it can mean."""
    digests = list(filter(DIGEST.fullmatch, names))
    found: dict[str, int | str] = {}
    for start in range(0, len(digests), BATCH):
        images = Image.objects.filter(project=project, digest__in=digests[start : start + BATCH]).order_by()
        found |= dict(images.values_list("digest", "pk"))
    index = ImageIndex(project.pk)
    for name in names - found.keys():
        try:
            found[name] = index.find([name]).pk
        except MemberRefused as refused:
            if refused.code == "image_several":
                found[name] = str(refused.params["names"])
    return found


def _plain(text: str) -> str:
    """A text with single blanks and composed letters, as two programs may write one text."""
    return " ".join(composed(text).split())
