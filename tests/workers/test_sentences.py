"""The real MiniLM, and what happens to names and weights that are not there or not right."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from word_sentences import WordSentences
from workers.engines import registry, weights
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError, NotFiniteError, SentenceEncoder
from workers.engines.sentences import TransformerSentences, checked

MINILM = "all-MiniLM-L6-v2"
PUBLISHED_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# transformers and torch deprecate their own corners at import; none of it is ours.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")

PARAPHRASES = [
    ("A dog runs along the beach.", "A puppy is running on the sand by the sea."),
    ("Two men play chess in a park.", "A couple of guys are having a game of chess outdoors."),
    ("A plate of pasta with tomato sauce.", "Spaghetti with red sauce on a dish."),
]


@pytest.fixture(scope="module")
def minilm() -> SentenceEncoder:
    return registry.sentence_encoder(MINILM)


def test_paraphrases_are_nearer_than_sentences_about_other_things(minilm: SentenceEncoder) -> None:
    left = minilm.encode([pair[0] for pair in PARAPHRASES])
    right = minilm.encode([pair[1] for pair in PARAPHRASES])
    similarity = left @ right.T
    unrelated = similarity[~np.eye(len(PARAPHRASES), dtype=bool)]
    assert similarity.diagonal().min() > 0.55
    assert unrelated.max() < 0.35


def test_vectors_are_unit_float32_in_the_order_of_the_texts(minilm: SentenceEncoder) -> None:
    texts = ["short", "a far longer sentence about a bicycle against a wall " * 4, "", "=1+1", "日本の写真 📷"] * 30
    vectors = minilm.encode(texts)
    assert (vectors.shape, vectors.dtype) == ((150, 384), np.float32)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6
    assert np.abs(vectors[:5] - vectors[-5:]).max() < 1e-5
    assert minilm.encode([]).shape == (0, 384)


def test_it_is_what_sentence_transformers_gives(minilm: SentenceEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    texts = [text for pair in PARAPHRASES for text in pair]
    direct = SentenceTransformer(str(weights.find_model(MINILM))).encode(texts, normalize_embeddings=True)
    assert np.abs(minilm.encode(texts) - direct).max() < 1e-5


@pytest.mark.nightly
def test_the_same_texts_give_the_same_bits(minilm: SentenceEncoder) -> None:
    texts = [text for pair in PARAPHRASES for text in pair] * 20
    assert minilm.encode(texts).tobytes() == minilm.encode(texts).tobytes()


def test_there_is_one_model_per_process_and_its_digest_is_the_published_one(minilm: SentenceEncoder) -> None:
    assert registry.sentence_encoder(MINILM) is minilm
    assert (minilm.name, minilm.digest) == (MINILM, PUBLISHED_DIGEST)


def test_a_folder_works_as_a_name_and_its_path_does_not_leak() -> None:
    folder = weights.find_model(f"sentence-transformers/{MINILM}")
    assert weights.find_model(str(folder)) == folder
    assert weights.short_name("/home/somebody/models/mine") == "mine"


@pytest.mark.parametrize(
    "name", ["no-such-model-anywhere", "nobody-here/no-such-model", "/not/a/folder", "what is this?"]
)
def test_a_name_that_cannot_be_had_fails_within_five_seconds_and_says_what_to_give(name: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(ModelNotFoundError, match="Use a local path or one of: all-MiniLM-L6-v2"):
        registry.sentence_encoder(name)
    assert time.perf_counter() - begun < 5


def test_a_hub_that_never_answers_is_given_up_on() -> None:
    begun = time.perf_counter()
    assert weights._within(0.2, lambda: time.sleep(5)) == "it did not answer in time"
    assert time.perf_counter() - begun < 1


def test_a_model_that_lies_here_never_asks_a_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "_fetched_folder", lambda name: pytest.fail("looked for a fetched copy"))
    monkeypatch.setattr(weights, "_fetch", lambda name: pytest.fail("asked a hub"))
    assert weights.find_model(MINILM).is_dir()


def model_folder(folder: Path, **files: bytes) -> Path:
    folder.mkdir()
    (folder / "modules.json").write_text(json.dumps([]))
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_bytes(content)
    return folder


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "old", pytorch_model__bin=b"\x80\x04")
    with pytest.raises(ModelRefusedError, match="pickle"):
        TransformerSentences(str(folder))


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="has no safetensors"):
        TransformerSentences(str(model_folder(tmp_path / "empty")))


def test_a_digest_covers_every_weight_file_and_nothing_else(tmp_path: Path) -> None:
    one = model_folder(tmp_path / "one", model__safetensors=b"abc")
    assert weights.digest_of(one) == hashlib.sha256(b"abc").hexdigest()
    two = model_folder(tmp_path / "two", a__safetensors=b"abc", b__safetensors=b"def", config__json=b"{}")
    lines = "".join(
        f"{hashlib.sha256(part).hexdigest()}  {name}.safetensors\n" for name, part in (("a", b"abc"), ("b", b"def"))
    )
    assert weights.digest_of(two) == hashlib.sha256(lines.encode()).hexdigest()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.0])
def test_vectors_that_are_none_are_refused_with_the_model_and_the_sentence(bad: float) -> None:
    vectors = np.ones((2, 4), dtype=np.float32)
    vectors[1] = bad
    with pytest.raises(NotFiniteError, match=r"'broken' gave NaN or infinity for the sentence 'second'"):
        checked(vectors, texts=["first", "second"], name="broken")


def test_the_stand_in_puts_captions_with_shared_words_together() -> None:
    vectors = WordSentences().encode(["a red bus on a street", "a red bus in a street", "two cats asleep"])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6


@pytest.mark.nightly
def test_neither_the_web_nor_a_celery_parent_imports_torch() -> None:
    code = (
        "import sys, django; django.setup(); import backend.config.urls, workers.tasks, workers.engines.sentences;"
        "sys.exit('torch' in sys.modules or 'sentence_transformers' in sys.modules)"
    )
    settings = {"DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    assert subprocess.run([sys.executable, "-c", code], check=False, env=os.environ | settings).returncode == 0


@pytest.mark.nightly
def test_similarity_agrees_with_what_people_say_of_coco_captions(minilm: SentenceEncoder, shared_data: Path) -> None:
    """Spearman's rank correlation with Crisscrossed Captions' mean human ratings: .761 here, .715 over all 3,309."""
    texts, pairs = human_ratings(shared_data / "coco5k", n=1200)
    assert len(pairs) == 1200
    vectors = dict(zip(texts, minilm.encode(list(texts.values())), strict=True))
    machine = [float(vectors[left] @ vectors[right]) for left, right, _ in pairs]
    assert spearman(machine, [score for *_, score in pairs]) > 0.72


def human_ratings(folder: Path, *, n: int) -> tuple[dict[str, str], list[tuple[str, str, float]]]:
    """The captions by their ids, and the first n rated pairs whose captions are both in val2017."""
    with gzip.open(folder / "captions_val2017.json.gz", "rt", encoding="utf-8") as file:
        captions = {str(row["id"]): row["caption"] for row in json.load(file)["annotations"]}
    with gzip.open(folder / "cxc_sts_val.csv.gz", "rt", encoding="utf-8") as lines:
        rows = [
            (*map(caption_id, (r["caption1"], r["caption2"])), float(r["agg_score"])) for r in csv.DictReader(lines)
        ]
    pairs = [row for row in rows if row[0] in captions and row[1] in captions][:n]
    return {one: captions[one] for pair in pairs for one in pair[:2]}, pairs


def caption_id(name: str) -> str:
    """`COCO_val2014:sentid:190268` -> `190268`."""
    return name.rpartition(":")[2]


def spearman(left: list[float], right: list[float]) -> float:
    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])


def ranks(values: list[float]) -> np.ndarray:
    """Ranks with ties at their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]
