"""How well a pipeline reads held-out text: words matched by where they stand, as in the CoNLL 2018 shared task.

D. Zeman et al., CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies. Punctuation
counts, and labels count with their subtypes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from spacy.tokens import Doc

from workers.training.english.rules import AFTER, BEFORE
from workers.training.english.treebank import Sentence, doc_of, paragraphs

if TYPE_CHECKING:
    from spacy.language import Language

Figures = dict[str, float]
Span = tuple[int, int]
LABELS = ("PER", "ORG", "LOC")


def f1(right: int, found: int, wanted: int) -> Figures:
    """Precision, recall and their harmonic mean; 0 where there is nothing to divide by.

    >>> f1(1, 2, 4)
    {'precision': 0.5, 'recall': 0.25, 'f1': 0.3333}
    """
    precision, recall = right / found if found else 0.0, right / wanted if wanted else 0.0
    both = precision + recall
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / both if both else 0.0, 4),
    }


def syntax_figures(pipeline: Language, sentences: Sequence[Sentence], *, raw: bool) -> Figures:
    """UPOS, XPOS, lemma, UAS and LAS as F1 over words.

    With `raw` the pipeline gets the text of each paragraph and cuts sentences and words itself; else it is given both,
    and the figures are plain accuracies.
    """
    groups = list(paragraphs(sentences)) if raw else [[sentence] for sentence in sentences]
    gold = [doc_of(pipeline.vocab, group) for group in groups]
    given = [doc.text if raw else _bare(doc) for doc in gold]
    right: Counter[str] = Counter()
    with pipeline.select_pipes(disable=[name for name in ("ner", BEFORE, AFTER) if name in pipeline.pipe_names]):
        found = list(pipeline.pipe(given))
    for one, wanted in zip(found, gold, strict=True):
        right += _right(one, wanted)
    n_found, n_wanted = (sum(1 for doc in docs for word in doc if not word.is_space) for docs in (found, gold))
    return {name: f1(right[name], n_found, n_wanted)["f1"] for name in ("words", "upos", "xpos", "lemma", "uas", "las")}


def _bare(doc: Doc) -> Doc:
    """Its words without what is known of them."""
    return Doc(doc.vocab, words=[word.text for word in doc], spaces=[bool(word.whitespace_) for word in doc])


def _right(found: Doc, wanted: Doc) -> Counter[str]:
    by_place = {_span(word): word for word in found}
    right: Counter[str] = Counter()
    for word in wanted:
        if (match := by_place.get(_span(word))) is None:
            continue
        same_head = _head(match) == _head(word)
        right["words"] += 1
        right["upos"] += match.pos == word.pos
        right["xpos"] += match.tag == word.tag
        right["lemma"] += match.lemma_ == word.lemma_
        right["uas"] += same_head
        right["las"] += same_head and match.dep == word.dep
    return right


def _span(word) -> Span:  # type: ignore[no-untyped-def]
    return word.idx, word.idx + len(word)


def _head(word) -> Span | None:  # type: ignore[no-untyped-def]
    return None if word.head == word else _span(word.head)


def entity_figures(pipeline: Language, sentences: Iterable[Sentence], *, with_rules: bool) -> dict[str, Figures]:
    """Precision, recall and F1 of PER, ORG, LOC and all three, each sentence read as raw text; exact places count."""
    known = [sentence for sentence in sentences if sentence.entities is not None]
    gold = [doc_of(pipeline.vocab, [sentence], with_entities=True) for sentence in known]
    rules = [] if with_rules else [name for name in (BEFORE, AFTER) if name in pipeline.pipe_names]
    with pipeline.select_pipes(disable=rules):
        found = list(pipeline.pipe(doc.text for doc in gold))
    wanted_of, found_of = (_entities(docs) for docs in (gold, found))
    both = wanted_of & found_of
    figures = {label: f1(*(_of(label, names) for names in (both, found_of, wanted_of))) for label in LABELS}
    return figures | {"all": f1(len(both), len(found_of), len(wanted_of))}


def _entities(docs: list[Doc]) -> set[tuple[int, str, int, int]]:
    return {
        (at, span.label_, span.start_char, span.end_char)
        for at, doc in enumerate(docs)
        for span in doc.ents
        if span.label_ in LABELS
    }


def _of(label: str, names: set[tuple[int, str, int, int]]) -> int:
    return sum(1 for name in names if name[1] == label)


def speed_figures(pipeline: Language, texts: Sequence[str], *, rounds: int = 3) -> Figures:
    """Captions in a second of processor time, best of rounds in turns with blank tokenisation of the same texts."""
    import spacy

    blank = spacy.blank("en")
    seconds = [(_seconds(pipeline, texts), _seconds(blank, texts)) for _ in range(rounds)]
    parsing, cutting = (min(column) for column in zip(*seconds, strict=True))
    return {
        "captions_per_second": round(len(texts) / parsing),
        "blank_captions_per_second": round(len(texts) / cutting),
        "times_blank": round(parsing / cutting, 1),
    }


def _seconds(pipeline: Language, texts: Sequence[str]) -> float:
    start = time.process_time()
    with pipeline.memory_zone():
        for _ in pipeline.pipe(texts, batch_size=256):
            pass
    return time.process_time() - start
