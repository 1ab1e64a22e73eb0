"""The consensus of pairs, which a room above computes: it registers its reader in its AppConfig.ready()."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

Reader = Callable[[Collection[int]], Mapping[int, str]]
_readers: list[Reader] = []


def register_consensus(reader: Reader) -> None:
    """Let `reader` be asked for the label of some pairs, by candidate id; registering twice changes nothing."""
    if reader not in _readers:
        _readers.append(reader)


def read_consensus(candidates: Collection[int]) -> dict[int, str]:
    """The label of each of the pairs that has one."""
    return {pair: label for reader in _readers for pair, label in reader(candidates).items()}
