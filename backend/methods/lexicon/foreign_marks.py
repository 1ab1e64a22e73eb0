"""Numbers and colours in German, French, Spanish and Italian, by what they are in English."""

from __future__ import annotations

_NUMBERS = """
2 zwei deux dos due
3 drei trois tres tre
4 vier quatre cuatro quattro
5 fünf cinq cinco cinque
6 sechs seis sei
7 sieben sept siete sette
8 acht huit ocho otto
9 neun neuf nueve nove
10 zehn dix diez dieci
"""
_COLOURS = """
red rot rote rotes roter roten rotem rouge rouges rojo roja rojos rojas rosso rossa rossi rosse
blue blau blaue blaues blauer blauen blauem bleu bleue bleus bleues azul azules blu azzurro azzurra azzurri azzurre
green grün grüne grünes grüner grünen grünem vert verte verts vertes verde verdes verdi
yellow gelb gelbe gelbes gelber gelben gelbem jaune jaunes amarillo amarilla amarillos amarillas giallo gialla gialli gialle
black schwarz schwarze schwarzes schwarzer schwarzen schwarzem noir noire noirs noires negro negra negros negras nero nera neri nere
white weiß weiss weiße weißes weißer weißen weißem blanc blanche blancs blanches blanco blanca blancos blancas bianco bianca bianchi bianche
grey grau graue graues grauer grauen grauem gris grise grises grigio grigia grigi grigie
brown braun braune braunes brauner braunen braunem brun brune bruns brunes marrón marrones marrone marroni
"""  # noqa: E501


def _by_word(lines: str) -> dict[str, str]:
    """{word: what it is in English}"""
    split = (line.split() for line in lines.strip().splitlines())
    return {word.casefold(): first for first, *words in split for word in words}


FOREIGN_NUMBERS, FOREIGN_COLOURS = _by_word(_NUMBERS), _by_word(_COLOURS)
