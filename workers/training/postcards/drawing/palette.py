"""The colours of a scene: what the time of day, the weather and the seed make of paper and paint."""

from __future__ import annotations

import random
from dataclasses import dataclass

from workers.training.postcards.drawing.canvas import Colour, Colours, mix
from workers.training.postcards.world import Scene, Time, Weather

PAINTS: Colours = {
    "red": (208, 46, 46), "yellow": (248, 202, 44), "blue": (38, 96, 194), "green": (34, 132, 78),
    "white": (246, 244, 238), "black": (42, 40, 46), "orange": (238, 124, 34), "purple": (134, 68, 172),
    "brown": (134, 82, 48),
}  # fmt: skip

_FIXED: Colours = {
    "eye": (28, 24, 26), "spark": (250, 248, 240), "pink": (232, 158, 156), "horn": (196, 172, 130), "beak": (240,
                                                            150, 40),
    "collar": (214, 60, 54), "belly": (246, 242, 232), "cat eye": (196, 206, 90), "skin": (226, 168, 132),
    "trousers": (70, 74, 96), "boots": (60, 44, 38), "hair": (92, 58, 36), "hat": (84, 62, 48), "straw": (226, 190,
                                                            112),
    "wood": (142, 98, 60), "rope": (110, 92, 74), "metal": (176, 180, 186), "rim": (88, 86, 92), "canvas": (248, 242,
                                                            226),
    "picture": (120, 184, 220), "picture2": (110, 166, 98), "pack": (150, 96, 54), "tyre": (46, 46, 52),
    "rail": (104, 92, 86), "smoke": (226, 224, 222), "sail": (248, 240, 222), "plaster": (246, 240, 226),
    "rock": (126, 120, 116), "roof": (122, 78, 66), "door": (104, 70, 48), "brick": (160, 88, 70), "gold": (232, 190,
                                                            84),
    "inside": (66, 50, 48), "trunk": (104, 74, 52), "leaf": (70, 136, 70), "leaf dark": (46, 104, 62),
    "leaf light": (112, 168, 84), "bark": (214, 206, 196), "birch leaf": (156, 184, 74), "birch leaf dark": (118, 156,
                                                            66),
    "coconut": (88, 56, 38), "petal": (236, 100, 140), "spokes": (205, 208, 205),
}  # fmt: skip


@dataclass(frozen=True)
class Palette:
    """`light` multiplies the ground, `gleam` multiplies things (mildly), `haze` is what distance fades into."""

    sky: tuple[Colour, Colour, Colour]
    sun: Colour
    light: tuple[float, float, float]
    gleam: tuple[float, float, float]
    haze: Colour
    window: Colour
    foliage: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def ground(self, colour: Colour, far: float = 0.0) -> Colour:
        """`colour` of the land in this light, `far` (0 to 1) of it lost in the haze."""
        return mix(_times(colour, self.light), self.haze, far)

    def thing(self, colour: Colour) -> Colour:
        """`colour` of a thing, kept recognisable in any light."""
        return _times(colour, self.gleam)

    def fixed(self) -> Colours:
        """The colours that every figure may use."""
        found = {name: self.thing(colour) for name, colour in _FIXED.items()}
        for name in ("leaf", "leaf dark", "leaf light", "birch leaf", "birch leaf dark", "trunk", "bark"):
            half = mix(found[name], self.ground(_FIXED[name]), 0.5)
            found[name] = _times(half, self.foliage)
        return found | {"window": self.window, "lamp": (255, 226, 140)}


