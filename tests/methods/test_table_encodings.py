"""Tables in the encodings of old programs: read as what they are, with words to check; refused where that is unsure."""

from __future__ import annotations

import gzip
import io

import pytest

from backend.methods.tables import Fault, Row, Wanted, read_rows

KNOWN = Wanted(known=("image", "caption"))
TEXTS = {
    "cp1252": ("Ein Mädchen läuft über die Straße", "Un garçon mange une crêpe à l’école", "Una niña y un señor"),
    "cp1250": ("Dziewczynka w żółtej sukience", "Chłopiec z psem idzie ścieżką", "Koń stoi na łące obok drzewa"),
    "iso8859_2": ("Dziewczynka w żółtej sukience", "Chłopiec z psem idzie ścieżką", "Koń stoi na łące obok drzewa"),
    "cp1254": ("Küçük bir kız kırmızı balon tutuyor", "Yaşlı adam kafede gazete okuyor", "Çocuklar karda oynuyor"),
    "cp1251": ("Собака бежит по снегу", "Два котика спят на диване", "Старик читает газету в кафе"),
    "koi8_r": ("Собака бежит по снегу", "Два котика спят на диване", "Старик читает газету в кафе"),
    "cp1253": ("Ένας σκύλος τρέχει στο χιόνι", "Δύο γάτες κοιμούνται στον καναπέ", "Ο γέρος διαβάζει εφημερίδα"),
    "cp1256": ("كلب يركض في الثلج", "قطتان تنامان على الأريكة", "رجل عجوز يقرأ الجريدة في المقهى"),
    "cp932": ("雪の中を走る犬がいます", "ソファの上の二匹の猫", "老人が新聞を読んでいる", "赤い風船を持つ女の子"),
    "gb18030": ("一只狗在雪地里奔跑", "沙发上的两只猫", "老人在咖啡馆看报纸", "小女孩拿着红色的气球"),
    "big5": ("一隻狗在雪地裡奔跑", "沙發上的兩隻貓", "老人在咖啡館看報紙", "小女孩拿著紅色的氣球"),
    "cp949": ("눈 속을 달리는 개", "소파 위의 고양이 두 마리", "노인이 카페에서 신문을 읽고 있다"),
}  # fmt: skip


def read(raw: bytes) -> tuple[list[str], list[Fault]]:
    found = list(read_rows(io.BytesIO(raw), "captions.csv", KNOWN))
    return [row.values["caption"] for row in found if isinstance(row, Row)], [
        row for row in found if isinstance(row, Fault)
    ]


def table(texts: tuple[str, ...]) -> str:
    return "image,caption\n" + "".join(f"{n}.jpg,{text}\n" for n, text in enumerate(texts))


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_table_of_an_old_encoding_is_read_and_the_report_shows_words_to_check(encoding: str) -> None:
    texts = TEXTS[encoding]
    raw = table(texts).encode(encoding)
    read_texts, faults = read(raw)
    assert read_texts == list(texts)
    [note] = faults
    assert note.is_note and note.code == "read_as", note
    first_word = next(word for word in texts[0].split() if not word.isascii())
    assert str(note.params["words"]).startswith(first_word)
    assert read(gzip.compress(raw))[0] == list(texts)
    assert read("\n".join(f'{{"caption": "{text}"}}' for text in texts).encode(encoding))[0] == list(texts)


def test_the_first_such_letter_may_stand_far_behind() -> None:
    raw = table(("plain",) * 20_000 + ("A café",)).encode("cp1252")
    texts, [note] = read(raw)
    assert texts[-1] == "A café" and note.params == {"encoding": "Windows-1252 (Western Europe)", "words": "café"}


def test_a_second_encoding_that_fits_as_well_is_named() -> None:
    _, [note] = read(table(("Smørrebrød på en tallerken", "En mand på en hest")).encode("cp1252"))
    assert (note.code, note.params["words"]) == ("read_as_or", "Smørrebrød, på")
    assert note.params["other_words"] == "Smřrrebrřd, pĺ"
    assert "read it as Windows-1252 (Western Europe): Smørrebrød, på. It may also be" in note.message


@pytest.mark.parametrize(
    "raw",
    [
        table(("Собака",)).encode("cp1251"),  # too short to tell
        table(("Zoë",)).encode() + table(("Über",)).encode("cp1252"),  # of both
    ],
)
def test_what_cannot_be_told_is_refused_line_by_line(raw: bytes) -> None:
    _, faults = read(raw)
    assert "not_utf8" in {fault.code for fault in faults} and not any(fault.is_note for fault in faults)
