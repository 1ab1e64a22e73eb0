"""Structured logs: one JSON object a line, with the id of the request."""

from __future__ import annotations

import re
from typing import Any

import structlog

# An invitation's token and a picture's signature are part of their addresses. An API token is not, but people try it.
SECRET = re.compile(r"(/invitations/|[?&](?:signature|token)=)[^/?&\s\"']+")


def hide_links(logger: object, method: str, line: dict[str, Any]) -> dict[str, Any]:
    """Whoever reads the logs must not be able to accept an invitation, nor to open a lab's pictures."""
    return {key: SECRET.sub(r"\1...", value) if isinstance(value, str) else value for key, value in line.items()}


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.format_exc_info,
    hide_links,
]


def logging_config(*, level: str, style: str) -> dict[str, Any]:
    """Django's LOGGING dictionary, with structlog and the standard library writing the same lines to stderr."""
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": _renderers(style),
                "foreign_pre_chain": SHARED,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
    }


def _renderers(style: str) -> list[Any]:
    last = structlog.dev.ConsoleRenderer() if style == "console" else structlog.processors.JSONRenderer()
    return [structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
