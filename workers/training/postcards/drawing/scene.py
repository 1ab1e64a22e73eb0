"""The order in which a postcard is painted: from the sky to the grain of the paper."""

from __future__ import annotations

import random

from PIL import Image

from workers.training.postcards.drawing import animals, buildings, people, plants, vehicles
from workers.training.postcards.drawing.canvas import WIDTH, Canvas, Colour, Colours, mix
from workers.training.postcards.drawing.land import paint_land
from workers.training.postcards.drawing.layout import FLOATING, Layout, Place, layout_of
from workers.training.postcards.drawing.outlines import Parts
from workers.training.postcards.drawing.palette import Palette, coat, palette_of
from workers.training.postcards.drawing.sky import paint_sky
from workers.training.postcards.drawing.water import paint_inland
from workers.training.postcards.drawing.weather import grained, paint_fall, paint_fog
from workers.training.postcards.world import Land, Scene


def draw(scene: Scene, width: int = 768) -> Image.Image:
    """The scene as an RGB picture, 3:2, the same bytes each time. Raises ValueError for a width below 48."""
    canvas = Canvas(width)

    def dice(part: str) -> random.Random:
        # One die a part: another animal in the picture leaves the hills as they are.
        return random.Random(f"drawing {scene.seed} {part}")

    palette, layout = palette_of(scene, dice("palette")), layout_of(scene, dice("layout"))
    fixed = palette.fixed()
    paint_sky(canvas, scene, layout, palette, dice("sky"))
    paint_land(canvas, scene, layout, palette, dice("land"))
    paint_inland(canvas, scene, layout, palette, dice("water"))
    paint_fog(canvas, scene, layout, palette, dice("fog"), 0.8)
    _plants(canvas, scene, layout, palette, fixed, dice("plants"))
    _building(canvas, scene, layout, palette, fixed)
    _vehicle(canvas, scene, layout, palette, fixed)
    paint_fog(canvas, scene, layout, palette, dice("fog"), 0.34)
    _foreground(canvas, scene, layout, palette, fixed)
    paint_fall(canvas, scene, palette, dice("fall"))
    picture = grained(canvas.reduced(), scene.seed)
    return picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if scene.composition.mirrored else picture


def _stand(
    canvas: Canvas, parts: Parts, place: Place, colours: Colours, shadow: float, *, flip: bool | None = None
) -> None:
    """A figure, its shadow on the ground and an edge that lifts it from its background."""
    if shadow:
        canvas.disc(place.x, place.y, shadow * place.size, (16, 18, 46), 70, flat=0.13)
    turned = place.flip if flip is None else flip
    canvas.figure(parts, (place.x, place.y), place.size, colours, flip=turned)


def _plants(
    canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, fixed: Colours, dice: random.Random
) -> None:
    if scene.plants == "flowers":
        _flowers(canvas, layout, palette, dice, 0.4 if scene.water == "lake" else 0.16)
    elif scene.plants:
        kind, deep = scene.plants, 1 - layout.horizon
        count = 9 if scene.land is Land.FOREST else 6
        spots = sorted((dice.uniform(0.1, 0.3), (i + dice.random()) / count * WIDTH) for i in range(count))
        for near, x in spots:
            size = plants.HEIGHTS[kind] * dice.uniform(0.75, 1.0) * (0.75 + near)
            if layout.free(x, 0.2):
                base = layout.shore + 0.02 + near * 0.12 if scene.water == "sea" else layout.horizon + near * deep
                _stand(canvas, plants.PLANTS[kind], Place(x, base, size, dice.random() < 0.5), fixed, 0.2)


def _flowers(canvas: Canvas, layout: Layout, palette: Palette, dice: random.Random, top: float) -> None:
    """Heads of a few colours on short stems, larger towards the viewer."""
    deep, stem = 1 - layout.horizon, palette.ground((60, 122, 52))
    some = [palette.thing(colour) for colour in dice.sample(plants.PETALS, 4)]
    for share in sorted(dice.random() ** 0.8 for _ in range(110)):
        x, y = dice.uniform(0, WIDTH), layout.horizon + deep * (top + (1 - top) * share)
        size = 0.005 + 0.0115 * share
        canvas.box(x - 0.0022, y - size, x + 0.0022, y + size * 1.6, stem)
        canvas.disc(x, y - size, size, dice.choice(some), flat=0.85)
        if share > 0.4:
            canvas.disc(x, y - size, size * 0.35, palette.thing((250, 226, 110)), flat=0.85)


def _building(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, fixed: Colours) -> None:
    place, thing = layout.building, scene.building
    if place is None or thing is None:
        return
    colours = coat(palette, thing.colour, fixed)
    colours["door"] = mix(colours["door"], (30, 20, 20), 0.3 if thing.colour in ("orange", "red") else 0.0)
    _stand(canvas, buildings.BUILDINGS[thing.kind], place, colours, buildings.WIDTHS[thing.kind] * 0.52, flip=False)


def _vehicle(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, fixed: Colours) -> None:
    place, thing = layout.vehicle, scene.vehicle
    if place is None or thing is None:
        return
    colours = coat(palette, thing.colour, fixed)
    if thing.kind in FLOATING:
        _mirror(canvas, place, vehicles.WIDTHS[thing.kind] * place.size, colours["body"])
    shadow = 0.0 if thing.kind == "hot-air balloon" else vehicles.WIDTHS[thing.kind] * 0.5
    _stand(canvas, vehicles.VEHICLES[thing.kind], place, colours, shadow)


def _mirror(canvas: Canvas, place: Place, wide: float, colour: Colour) -> None:
    """What the water gives back of a boat: broken stripes."""
    for i, share in enumerate((0.42, 0.34, 0.4, 0.24, 0.3, 0.14)):
        y = place.y + 0.006 + i * 0.011
        canvas.box(place.x - wide * share, y, place.x + wide * share * 0.9, y + 0.006, colour, 120 - 14 * i)


def _foreground(canvas: Canvas, scene: Scene, layout: Layout, palette: Palette, fixed: Colours) -> None:
    if scene.animals:
        colours = coat(palette, scene.animals.colour, fixed)
        for place in layout.animals:
            _stand(
                canvas, animals.ANIMALS[scene.animals.kind], place, colours, animals.WIDTHS[scene.animals.kind] * 0.46
            )
    if scene.person and layout.person:
        parts = people.PEOPLE[scene.person.kind]
        colours = coat(palette, scene.person.colour, fixed)
        # Rod, easel and stick point inwards from whichever side the person stands on.
        _stand(canvas, parts, layout.person, colours, 0.3, flip=layout.person.x > WIDTH / 2)
