"""HTTP/1.1 over one kept socket, in asyncio, for load that must cost less than the server it asks."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlsplit


class PlainClient:
    """One person's connection to one site: JSON in, JSON out, one request at a time."""

    def __init__(self, site: str, *, token: str) -> None:
        parts = urlsplit(site)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._head = f"Host: {parts.netloc}\r\nAuthorization: Token {token}\r\nContent-Type: application/json\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object = None, *, key: str = "") -> tuple[int, Any]:
        """The status and the answer to `POST /api/v1{path}`. Raises OSError or EOFError when the connection breaks."""
        return await self.ask("POST", path, body, key=key)

    async def ask(self, method: str, path: str, body: object = None, *, key: str = "") -> tuple[int, Any]:
        """The status and the JSON answer, None where there is none."""
        content = b"" if body is None else json.dumps(body).encode()
        named = f"Idempotency-Key: {key}\r\n" if key else ""
        head = f"{method} /api/v1{path} HTTP/1.1\r\n{self._head}{named}Content-Length: {len(content)}\r\n\r\n"
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        try:
            reader, writer = self._streams
            writer.write(head.encode() + content)
            return await self._read(reader)
        except BaseException:
            self.close()
            raise

    async def _read(self, reader: asyncio.StreamReader) -> tuple[int, Any]:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head[9:12])
        _, found, rest = head.partition(b"\r\ncontent-length:")
        content = await reader.readexactly(int(rest.split(b"\r", 1)[0])) if found else b""
        if b"\r\nconnection: close" in head:
            self.close()
        return status, json.loads(content) if content else None

    def close(self) -> None:
        """Drop the connection, as a client that dies does; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
