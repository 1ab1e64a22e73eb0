"""Figures of speech: clauses that say something of a land, a time or a weather without naming what is to be seen.

Each image (`IMAGES`) is a subject with what it can be said to do; a turn is one image, and a figurative caption one or
two of them that are true of the scene.
"""

from __future__ import annotations

from workers.training.postcards.kinds import Claim

# (claim): (subjects, what they do). Any subject goes with any deed of its row.
IMAGES: dict[Claim, tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("time", "dawn"): (
        ("the first light", "the new day", "a young sun", "the early hour", "the day that is about to begin"),
        ("opens one eye", "clears its throat", "writes the first word on an empty page", "unlocks the world",
         "tiptoes in with its shoes in its hand", "stirs gold into the grey", "lifts the blanket off the earth",
         "breathes on the window of the world", "signs its name in pink", "knocks before it enters"),
    ),
    ("time", "day"): (
        ("the high sun", "the broad day", "the middle of the day", "the bright hour", "noon"),
        ("keeps no secrets", "pours itself out like milk", "counts every leaf and forgets none", "stands on its toes",
         "holds the whole world in its open hand", "has nothing up its sleeve", "lets every shadow hide under itself",
         "shouts without making a sound", "reads aloud from an open book", "hangs its lamp in the middle of the room"),
    ),
    ("time", "dusk"): (
        ("the day", "the last light", "the old sun", "the tired day", "the evening"),
        ("folds its last orange letter", "pays its debts in gold", "closes the shop and counts its coins",
         "lets the curtain down slowly", "burns its diary page by page", "leaves the door ajar",
         "slips the horizon under its pillow", "writes goodbye in copper ink", "sinks like a thought before sleep",
         "spends its last coin on the clouds"),
    ),
    ("time", "night"): (
        ("the night", "the dark", "the late hour", "midnight", "the sleeping world"),
        ("wears its velvet coat", "keeps its diary in silver ink", "swallows the last word", "hums under its breath",
         "turns the page without a sound", "hides the world in its sleeve", "holds its breath",
         "draws the curtain and listens", "carries its lanterns home", "remembers what the day forgot"),
    ),
    ("weather", "clear"): (
        ("the air", "the open sky", "the clean air", "the clear hour", "the sky"),
        ("rings like a glass", "has been swept and left open", "forgets the word for sorrow", "has nothing to hide",
         "holds its silence like a bell", "goes on for ever and takes its time", "stretches like a clean sheet",
         "tells no lies", "leaves room for every wish", "is an unwritten letter"),
    ),
    ("weather", "cloudy"): (
        ("the sky", "a grey ceiling", "the heavy air", "the covered sky", "a crowd of grey thoughts"),
        ("wraps itself in wool", "mislays its blue", "carries more than it can say", "leans on everyone's shoulders",
         "keeps its mind to itself", "changes its mind in slow motion", "chews on an old question",
         "drags its furniture about", "wears yesterday's mood", "waits for somebody to speak first"),
    ),
    ("weather", "rain"): (
        ("the rain", "the weeping sky", "every drop", "the wet sky", "the grey weather"),
        ("tells the roof an old story", "plays a piano nobody taught it", "sews the sky to the ground",
         "washes the names off things", "speaks in small round words", "rinses the colours of the world",
         "keeps falling over its own sentences", "knits silver threads", "writes and crosses out",
         "gives back what the ground has lent"),
    ),
    ("weather", "snow"): (
        ("the snow", "the falling white", "every flake", "the white silence", "winter"),
        ("erases yesterday", "whispers the same word a thousand times", "puts the world to bed",
         "forgives every footstep", "covers all the questions", "lays a white cloth for nobody",
         "comes down like torn letters", "teaches the world to whisper", "takes the edge off everything",
         "begins the page again"),
    ),
    ("weather", "fog"): (
        ("the fog", "the mist", "a pale breath", "the white veil", "the soft grey"),
        ("rubs out the edges of the world", "keeps a secret badly", "swallows the far end of the sentence",
         "dreams with open eyes", "lends everything a ghost", "hides what it loves", "borrows the shape of things",
         "walks in socks", "turns distance into a rumour", "forgets where it was going"),
    ),
    ("land", "beach"): (
        ("the edge of the land", "the shoreline", "the border between two worlds", "the sand"),
        ("keeps changing its mind", "counts itself and loses count", "says farewell with every breath",
         "reads the same line again and again", "draws maps and wipes them out", "listens to its own heartbeat"),
    ),
    ("land", "mountains"): (
        ("the old stone giants", "the teeth of the earth", "the sleeping giants", "those who wear white hats"),
        ("hold up the sky", "think one thought in a thousand years", "shoulder the weather without a word",
         "turn their backs on time", "lean their heads together", "guard the secret of height"),
    ),
    ("land", "desert"): (
        ("the empty quarter of the heart", "the land of thirst", "an ocean without water", "the great dryness"),
        ("counts its grains like hours", "remembers the sea", "writes with wind and never keeps a page",
         "waits for a word of water", "keeps the oldest silence", "burns without a flame"),
    ),
    ("land", "forest"): (
        ("a green cathedral", "the crowd of tall listeners", "the house of whispers", "the green dark"),
        ("keeps its oldest prayers", "hides its heart from the path", "breathes for all of us",
         "never finishes its sentence", "passes rumours from crown to crown", "knows the way and will not say"),
    ),
    ("land", "meadow"): (
        ("the soft green page", "the lap of the land", "summer's carpet", "the gentle ground"),
        ("asks for nothing", "lets the wind comb its hair", "keeps a seat for everyone", "hums a cradle song",
         "rolls out its welcome", "daydreams with its hands behind its head"),
    ),
    ("land", "city"): (
        ("the great machine of streets", "the maze of windows", "the restless hive", "the stone crowd"),
        ("talks in its sleep", "never takes off its shoes", "sells its hours by the minute",
         "has a thousand eyes and looks away", "hums its electric hymn", "forgets your name politely"),
    ),
    ("land", "harbour"): (
        ("the arm of the land", "the waiting room of the sea", "the door to elsewhere", "the place of goodbyes"),
        ("holds on and lets go", "collects departures", "smells of promises", "keeps the keys of the horizon",
         "rocks its guests to sleep", "speaks every language badly"),
    ),
    ("land", "snowfield"): (
        ("the blank page of the north", "the white nowhere", "the frozen breath of the earth", "the kingdom of cold"),
        ("waits for the first word", "keeps silence like a vow", "forgets every path", "sleeps with open eyes",
         "has only one colour and a hundred names for it", "holds time in its frozen fist"),
    ),
}  # fmt: skip