_DAWN = Palette(
    ((190, 184, 222), (250, 206, 204), (255, 230, 198)), (255, 238, 206), (1.0, 0.91, 0.9), (1.0, 0.96, 0.95),
    (250, 216, 208), (150, 150, 176),
)  # fmt: skip
_DAY = Palette(
    ((66, 146, 222), (132, 194, 238), (214, 236, 246)), (255, 240, 176), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0),
    (206, 230, 244), (124, 164, 192),
)  # fmt: skip
_DUSK = Palette(
    ((82, 56, 132), (206, 88, 112), (255, 168, 76)), (255, 214, 120), (0.84, 0.62, 0.66), (0.95, 0.87, 0.88),
    (222, 126, 106), (255, 214, 122),
)  # fmt: skip
_NIGHT = Palette(
    ((12, 18, 52), (24, 40, 92), (52, 78, 134)), (250, 244, 214), (0.4, 0.48, 0.66), (0.76, 0.8, 0.92),
    (46, 68, 120), (255, 220, 122),
)  # fmt: skip
_TIMES = {Time.DAWN: _DAWN, Time.DAY: _DAY, Time.DUSK: _DUSK, Time.NIGHT: _NIGHT}
# How far the sky turns to one grey, and how bright that grey is against the sky's own brightness.
_GREY = {Weather.CLOUDY: (0.42, 0.98), Weather.RAIN: (0.62, 0.72), Weather.SNOW: (0.6, 1.02), Weather.FOG: (0.66, 1.04)}


def palette_of(scene: Scene, dice: random.Random) -> Palette:
    """The palette of the scene, a little different for each seed."""
    base = _TIMES[scene.time]
    share, bright = _GREY.get(scene.weather, (0.0, 1.0))
    sky = tuple(_jitter(_greyed(colour, share, bright), dice, 9) for colour in base.sky)
    dim = 0.86 if scene.weather is Weather.RAIN else 1.0
    return Palette(
        sky=(sky[0], sky[1], sky[2]),
        sun=base.sun,
        light=_scaled(base.light, dim, dice),
        gleam=base.gleam,
        haze=_jitter(_greyed(base.haze, share * 0.8, bright), dice, 7),
        window=base.window,
        foliage=(dice.uniform(0.9, 1.12), dice.uniform(0.93, 1.05), dice.uniform(0.9, 1.1)),
    )


def coat(palette: Palette, paint: str, fixed: Colours) -> Colours:
    """The colours of one figure whose own colour is `paint`."""
    body = palette.thing(PAINTS[paint])
    pale, dark = sum(body) > 560, sum(body) < 190
    ink = mix(body, (30, 26, 44), 0.62)
    lifted = dark or (not pale and palette.light[0] < 0.5)  # a pale edge on what is dark and on what stands in the dark
    return fixed | {
        "body": body,
        "dark": mix(body, (84, 86, 110), 0.34) if pale else mix(body, (12, 10, 24), 0.3),
        "shade": mix(body, (96, 100, 130), 0.26) if pale else mix(body, (14, 12, 28), 0.2),
        "light": mix(body, (120, 126, 150), 0.3) if pale else mix(body, (255, 246, 228), 0.32 if dark else 0.45),
        "edge": mix(body, (238, 234, 236), 0.5) if lifted else ink,
        "patch": palette.thing((246, 244, 238)) if paint != "white" else palette.thing((60, 50, 48)),
        "face": palette.thing((58, 50, 52)) if paint != "black" else palette.thing((116, 108, 112)),
        "tip": palette.thing((250, 246, 238)) if paint != "white" else palette.thing((196, 200, 214)),
        "sock": palette.thing((64, 46, 42)) if paint != "white" else palette.thing((178, 182, 200)),
        "head": mix(body, (20, 96, 66), 0.72) if paint == "brown" else body,
        "tail": palette.thing((250, 248, 244)) if paint != "white" else mix(body, (120, 126, 150), 0.25),
    }


def _times(colour: Colour, factors: tuple[float, float, float]) -> Colour:
    red, green, blue = (min(255, int(part * factor)) for part, factor in zip(colour, factors, strict=True))
    return red, green, blue


def _greyed(colour: Colour, share: float, bright: float) -> Colour:
    level = (colour[0] * 3 + colour[1] * 6 + colour[2]) / 10 * bright
    grey = (min(255, int(level * 0.98)), min(255, int(level)), min(255, int(level * 1.04)))
    return mix(colour, grey, share)


def _jitter(colour: Colour, dice: random.Random, most: int) -> Colour:
    red, green, blue = (max(0, min(255, part + dice.randint(-most, most))) for part in colour)
    return red, green, blue


def _scaled(light: tuple[float, float, float], dim: float, dice: random.Random) -> tuple[float, float, float]:
    red, green, blue = (part * dim * dice.uniform(0.97, 1.03) for part in light)
    return red, green, blue
