"""Packages that only some methods need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from connote_client.errors import MissingPackage


def need(module: str, *, extra: str) -> Any:
    """The module. Raises MissingPackage, which says what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingPackage(f"This needs {module}. Install connote-client with its extra [{extra}].") from error
