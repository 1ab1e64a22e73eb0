"""A JSON object whose lists are longer than memory: each list waits in a file of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_json(value: Any) -> str:
    """JSON with keys in order, UTF-8 as it is, without spare spaces."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class JsonLists:
    """`{"images": [...], "annotations": [...]}` at `path`, written element by element. Use it in `with`.

    The only list of no name is written alone: `[...]`.
    """

    def __init__(self, path: Path, names: tuple[str, ...], head: Mapping[str, Any]) -> None:
        self._path, self._head = path, head
        self._parts = {name: path.with_name(f".{path.name}.{name}") for name in names}

    def __enter__(self) -> JsonLists:
        self._files = {name: part.open("w", encoding="utf-8", newline="") for name, part in self._parts.items()}
        self._is_first = dict.fromkeys(self._parts, True)
        return self

    def add(self, name: str, value: Any) -> None:
        """One more element of the list."""
        self._files[name].write(("" if self._is_first[name] else ",\n") + write_json(value))
        self._is_first[name] = False

    def __exit__(self, kind: type[BaseException] | None, *problem: object) -> None:
        for file in self._files.values():
            file.close()
        if kind is None:
            with self._path.open("w", encoding="utf-8", newline="") as out:
                is_alone = "" in self._parts
                out.write("" if is_alone else write_json(self._head)[:-1])
                for n, (name, part) in enumerate(self._parts.items()):
                    out.write("[" if is_alone else f"{',' if n or self._head else ''}\n{write_json(name)}:[")
                    with part.open(encoding="utf-8", newline="") as lines:
                        shutil.copyfileobj(lines, out)
                    out.write("]")
                out.write("\n" if is_alone else "}\n")
        for part in self._parts.values():
            part.unlink()
