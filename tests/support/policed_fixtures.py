"""A project with HITs, controls, and two people of whom a policy excludes one."""

from __future__ import annotations

import pytest

from backend.people.models import User
from backend.projects.models import Project
from policed_world import fail_controls
from world import World, make_world


@pytest.fixture
def world(project: Project) -> World:
    """Four HITs of three pairs with two places each, and ten hidden controls that accept good."""
    return make_world(project, images=4, captions=3, controls=10)


@pytest.fixture
def judged(world: World, bob: User, dora: User) -> World:
    """bob fails three controls of four, dora passes hers; both judged two HITs, which have no place left."""
    fail_controls(world, bob, failed=3, graded=4)
    fail_controls(world, dora, failed=0, graded=4)
    for user in (bob, dora):
        world.submit(user, 1, ["bad"] * 3)
    return world
