"""The health check of a container without curl: `python deploy/probe.py URL` succeeds when the URL answers 200.

The Host header is the first host the site answers to, so that the check passes whatever CONNOTE_ALLOWED_HOSTS says.
"""

from __future__ import annotations

import os
import sys
from urllib.error import URLError
from urllib.request import Request, urlopen


def answers(url: str, *, timeout: float = 4) -> bool:
    """Whether `url` answers 200 within `timeout` seconds."""
    host = os.environ.get("CONNOTE_ALLOWED_HOSTS", "").split(",")[0].strip()
    try:
        with urlopen(Request(url, headers={"Host": host} if host else {}), timeout=timeout) as response:
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


if __name__ == "__main__":
    sys.exit(0 if answers(sys.argv[1]) else 1)
