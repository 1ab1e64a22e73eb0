"""A longer way to a server of this machine: a relay that holds every byte back for a while, there and back.

Chromium's own emulation of a network delays only the answer's headers and leaves connections and bodies alone; this
delays all that a browser sends or gets, pictures included, as a cable does.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

CHUNK = 65_536


@contextmanager
def slow_way(url: str, *, delay_ms: float) -> Iterator[str]:
    """The address of a server by a way that takes `delay_ms` longer in each direction."""
    loop, ready = asyncio.new_event_loop(), threading.Event()
    relay = Relay(urlsplit(url).hostname or "", urlsplit(url).port or 80, delay_ms / 1000)
    ports: list[int] = []

    async def open_it() -> None:
        server = await asyncio.start_server(relay.carry, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()

    def run() -> None:
        loop.create_task(open_it())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


class Relay:
    """Connections to one server. A new one takes a way there and back before anything is sent on it."""

    def __init__(self, host: str, port: int, delay: float) -> None:
        self.host, self.port, self.delay = host, port, delay

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(2 * self.delay)
        there, back = await asyncio.open_connection(self.host, self.port)
        await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass every piece on when its time has come, however many are under way."""
        loop = asyncio.get_running_loop()
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.create_task(self._send(under_way, writer))
        with suppress(ConnectionError):
            while piece := await reader.read(CHUNK):
                under_way.put_nowait((loop.time() + self.delay, piece))
        under_way.put_nowait((loop.time() + self.delay, b""))
        await sending

    async def _send(self, under_way: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            while True:
                due, piece = await under_way.get()
                await asyncio.sleep(due - loop.time())
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
        writer.close()
