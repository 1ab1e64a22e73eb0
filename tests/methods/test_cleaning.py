"""Cleaning one caption, and the equal ones of one image."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import ftfy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from backend.methods.cleaning import (
    Caption,
    Dropped,
    clean_text,
    comparison_form,
    count_words,
    repair_text,
)
from backend.methods.cleaning.characters import (
    FIXES,
    is_plain,
    one_form,
    one_spelling,
    repair_encoding,
    single_spaces,
    without_invisible,
)
from backend.methods.cleaning.pool import fold_text
from backend.methods.near_duplicates import find_near_duplicates

FAMILY = "👨\u200d👩\u200d👧"
NASTY = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from(" \t\n&;<>aé´½Ã©\u200d\u200b\u00a0\ufeff\u0301#x6"))
)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("The cafÃ© at night &amp; rain", "The café at night & rain"),
        ("voilÃ  le travail", "voilà le travail"),
        ("GÃ\u00a0idhlig na h-Alba", "Gàidhlig na h-Alba"),
        ("A dog\r\n on\tthe   grass ", "A dog on the grass"),
        ("a\u00a0red\u3000kite\u2009flies", "a red kite flies"),
        ("ＦＵＬＬ width letters", "FULL width letters"),
        ("an oﬃce at night", "an office at night"),
        ("cafe\u0301 at night", "café at night"),
        ("“a dog’s ball”", '"a dog\'s ball"'),
        ("don´t look down", "don't look down"),
        ("1½ cups of tea", "1½ cups of tea"),
        ("a \x1b[31mred\x1b[0m kite", "a red kite"),
        ("h\u200bello wo\u00adrld a\u202eb", "hello world ab"),
        ("bell\x07 and\x7f delete", "bell and delete"),
        (f"{FAMILY} in the park", f"{FAMILY} in the park"),
        ("نامه\u200cای که نوشت", "نامه\u200cای که نوشت"),
        ("A\u200dB\u200c C D", "AB C D"),
        ("כלב על הדשא", "כלב על הדשא"),
        ("a lone \ud800 surrogate", "a lone � surrogate"),
        ("a smile \ud83d\ude00 here", "a smile 😀 here"),
        ("Jack & Jill; a hill", "Jack & Jill; a hill"),
    ],
)
def test_what_is_broken_is_repaired_and_what_has_meaning_stays(raw: str, cleaned: str) -> None:
    assert clean_text(raw, min_words=3) == cleaned


@pytest.mark.parametrize(
    ("raw", "rule", "detail"),
    [
        ("", "empty", "Nothing is left to read."),
        (" \n\t\u00a0", "empty", "Nothing is left to read."),
        ("\x00\x01\u200b\ufeff\u200d", "empty", "Nothing is left to read."),
        ("Untitled", "too_short", "1 word, 3 needed"),
        ("a - dog !", "too_short", "2 words, 3 needed"),
        ("🐕🐈 🐕", "too_short", "0 words, 3 needed"),
    ],
)
def test_what_cannot_be_a_caption_is_dropped_with_its_rule(raw: str, rule: str, detail: str) -> None:
    assert clean_text(raw, min_words=3) == Dropped(rule, detail)


def test_emoji_alone_are_kept_where_no_words_are_asked_for() -> None:
    assert clean_text("🐕🐈", min_words=0) == "🐕🐈"


def test_a_text_of_100_kb_is_cleaned_like_any_other() -> None:
    assert clean_text("a dog  runs " * 8_500, min_words=3) == ("a dog runs " * 8_500).strip()
    assert clean_text("le cafÃ© fume  " * 6_500, min_words=3) == ("le café fume " * 6_500).strip()


@pytest.mark.parametrize(
    ("text", "n_words"),
    [
        ("a dog - and 2 cats", 5),
        ("Energy-saving mode has been activated.", 5),
        ("一只狗在草地上跑", 4),
        ("公園で犬が走る", 4),
        ("สุนัขวิ่งในสวน", 4),
        ("东京 Tower 2024年", 4),
        ("कुत्ता घास पर", 3),
        ("__ -- !!", 0),
        ("", 0),
    ],
)
def test_words_are_counted_in_scripts_with_and_without_spaces(text: str, n_words: int) -> None:
    assert count_words(text) == n_words


@given(NASTY, st.integers(0, 6))
@example("\u200d´½&amp;#38;amp; \ud83d", 0)
@example("¨\u0301 ﹠amp;", 1)
def test_cleaning_twice_is_cleaning_once(raw: str, min_words: int) -> None:
    once = clean_text(raw, min_words=min_words)
    if isinstance(once, Dropped):
        assert once.rule in {"empty", "too_short", "unstable"}
    else:
        assert clean_text(once, min_words=min_words) == once
        assert once == once.strip() != ""


@given(st.text(alphabet=st.characters(max_codepoint=127)))
@example("&amp;")
@example("a & b")
def test_skipping_the_repair_of_plain_text_changes_nothing(text: str) -> None:
    if is_plain(text):
        assert without_invisible(one_form(ftfy.fix_text(text, FIXES))) == text
        assert one_spelling(repair_encoding(text)) == single_spaces(text)


@given(NASTY)
def test_a_repaired_text_can_be_stored_and_shows_nothing_invisible(raw: str) -> None:
    repaired = repair_text(raw)
    if isinstance(repaired, str):
        repaired.encode("utf-8")
        assert without_invisible(repaired) == repaired


@given(NASTY)
def test_every_text_that_is_kept_has_a_form_to_compare(raw: str) -> None:
    repaired = repair_text(raw)
    if isinstance(repaired, str) and repaired:
        assert fold_text(repaired)
        assert comparison_form(raw) == fold_text(repaired)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A dog runs.", "a dog  runs"),
        ("The CAFÉ!", "the café"),
        ("Straße im Regen", "STRASSE IM REGEN"),
        ("a-b c", "ab c"),
    ],
)
def test_case_punctuation_and_spaces_make_no_difference(one: str, other: str) -> None:
    assert fold_text(one) == fold_text(other)


def test_of_equal_captions_the_one_written_for_this_image_is_kept() -> None:
    pool = [
        Caption("aa", "other_image", "A dog runs!!!!"),
        Caption("bb", "web", "A dog runs!!!"),
        Caption("cc", "human", "A dog runs"),
        Caption("dd", "human", "A cat runs"),
    ]
    assert find_near_duplicates(pool) == {"aa": Dropped("duplicate", "cc"), "bb": Dropped("duplicate", "cc")}


def test_among_equals_of_one_source_the_longest_then_the_lowest_key_is_kept() -> None:
    pool = [Caption("cc", "human", "a dog"), Caption("bb", "human", "A dog."), Caption("aa", "human", "a dog!")]
    assert find_near_duplicates(pool) == {"cc": Dropped("duplicate", "aa"), "bb": Dropped("duplicate", "aa")}
    assert find_near_duplicates(reversed(pool)) == find_near_duplicates(pool)


def test_an_empty_pool_and_different_captions_drop_nothing() -> None:
    assert find_near_duplicates([]) == {}
    assert find_near_duplicates([Caption("a", "human", "?!"), Caption("b", "human", "!?")]) == {}


def _ftfy_cases(folder: Path) -> Iterator[dict[str, str]]:
    for name in ("ftfy_negative.json", "ftfy_synthetic.json", "ftfy_language-names.json"):
        yield from json.loads((folder / name).read_text(encoding="utf-8"))


def test_ftfys_own_cases_are_repaired_as_ftfy_promises(shared_data: Path) -> None:
    cases = [case for case in _ftfy_cases(shared_data / "noisy_text") if case["expect"] == "pass"]
    assert len(cases) > 50
    for case in cases:
        assert repair_text(case["original"]) == repair_text(case["fixed"]), case["label"]


def test_every_coco_caption_is_kept_or_its_drop_explained(shared_data: Path) -> None:
    with gzip.open(shared_data / "coco5k" / "coco5k_test_captions.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    outcomes = [clean_text(row["caption"], min_words=3) for row in rows]
    dropped = [outcome for outcome in outcomes if isinstance(outcome, Dropped)]
    assert len(rows) == 25_000
    assert dropped == []


def _noisy_texts(folder: Path) -> Iterator[str]:
    with gzip.open(folder / "laion_alt_text_sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["text"] for line in lines)
    with gzip.open(folder / "cc3m_validation.tsv.gz", "rt", encoding="utf-8") as lines:
        yield from (line.split("\t")[0] for line in lines)
    with (folder / "digitalgov_image_alt.jsonl").open(encoding="utf-8") as lines:
        yield from (json.loads(line)["alt"] for line in lines)
    with (folder / "xm3600_flickr_titles.csv").open(encoding="utf-8", newline="") as lines:
        yield from (row["title"] for row in csv.DictReader(lines))


def test_the_noise_of_the_web_is_cleaned_or_dropped_with_a_reason(shared_data: Path) -> None:
    texts = list(_noisy_texts(shared_data / "noisy_text"))
    outcomes = [clean_text(text or "", min_words=3) for text in texts]
    kept = [outcome for outcome in outcomes if isinstance(outcome, str)]
    assert len(texts) > 25_000
    assert Counter(o.rule for o in outcomes if isinstance(o, Dropped)).keys() <= {"empty", "too_short"}
    assert len(kept) > 20_000
    assert [clean_text(text, min_words=3) for text in kept] == kept
