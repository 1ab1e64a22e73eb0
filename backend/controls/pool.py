"""What is said of some images already, read once: to find the pair that a control is about, or to begin a new one.

Words are compared as people know them again: without capitals and stops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from django.db.models import Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Lower, Replace

from backend.candidates.models import HUMAN, OTHER_IMAGE, QUERY, Candidate, CandidateStatus, candidate_key
from backend.candidates.queries import pair_of
from backend.candidates.selectors import KEPT, ORDINARY
from backend.candidates.services import read_by_hand
from backend.catalogue.models import Image, Query
from backend.common.errors import InvalidInput
from backend.methods.cleaning import comparison_form
from backend.methods.cleaning.pool import fold_text
from backend.projects.models import Project
from backend.qualification.models import Control

MADE = "control"  # the `source_ref` of pairs that were written to be controls
MARKS = " .,;:!?'\"()-"  # all that most captions hold beside letters; the hyphen is last for the pattern's sake
WITHOUT_MARKS = str.maketrans("", "", MARKS)
Homes = defaultdict[str, list[tuple[int, str]]]  # (id, key) of images, by the folded words
UNUSUAL = f"[^a-zA-Z0-9à-öø-ÿ{MARKS}]"  # what folding may turn into something else


class SaidElsewhere(InvalidInput):
    """Another test question has the same text, so annotators could recognise it. Write another text."""

    code = "said_elsewhere"


class ControlWords:
    """Which images have a hidden control of some words, or a question of the quiz, by the folded words. In use or not,
    as people may have met it.

    A hidden control has the words of no other image's, and none of the quiz, which tells the answer. The quiz may
    repeat itself. Kept for as long as a file is read: each time only what is new since is folded. Who makes one control
    reads twice, before the project is held and when it is: controls are numbered in the order in which it was held.
    """

    def __init__(self, project: Project) -> None:
        self._project, self._last = project, 0
        self._hidden: defaultdict[str, set[int]] = defaultdict(set)
        self._quiz: defaultdict[str, set[int]] = defaultdict(set)

    def read(self) -> ControlWords:
        """What was made since. Only while the caller holds the project it is all."""
        new = Control.objects.filter(project=self._project, candidate__query=None, pk__gt=self._last).order_by("pk")
        told = ("pk", "is_quiz", "candidate__text", "candidate__image")
        for self._last, is_quiz, text, image in new.values_list(*told).iterator():
            (self._quiz if is_quiz else self._hidden)[comparison_form(text)].add(image)
        return self

    def check(self, pair: Candidate, *, is_quiz: bool) -> None:
        """Raises SaidElsewhere where the caption could be known for a control by its words."""
        form = comparison_form(pair.text)
        if self._hidden[form] if is_quiz else self._quiz[form] | self._hidden[form] - {pair.image_id}:
            raise SaidElsewhere()

    def note(self, pair: Candidate, *, is_quiz: bool) -> None:
        """That the caption will be a control."""
        (self._quiz if is_quiz else self._hidden)[comparison_form(pair.text)].add(pair.image_id)


class Pool:
    """The pairs of some images, each with the HIT and the control it stands in, and those begun since.

    Five statements at most, however many images there are; each caption is folded once. `texts` are those about to be
    asked for, and `homes` theirs, where they were read before. The caller holds the project.
    """

    def __init__(
        self,
        project: Project,
        images: Collection[Image],
        queries: Collection[str] = (),
        texts: Collection[str] = (),
        words: ControlWords | None = None,
        homes: Homes | None = None,
    ) -> None:
        self._project = project
        self._by_key: dict[tuple[int, str], Candidate] = {}
        self._by_form: dict[tuple[int, str], Candidate] = {}
        there = Candidate.objects.filter(image__in=[image.pk for image in images])
        for pair in there.select_related("control").prefetch_related("hit_items").order_by("-pk"):  # the oldest last
            self._add(pair)
        known = Query.objects.filter(project=project, text__in=queries) if queries else ()
        self._queries = {query.text: query for query in known}
        self._homes = find_homes(project, texts) if homes is None else homes
        self.words = words or ControlWords(project)
        if texts:
            self.words.read()

    def pair_of_text(self, image: Image, text: str, *, is_quiz: bool) -> Candidate:
        """The kept caption of the image that says the same, or a new one, not stored yet.

        What is a caption of another image is noted as borrowed from it. Raises
        InvalidInput where the text cannot be read or stored, or is there and not kept, and where the words are those of
        a control already that people would know it by.
        """
        mended = read_by_hand(text)
        standing = self._by_form.get((image.pk, comparison_form(mended)))
        made = standing or self._new(image, text, mended)
        if standing is None and {(image.pk, made.key), (image.pk, _written_key(image, text))} & self._by_key.keys():
            raise InvalidInput(
                "This image already has this caption, but it is dropped. Restore it first.", code="caption_dropped"
            )
        if not hasattr(made, "control"):
            self.words.check(made, is_quiz=is_quiz)
        return standing or self._add(made)

    def _new(self, image: Image, text: str, mended: str) -> Candidate:
        home = next((key for pk, key in self._homes[comparison_form(mended)] if pk != image.pk), None)
        source, source_ref = (HUMAN, MADE) if home is None else (OTHER_IMAGE, home[:200])
        made = Candidate(project=self._project, image=image, raw_text=text, text=mended, source=source)
        made.key = candidate_key(digest=image.digest, source=source, raw_text=text)
        made.source_ref, made.status = source_ref, CandidateStatus.KEPT
        return made

    def pair_of_query(self, image: Image, text: str) -> Candidate:
        """The image's pair with the query of this text, or a new one; query and pair may not be stored yet."""
        key = candidate_key(digest=image.digest, source=QUERY, raw_text=text)
        if (standing := self._by_key.get((image.pk, key))) is not None:
            return standing
        query = self._queries.setdefault(text, Query(project=self._project, text=text))
        return self._add(pair_of(query, image, source_ref=MADE))

    def _add(self, pair: Candidate) -> Candidate:
        self._by_key[pair.image_id, pair.key] = pair
        if pair.source != QUERY and pair.status == CandidateStatus.KEPT:
            self._by_form[pair.image_id, comparison_form(pair.text)] = pair
        return pair


