"""The model card of connote-en, written from its figures: no number in it is typed by hand."""

from __future__ import annotations

from typing import Any

CARD = """# connote-en

A small English pipeline for spaCy {spacy}, made for Connote's demos and tests. **It is not the papers' model**: they
used `en_core_web_sm`. Give that one, or any other pipeline, by name or path where their figures are to be repeated.

| gives | how | learnt from |
|---|---|---|
| `token.tag_` (Penn), `token.pos_` (universal), `token.lemma_` | three heads on one convolutional tok2vec | EWT train |
| `token.dep_` (universal), `token.head`, sentences | transition-based parser on the same tok2vec | EWT train |
| entities PER, ORG, LOC | transition-based, on a small tok2vec of its own | entities of EWT dev and half of EWT test |
| entities FAC, COLOR, NUMBER | spaCy's EntityRuler, by pattern | nothing |

**How entities and rules combine.** Named buildings (FAC) come first, since "Eiffel Tower" is a building and not a
place, and with them the colours that are surely meant. The trained entities fill what is left. The other colours
and the numbers come last and take only words that are free, so the person in "Gordon Brown" stays. No word is in two
entities. The patterns are in `workers/training/english/rules.py`.

## Data and licence
Universal Dependencies English EWT v2.15, (c) 2013-2021 The Board of Trustees of The Leland Stanford Junior University,
and Universal NER's entities on its dev and test parts; both are under CC BY-SA 4.0
(https://creativecommons.org/licenses/by-sa/4.0/). These weights are made from them and are therefore given under
**CC BY-SA 4.0**, not under Connote's Apache-2.0: whoever passes them on, changed or not, names these sources and keeps
that licence. What the pipeline finds in your texts is yours.

EWT is web text: weblogs, news groups, e-mails, reviews, questions and answers. Captions, which are phrases more often
than sentences, are rare in it, and so are their words. No figure below was measured on captions except the speed.

## Script
`make models-english`, which is `python -m workers.training.english --data ../shared/data/ud_ewt --out
workers/models/connote-en`. Seed {seed}; the committed weights took {minutes:.0f} minutes on one of {cores} cores. With
`--measure` it measures the saved pipeline again. `figures.json` keeps what follows.

## Figures
On the EWT test part ({n_test:,} sentences), which tags, lemmas and trees never saw. F1 over words as in the CoNLL 2018
shared task, punctuation and subtypes of labels included; where words and sentences are given, that is accuracy.

| | UPOS | XPOS | lemma | UAS | LAS | words |
|---|---|---|---|---|---|---|
{syntax}

Entities, on the {n_entities} of the half of the test part's documents that no training saw (drawn by the SHA-256 of a
document's name; {n_learnt:,} sentences were learnt from, {n_held:,} are measured). Raw text, exact places. In the last
column the rules are heard as well, as they are in use.

| | precision | recall | F1 | F1 with the rules on |
|---|---|---|---|---|
{entities}

So few sentences make weak entities. They are suggestions for a person to look at, never applied by themselves.

Size {megabytes:.1f} MB. {captions_per_second:,} COCO captions in a second of one core's time, {times_blank:.0f} times
what `spacy.blank("en")` takes in the same run ({blank_captions_per_second:,} a second).
"""
GIVEN = {"gold": "words and sentences given", "raw": "raw text"}
SYNTAX = ("upos", "xpos", "lemma", "uas", "las", "words")
ENTITIES = ("precision", "recall", "f1", "ruled")


def card(figures: dict[str, Any]) -> str:
    """The text of README.md."""
    syntax = [_row(title, figures["syntax"][key], SYNTAX) for key, title in GIVEN.items()]
    learnt, ruled = figures["entities"]["learnt"], figures["entities"]["with_rules"]
    entities = [_row(label, row | {"ruled": ruled[label]["f1"]}, ENTITIES) for label, row in learnt.items()]
    told = figures | figures["speed"] | {"syntax": "\n".join(syntax), "entities": "\n".join(entities)}
    return CARD.format(**told, megabytes=figures["bytes"] / 1e6)


def _row(title: str, values: dict[str, float], names: tuple[str, ...]) -> str:
    return f"| {title} | " + " | ".join(f"{values[name]:.3f}" for name in names) + " |"
