"""The parser engine on connote-en and on pipelines that are missing, damaged or pickled."""

from __future__ import annotations

import itertools
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from workers.engines import registry
from workers.engines.carried import ENGLISH, MODELS
from workers.engines.parsed import Parsed
from workers.engines.parser import LONGEST, MOST_TEXTS, SpacyParser, beside_tags, digest_of_pipeline
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError, Parser

# torch, which spaCy imports, deprecates its own corners at import.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

STRANGE = {
    "empty": "",
    "white space": " \t\n\u00a0 ",
    "control characters": "\x00\x01\x07 a cat\x00\x1b[31m",
    "a lone surrogate": "a \ud800 cat",
    "only emoji": "😀😀 👩\u200d👩\u200d👧 🏳️\u200d🌈",
    "right to left marks": "a\u200bcat\u202e dog",
    "combining accents": "e\u0301\u0301\u0301 cafe\u0301",
    "the last code point": "\U0010ffff",
    "one word of 100 kB": "b" * 100_000,
    "full stops": "." * 5_000,
    "markup": "<html><b>a</b> &amp; <script>",
    "another script": "日本の写真 по-русски",
}


@pytest.fixture(scope="module")
def english() -> Parser:
    return registry.parser(ENGLISH)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """connote-en as somebody else's folder."""
    return Path(shutil.copytree(MODELS / ENGLISH, tmp_path / "theirs"))


def one(parser: Parser, text: str) -> Parsed:
    (parsed,) = parser.parse([text])
    return parsed


