"""Which encoding a text has. UTF-8 and UTF-16 show themselves; one of the older encodings is a guess, which is told.

A guess takes texts that look alike together. Chinese, Japanese and Korean take two bytes for a sign. Russian, Greek,
Hebrew and Arabic words are all of bytes above 127. Other words have few of them, and their plain letters tell the
language and by it the encoding. A file with both UTF-8 and other bytes is UTF-8 with bad lines, and never a guess.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from backend.methods.languages import identifier

# By their marks; that of UTF-32 begins as that of UTF-16 does.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32", codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
UTF8 = "utf-8-sig"
NAMES = {
    "cp1252": "Windows-1252 (Western Europe)", "cp1250": "Windows-1250 (Central Europe)",
    "iso8859_2": "ISO 8859-2 (Central Europe)", "cp1254": "Windows-1254 (Turkish)", "cp1257": "Windows-1257 (Baltic)",
    "mac_roman": "Mac Roman", "cp1251": "Windows-1251 (Cyrillic)", "koi8_r": "KOI8-R (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)", "cp1255": "Windows-1255 (Hebrew)", "cp1256": "Windows-1256 (Arabic)",
    "cp932": "Shift-JIS (Japanese)", "euc_jp": "EUC-JP (Japanese)", "gb18030": "GB18030 (Chinese)",
    "big5": "Big5 (Chinese)", "cp949": "Windows-949 (Korean)",
}  # fmt: skip
TWO_BYTES = ("cp932", "gb18030", "big5", "cp949", "euc_jp")
OTHER_LETTERS = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256")
# Of two for one language, the first has no letter where the other has š and ś.
LATIN = {
    **dict.fromkeys(("pl", "cs", "sk", "hu", "hr", "sl", "bs", "ro", "sq"), ("iso8859_2", "cp1250")),
    **dict.fromkeys(("tr", "az"), ("cp1254",)), **dict.fromkeys(("lt", "lv", "et"), ("cp1257",)),
}  # fmt: skip
MAC = "mac_roman"
WESTERN = ("cp1252", MAC)
HIGH = re.compile(rb"[\x80-\xff]")
OF_UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
BYTES_OF_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
WORD = re.compile(r"[^\W\d_]*[^\W\d_\x00-\x7f][^\W\d_]*")
EAST = "\u1100-\u11ff\u3040-\ud7af\uf900-\ufaff\uff61-\uff9f"
BESIDE_LATIN = re.compile(f"[a-z][{EAST}]|[{EAST}][a-z]")
ABOVE_127 = bytes(range(128, 256))
ENOUGH = 2000  # bytes above 127 that tell the encoding
HELD = 64 * 1024  # bytes of lines that are judged
ALL_HIGH = 0.6  # share of bytes above 127 in the words of Russian, Greek, Hebrew and Arabic
STRAY = 0.05  # share of what looks like UTF-8 by chance
NEAR = 0.02
FIT_ALIKE = 3
SURE = 0.95
SIGNS = ("So", "No", "Sc", "Sk", "Sm", "Pi", "Pf", "Po")
SHOWN = 3
MOST_ODD = 0.05  # share of odd signs that a right guess may leave


@dataclass(frozen=True)
class Encoding:
    """What a text is decoded by. A guess has `words` that a person can check, and maybe another guess beside it."""

    name: str
    is_guess: bool = False
    words: str = ""
    other: str = ""
    other_words: str = ""

    @property
    def note(self) -> tuple[str, dict[str, str]] | None:
        """Code and values of the sentence about a guess."""
        if not self.is_guess:
            return None
        params = {"encoding": NAMES[self.name], "words": self.words}
        if not self.other:
            return "read_as", params
        return "read_as_or", params | {"other": NAMES[self.other], "other_words": self.other_words}


def encoding_of(head: bytes, rest: Iterator[bytes], *, may_guess: bool = True) -> Encoding:
    """The encoding of a text by its first bytes: by a mark, by the zeros that UTF-16 has beside Latin letters, or by
    the letters of `head` and of what follows, which is read only as far as needed."""
    if marked := next((name for mark, name in MARKS.items() if head.startswith(mark)), ""):
        return Encoding(marked)
    if b"\0" in head:
        return Encoding(_by_zeros(head[:2000]))
    if head.startswith(codecs.BOM_UTF8) or not may_guess:
        return Encoding(UTF8)
    data, is_cut = head, False
    for data in rest:
        is_cut = len(data) - len(data.translate(None, ABOVE_127)) >= ENOUGH
        if is_cut:
            break
    return _guess(data if not is_cut else data[: data.rfind(b"\n") + 1] or data) or Encoding(UTF8)


def _by_zeros(start: bytes) -> str:
    even, odd = start[::2].count(0), start[1::2].count(0)
    if even == 0 and odd * 3 > len(start) // 2:
        return "utf-16-le"
    return "utf-16-be" if odd == 0 and even * 3 > len(start) // 2 else UTF8


def _guess(data: bytes) -> Encoding | None:
    """None for UTF-8, and where no guess is good enough."""
    sample = _with_high_bytes(data)
    n_high, n_utf8 = len(HIGH.findall(sample)), sum(map(len, OF_UTF8.findall(sample)))
    n_bad = n_high - n_utf8
    if not n_bad:
        return None
    by_two = [name for name in TWO_BYTES if _n_odd(sample, name) is not None and n_utf8 < n_high / 2]
    is_all_high = _share_of_high(sample) > ALL_HIGH and n_utf8 <= STRAY * n_high
    if candidates := [*by_two, *(OTHER_LETTERS if is_all_high else ())]:
        return _by_charset_normalizer(sample, candidates)
    return _by_language(sample) if n_utf8 == 0 else None


def _with_high_bytes(data: bytes) -> bytes:
    """The lines that tell something."""
    sample = b"\n".join(line for line in data.split(b"\n") if not line.isascii())
    return sample if len(sample) <= HELD else sample[: sample.rfind(b" ", 0, HELD)]


def _share_of_high(sample: bytes) -> float:
    words = [word for word in BYTES_OF_WORD.findall(sample) if len(word) > 2]
    return len(HIGH.findall(b"".join(words))) / max(1, sum(map(len, words)))


def _by_charset_normalizer(sample: bytes, candidates: list[str]) -> Encoding | None:
    """None where three or more encodings fit alike."""
    from charset_normalizer import from_bytes

    matches = list(from_bytes(sample, cp_isolation=candidates, preemptive_behaviour=False))
    if not matches:
        return None
    best = matches[0]
    near = [each for each in matches if each.chaos <= best.chaos + NEAR and each.coherence >= best.coherence - NEAR]
    return _told(sample, *(each.encoding for each in near)) if len(near) < FIT_ALIKE else None


def _by_language(sample: bytes) -> Encoding | None:
    """Of Latin letters. Where those of the language do not fit, the encodings of Western Europe are tried."""
    plain = re.sub(rb"[^A-Za-z]+", b" ", sample).decode("ascii")
    language, chance = identifier().classify(plain)
    names = [*LATIN.get(language, WESTERN)]
    if chance < SURE or all(_n_odd(sample, name) is None for name in names):
        names += [*WESTERN, *(name for each in LATIN.values() for name in each)]
    n_odd = {name: n for name in dict.fromkeys(names) if (n := _n_odd(sample, name)) is not None}
    best = [name for name, n in n_odd.items() if n == min(n_odd.values())]
    best = [name for name in best if name != MAC or "cp1252" not in best]  # hardly any file is of an old Mac
    return _told(sample, *best) if best else None


def _n_odd(sample: bytes, name: str) -> int | None:
    """How many signs cannot be right where they are; None where they are too many, or the bytes are no text."""
    try:
        text = sample.decode(name)
    except UnicodeDecodeError:
        return None
    if name in TWO_BYTES:
        n = len(BESIDE_LATIN.findall(text)) + sum(unicodedata.category(sign) == "Co" for sign in text)
    else:
        n = sum(map(_is_odd, text, text[1:], text[2:]))
    return n if n <= MOST_ODD * sum(not sign.isascii() for sign in text) else None


def _is_odd(before: str, sign: str, after: str) -> bool:
    """Whether a sign cannot be right between its neighbours: it is no letter, but within a word, or a capital behind a
    small letter."""
    if sign.isascii():
        return sign.isupper() and before.islower() and not before.isascii()
    kind = unicodedata.category(sign)
    if kind in ("Cc", "Cn", "Co"):
        return True
    if kind == "Lu":
        return before.islower()
    return kind in SIGNS and before.isalpha() and after.islower() and sign != "’"


def _told(sample: bytes, name: str, *others: str) -> Encoding:
    """The guess, and another one that fits as well and gives other words."""
    words = _words(sample, name)
    other = next((each for each in others if _words(sample, each) != words), "")
    return Encoding(name, is_guess=True, words=words, other=other, other_words=_words(sample, other) if other else "")


def _words(sample: bytes, name: str) -> str:
    """Some words by which a person sees whether the encoding is right."""
    found = dict.fromkeys(WORD.findall(sample.decode(name, "replace")))
    signs = dict.fromkeys(sign for sign in sample.decode(name, "replace") if not sign.isascii())
    return ", ".join(word[:30] for word in list(found or signs)[:SHOWN])
