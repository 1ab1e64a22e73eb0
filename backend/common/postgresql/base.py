"""While the database is away, one thread of the process waits for it, and the others say so at once.

Otherwise every thread waits for the pool's timeout, and the site answers nothing, not even that it is alive.
"""

from __future__ import annotations

from threading import Event, Lock
from typing import Any

from django.db.backends.postgresql import base

_is_away = Event()
_asking = Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection of the pool. Raises psycopg's OperationalError."""
        was_away = _is_away.is_set()
        if was_away and not _asking.acquire(blocking=False):
            raise self.Database.OperationalError("The database did not answer a moment ago.")
        try:
            connection = super().get_new_connection(conn_params)
        except self.Database.OperationalError:
            _is_away.set()
            raise
        finally:
            if was_away:
                _asking.release()
        _is_away.clear()
        return connection
