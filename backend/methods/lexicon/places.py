"""The last words of places' names, and whether what bears such a name is a building."""

from __future__ import annotations

_BUILDINGS = """
abbey aquarium arena auditorium basilica building castle cathedral chapel church citadel coliseum colosseum courthouse
fort fortress hall hospital hotel house inn library lighthouse mansion mausoleum mill monastery mosque museum
observatory pagoda palace pavilion station stadium synagogue temple terminal theater theatre tower towers zoo
"""
_OTHERS = """
airport amphitheatre arch avenue bay beach bridge canal canyon dam fountain garden gardens gate harbor harbour island
lake memorial monument mountain park pier plaza pyramid river road square statue street valley waterfall
"""
BUILDINGS = frozenset(_BUILDINGS.split())
NOT_BUILDINGS = frozenset(_OTHERS.split())
