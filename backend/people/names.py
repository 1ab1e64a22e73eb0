"""Names that cannot pass for another person's: no hidden characters, no mixed alphabets, and a key for look-alikes."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"  # Persian and many Indian languages write with them
HIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
LOOK_ALIKE_ALPHABETS = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}
# Letters of Cyrillic, Greek and Armenian that look like a Latin one, and digits that look like a letter.
LOOKS_LIKE = str.maketrans(
    "авекмнорстухіјѕԁԛԝһьҽѵ" + "αβεζηικμνορτυχγω" + "օոսյցհգ" + "01|ıł",
    "abekmhopctyxijsdqwhbev" + "abezhikmvoptyxyw" + "onujghq" + "ollil",
)  # fmt: skip


def has_hidden_characters(name: str) -> bool:
    """Whether the name has direction marks, control characters or others that nobody sees."""
    return any(unicodedata.category(letter) in HIDDEN and letter not in JOINERS for letter in name)


def mixes_alphabets(name: str) -> bool:
    """Whether letters of two alphabets with the same shapes stand in one name, as a Cyrillic a among Latin letters."""
    alphabets = {unicodedata.name(letter, "?").split()[0] for letter in name if letter.isalpha()}
    return len(alphabets & LOOK_ALIKE_ALPHABETS) > 1


def name_key(name: str) -> str:
    """The same text for two names that people would take for one: case, width, spaces and look-alike letters aside."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(letter for letter in plain if unicodedata.category(letter) not in HIDDEN and not letter.isspace())
    return seen.translate(LOOKS_LIKE).replace("i", "l")[:300]
