"""The shared cache in Redis. Values lie there as JSON: Django's own way, pickle, runs code of whoever can write to
Redis. A counter is read and counted up in one trip, because the limit of calls does that for every request.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

COUNT_UP = "return redis.call('EXISTS', KEYS[1]) == 1 and redis.call('INCRBY', KEYS[1], ARGV[1])"


class SharedClient(RedisCacheClient):
    """Keeps its client of Redis. Django makes one for each call, which takes longer than to build the command."""

    @cached_property
    def only_client(self) -> Any:
        return super().get_client(write=True)

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self.only_client

    def incr(self, key: Any, delta: int) -> int:
        """The counter after it was raised. Raises ValueError if there is none."""
        found = self.only_client.eval(COUNT_UP, 1, key, delta)
        if found is None:
            raise ValueError(f"There is no counter {key}.")
        return int(found)


class SharedCache(RedisCache):
    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = SharedClient


class JsonSerializer:
    """Takes what JSON has, and dicts with any keys, tuples and times.

    Whole numbers lie there as digits, so that Redis can count them up.
    """

    def dumps(self, value: Any) -> int | bytes:
        """Raises TypeError on any other value."""
        return value if type(value) is int else json.dumps(_marked(value)).encode()

    def loads(self, data: bytes | str) -> Any:
        """Raises ValueError on what was not written here."""
        return json.loads(data, object_hook=_unmarked)


def _marked(value: Any) -> Any:
    """What JSON has not, as an object that names its kind."""
    if isinstance(value, dict):
        return {"dict": [[_marked(key), _marked(inner)] for key, inner in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [_marked(inner) for inner in value]}
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    return [_marked(inner) for inner in value] if isinstance(value, list) else value


def _unmarked(marked: dict[str, Any]) -> Any:
    [(kind, value)] = marked.items()
    if kind == "dict":
        return dict(value)
    return tuple(value) if kind == "tuple" else datetime.fromisoformat(value)
