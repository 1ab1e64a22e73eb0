"""What is said of some images already, read once: to find the pair that a control is about, or to begin a new one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from backend.annotation.models import Control
from backend.candidates.models import OTHER_IMAGE, QUERY, Candidate, CandidateStatus, candidate_key
from backend.candidates.queries import pair_of
from backend.candidates.selectors import KEPT, ORDINARY
from backend.candidates.services import HUMAN, read_by_hand
from backend.catalogue.models import Image, Query
from backend.common.errors import InvalidInput
from backend.methods.cleaning import comparison_form
from backend.projects.models import Project

MADE = "control"  # the `source_ref` of pairs that were written to be controls


class SaidElsewhere(InvalidInput):
    """Another image has these words as a control: whoever meets both would know them for one. Write others."""

    code = "said_elsewhere"


class HiddenWords:
    """Which images have a hidden control of some words, in use or not, as people may have met it; by the folded words.

    Kept for as long as a file is read: each time only what is new since is folded.
    """

    def __init__(self, project: Project) -> None:
        self._project, self._last = project, 0
        self._images: defaultdict[str, set[int]] = defaultdict(set)

    def read(self) -> HiddenWords:
        """What was made since. The caller holds the project."""
        new = Control.objects.filter(project=self._project, is_quiz=False, candidate__query=None, pk__gt=self._last)
        for pk, text, image in new.order_by("pk").values_list("pk", "candidate__text", "candidate__image").iterator():
            self._images[comparison_form(text)].add(image)
            self._last = pk
        return self

    def check(self, pair: Candidate) -> None:
        """Raises SaidElsewhere where another image has the caption's words."""
        if self._images[comparison_form(pair.text)] - {pair.image_id}:
            raise SaidElsewhere()

    def note(self, pair: Candidate) -> None:
        """That the caption will be a hidden control."""
        self._images[comparison_form(pair.text)].add(pair.image_id)


class Pool:
    """The pairs of some images, each with the HIT and the control it stands in, and those begun since.

    Four statements at most, however many images there are; each caption is folded once. `texts` are those about to be
    asked for. The caller holds the project.
    """

    def __init__(
        self,
        project: Project,
        images: Collection[Image],
        queries: Collection[str] = (),
        texts: Iterable[str] = (),
        hidden: HiddenWords | None = None,
    ) -> None:
        self._project = project
        self._by_key: dict[tuple[int, str], Candidate] = {}
        self._by_form: dict[tuple[int, str], Candidate] = {}
        there = Candidate.objects.filter(image__in=[image.pk for image in images])
        for pair in there.select_related("hit_item", "control").order_by("-pk"):  # of several that say it the oldest
            self._add(pair)
        known = Query.objects.filter(project=project, text__in=queries) if queries else ()
        self._queries = {query.text: query for query in known}
        asked = set(_readable(texts))
        self._homes = _images_of_words(project, asked)
        self.hidden = hidden or HiddenWords(project)
        if asked:
            self.hidden.read()

    def pair_of_text(self, image: Image, text: str, *, is_hidden: bool) -> Candidate:
        """The kept caption of the image that says the same, or a new one, not stored yet.

        What is a caption of another image is noted as borrowed from it: so nobody gets it who has had it there. Raises
        InvalidInput where the text cannot be read or stored, or is there and not kept, and where it would be a hidden
        control that another image has already.
        """
        mended = read_by_hand(text)
        standing = self._by_form.get((image.pk, comparison_form(mended)))
        made = standing or self._new(image, text, mended)
        if standing is None and {(image.pk, made.key), (image.pk, _written_key(image, text))} & self._by_key.keys():
            raise InvalidInput("This image has this caption already, but not kept: restore it first.")
        if is_hidden and not hasattr(made, "control"):
            self.hidden.check(made)
        return standing or self._add(made)

    def _new(self, image: Image, text: str, mended: str) -> Candidate:
        home = next((key for pk, key in self._homes[mended] if pk != image.pk), None)
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


def _images_of_words(project: Project, texts: Collection[str]) -> defaultdict[str, list[tuple[int, str]]]:
    """(id, key) of the images that have these captions of their own, by the words."""
    found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    own = Candidate.objects.filter(KEPT & ORDINARY, project=project, query=None, text__in=texts)
    rows = own.exclude(source=OTHER_IMAGE).order_by("image__key").values_list("text", "image", "image__key")
    for text, image_id, key in rows if texts else ():
        found[text].append((image_id, key))
    return found
