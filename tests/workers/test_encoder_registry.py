"""One instance of each engine in a process, however many threads ask; another name does not wait; forgotten is free."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from encoder_models import photograph, save_tiny_clip
from workers.engines import clip_encoder, registry
from workers.engines.protocols import ModelNotFoundError
from workers.engines.registry import Engines

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


class Engine:
    """Something that takes a moment to load."""

    loaded: list[str] = []

    def __init__(self, name: str) -> None:
        time.sleep(0.05)
        self.loaded.append(name)


def test_many_threads_share_one_instance_that_was_loaded_once() -> None:
    Engine.loaded.clear()
    engines = Engines(Engine)
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(engines, ["a", "b"] * 32))
    assert sorted(Engine.loaded) == ["a", "b"]
    assert len({id(engine) for engine in found}) == 2


def test_who_wants_another_model_does_not_wait_for_one_that_loads() -> None:
    slow, go = threading.Event(), threading.Event()

    def load(name: str) -> str:
        if name == "slow":
            slow.set()
            assert go.wait(10)
        return name

    engines = Engines(load)
    with ThreadPoolExecutor(1) as threads:
        loading = threads.submit(engines, "slow")
        assert slow.wait(10)
        assert engines("quick") == "quick"
        assert not loading.done()
        go.set()
        assert loading.result() == "slow"


def test_a_model_that_failed_to_load_can_be_asked_for_again() -> None:
    answers = iter([ModelNotFoundError("not yet"), "here"])

    def load(name: str) -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    engines = Engines(load)
    with pytest.raises(ModelNotFoundError, match="not yet"):
        engines("mine")
    assert engines("mine") == "here"


def test_a_stand_in_answers_to_a_name_until_it_is_forgotten() -> None:
    engines = Engines(str.upper)
    engines.use("mine", "a stand-in")
    assert engines("mine") == "a stand-in"
    engines.forget("mine")
    engines.forget("never heard of")
    assert engines("mine") == "MINE"


@pytest.mark.nightly
def test_both_towers_of_a_model_are_kept_and_forgotten_together(tmp_path: Path) -> None:
    name = str(tmp_path)
    save_tiny_clip(tmp_path)
    images, texts = registry.image_encoder(name), registry.text_encoder(name)
    assert registry.image_encoder(name) is images
    assert registry.text_encoder(name) is texts
    assert images.digest == texts.digest
    assert texts.encode(["a dog"]).dtype == np.float32
    gone = weakref.ref(images), weakref.ref(texts)
    registry.forget(name)
    del images, texts
    gc.collect()
    assert (gone[0](), gone[1]()) == (None, None)


@pytest.mark.nightly
def test_who_wants_both_towers_reads_the_weights_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, loaded, load = str(tmp_path), [], clip_encoder._load
    save_tiny_clip(tmp_path)
    monkeypatch.setattr(clip_encoder, "_load", lambda source: loaded.append(source.name) or load(source))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(registry.towers, [name] * 4))
    images, texts = found[0]
    assert (len(loaded), len({id(tower) for pair in found for tower in pair})) == (1, 2)
    assert (registry.image_encoder(name), registry.text_encoder(name)) == (images, texts)

    alone = clip_encoder.load_clip_images(name), clip_encoder.load_text_encoder(name)
    pictures = [("one", photograph(1, 40, 40))]
    assert np.array_equal(*(next(iter(tower.encode(pictures))).vectors for tower in (images, alone[0])))
    assert np.array_equal(*(tower.encode(["a dog"]) for tower in (texts, alone[1])))
    registry.forget(name)


def test_of_two_towers_read_at_once_either_is_freed_without_the_other(tmp_path: Path) -> None:
    save_tiny_clip(tmp_path)
    images, texts = clip_encoder.load_towers(str(tmp_path))
    visual = weakref.ref(images.forward.__self__.visual)  # type: ignore[attr-defined]
    del images
    gc.collect()
    assert visual() is None
    assert texts.encode(["a dog"]).shape == (1, 16)


def test_a_stand_in_is_one_of_both_towers() -> None:
    registry.use_image_encoder("seated", "images")  # type: ignore[arg-type]
    registry.use_text_encoder("seated", "texts")  # type: ignore[arg-type]
    assert registry.towers("seated") == ("images", "texts")
    registry.forget("seated")
