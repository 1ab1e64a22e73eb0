"""What is said of some images already, read once: to find the pair that a control is about, or to begin a new one."""

from __future__ import annotations

from collections.abc import Collection

from backend.candidates.models import QUERY, Candidate, CandidateStatus, candidate_key
from backend.candidates.queries import pair_of
from backend.candidates.services import HUMAN, read_by_hand
from backend.catalogue.models import Image, Query
from backend.common.errors import InvalidInput
from backend.methods.cleaning import comparison_form
from backend.projects.models import Project

MADE = "control"  # the `source_ref` of pairs that were written to be controls


class Pool:
    """The pairs of some images, each with the HIT and the control it stands in, and those begun since.

    Two statements, however many images there are; each caption is folded once. The caller holds the project.
    """

    def __init__(self, project: Project, images: Collection[Image], queries: Collection[str] = ()) -> None:
        self._project = project
        self._by_key: dict[tuple[int, str], Candidate] = {}
        self._by_form: dict[tuple[int, str], Candidate] = {}
        there = Candidate.objects.filter(image__in=[image.pk for image in images])
        for pair in there.select_related("hit_item", "control").order_by("-pk"):  # of several that say it the oldest
            self._add(pair)
        known = Query.objects.filter(project=project, text__in=queries) if queries else ()
        self._queries = {query.text: query for query in known}

    def pair_of_text(self, image: Image, text: str) -> Candidate:
        """The kept caption of the image that says the same, or a new one, not stored yet.

        Raises InvalidInput where the text cannot be read or stored, or is there and not kept.
        """
        mended = read_by_hand(text)
        standing = self._by_form.get((image.pk, comparison_form(mended)))
        if standing is not None:
            return standing
        key = candidate_key(digest=image.digest, source=HUMAN, raw_text=text)
        if (image.pk, key) in self._by_key:
            raise InvalidInput("This image has this caption already, but not kept: restore it first.")
        made = Candidate(project=self._project, image=image, key=key, raw_text=text, text=mended, source=HUMAN)
        made.source_ref, made.status = MADE, CandidateStatus.KEPT
        return self._add(made)

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
