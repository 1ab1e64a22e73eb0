"""Embedding shards: whole or not there, never of two models, the same bytes whoever writes them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from workers.engines import whole_files
from workers.engines.protocols import NotFiniteError
from workers.engines.shards import (
    MAPPED,
    TABLES,
    Block,
    Part,
    Recipe,
    ShardRefusedError,
    join_shards,
    plan_shards,
    read_shards,
    write_shard,
    write_shards,
)

ROOT = Path(__file__).resolve().parents[2]
RECIPE = Recipe("postcards-1-rn", "ab" * 32, "resize 64", dimension=4)
OTHER = replace(RECIPE, model="postcards-3-vit", model_digest="cd" * 32)


def vectors_of(number: int, n: int = 5) -> NDArray[np.float32]:
    return np.random.default_rng(number).normal(size=(n, 4)).astype(np.float32)


def keys_of(number: int, n: int = 5) -> list[str]:
    return [f"{number}/{row}.jpg" for row in range(n)]


def a_part(number: int, source: str = "of these files", n: int = 5) -> Part:
    def blocks() -> Iterator[Block]:
        vectors, keys = vectors_of(number, n), keys_of(number, n)
        yield Block(keys[:2], vectors[:2], [(f"{number}/broken.jpg", "The file ends before the picture does.")])
        yield Block(keys[2:], vectors[2:])

    return Part(f"{source} {number}", blocks)


def never() -> Iterator[Block]:
    pytest.fail("a finished shard was computed again")
    yield  # type: ignore[unreachable]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three finished shards of five rows."""
    write_shards(tmp_path / "out", RECIPE, [a_part(n) for n in range(3)])
    return tmp_path / "out"


