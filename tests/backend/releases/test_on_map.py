"""The newest releases as data sets of the map."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from api_examples import Examples
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.curation.models import SelectionItem
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from released_worlds import choose_and_release

KEPT_WORLD = choose_and_release

pytestmark = pytest.mark.django_db


@pytest.mark.nightly
def test_reviewers_read_which_images_and_captions_the_newest_releases_hold(
    client_of: Callable[..., APIClient],
    alice: User,
    dora: User,
    bob: User,
    charlie: User,
    release: Release,
    chosen: Project,
) -> None:
    address = f"/api/v1/projects/{chosen.slug}/map/releases"
    captions = sorted(SelectionItem.objects.values_list("candidate_id", flat=True))
    images = sorted(Image.objects.filter(candidates__in=captions).distinct().values_list("pk", flat=True))
    assert 0 < len(captions) < Candidate.objects.count()
    for user in (alice, dora):
        assert client_of(user).get(address).json() == [{"label": release.label, "images": images, "captions": captions}]
    assert [client_of(user).get(address).status_code for user in (bob, charlie, None)] == [403, 404, 401]


def test_releases_on_the_map_are_as_in_their_example(
    example: Examples, client_of: Callable[..., APIClient], alice: User, release: Release
) -> None:
    example("map_releases", client_of(alice).get, "projects/skies/map/releases")
