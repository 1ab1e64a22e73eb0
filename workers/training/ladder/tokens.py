"""The ladder's tokenizer: byte-level BPE learned on Postcards captions, saved as a Hugging Face fast tokenizer.

Byte level: no text is unknown to it, whatever a person pastes into a search box.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

CONTEXT = 40
VOCABULARY = 4096
PAD, START, END = "<pad>", "<start>", "<end>"
PAD_ID, START_ID, END_ID = 0, 1, 2
FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


def learn(texts: Iterable[str], folder: Path) -> int:
    """Learn a tokenizer from `texts` and write it to `folder`; the size of its vocabulary."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        min_frequency=3,
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=[(START, START_ID), (END, END_ID)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / FILES[0]))
    _write_settings(folder)
    return int(tokenizer.get_vocab_size())


def _write_settings(folder: Path) -> None:
    special = {"bos_token": START, "eos_token": END, "pad_token": PAD}
    settings = special | {"model_max_length": CONTEXT, "tokenizer_class": "PreTrainedTokenizerFast"}
    for file, content in ((FILES[1], settings), (FILES[2], special)):
        (folder / file).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
