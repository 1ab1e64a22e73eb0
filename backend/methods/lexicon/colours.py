"""Names of colours: the eleven basic terms of English, and the named colours of CSS written as words.

Sources: B. Berlin and P. Kay, Basic Color Terms (1969); CSS Color Module Level 4, section 6.1 (W3C), whose names are
here cut into words ("lightskyblue" is light sky blue), with both spellings of grey.
"""

from __future__ import annotations

BASIC = ("black", "white", "red", "green", "yellow", "blue", "brown", "orange", "pink", "purple", "gray", "grey")

_CSS = """
alice blue, antique white, aqua, aquamarine, azure, beige, bisque, black, blanched almond, blue, blue violet, brown,
burly wood, cadet blue, chartreuse, chocolate, coral, cornflower blue, cornsilk, crimson, cyan, dark blue, dark cyan,
dark goldenrod, dark gray, dark green, dark khaki, dark magenta, dark olive green, dark orange, dark orchid, dark red,
dark salmon, dark sea green, dark slate blue, dark slate gray, dark turquoise, dark violet, deep pink, deep sky blue,
dim gray, dodger blue, firebrick, floral white, forest green, fuchsia, gainsboro, ghost white, gold, goldenrod, gray,
green, green yellow, honeydew, hot pink, indian red, indigo, ivory, khaki, lavender, lavender blush, lawn green,
lemon chiffon, light blue, light coral, light cyan, light goldenrod yellow, light gray, light green, light pink,
light salmon, light sea green, light sky blue, light slate gray, light steel blue, light yellow, lime, lime green,
linen, magenta, maroon, medium aquamarine, medium blue, medium orchid, medium purple, medium sea green,
medium slate blue, medium spring green, medium turquoise, medium violet red, midnight blue, mint cream, misty rose,
moccasin, navajo white, navy, old lace, olive, olive drab, orange, orange red, orchid, pale goldenrod, pale green,
pale turquoise, pale violet red, papaya whip, peach puff, peru, pink, plum, powder blue, purple, rebecca purple, red,
rosy brown, royal blue, saddle brown, salmon, sandy brown, sea green, seashell, sienna, silver, sky blue, slate blue,
slate gray, snow, spring green, steel blue, tan, teal, thistle, tomato, turquoise, violet, wheat, white, white smoke,
yellow, yellow green
"""


def _names(listed: str) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in listed.split(","))


CSS = _names(_CSS)

# Names that in a caption far more often mean a thing: a plate of salmon, a silver spoon, snow on the ground.
_THINGS = """
azure, bisque, blanched almond, burly wood, chartreuse, chocolate, coral, cornsilk, firebrick, fuchsia, gainsboro, gold,
goldenrod, honeydew, indigo, ivory, khaki, lavender, lemon chiffon, lime, linen, mint cream, misty rose, moccasin, navy,
old lace, olive, orange, orchid, papaya whip, peach puff, peru, plum, salmon, seashell, sienna, silver, snow, tan, teal,
thistle, tomato, turquoise, violet, wheat
"""

ALSO_THINGS = frozenset(_names(_THINGS))
SHADES = ("bright", "dark", "deep", "light", "pale", "vivid")


def colours() -> tuple[str, ...]:
    """Every name once, in words and lower case, sorted; `gray` also as `grey`."""
    names = {*BASIC, *CSS}
    return tuple(sorted(names | {name.replace("gray", "grey") for name in names}))
