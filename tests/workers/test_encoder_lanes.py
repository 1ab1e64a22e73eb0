"""On a processor each core reads and computes batches of its own; together they fit, and disturb nobody else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from colour_encoder import colours, gathered, plain, shade_of
from encoder_models import photograph, save_tiny_clip
from workers.engines import batching, devices, image_encoder
from workers.engines.image_encoder import load_image_encoder

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(autouse=True)
def same_threads_after() -> Iterator[None]:
    """Whatever a test asks of torch is forgotten."""
    import torch

    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def threads_of_a_new_thread() -> int:
    import torch

    with ThreadPoolExecutor(1) as one:
        return one.submit(torch.get_num_threads).result()


@pytest.mark.parametrize("lanes", [3], indirect=True)
def test_lanes_that_find_no_room_at_once_halve_their_batches_once(lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    together, good, asked = threading.Barrier(3, timeout=10), colours().forward, []

    def short(batch: Any) -> Any:
        asked.append(len(batch))
        if len(batch) > 8:
            together.wait()  # until all three are in it
            raise MemoryError
        return good(batch)

    keys, vectors, _ = gathered(colours(short).encode([(str(n), plain(n)) for n in range(96)]))
    assert keys == [str(n) for n in range(96)]
    assert [shade_of(vector) for vector in vectors] == list(range(96))
    assert sorted(asked, reverse=True) == [16] * 3 + [8] * 12


@pytest.mark.parametrize("lanes", [3], indirect=True)
def test_a_picture_that_fits_only_while_no_other_is_computed_is_computed(
    lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(batching.LARGEST, "cpu", 4)
    good, computing = colours().forward, []

    def room_for_one(batch: Any) -> Any:
        computing.append(len(batch))
        try:
            time.sleep(0.002)
            if sum(computing) > 1:
                raise MemoryError
            return good(batch)
        finally:
            computing.remove(len(batch))

    keys, vectors, _ = gathered(colours(room_for_one).encode([(str(n), plain(n)) for n in range(40)]))
    assert keys == [str(n) for n in range(40)]
    assert [shade_of(vector) for vector in vectors] == list(range(40))


def test_all_lanes_together_begin_with_the_memory_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    item = colours().how.input_bytes * batching.ACTIVATIONS * batching.SHARE
    for room, n, expected in ((64, 4, 16), (20, 4, 5), (3, 8, 1)):
        monkeypatch.setattr(batching, "free_bytes", lambda device, room=room: room * item)
        monkeypatch.setattr(image_encoder, "n_lanes", lambda device, n=n: n)
        lock, good, held, most = threading.Lock(), colours().forward, [0], [0]

        def counted(batch: Any, lock: Any = lock, good: Any = good, held: Any = held, most: Any = most) -> Any:
            with lock:
                held[0] += len(batch)
                most[0] = max(most[0], held[0])
            time.sleep(0.002)
            with lock:
                held[0] -= len(batch)
            return good(batch)

        blocks = list(colours(counted).encode([(str(n), plain(n)) for n in range(80)]))
        assert {len(block.keys) for block in blocks[:-1]} == {expected}
        assert most[0] <= room


@pytest.mark.parametrize("lanes", [2], indirect=True)
def test_a_lane_computes_on_its_own_thread_alone_and_nobody_else_is_told_to(
    lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    torch.set_num_threads(3)
    monkeypatch.setitem(batching.LARGEST, "cpu", 2)
    seen, good = [], colours().forward
    both_began, known = threading.Barrier(2, timeout=10), threading.local()

    def watching(batch: Any) -> Any:
        if not hasattr(known, "began"):
            known.began = both_began.wait()  # while a lane begins, new threads may begin with its number
        seen.append((torch.get_num_threads(), threads_of_a_new_thread(), threading.current_thread()))
        return good(batch)

    for _ in colours(watching).encode([(str(n), plain(n)) for n in range(20)]):
        assert (torch.get_num_threads(), threads_of_a_new_thread()) == (3, 3)
    assert {(own, others) for own, others, _ in seen} == {(1, 3)}
    assert threading.current_thread() not in {thread for _, _, thread in seen}


def test_there_is_a_lane_for_each_thread_that_torch_would_compute_on_and_none_on_a_gpu() -> None:
    import torch

    torch.set_num_threads(3)
    assert devices.n_lanes(torch.device("cpu")) == 3
    torch.set_num_threads(40)
    assert devices.n_lanes(torch.device("cpu")) == devices.MOST_THREADS
    assert devices.n_lanes(torch.device("cuda")) == 0


def test_vectors_do_not_hang_on_the_number_of_lanes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_tiny_clip(tmp_path)
    encoder = load_image_encoder(str(tmp_path))
    pictures, found = [(str(n), photograph(n, 60, 45)) for n in range(40)], []
    for n in (1, 2, 5):
        monkeypatch.setattr(image_encoder, "n_lanes", lambda device, n=n: n)
        found.append(gathered(encoder.encode(pictures))[1])
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
