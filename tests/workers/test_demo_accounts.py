"""The people of the demo: without passwords, the same on every call, and never in the place of real people."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from backend.common.errors import Conflict
from backend.people.models import User
from backend.projects.models import Membership, Role
from workers.demo.accounts import READERS, make_accounts
from workers.demo.guidelines import KINDS
from workers.demo.serving import CannotServeError, served_on
from workers.training.postcards.controls import truth
from workers.training.postcards.corpus import targets


def test_a_second_call_makes_nobody_new(db: None) -> None:
    project = make_accounts()
    assert make_accounts() == project
    roles = dict(Membership.objects.filter(project=project).values_list("user__username", "role"))
    visitors = {"curator": Role.CURATOR, "head": Role.HEAD_ANNOTATOR, "annotator": Role.ANNOTATOR}
    assert roles == visitors | dict.fromkeys(READERS, Role.ANNOTATOR)
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_the_passwords_of_an_earlier_demo_end(db: None) -> None:
    make_accounts()
    curator = User.objects.get(username="curator")
    curator.set_password("printed by an earlier version")
    curator.save()
    make_accounts()
    curator.refresh_from_db()
    assert not curator.has_usable_password()


def test_a_person_of_the_site_with_such_a_name_keeps_their_account(make_user: Callable[..., User]) -> None:
    mine = make_user("curator")
    with pytest.raises(Conflict, match=r"names curator\..*CONNOTE_DATA_DIR"):
        make_accounts()
    mine.refresh_from_db()
    assert mine.has_usable_password()
    assert User.objects.count() == 1


def test_a_port_in_use_is_named_with_another_one() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with (
            pytest.raises(CannotServeError, match=f"Port {port} is in use.*PORT={port + 1} make demo"),
            served_on(port),
        ):
            pass


@pytest.mark.parametrize("seed", range(5))
def test_the_examples_of_the_guidelines_are_right(seed: int) -> None:
    """Each is good or bad as the drawn scene says, and what an edit makes of it is true."""
    scenes = [target.scene for target in targets(6, seed)]
    found = [(label, example, scene) for scene in scenes for label, find, _ in KINDS if (example := find(scene))]
    assert {label for label, *_ in found} == {"good", "bad"}
    for label, example, scene in found:
        assert truth(example, scene) == ("bad" if example.edit else label)
