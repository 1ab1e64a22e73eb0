"""Training connote-en: `spacy train` on two configurations, then one pipeline put together from both and from rules.

Which sentence serves what:

* tags, lemmas and trees learn from the treebank's train part; its dev part is watched, its test part only measured;
* entities have no train part here, so they learn from the dev part and from the half of the test part's documents that
  `in_half` draws by digest; the other half's documents are measured. Their tok2vec is their own, so nothing of the
  test part reaches tags and trees.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import spacy
from spacy.cli.train import train as spacy_train
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from workers.training.english import rules
from workers.training.english.treebank import Sentence, as_captions, doc_of, in_half, paragraphs, read_treebank

if TYPE_CHECKING:
    from spacy.language import Language

HERE = Path(__file__).parent
SYNTAX, ENTITIES = HERE / "syntax.cfg", HERE / "entities.cfg"
N_WATCHED = 200
MINUTES = "minutes"  # how long a half took, beside it
NAME, VERSION, LICENCE = "connote", "1.0.0", "CC BY-SA 4.0"
# These count nothing, so the rules must see no numeral in them.
NO_NUMERALS = {("one", "another"): "PRON", ("no", "one"): "PRON", ("one", "-", "way"): "ADJ", ("one", "way"): "ADJ"}
ABOUT = {
    "name": NAME,
    "version": VERSION,
    "license": LICENCE,
    "description": "Small English pipeline of Connote, for demos and tests",
    "url": "https://universaldependencies.org/treebanks/en_ewt/",
    "author": "",
    "email": "",
    "performance": {},
}


def read_parts(data: Path) -> dict[str, list[Sentence]]:
    """Part -> its sentences, with entities in dev and test. Raises FileNotFoundError for a missing file."""
    parts = {}
    for part in ("train", "dev", "test"):
        entities = data / f"en_ewt-ud-{part}.iob2.gz"
        parts[part] = read_treebank(data / f"en_ewt-ud-{part}.conllu.gz", entities if part != "train" else None)
    return parts


def entity_split(parts: dict[str, list[Sentence]]) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences that entities learn from, and those they are measured on; no document is in both."""
    known = {part: [one for one in parts[part] if one.entities is not None] for part in ("dev", "test")}
    learnt = known["dev"] + [one for one in known["test"] if in_half(one.document)]
    return learnt, [one for one in known["test"] if not in_half(one.document)]


def train(parts: dict[str, list[Sentence]], work: Path, *, overrides: dict[str, Any] | None = None) -> Language:
    """The finished pipeline. `work` keeps both halves of it, and a half that lies there finished is taken as it is.

    `overrides` are dotted names of either configuration. The same data, seed and machine give the same weights.
    """
    learnt, _ = entity_split(parts)
    watched = _paragraph_docs(parts["dev"])
    syntax = _run(SYNTAX, work / "syntax", syntax_docs(parts["train"]), watched, overrides or {})
    # Watched on a part of what it learns: the number of steps is fixed, and nothing is chosen by looking.
    watched = _entity_docs(learnt[:N_WATCHED])
    entities = _run(ENTITIES, work / "entities", _entity_docs(learnt), watched, overrides or {})
    return assemble(spacy.load(syntax), spacy.load(entities))


def _run(settings: Path, out: Path, seen: Iterable[Doc], watched: Iterable[Doc], overrides: dict[str, Any]) -> Path:
    """Train by one configuration; the folder of its last state."""
    if not (last := out / "model-last").is_dir():
        for name, docs in (("train", seen), ("dev", watched)):
            _write_docs(out / f"{name}.spacy", docs)
        paths = {f"paths.{name}": str(out / f"{name}.spacy") for name in ("train", "dev")}
        config = spacy.util.load_config(settings, overrides=paths | overrides)
        spacy.util.load_model_from_config(config, auto_fill=True).config.to_disk(out / "config.cfg")
        start = time.perf_counter()
        spacy_train(out / "config.cfg", out)
        (out / MINUTES).write_text(f"{(time.perf_counter() - start) / 60:.1f}\n", encoding="utf-8")
    return last


def syntax_docs(sentences: list[Sentence]) -> Iterator[Doc]:
    """Half of the documents as whole paragraphs, half as lone sentences, every second of which ends without a stop."""
    vocab = Vocab()
    for group in paragraphs(sentences):
        if in_half(group[0].document):
            yield doc_of(vocab, group)
        else:
            yield from (doc_of(vocab, [as_captions(one) if _is_second(one) else one]) for one in group)


def _is_second(sentence: Sentence) -> bool:
    return hashlib.sha256(sentence.id.encode()).digest()[0] % 2 == 1


def _paragraph_docs(sentences: list[Sentence]) -> Iterator[Doc]:
    vocab = Vocab()
    return (doc_of(vocab, group) for group in paragraphs(sentences))


def _entity_docs(sentences: list[Sentence]) -> Iterator[Doc]:
    vocab = Vocab()
    return (doc_of(vocab, [one], with_entities=True) for one in sentences)


def _write_docs(path: Path, docs: Iterable[Doc]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    DocBin(docs=docs).to_disk(path)


def assemble(syntax: Language, entities: Language) -> Language:
    """One pipeline: tags and trees, then rules, entities as learnt, and rules again."""
    exceptions: Any = syntax.add_pipe("attribute_ruler", after="morphologizer")
    exceptions.add([[{"IS_SPACE": True}]], {"POS": "SPACE", "TAG": "_SP"})  # as in spaCy's own pipelines
    for words, pos in NO_NUMERALS.items():
        exceptions.add([[{"LOWER": word} for word in words]], {"POS": pos}, index=words.index("one"))
    first: Any = syntax.add_pipe("entity_ruler", name=rules.BEFORE)
    first.add_patterns(rules.before())
    syntax.add_pipe("ner", source=entities)
    last: Any = syntax.add_pipe("entity_ruler", name=rules.AFTER)
    last.add_patterns(rules.after())
    syntax.meta.update(ABOUT)
    # Where this training lay tells nothing of the pipeline, and its digest would hang on it.
    syntax.config["paths"].update(train=None, dev=None)
    return syntax
