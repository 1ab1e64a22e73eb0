"""Where things stand. Everything has its own columns, so that nothing hides anything that words could speak of."""

from __future__ import annotations

import random
from dataclasses import dataclass

from workers.training.postcards.drawing import animals, buildings, people, vehicles
from workers.training.postcards.drawing.canvas import WIDTH
from workers.training.postcards.world import Land, Scene

FLOATING = ("sailing boat", "rowing boat")
_FRONT = 0.955


@dataclass(frozen=True)
class Place:
    """The feet of a figure, its height, and whether it looks left."""

    x: float
    y: float
    size: float
    flip: bool = False


@dataclass(frozen=True)
class Layout:
    """All places of a scene. `quiet` is the x of the side with room in the sky, `shore` the y where a sea ends."""

    horizon: float
    quiet: float
    shore: float
    building: Place | None
    vehicle: Place | None
    person: Place | None
    animals: tuple[Place, ...]

    def free(self, x: float, margin: float) -> bool:
        """Whether a tree at `x` leaves building and vehicle in sight."""
        return all(place is None or abs(x - place.x) > margin for place in (self.building, self.vehicle))


def layout_of(scene: Scene, dice: random.Random) -> Layout:
    """Subject, person and vehicle in columns of the back rows, animals in slots of the front row."""
    horizon, deep = scene.composition.horizon, 1 - scene.composition.horizon
    near = min(scene.composition.subject, 1 - scene.composition.subject) * WIDTH
    turned = scene.composition.subject > 0.5
    column = _column(scene)
    building = _building(scene, near, horizon + 0.12 * deep)
    vehicle = _vehicle(scene, dice, near, column, building)
    person = _person(scene, column, dice)
    herd = _herd(scene, column, vehicle, dice)
    quiet = dice.uniform(0.14, 0.3)

    def set_down(place: Place | None) -> Place | None:
        return Place(WIDTH - place.x, place.y, place.size, not place.flip) if place and turned else place

    return Layout(
        horizon=horizon,
        quiet=WIDTH - quiet if turned else quiet,
        shore=horizon + (0.36 if scene.land is Land.HARBOUR else 0.48) * deep,
        building=set_down(building),
        vehicle=set_down(vehicle),
        person=set_down(person),
        animals=tuple(place for place in map(set_down, herd) if place),
    )


def _column(scene: Scene) -> float:
    """How far from the left edge the person's column reaches."""
    return 0.05 if scene.person is None else 0.05 + people.WIDTHS.get(scene.person.kind, 0.2)


def _building(scene: Scene, near: float, y: float) -> Place | None:
    if scene.building is None:
        return None
    kind = scene.building.kind
    size = buildings.HEIGHTS[kind] * (0.5 + 0.5 * scene.composition.scale)
    half = buildings.WIDTHS[kind] * size / 2
    needed = 0.03 + _vehicle_width(scene)
    return Place(max(half * 0.9, min(near, WIDTH - needed - half)), y, size)


def _vehicle_width(scene: Scene) -> float:
    if scene.vehicle is None:
        return 0.0
    return vehicles.WIDTHS[scene.vehicle.kind] * vehicles.HEIGHTS[scene.vehicle.kind] * _scale(scene)


def _scale(scene: Scene) -> float:
    return 0.4 + 0.6 * scene.composition.scale


def _vehicle(scene: Scene, dice: random.Random, near: float, column: float, building: Place | None) -> Place | None:
    flip, slack = dice.random() < 0.5, dice.random()
    if scene.vehicle is None:
        return None
    kind = scene.vehicle.kind
    size = vehicles.HEIGHTS[kind] * _scale(scene)
    left = column
    if building and scene.building:
        left = max(left, building.x + buildings.WIDTHS[scene.building.kind] * building.size / 2)
    size = min(size, max(0.1, (WIDTH - 0.02 - left) / vehicles.WIDTHS[kind]))
    half = vehicles.WIDTHS[kind] * size / 2
    lowest, highest = left + half, max(left + half, WIDTH - 0.02 - half)
    x = lowest + (highest - lowest) * slack if building else max(lowest, min(near, highest))
    return Place(x, _vehicle_row(kind, scene, size), size, flip)


def _vehicle_row(kind: str, scene: Scene, size: float) -> float:
    horizon = scene.composition.horizon
    if kind == "hot-air balloon":
        return max(size + 0.015, horizon - 0.04)
    if kind in FLOATING:
        return horizon + (0.24 if scene.land is Land.HARBOUR else 0.3) * (1 - horizon)
    return horizon + (0.44 if scene.land is Land.HARBOUR else 0.38) * (1 - horizon)


def _person(scene: Scene, column: float, dice: random.Random) -> Place | None:
    if scene.person is None:
        return None
    kind = scene.person.kind
    size = min(0.34, 0.305 * _scale(scene))
    x = (0.04 + column) / 2
    return Place(x + people.SHIFTS.get(kind, 0.0) * size, _FRONT - dice.uniform(0, 0.02), size)


def _herd(scene: Scene, column: float, vehicle: Place | None, dice: random.Random) -> tuple[Place, ...]:
    """Slots of equal width; an animal fills at most nine tenths of its slot, whatever its kind."""
    if scene.animals is None:
        return ()
    kind, n = scene.animals.kind, scene.animals.n
    wide, start = animals.WIDTHS[kind], column + 0.03
    room = WIDTH - 0.03 - start
    wanted = animals.HEIGHTS[kind] * _scale(scene) * (1.2 if n < 3 else 1.0)
    lowest = vehicle.y + 0.015 if vehicle else 0.62
    size = min(wanted, 0.93 * room / n / wide, _FRONT - 0.03 - lowest)
    slot = min(room / n, size * wide * dice.uniform(1.16, 1.6))
    start += (room - slot * n) * dice.random()
    play = (slot - size * wide) / 2
    return tuple(
        Place(
            start + slot * (i + 0.5) + dice.uniform(-play, play) * 0.7,
            _FRONT - dice.uniform(0, 0.03),
            size * dice.uniform(0.95, 1.0),
            dice.random() < 0.5,
        )
        for i in range(n)
    )
