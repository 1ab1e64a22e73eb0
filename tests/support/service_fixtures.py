"""The tests' own PostgreSQL and Redis, and the choice of tests that run again on SQLite."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

import services
from deploy.throwaway import MissingServiceError

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback"}


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a PostgreSQL whose user may create databases."""
    yield from _url(services.postgres)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis that the tests may fill."""
    yield from _url(services.redis)


def _url(service: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    try:
        with service() as url:
            yield url
    except MissingServiceError as missing:
        pytest.fail(str(missing), pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs PostgreSQL; on CONNOTE_TEST_ENGINE=sqlite keep the tests of the database that do not."""
    for item in items:
        if "postgres_url" in item.fixturenames:
            item.add_marker("postgres")
    if os.environ.get("CONNOTE_TEST_ENGINE") == "sqlite":
        left_out = [item for item in items if not _runs_on_sqlite(item)]
        items[:] = [item for item in items if _runs_on_sqlite(item)]
        config.hook.pytest_deselected(items=left_out)


def _runs_on_sqlite(item: pytest.Item) -> bool:
    touches_database = item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(item.fixturenames)
    return bool(touches_database) and item.get_closest_marker("postgres") is None
