"""How connote-en is trained, and whether the committed one is as good as its card says."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from workers.engines.carried import ENGLISH, MODELS, size_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

CONLLU = """# newdoc id = letters
# newpar id = letters-p1
# sent_id = letters-1
# text = Ann doesn't like (old) dogs.
1\tAnn\tAnn\tPROPN\tNNP\t_\t4\tnsubj\t_\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tlike\tlike\tVERB\tVB\t_\t0\troot\t_\t_
4.1\tgone\tgo\tVERB\tVB\t_\t_\t_\t_\t_
5\t(\t(\tPUNCT\t-LRB-\t_\t6\tpunct\t_\tSpaceAfter=No
6\told\told\tADJ\tJJ\t_\t8\tamod\t_\tSpaceAfter=No
7\t)\t)\tPUNCT\t-RRB-\t_\t6\tpunct\t_\t_
8\tdogs\tdog\tNOUN\tNNS\t_\t4\tobj\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""
IOB2 = "# sent_id = letters-1\n" + "".join(
    f"{at}\t{word}\t{'B-PER' if at == 1 else 'O'}\t-\t-\n"
    for at, word in enumerate(["Ann", "does", "n't", "like", "(", "old", ")", "dogs", "."], start=1)
)


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A treebank of one sentence, with its entities."""
    for name, text in (("letters.conllu.gz", CONLLU), ("letters.iob2.gz", IOB2)):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as file:
            file.write(text)
    return tmp_path


@pytest.fixture(scope="module")
def parts(shared_data: Path) -> dict[str, Any]:
    """The treebank, part by part."""
    from workers.training.english.train import read_parts

    return read_parts(shared_data / "ud_ewt")


def read(folder: Path) -> Any:
    from workers.training.english.treebank import read_treebank

    (sentence,) = read_treebank(folder / "letters.conllu.gz", folder / "letters.iob2.gz")
    return sentence


def test_a_sentence_is_read_as_it_was_written(letters: Path) -> None:
    from spacy.vocab import Vocab

    from workers.training.english.treebank import doc_of

    doc = doc_of(Vocab(), [read(letters)], with_entities=True)
    assert doc.text.strip() == "Ann doesn't like (old) dogs."
    assert [(word.text, word.pos_, word.lemma_, word.head.text, word.dep_) for word in doc][2:4] == [
        ("n't", "PART", "not", "like", "advmod"),
        ("like", "VERB", "like", "like", "ROOT"),
    ]
    assert [(span.text, span.label_) for span in doc.ents] == [("Ann", "PER")]


def test_sentences_that_the_files_cut_differently_keep_no_entities(letters: Path) -> None:
    with gzip.open(letters / "letters.iob2.gz", "wt", encoding="utf-8") as file:
        file.write(IOB2.replace("dogs", "dog"))
    assert read(letters).entities is None


def test_a_sentence_as_a_caption_ends_without_a_full_stop(letters: Path) -> None:
    from workers.training.english.treebank import as_captions

    sentence = as_captions(read(letters))
    assert sentence.words[-1] == "dogs"
    lengths = {len(getattr(sentence, name)) for name in ("words", "spaces", "lemmas", "pos", "tags", "heads", "deps")}
    assert lengths == {len(sentence.entities)} == {8}
    assert as_captions(sentence) == sentence


def test_sentences_of_a_paragraph_stand_together(letters: Path) -> None:
    from workers.training.english.treebank import paragraphs

    first = read(letters)
    second, elsewhere = replace(first, id="letters-2"), replace(first, id="letters-3", paragraph=2)
    assert [len(group) for group in paragraphs([first, second, elsewhere])] == [2, 1]
    assert [len(group) for group in paragraphs([first] * 23)] == [10, 10, 3]


def test_figures_of_a_perfect_reading_are_one_and_of_a_wrong_tree_are_less(letters: Path) -> None:
    from spacy.vocab import Vocab

    from workers.training.english.measures import _right
    from workers.training.english.treebank import doc_of

    sentence, vocab = read(letters), Vocab()
    wrong = replace(sentence, heads=(1, *sentence.heads[1:]), pos=("NOUN", *sentence.pos[1:]))
    gold = doc_of(vocab, [sentence])
    assert set(_right(gold, gold).values()) == {9}
    found = _right(doc_of(vocab, [wrong]), gold)
    assert (found["words"], found["upos"], found["uas"], found["las"], found["lemma"]) == (9, 8, 8, 8, 9)


@pytest.mark.nightly
def test_no_document_is_learnt_from_and_measured(parts: dict[str, Any]) -> None:
    from workers.training.english.train import entity_split

    learnt, held = entity_split(parts)
    assert {part: len(sentences) for part, sentences in parts.items()} == {"train": 12544, "dev": 2001, "test": 2077}
    assert not {one.document for one in learnt} & {one.document for one in held}
    documents = {part: {one.document for one in sentences} for part, sentences in parts.items()}
    assert not documents["test"] & (documents["train"] | documents["dev"])
    assert {one.document for one in held} <= documents["test"]
    assert len(held) > 1000


@pytest.mark.nightly
def test_a_training_on_fifty_sentences_runs_saves_and_reads(parts: dict[str, Any], tmp_path: Path) -> None:
    import spacy

    from workers.engines.parser import digest_of_pipeline
    from workers.training.english.train import train

    few = {part: sentences[:50] for part, sentences in parts.items()}
    brief = {"training.max_steps": 2, "training.eval_frequency": 1}
    pipeline = train(few, tmp_path / "work", overrides=brief)
    pipeline.to_disk(tmp_path / "tiny")
    doc = spacy.load(tmp_path / "tiny")("A red bus.")
    assert [word.text for word in doc] == ["A", "red", "bus", "."]
    assert all(word.pos_ and word.tag_ and word.dep_ for word in doc)
    train(few, tmp_path / "again", overrides=brief).to_disk(tmp_path / "twin")
    assert digest_of_pipeline(tmp_path / "twin") == digest_of_pipeline(tmp_path / "tiny")


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    return json.loads((MODELS / ENGLISH / "figures.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@pytest.mark.nightly
def test_the_committed_pipeline_reads_the_test_part_as_well_as_its_card_says(
    parts: dict[str, Any], figures: dict[str, Any]
) -> None:
    import spacy

    from workers.training.english.measures import entity_figures, syntax_figures
    from workers.training.english.train import entity_split

    pipeline = spacy.load(MODELS / ENGLISH)
    found = syntax_figures(pipeline, parts["test"], raw=False)
    assert found["upos"] >= 0.93
    assert found == pytest.approx(figures["syntax"]["gold"], abs=0.002)
    entities = entity_figures(pipeline, entity_split(parts)[1], with_rules=False)
    assert entities["all"]["f1"] == pytest.approx(figures["entities"]["learnt"]["all"]["f1"], abs=0.005)


def test_the_committed_pipeline_is_small() -> None:
    assert size_of(ENGLISH) <= 15_000_000


def test_the_card_is_written_from_the_figures(figures: dict[str, Any]) -> None:
    from workers.training.english.card import card

    text = (MODELS / ENGLISH / "README.md").read_text(encoding="utf-8")
    assert text == card(figures)
    assert "not the papers' model" in text
    assert "CC BY-SA 4.0" in text
    assert f"{figures['syntax']['gold']['las']:.3f}" in text
