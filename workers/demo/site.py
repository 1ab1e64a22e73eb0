"""The site, served by this very process for as long as a command needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """A command's terminal belongs to its progress bars."""


@contextmanager
def served_here() -> Iterator[str]:
    """The address of this site on a free port of the loopback interface, until the block ends."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), _Quiet, connections_override=None)
    server.set_app(WSGIHandler())
    thread = threading.Thread(target=server.serve_forever, name="site", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
