"""Captions of other images, so that annotators also see what does not belong.

Titles of web pages are not lent. A borrowed caption is repaired as one of a corpus, so a site's name would stay at its
end and give it away; and what rules for titles make of one is not known when captions are borrowed, before cleaning.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from backend.candidates.bulk import NewCandidate, insert_candidates
from backend.candidates.cleaning import demands_of, last_cleaning
from backend.candidates.models import OTHER_IMAGE, Candidate, candidate_key
from backend.candidates.selectors import ORDINARY
from backend.catalogue.models import Image
from backend.methods.borrowing import Lent, choose_borrowed, draw_places
from backend.methods.cleaning import comparison_form
from backend.runs.ledger import Ledger
from backend.runs.models import Run

ROWS_AT_ONCE = 20_000
SEARCH_AT_MOST = 2_000
Target = tuple[int, str]  # an image's id and digest


def borrow_captions(*, ledger: Ledger, n_borrowed: int) -> None:
    """Give every image of the project `n_borrowed` captions of other images, or as many as there are.

    Drawn by the run's seed and the image's digest out of all captions that are neither titles nor borrowed themselves,
    in the order of their keys: the same on every database. Importing again with the same seed borrows the same ones.
    """
    pool = _lendable(ledger.run)
    for images in _images_after(ledger, n_at_once=max(1, ROWS_AT_ONCE // _n_drawn(n_borrowed))):
        with ledger.step() as step:
            rows = _borrow_for(ledger, pool, images, n_borrowed)
            step.counts["borrowed"] += insert_candidates(rows)
            step.cursor["borrowed_up_to"] = images[-1][1]
            step.done = len(images)


def _n_drawn(n_borrowed: int) -> int:
    """Some of what is drawn is the image's own or says the same as another: draw twice what is needed."""
    return 2 * n_borrowed + 8


def _images_after(ledger: Ledger, *, n_at_once: int) -> Iterator[list[Target]]:
    """The project's images by digest, from where the last committed step ended."""
    images = Image.objects.filter(project=ledger.run.project_id).order_by("digest")
    while batch := list(
        images.filter(digest__gt=ledger.cursor.get("borrowed_up_to", "")).values_list("id", "digest")[:n_at_once]
    ):
        yield batch


def _lendable(run: Run) -> NDArray[np.int64]:
    """Ids of the captions that can be lent, in the order of their keys; 40 bytes a caption while it sorts.

    Sorted here and not by the database, whose collation may differ from another's.
    """
    titles = demands_of(last_cleaning(run.project_id)).title_sources
    own = Candidate.objects.filter(ORDINARY, project=run.project_id, query=None)
    own = own.exclude(source__in={OTHER_IMAGE, *titles})
    rows = own.values_list("key", "id").iterator(chunk_size=10_000)
    pairs = np.fromiter(((key.encode(), id_) for key, id_ in rows), dtype=[("key", "S32"), ("id", "i8")])
    pairs.sort(order="key")
    return pairs["id"].copy()


def _borrow_for(ledger: Ledger, pool: NDArray[np.int64], images: Sequence[Target], n: int) -> list[NewCandidate]:
    own = _own_texts([image_id for image_id, _ in images])
    n_drawn = _n_drawn(n)
    draws = {digest: draw_places(len(pool), n_drawn, seed=ledger.seed, digest=digest) for _, digest in images}
    lent = _read_lent(pool, {place for places in draws.values() for place in places})
    rows: list[NewCandidate] = []
    for image_id, digest in images:
        drawn = (lent[place] for place in draws[digest])
        chosen = choose_borrowed(drawn, digest=digest, own=own[image_id], n_wanted=n)
        if len(chosen) < n and n_drawn < len(pool):
            chosen = _search_on(ledger, pool, digest, own[image_id], n) or chosen
        rows += [_as_candidate(ledger.run, image_id, digest, one) for one in chosen]
    return rows


def _search_on(ledger: Ledger, pool: NDArray[np.int64], digest: str, own: set[str], n: int) -> list[Lent]:
    """The rare image whose draw held too few strangers: draw more until it is enough, or 2,000, or all."""
    n_drawn, limit = _n_drawn(n), min(len(pool), SEARCH_AT_MOST)
    chosen: list[Lent] = []
    while len(chosen) < n and n_drawn < limit:
        n_drawn = min(4 * n_drawn, limit)
        places = draw_places(len(pool), n_drawn, seed=ledger.seed, digest=digest)
        lent = _read_lent(pool, set(places))
        chosen = choose_borrowed((lent[place] for place in places), digest=digest, own=own, n_wanted=n)
    return chosen


def _read_lent(pool: NDArray[np.int64], places: set[int]) -> dict[int, Lent]:
    """The captions at these places of the pool."""
    place_of = {int(pool[place]): place for place in places}
    rows = Candidate.objects.filter(pk__in=place_of).values_list("id", "image__digest", "image__key", "raw_text")
    return {place_of[id_]: Lent(digest, key, raw, comparison_form(raw)) for id_, digest, key, raw in rows}


def _own_texts(image_ids: Sequence[int]) -> dict[int, set[str]]:
    """Folded texts of each image's own captions. What it borrowed before does not count, so that a repeat repeats."""
    own: dict[int, set[str]] = defaultdict(set)
    rows = Candidate.objects.filter(image__in=image_ids).exclude(source=OTHER_IMAGE).values_list("image", "raw_text")
    for image_id, raw_text in rows:
        own[image_id].add(comparison_form(raw_text))
    return own


def _as_candidate(run: Run, image_id: int, digest: str, lent: Lent) -> NewCandidate:
    key = candidate_key(digest=digest, source=OTHER_IMAGE, raw_text=lent.raw_text)
    return NewCandidate(run.project_id, image_id, key, lent.raw_text, OTHER_IMAGE, lent.image_key)
