"""Words that cannot be said of the same thing: antonyms of WordNet 3.0, and groups of words that exclude each other.

`antonyms.tsv` is written by `python -m workers.training.wordnet` (NOTICE has its licence); read when first asked for.
The groups are what it does not have: prepositions, pronouns, plurals, seasons, times of day, and plain words for the
opposites that captions name most.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path

TABLE = Path(__file__).with_name("antonyms.tsv")
_GROUPS = """
above below beneath under underneath over beyond
before after
behind front
in out
inside outside
indoors outdoors
into onto out off
on off under beside above
up down
upstairs downstairs
upper lower
near far
left right center middle
north south east west
northern southern eastern western
top bottom
first last
early late
day night
dawn dusk noon midnight
morning noon afternoon evening night
sunrise sunset
spring summer autumn winter
spring summer fall winter
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
man woman child
men women children
boy girl
boys girls
king queen
prince princess
father mother
son daughter
brother sister
husband wife
uncle aunt
grandfather grandmother
actor actress
waiter waitress
bride groom
he she they it
his her their its
him her them it
himself herself themselves itself
male female
big small little
large small little tiny
huge tiny
tall short
long short
wide narrow
thick thin
high low
heavy light
dark light bright pale
hot cold
warm cool
wet dry
old young
old new
full empty
open closed shut
opening closing
happy sad angry
smiling frowning crying
laughing crying
standing sitting lying walking running
stands sits lies walks runs
asleep awake
sleeping waking
sunny cloudy rainy snowy foggy
calm stormy
clear cloudy
land sea
city countryside
urban rural
alone together
clean dirty
fast slow
quickly slowly
rising falling setting
rises falls sets
arriving leaving
arrives leaves
entering leaving
enters leaves
coming going
pushing pulling
pushes pulls
buying selling
winning losing
wins loses
throwing catching
throws catches
ascending descending
climbing descending
more less fewer
many few
all none some
always never sometimes
everybody nobody
everyone nobody
everything nothing
"""


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """{word: the words that exclude it}, in lower case.

    >>> sorted(opposites()["open"])
    ['close', 'closed', 'shut']
    """
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if not line.startswith("#")]
    found: defaultdict[str, set[str]] = defaultdict(set)
    for group in (*pairs, *map(str.split, _GROUPS.strip().splitlines())):
        for word in group:
            found[word].update(other for other in group if other != word)
    return {word: frozenset(others) for word, others in found.items()}
