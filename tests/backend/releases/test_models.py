"""A release never changes, whichever way one tries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.releases.models import Immutable, Release, ReleaseCaption, ReleaseEntry, ReleaseFile
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

KINDS = (Release, ReleaseFile, ReleaseEntry, ReleaseCaption)
VERBS: tuple[Callable, ...] = (
    lambda rows: rows.update(pk=1),
    lambda rows: rows.delete(),
    lambda rows: rows[0].delete(),
)


@pytest.mark.nightly
def test_a_saved_row_is_not_saved_again(release: Release) -> None:
    for kind in KINDS:
        row = kind.objects.earliest("pk")
        with pytest.raises(Immutable, match="A release never changes"):
            row.save()


def test_rows_are_neither_updated_nor_deleted(release: Release) -> None:
    for kind in KINDS:
        n = kind.objects.count()
        for verb in VERBS:
            with pytest.raises(Immutable):
                verb(kind.objects.all())
            assert kind.objects.count() == n
