"""Pictures of a project out of the storage: originals for models, large thumbnails for Google."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.core.files.storage import default_storage


def stored_pictures(
    rows: Iterable[tuple[str, str]], *, on_gone: Callable[[str], object] | None = None
) -> Iterator[tuple[str, bytes]]:
    """(digest, bytes) for each (digest, storage name); one that is gone is left out, and `on_gone` hears its digest."""
    for digest, name in rows:
        try:
            with default_storage.open(name) as file:
                data = file.read()
        except FileNotFoundError:
            if on_gone is not None:
                on_gone(digest)
        else:
            yield digest, data
