"""What is said of some images already: to find the pair that a control is about, or to begin a new one.

Words are compared as people recognise them: without capitals and stops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from backend.candidates.models import HUMAN, QUERY, Candidate, CandidateStatus, candidate_key
from backend.candidates.queries import pair_of
from backend.candidates.services import read_by_hand
from backend.catalogue.models import Image, Query
from backend.common.errors import InvalidInput
from backend.methods.cleaning import comparison_form
from backend.projects.models import Project
from backend.qualification.models import Control

MADE = "control"  # the `source_ref` of pairs that were written to be controls


class SaidElsewhere(InvalidInput):
    """Another test question has the same text, so annotators could recognise it. Write another text."""

    code = "said_elsewhere"


class ControlWords:
    """Which images have a hidden control or a question of the quiz, by its words. In use or not: people may know it.

    A hidden control has the words of no other image's, and none of the quiz, which shows the answer. The quiz may
    repeat itself. Controls are numbered in the order in which the project was locked, so `read` adds the new ones.
    """

    def __init__(self, project: Project) -> None:
        self._project, self._last = project, 0
        self._hidden: defaultdict[str, set[int]] = defaultdict(set)
        self._quiz: defaultdict[str, set[int]] = defaultdict(set)

    def read(self) -> None:
        """Add what was made since. It is complete only while the caller holds the project."""
        new = Control.objects.filter(project=self._project, candidate__query=None, pk__gt=self._last).order_by("pk")
        rows = new.values_list("pk", "is_quiz", "candidate__text", "candidate__image")
        for self._last, is_quiz, text, image in rows.iterator():
            (self._quiz if is_quiz else self._hidden)[comparison_form(text)].add(image)

    def has(self, form: str) -> bool:
        """Whether any control or question has these words, folded."""
        return bool(self._hidden.get(form) or self._quiz.get(form))

    def add(self, pair: Candidate, *, is_quiz: bool) -> None:
        """Note the words of a new control. Raises SaidElsewhere if people could recognise it by them."""
        if pair.source == QUERY:
            return
        form = comparison_form(pair.text)
        if self._hidden[form] if is_quiz else self._quiz[form] | self._hidden[form] - {pair.image_id}:
            raise SaidElsewhere()
        (self._quiz if is_quiz else self._hidden)[form].add(pair.image_id)


class PairPool:
    """The pairs of some images, each with its HITs and its control, and those begun since. The caller holds the
    project. `queries` are those that will be asked for."""

    def __init__(self, project: Project, images: Collection[Image], queries: Collection[str] = ()) -> None:
        self._project = project
        self._by_key: dict[tuple[int, str], Candidate] = {}
        self._by_form: dict[tuple[int, str], Candidate] = {}
        there = Candidate.objects.filter(image__in=[image.pk for image in images])
        pairs = there.select_related("control").prefetch_related("hit_items").order_by("-pk")
        for pair in sorted(pairs, key=lambda pair: pair.status == CandidateStatus.KEPT):  # the oldest kept one wins
            self._add(pair)
        self._queries = {query.text: query for query in Query.objects.filter(project=project, text__in=queries)}

    def pair_of_text(self, image: Image, text: str) -> Candidate:
        """The kept caption of the image that says the same, or a new one, not stored yet.

        Raises InvalidInput if the text cannot be read or stored, or is there and not kept.
        """
        readable, key = read_by_hand(text), candidate_key(digest=image.digest, source=HUMAN, raw_text=text)
        there = self._by_form.get((image.pk, comparison_form(readable)))
        if there.status != CandidateStatus.KEPT if there else (image.pk, key) in self._by_key:
            raise InvalidInput(
                "This image already has this caption, but it is dropped. Restore it first.", code="caption_dropped"
            )
        return there or self._add(
            Candidate(
                project=self._project, image=image, key=key, raw_text=text, text=readable, source=HUMAN,
                source_ref=MADE, status=CandidateStatus.KEPT,
            )
        )  # fmt: skip

    def pair_of_query(self, image: Image, text: str) -> Candidate:
        """The image's pair with the query of this text, or a new one; query and pair may not be stored yet."""
        key = candidate_key(digest=image.digest, source=QUERY, raw_text=text)
        if (there := self._by_key.get((image.pk, key))) is not None:
            return there
        query = self._queries.setdefault(text, Query(project=self._project, text=text))
        return self._add(pair_of(query, image, source_ref=MADE))

    def _add(self, pair: Candidate) -> Candidate:
        self._by_key[pair.image_id, pair.key] = pair
        if pair.source != QUERY:
            self._by_form[pair.image_id, comparison_form(pair.text or pair.raw_text)] = pair
        return pair
