"""A release never changes, whichever way one tries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from backend.releases.models import Immutable, Release, ReleaseCaption, ReleaseEntry, ReleaseFile


@pytest.fixture(params=[Release, ReleaseFile, ReleaseEntry, ReleaseCaption])
def kind(request: pytest.FixtureRequest, release: Release) -> type[Release | ReleaseFile | ReleaseEntry]:
    return request.param


def test_a_saved_row_is_not_saved_again(kind: type[Release]) -> None:
    row = kind.objects.earliest("pk")
    with pytest.raises(Immutable, match="A release never changes"):
        row.save()


@pytest.mark.parametrize(
    "verb", [lambda rows: rows.update(pk=1), lambda rows: rows.delete(), lambda rows: rows[0].delete()]
)
def test_rows_are_neither_updated_nor_deleted(kind: type[Release], verb: Callable) -> None:
    n = kind.objects.count()
    with pytest.raises(Immutable):
        verb(kind.objects.all())
    assert kind.objects.count() == n
