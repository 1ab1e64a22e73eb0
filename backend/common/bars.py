"""Progress bars of commands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import OutputWrapper
from tqdm import tqdm


class _Stream:
    """A command's stream as it is, but that a step of a bar is not ended with a new line."""

    def __init__(self, out: OutputWrapper) -> None:
        self._out = out

    def write(self, text: str) -> None:
        self._out.write(text, ending="")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


def command_bar(out: OutputWrapper, *, what: str, unit: str, **options: Any) -> tqdm[Any]:
    """A bar on `self.stderr`, as wide as the terminal; `options` are tqdm's own."""
    return tqdm(desc=what, unit=unit, file=_Stream(out), dynamic_ncols=True, **options)