def test_a_caption_is_read_word_by_word(english: Parser) -> None:
    parsed = one(english, "Two dogs were running along the beach.")
    assert [word.text for word in parsed.tokens] == ["Two", "dogs", "were", "running", "along", "the", "beach", "."]
    assert [word.pos for word in parsed.tokens] == ["NUM", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN", "PUNCT"]
    assert [word.lemma for word in parsed.tokens][1:4] == ["dog", "be", "run"]
    assert [word.tag for word in parsed.tokens][:2] == ["CD", "NNS"]
    dogs, running, beach = parsed.tokens[1], parsed.tokens[3], parsed.tokens[6]
    assert (dogs.dep, dogs.head) == ("nsubj", 3)
    assert (running.dep, running.head) == ("ROOT", 3)
    assert (beach.dep, beach.head) == ("obl", 3)


def test_places_are_code_points_of_the_text_as_given(english: Parser) -> None:
    text = "🏳️\u200d🌈 A cafe\u0301 by the Eiffel Tower,  and 3 dogs"
    parsed = one(english, text)
    assert parsed.text == text
    assert all(text[word.start : word.end] == word.text for word in parsed.tokens)
    assert all(text[found.start : found.end] == found.text for found in parsed.entities)
    assert {(found.label, found.text) for found in parsed.entities} >= {("FAC", "Eiffel Tower"), ("NUMBER", "3")}


def test_what_was_parsed_cannot_be_changed(english: Parser) -> None:
    parsed = one(english, "A dog.")
    with pytest.raises(FrozenInstanceError):
        parsed.tokens[0].lemma = "b"  # type: ignore[misc]


@pytest.mark.nightly
@pytest.mark.parametrize("what", STRANGE)
def test_strange_texts_do_not_make_it_raise(english: Parser, what: str) -> None:
    text = STRANGE[what]
    before, parsed, after = english.parse(["A dog.", text, "A dog."])
    assert parsed.text == text
    assert not parsed.problem
    assert all(text[word.start : word.end] == word.text.replace("\ufffd", "\ud800") for word in parsed.tokens)
    assert all(0 <= word.head < len(parsed.tokens) for word in parsed.tokens)
    assert before.tokens == after.tokens == one(english, "A dog.").tokens


def test_white_space_is_no_word(english: Parser) -> None:
    assert one(english, "").tokens == ()
    assert {word.pos for word in one(english, " \n ").tokens} == {"SPACE"}


def test_a_text_that_is_far_too_long_says_so_and_loses_no_other(english: Parser) -> None:
    long, short = english.parse(["a" * (LONGEST + 1), "A dog."])
    assert (long.tokens, long.entities) == ((), ())
    assert long.problem == "A text has 100,001 characters. The limit is 100,000. Split it into captions first."
    assert [word.text for word in short.tokens] == ["A", "dog", "."]


@pytest.mark.nightly
def test_texts_are_taken_a_batch_at_a_time(english: Parser) -> None:
    taken = itertools.count()
    endless = (f"Dog number {next(taken)}." for _ in itertools.repeat(None))
    first = list(itertools.islice(english.parse(endless), 3))
    assert [parsed.tokens[2].text for parsed in first] == ["0", "1", "2"]
    assert next(taken) == MOST_TEXTS


def test_long_texts_make_small_batches(english: Parser) -> None:
    taken: list[int] = []

    def texts() -> Iterator[str]:
        for n in range(9):
            taken.append(n)
            yield "b" * 60_000

    next(english.parse(texts()))
    assert taken == [0, 1]


@pytest.mark.nightly
def test_a_text_reads_the_same_alone_and_among_others(english: Parser) -> None:
    texts = [f"A {colour} bus with {n} people near the old bridge." for n in range(40) for colour in ("red", "blue")]
    assert list(english.parse(texts)) == [one(english, text) for text in texts]


TAGGED = (*STRANGE.values(), "Two dogs were running along the beach.", "No one is at Tower Bridge", "a" * (LONGEST + 1))


def tags_by_parsing(parser: Parser, texts: Sequence[str]) -> list[frozenset[str] | None]:
    parsed = parser.parse(texts)
    return [None if one.problem else frozenset(word.pos for word in one.tokens) for one in parsed]


@pytest.mark.nightly
def test_tags_are_those_of_the_whole_pipeline(english: Parser) -> None:
    tags = list(english.tags(TAGGED))
    assert tags == tags_by_parsing(english, TAGGED)
    assert tags[-3] == frozenset({"NUM", "NOUN", "AUX", "VERB", "ADP", "DET", "PUNCT"})
    assert tags[-1] is None


@pytest.mark.nightly
def test_tagging_runs_neither_trees_nor_lemmas_nor_names(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = SpacyParser()

    def never(*given: object) -> None:
        raise AssertionError("a part of speech needs no tree")

    pipeline, beside = parser._pipeline, ("trainable_lemmatizer", "parser", "ner", "rules_after_entities")
    with monkeypatch.context() as patch:
        guarded = [(name, never if name in beside else component) for name, component in pipeline._components]
        patch.setattr(pipeline, "_components", guarded)
        assert list(parser.tags(["A dog."])) == [frozenset({"DET", "NOUN", "PUNCT"})]
    assert {word.dep for word in one(parser, "A dog runs.").tokens} >= {"nsubj", "ROOT"}


def test_a_pipeline_whose_tags_may_need_the_rest_runs_whole() -> None:
    import spacy

    ruled, odd = spacy.blank("en"), spacy.blank("en")
    ruled.add_pipe("sentencizer")
    ruler: Any = ruled.add_pipe("attribute_ruler")
    assert beside_tags(ruled) == ("sentencizer",)
    ruler.add([[{"DEP": "nsubj"}]], {"POS": "NOUN"})
    odd.add_pipe("sentencizer")
    odd.add_pipe("merge_entities")
    assert beside_tags(ruled) == beside_tags(odd) == ()


@pytest.mark.nightly
def test_words_seen_once_are_forgotten(english: Parser) -> None:
    strings = english._pipeline.vocab.strings  # type: ignore[attr-defined]
    list(english.parse(["A dog."]))
    before = len(strings)
    list(english.parse(f"zorb{n}le" for n in range(2000)))
    assert len(strings) - before < 200


@pytest.mark.nightly
def test_threads_share_one_parser(english: Parser) -> None:
    texts = [f"Person {n} walks two dogs." for n in range(300)]
    expected, found = list(english.parse(texts)), []
    threads = [threading.Thread(target=lambda: found.append(list(english.parse(texts)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    assert registry.parser(ENGLISH) is english


def test_a_name_that_is_nowhere_fails_at_once_and_says_what_to_do() -> None:
    start = time.monotonic()
    with pytest.raises(ModelNotFoundError, match="Use a local path or 'connote-en', or install it"):
        registry.parser("en_core_web_sm_of_nobody")
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("name", ["json", "../connote-en-not", "../models/connote-en", "", "no such name", "/etc"])
def test_what_is_no_pipeline_is_not_found(name: str) -> None:
    with pytest.raises(ModelNotFoundError):
        SpacyParser(name)


@pytest.mark.nightly
def test_a_local_path_is_taken_and_its_name_is_no_path(copied: Path, english: Parser) -> None:
    theirs = SpacyParser(str(copied))
    assert theirs.name == "theirs"
    assert theirs.digest == english.digest
    assert one(theirs, "Two brown dogs.") == one(english, "Two brown dogs.")


def test_an_installed_package_is_found_by_its_name(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "en_tiny"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('a package that is only looked for is not run')")
    (package / "meta.json").write_text('{"version": "1.2.3"}')
    shutil.copytree(copied, package / "en_tiny-1.2.3")
    monkeypatch.syspath_prepend(str(package.parent))
    assert one(SpacyParser("en_tiny"), "A dog.").tokens[1].lemma == "dog"


@pytest.mark.nightly
def test_any_other_spacy_pipeline_works(tmp_path: Path) -> None:
    import spacy

    spacy.blank("de").to_disk(tmp_path / "blank-de")
    parsed = one(SpacyParser(str(tmp_path / "blank-de")), "Zwei Hunde")
    assert [(word.text, word.pos, word.head) for word in parsed.tokens] == [("Zwei", "", 0), ("Hunde", "", 1)]


def test_the_digest_is_that_of_the_weights_and_not_of_words_about_them(copied: Path, tmp_path: Path) -> None:
    (copied / "README.md").write_text("another card")
    assert digest_of_pipeline(copied) == registry.parser(ENGLISH).digest
    other = Path(shutil.copytree(copied, tmp_path / "other"))
    weights = (other / "ner" / "model").read_bytes()
    (other / "ner" / "model").write_bytes(weights[:-1] + bytes([weights[-1] ^ 1]))
    assert digest_of_pipeline(other) != digest_of_pipeline(copied)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_refused_whatever_it_is_called(copied: Path, protocol: int) -> None:
    (copied / "ner" / "model").write_bytes(pickle.dumps({"weights": [1.0]}, protocol=protocol))
    with pytest.raises(ModelRefusedError, match="has a pickle, model, which can run code"):
        SpacyParser(str(copied))


@pytest.mark.parametrize("name", ["vectors.pkl", "head.pt", "old.pickle"])
def test_a_file_with_the_name_of_a_pickle_is_refused(copied: Path, name: str) -> None:
    (copied / name).write_bytes(pickle.dumps([1.0], protocol=0))
    with pytest.raises(ModelRefusedError, match=name):
        SpacyParser(str(copied))


def test_a_damaged_pipeline_is_refused_in_a_sentence(copied: Path) -> None:
    (copied / "parser" / "model").write_bytes(b"\x85damaged")
    with pytest.raises(ModelRefusedError, match="cannot load the spaCy pipeline"):
        SpacyParser(str(copied))


def test_asking_for_the_registry_imports_neither_spacy_nor_torch() -> None:
    code = "import sys, workers.engines.registry, workers.engines.parser; print({'spacy', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