def identity(folder: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of change of everything that can be seen in a folder."""
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.glob("shard-*")}


def test_what_was_written_is_read_in_order(folder: Path) -> None:
    shards = read_shards(folder)
    everything = np.concatenate([vectors_of(n) for n in range(3)])
    assert (len(shards), shards.dimension, shards.recipe) == (15, 4, RECIPE)
    assert np.concatenate(list(shards.blocks(size=2))).tobytes() == everything.tobytes()
    ids = np.array([14, 0, 7, 7])
    assert np.array_equal(shards.rows(ids), everything[ids])
    assert shards.keys(ids) == ["2/4.jpg", "0/0.jpg", "1/2.jpg", "1/2.jpg"]
    assert shards.ids_of(["1/2.jpg", "nowhere.jpg", "2/4.jpg"]).tolist() == [7, -1, 14]
    assert [left_out.key for left_out in shards.skipped] == ["0/broken.jpg", "1/broken.jpg", "2/broken.jpg"]


def test_shards_written_one_by_one_in_any_order_are_those_written_together(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "one by one"
    assert plan_shards(out, RECIPE, 3) == []
    for number in (2, 0, 1):
        manifest, computed = write_shard(out, RECIPE, number, a_part(number))
        assert (manifest.number, manifest.count, computed) == (number, 5, True)
    assert {path.name: path.read_bytes() for path in out.glob("*.*")} == {
        path.name: path.read_bytes() for path in folder.glob("*.*")
    }
    before = identity(out)
    manifest, computed = write_shard(out, RECIPE, 1, Part("of these files 1", never))
    assert (manifest.number, computed, identity(out)) == (1, False, before)
    with pytest.raises(ShardRefusedError, match="never mixes"):
        plan_shards(out, OTHER, 3)


def test_numpy_and_parquet_read_the_files_without_us(folder: Path) -> None:
    from pyarrow import parquet

    plain = np.load(folder / "shard-00001.npy", mmap_mode="r", allow_pickle=False)
    assert isinstance(plain, np.memmap) and plain.dtype == np.float32 and np.array_equal(plain, vectors_of(1))
    table = parquet.read_table(folder / "shard-00001.parquet").to_pydict()
    assert table == {"row": list(range(5)), "key": keys_of(1)}
    manifest = json.loads((folder / "shard-00001.json").read_text())
    assert (manifest["schema"], manifest["model"], manifest["count"]) == (1, "postcards-1-rn", 5)
    left_out = {"key": "1/broken.jpg", "reason": "The file ends before the picture does.", "code": "unreadable"}
    assert manifest["skipped"] == [left_out]


def test_blocks_are_views_of_the_file_and_no_copies(folder: Path) -> None:
    block = next(read_shards(folder).blocks())
    assert isinstance(block, np.memmap) and not block.flags.writeable


def test_further_columns_come_back(tmp_path: Path) -> None:
    part = Part("x", lambda: [Block(keys_of(0), vectors_of(0), columns={"width": [1, 2, 3, 4, 5]})])
    write_shards(tmp_path, RECIPE, [part])
    shards, ids = read_shards(tmp_path), np.array([4, 0])
    assert shards.column("width", ids) == [5, 1]
    assert shards.columns(("width", "key"), ids) == {"width": [5, 1], "key": shards.keys(ids)}


MANY = """
import resource, sys
from pathlib import Path
import numpy as np
from workers.engines.shards import Shards, read_shards

found = read_shards(Path(sys.argv[1]))._shards
shards = Shards(found * 200)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
ids = np.arange(len(shards))
assert len(shards.rows(ids)) == len(shards.keys(ids)) == 3_000
print(sum("shard-" in line for line in Path("/proc/self/maps").read_text().splitlines()))
"""


@pytest.mark.nightly
def test_more_shards_than_a_process_may_have_files_open_are_read(folder: Path) -> None:
    """600 shards with 256 descriptors, whose maps are closed once others took their places."""
    mapped = int(subprocess.check_output([sys.executable, "-c", MANY, folder], cwd=ROOT, text=True))
    assert mapped <= 2 * (MAPPED + TABLES)


def test_a_shard_in_which_every_picture_is_broken_is_finished_too(tmp_path: Path) -> None:
    empty = Part("x", lambda: [Block([], np.empty((0, 4), np.float32), [("a.jpg", "no picture")])])
    write_shards(tmp_path, RECIPE, [empty, a_part(1)])
    shards = read_shards(tmp_path)
    assert len(shards) == 5 and shards.keys(np.array([0])) == ["1/0.jpg"]
    assert np.concatenate(list(shards.blocks())).shape == (5, 4)


def test_a_finished_shard_is_never_computed_again(folder: Path) -> None:
    before = identity(folder)
    written = write_shards(folder, RECIPE, [Part(f"of these files {n}", never) for n in range(3)])
    assert (written.computed, written.kept, identity(folder)) == ([], [0, 1, 2], before)


def test_only_the_shard_whose_source_changed_is_made_anew(folder: Path) -> None:
    before = identity(folder)
    parts = [a_part(0), a_part(1, source="of others", n=4), a_part(2)]
    assert write_shards(folder, RECIPE, parts).computed == [1]
    changed = {name.split(".")[0] for name, seen in identity(folder).items() if before[name] != seen}
    assert changed == {"shard-00001"} and len(read_shards(folder)) == 14


def test_shards_beyond_the_last_are_removed(folder: Path) -> None:
    write_shards(folder, RECIPE, [a_part(0), a_part(1)])
    assert len(read_shards(folder)) == 10 and not list(folder.glob("shard-00002*"))


@pytest.mark.nightly
def test_a_shard_beyond_the_last_that_somebody_is_writing_is_removed_after_that(folder: Path) -> None:
    shorter = threading.Thread(target=write_shards, args=(folder, RECIPE, [a_part(0), a_part(1)]))
    with whole_files.locked(folder / "shard-00002"):
        shorter.start()
        shorter.join(0.3)
        assert shorter.is_alive() and len(list(folder.glob("shard-00002.*"))) == 3
    shorter.join(20)
    assert not list(folder.glob("*shard-00002*")) and len(read_shards(folder)) == 10


@pytest.mark.parametrize("other", [OTHER, replace(RECIPE, preprocessing="resize 224")])
def test_a_folder_of_another_model_is_refused_with_both_names(folder: Path, other: Recipe) -> None:
    with pytest.raises(ShardRefusedError) as refusal:
        write_shards(folder, other, [a_part(0)])
    assert all(str(part) in str(refusal.value) for part in (folder / "collection.json", RECIPE, other))


def test_the_same_weights_under_a_second_name_find_what_was_written_under_the_first(
    folder: Path, tmp_path: Path
) -> None:
    renamed, before = replace(RECIPE, model="org/postcards"), (folder / "collection.json").read_bytes()
    written = write_shards(folder, renamed, [*(Part(f"of these files {n}", never) for n in range(3)), a_part(3)])
    assert (written.computed, written.kept) == ([3], [0, 1, 2])
    write_shards(tmp_path / "second", renamed, [a_part(7)])
    assert len(read_shards(folder, tmp_path / "second")) == 25
    write_shards(folder, RECIPE, [Part(f"of these files {n}", never) for n in range(3)])
    assert (folder / "collection.json").read_bytes() == before


def test_collections_of_two_models_are_not_read_together(folder: Path, tmp_path: Path) -> None:
    write_shards(tmp_path / "second", RECIPE, [a_part(7)])
    assert read_shards(folder, tmp_path / "second").keys(np.array([15])) == ["7/0.jpg"]
    write_shards(tmp_path / "third", OTHER, [a_part(8)])
    with pytest.raises(ShardRefusedError, match=r"shard-00000\.json is from 'postcards-3-vit' .*'postcards-1-rn'"):
        read_shards(folder, tmp_path / "third")


def test_a_manifest_of_another_model_among_ours_is_refused(folder: Path) -> None:
    path = folder / "shard-00001.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"model": "postcards-3-vit", "model_digest": "cd" * 32}))
    with pytest.raises(ShardRefusedError, match=r"shard-00001\.json .*'postcards-3-vit'.*'postcards-1-rn'"):
        read_shards(folder)
    with pytest.raises(ShardRefusedError, match=r"shard-00001\.json .*'postcards-3-vit'.*'postcards-1-rn'"):
        write_shards(folder, RECIPE, [a_part(n) for n in range(3)])


def flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-16])


@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
@pytest.mark.parametrize(
    ("damage", "why"), [(flip_a_byte, "SHA-256 differs"), (cut, "bytes"), (Path.unlink, "missing")]
)
def test_a_damaged_file_is_refused_by_name_and_made_anew(
    folder: Path, suffix: str, damage: Callable[[Path], None], why: str
) -> None:
    damage(folder / f"shard-00001{suffix}")
    with pytest.raises(ShardRefusedError, match=rf"shard-00001\{suffix} has changed since Connote wrote it \(.*{why}"):
        read_shards(folder)
    assert write_shards(folder, RECIPE, [a_part(n) for n in range(3)]).computed == [1]
    assert len(read_shards(folder)) == 15


def test_a_file_that_lies_about_its_shape_is_refused_even_unverified(folder: Path) -> None:
    path = folder / "shard-00000.npy"
    with path.open("r+b") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (4, 5)})
    with pytest.raises(ShardRefusedError, match="its manifest says"):
        list(read_shards(folder, verify=False).blocks())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}', "null"])
def test_a_manifest_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "shard-00002.json").write_text(text)
    with pytest.raises(ShardRefusedError, match=r"cannot read the manifest .*shard-00002\.json"):
        read_shards(folder)
    assert write_shards(folder, RECIPE, [a_part(n) for n in range(3)]).computed == [2]


def test_a_newer_schema_is_refused_and_not_guessed_at(folder: Path) -> None:
    plan = json.loads((folder / "collection.json").read_text())
    (folder / "collection.json").write_text(json.dumps(plan | {"schema": 2}))
    with pytest.raises(ShardRefusedError, match="has the schema 2, but this version reads 1"):
        read_shards(folder)


def test_a_shard_without_its_manifest_does_not_exist(folder: Path) -> None:
    (folder / "shard-00001.json").unlink()
    with pytest.raises(ShardRefusedError, match=r"1 of 3 shards .* not complete\. The first is shard-00001"):
        read_shards(folder)
    assert read_shards(folder, partial=True).keys(np.array([5])) == ["2/0.jpg"]


def test_a_folder_without_shards_says_so(tmp_path: Path) -> None:
    with pytest.raises(ShardRefusedError, match="has no vectors"):
        read_shards(tmp_path)


@pytest.mark.parametrize(("value", "said"), [(np.nan, "NaN or infinity"), (np.inf, "NaN or infinity"), (0.0, "zeros")])
def test_a_vector_that_is_none_is_refused_with_its_key_and_leaves_nothing(
    tmp_path: Path, value: float, said: str
) -> None:
    vectors = vectors_of(0)
    vectors[3] = value
    with pytest.raises(NotFiniteError, match=rf"'postcards-1-rn' gave .*{said} for '0/3\.jpg'"):
        write_shards(tmp_path, RECIPE, [Part("x", lambda: [Block(keys_of(0), vectors)])])
    assert {path.name for path in tmp_path.iterdir()} == {"collection.json"}


def test_a_block_of_the_wrong_shape_is_refused(tmp_path: Path) -> None:
    part = Part("x", lambda: [Block(keys_of(0), vectors_of(0)[:4])])
    with pytest.raises(ValueError, match=r"5 keys came with vectors of shape \(4, 4\)"):
        write_shards(tmp_path, RECIPE, [part])


@pytest.mark.parametrize("row", [-1, 15])
def test_a_row_that_is_not_there_is_an_error(folder: Path, row: int) -> None:
    with pytest.raises(IndexError, match="the collection has 15"):
        read_shards(folder).rows(np.array([row]))


def test_two_writers_at_once_share_the_work_and_end_with_one_good_shard_each(tmp_path: Path) -> None:
    computed: list[int] = []

    def slowly(number: int) -> Part:
        def blocks() -> Iterator[Block]:
            computed.append(number)
            time.sleep(0.05)
            yield Block(keys_of(number), vectors_of(number))

        return Part(f"x{number}", blocks)

    def write() -> None:
        write_shards(tmp_path, RECIPE, [slowly(n) for n in range(6)])

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(computed) == list(range(6))
    assert len(read_shards(tmp_path)) == 30
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


STUCK = """
import sys, time
from pathlib import Path
import numpy as np
from workers.engines.shards import Block, Part, Recipe, write_shards

def blocks():
    yield Block(["0/0.jpg"], np.ones((1, 4), np.float32))
    print("half", flush=True)
    time.sleep(60)

write_shards(Path(sys.argv[1]), Recipe("postcards-1-rn", "ab" * 32, "resize 64", 4), [Part("of these files 0", blocks)])
"""


def test_what_a_killed_writer_left_is_swept_and_its_shard_computed(tmp_path: Path) -> None:
    stuck = subprocess.Popen([sys.executable, "-c", STUCK, tmp_path], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert stuck.stdout is not None and stuck.stdout.readline() == "half\n"
    with pytest.raises(ShardRefusedError, match="not complete"):
        read_shards(tmp_path)
    assert whole_files.sweep(tmp_path) == [], "what somebody is writing stays"
    os.kill(stuck.pid, signal.SIGKILL)
    stuck.wait()
    stuck.stdout.close()
    (tmp_path / ".shard-00009.npy.part").write_bytes(b"of a shard that nobody asks for any more")
    written = write_shards(tmp_path, RECIPE, [a_part(0)])
    assert written.swept == [".shard-00000.npy.part", ".shard-00009.npy.part"] and written.computed == [0]
    assert np.array_equal(read_shards(tmp_path).rows(np.arange(5)), vectors_of(0))
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


PEAK = """
import sys, resource
from pathlib import Path
import numpy as np
from workers.engines.shards import Block, Part, Recipe, read_shards, write_shards

n, block = int(sys.argv[2]), np.ones((10_000, 96), np.float32)
def blocks():
    for start in range(0, n, 10_000):
        yield Block([str(row) for row in range(start, start + 10_000)], block)
write_shards(Path(sys.argv[1]), Recipe("m", "d", "p", 96), [Part("x", blocks)])
assert sum(len(block) for block in read_shards(Path(sys.argv[1])).blocks()) == n
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.nightly
def test_writing_a_long_shard_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    """600,000 x 96 numbers are 220 MB; they are never in memory together."""
    peaks = [
        int(subprocess.check_output([sys.executable, "-c", PEAK, tmp_path / str(n), str(n)], cwd=ROOT)) / 1024
        for n in (100_000, 600_000)
    ]
    assert peaks[1] - peaks[0] < 80


def test_the_same_rows_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write_shards(tmp_path / "again", RECIPE, [a_part(n) for n in range(3)])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()
    }
    assert read_shards(folder).digest == read_shards(tmp_path / "again").digest


