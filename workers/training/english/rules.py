"""What the treebank's entities cannot teach: colours, numbers and named buildings, as patterns of spaCy's EntityRuler.

The order decides who is heard first. Before the trained entities come named buildings (FAC), since "Eiffel Tower" is a
building and not a place, and colours that are surely meant, since the first word of "White plates" is no name.
The trained entities fill what is left. The other colours and the numbers come last and take only words that are free:
in "Gordon Brown" the person stays. Within one ruler the longest match wins.
"""

from __future__ import annotations

from typing import Any

from spacy.lang.en import English

from backend.methods.lexicon.colours import ALSO_THINGS, SHADES, colours
from backend.methods.lexicon.numbers import CARDINALS, GROUPS

Pattern = dict[str, Any]
BEFORE, AFTER = "rules_before_entities", "rules_after_entities"  # the two rulers in the pipeline

# The last word of a building's name, written with a capital.
_BUILDINGS = """
Abbey Airport Amphitheatre Aquarium Arch Arena Auditorium Basilica Bridge Building Castle Cathedral Chapel Church
Citadel Coliseum Colosseum Courthouse Dam Fort Fortress Fountain Gate Hall Hospital Hotel House Inn Lighthouse Library
Mansion Mausoleum Memorial Mill Monastery Monument Mosque Museum Observatory Pagoda Palace Pavilion Pier Plaza Pyramid
Square Stadium Station Statue Synagogue Temple Terminal Theater Theatre Tower Towers Zoo
"""
BUILDINGS = _BUILDINGS.split()
_FAMOUS = """
Acropolis, Alcatraz, Alhambra, Angkor Wat, Arc de Triomphe, Big Ben, Borobudur, Burj Khalifa, Christ the Redeemer,
Colosseum, Great Wall of China, Hagia Sophia, Kremlin, London Eye, Louvre, Machu Picchu, Mount Rushmore, Neuschwanstein,
Notre Dame, Notre-Dame, Pantheon, Parthenon, Petronas Towers, Sacré-Cœur, Sagrada Familia, Sagrada Família,
Space Needle, Stonehenge, Taj Mahal, White House
"""
# "Golden" of Golden Gate Bridge is an adjective or a noun to the tagger, and "Eiffel" a noun.
CAPITAL: Pattern = {"TEXT": {"REGEX": "^[A-ZÀ-Þ]"}, "POS": {"IN": ["PROPN", "ADJ", "NOUN"]}}
INSIDE: Pattern = CAPITAL | {"IS_SENT_START": False}
NAME: Pattern = CAPITAL | {"POS": "PROPN"}
NOT_A_NAME: Pattern = {"POS": {"NOT_IN": ["PROPN", "VERB"]}}


def before() -> list[Pattern]:
    """What is heard before the trained entities."""
    return _labelled("COLOR", _sure_colours()) + _labelled("FAC", _buildings())


def after() -> list[Pattern]:
    """What takes the words that are still free."""
    return _labelled("COLOR", _other_colours()) + _labelled("NUMBER", _numbers())


def _labelled(label: str, shapes: list[list[Pattern]]) -> list[Pattern]:
    return [{"label": label, "pattern": shape} for shape in shapes]


def _buildings() -> list[list[Pattern]]:
    """`Eiffel Tower`, `Tower of London`, `Taj Mahal` without its article.

    A first word is capital anyway: it is a name where it is tagged as one, or where another capital follows.
    """
    head: Pattern = {"TEXT": {"IN": BUILDINGS}}
    of: Pattern = {"LOWER": {"IN": ["of", "de", "del", "di"]}}
    the: Pattern = {"LOWER": "the", "OP": "?"}
    several = [CAPITAL, CAPITAL | {"OP": "+"}, head]
    return [several, [INSIDE, head], [NAME, head], [head, of, the, NAME, NAME | {"OP": "*"}], *_famous()]


def _famous() -> list[list[Pattern]]:
    """Names that end in no building, as spaCy cuts them into words."""
    cut = English().tokenizer
    return [[{"TEXT": word.text} for word in cut(name.strip())] for name in _FAMOUS.replace("\n", " ").split(",")]


def _sure_colours() -> list[list[Pattern]]:
    """`red` as an adjective; `dark red`, `light sky blue`, `salmon-coloured` whatever they are tagged."""
    names = colours()
    single = [name for name in names if " " not in name]
    shade: Pattern = {"LOWER": {"IN": list(SHADES)}}
    hyphen: Pattern = {"ORTH": "-", "OP": "?"}
    coloured: Pattern = {"LOWER": {"IN": ["colored", "coloured", "color", "colour"]}}
    several = [[{"LOWER": word} for word in name.split()] for name in names if " " in name and name not in ALSO_THINGS]
    return [
        [{"LOWER": {"IN": _plain()}, "POS": "ADJ", "TAG": "JJ"}],
        [shade, hyphen, {"LOWER": {"IN": single}} | NOT_A_NAME],
        [{"LOWER": {"IN": single}}, hyphen, coloured],
        *several,
    ]


def _other_colours() -> list[list[Pattern]]:
    """`red` unless it is a name or an action; `orange` only where it describes: an orange bus, the bus is orange."""
    describes: Pattern = {"POS": "ADJ", "DEP": {"IN": ["amod", "conj", "ROOT"]}}
    things: Pattern = {"LOWER": {"IN": [name for name in sorted(ALSO_THINGS) if " " not in name]}}
    return [[{"LOWER": {"IN": _plain()}} | NOT_A_NAME], [things | describes]]


def _plain() -> list[str]:
    """Colours of one word that mean nothing else."""
    return [name for name in colours() if " " not in name and name not in ALSO_THINGS]


def _numbers() -> list[list[Pattern]]:
    """`three`, `two hundred`, `2,000`, `a group of`, `a large herd of`, `a dozen`."""
    digits: Pattern = {"TEXT": {"REGEX": r"^\d+(?:[.,]\d+)*$"}, "POS": "NUM"}
    word: Pattern = {"LOWER": {"IN": list(CARDINALS)}, "POS": {"NOT_IN": ["PROPN", "PRON", "NOUN", "ADJ"]}}
    some: Pattern = {"LOWER": {"IN": ["a", "an", "the", *CARDINALS]}}
    adjective: Pattern = {"POS": "ADJ", "OP": "?"}
    return [
        [word | {"OP": "+"}],
        [digits, word | {"OP": "*"}],
        [some, adjective, {"LOWER": {"IN": list(GROUPS)}}, {"LOWER": "of"}],
        [some, {"LOWER": "dozen"}],
    ]