def _written_key(image: Image, text: str) -> str:
    return candidate_key(digest=image.digest, source=HUMAN, raw_text=text)


def _readable(texts: Iterable[str]) -> Iterator[str]:
    """As they would be stored; who asks for one that cannot be is told then."""
    for text in texts:
        try:
            yield read_by_hand(text)
        except InvalidInput:
            continue


def find_homes(project: Project, texts: Iterable[str]) -> Homes:
    """The images that have captions of their own in these words.

    It takes long where there are many captions, and needs no project held: one that comes meanwhile is as one that
    comes later.
    """
    forms = {comparison_form(mended) for mended in _readable(texts)}
    found: Homes = defaultdict(list)
    own = Candidate.objects.filter(KEPT & ORDINARY, project=project, query=None).exclude(source=OTHER_IMAGE)
    rows = _near(own, forms).order_by("image__key", "pk").values_list("text", "image", "image__key")
    for text, image_id, key in rows.iterator() if forms else ():
        if (form := fold_text(text)) in forms:  # what is kept is mended already
            found[form].append((image_id, key))
    return found


def _near(captions: QuerySet[Candidate], forms: Collection[str]) -> QuerySet[Candidate]:
    """Those that may come to one of these folded texts. Of a million captions the database leaves out those of plain
    letters and usual marks that do not, so that few others are folded here."""
    bare: Func = Lower("text")
    for mark in MARKS:
        bare = Replace(bare, Value(mark), output_field=TextField())
    is_said = Q(bare__in={form.translate(WITHOUT_MARKS) for form in forms})  # a form keeps the point of 1.5
    return captions.alias(bare=bare).filter(is_said | Q(text__regex=UNUSUAL))