@pytest.mark.nightly
def test_what_was_left_out_takes_no_memory_until_somebody_asks(tmp_path: Path) -> None:
    left_out = [(f"{n:09d}", "The address answers 404.") for n in range(50_000)]
    plan_shards(tmp_path, RECIPE, 1)
    write_shard(tmp_path, RECIPE, 0, Part("a list", lambda: iter([Block(keys_of(0), vectors_of(0), left_out)])))
    tracemalloc.start()
    try:
        shards = read_shards(tmp_path)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 1_000_000, "bytes, where the list itself has many millions"
    assert [one.key for one in shards.skipped] == [key for key, _ in left_out]


def test_collections_are_joined_as_if_read_together_and_never_of_two_models(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b", "c")]
    for number, folder in enumerate(folders):
        recipe = OTHER if number == 2 else RECIPE
        plan_shards(folder, recipe, 1)
        write_shard(folder, recipe, 0, a_part(number))
    a, b, c = map(read_shards, folders)
    joined, together = join_shards([a, b]), read_shards(*folders[:2])
    ids = np.arange(len(together))
    assert (joined.keys(ids), joined.digest) == (together.keys(ids), together.digest)
    assert np.array_equal(joined.rows(ids), together.rows(ids))
    with pytest.raises(ShardRefusedError, match="never mixes"):
        join_shards([a, c])
