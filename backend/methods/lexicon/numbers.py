"""Words that count: the cardinals of English up to a trillion, and nouns that stand for several of a kind."""

from __future__ import annotations

_CARDINALS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
"""
CARDINALS = tuple(_CARDINALS.split())

# "a group of", "a pair of", "a couple of", "a herd of", "a flock of", and others that captions use the same way.
_GROUPS = "bunch couple crowd dozen flock group handful herd pack pair school swarm trio"
GROUPS = tuple(_GROUPS.split())

_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth
"""
ORDINALS = tuple(_ORDINALS.split())
# More words that say how many there are, or how often.
_SEVERAL = "double triple quadruple twin twins twice thrice both half quarter several"
SEVERAL = frozenset(_SEVERAL.split())
