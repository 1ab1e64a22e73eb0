"""Data of benchmarks in their usual formats, and what is said of damaged ones."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.formats import gather_release
from backend.methods.benchmarks.reading import read_data
from backend.methods.benchmarks.scores import of_embeddings, read_run, read_scores
from backend.methods.benchmarks.settings import settings_of
from backend.methods.benchmarks.tasks import TASKS

COCO = {
    "images": [{"id": 7, "file_name": "a.jpg"}, {"id": 8, "file_name": "b.jpg"}],
    "annotations": [
        {"id": 70, "image_id": 7, "caption": "a hill"}, {"id": 80, "image_id": 8, "caption": "a lake"},
        {"id": 71, "image_id": 7, "caption": "the end of the day"},
    ],
}  # fmt: skip
KARPATHY = {
    "dataset": "toy",
    "images": [
        {"imgid": 0, "filename": "a.jpg", "split": "test", "sentences": [{"raw": "a hill", "sentid": 1}]},
        {"imgid": 1, "filename": "b.jpg", "split": "train", "sentences": [{"raw": "a lake", "sentid": 2}]},
    ],
}
LINES = [
    {
        "image": "a.jpg",
        "captions": ["a hill", "the end"],
        "categories": [{"difficulty": "easy"}, {"difficulty": "hard"}],
    },
    {"image": "b.jpg", "captions": ["a lake"], "categories": {"difficulty": "easy", "lens": ["mood", "metaphor"]}},
]
RELEASE = {
    "digest": "d1", "split": "test",
    "captions": [{"key": "c1", "text": "a hill", "difficulty": {"category": "hard"}, "source": "web", "consensus": {}}],
}  # fmt: skip


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, list):
        content = "".join(json.dumps(line) + "\n" for line in content)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def shape(data: BenchmarkData) -> tuple[str, tuple[str, ...], tuple[str, ...], list[tuple[int, int]]]:
    pairs = list(zip(data.pairs.image.tolist(), data.pairs.text.tolist(), strict=True))
    return data.kind, data.images, data.texts, pairs


def test_a_row_with_an_id_and_a_file_has_the_picture_of_the_file(tmp_path: Path) -> None:
    rows = [{"image_id": 7, "file": "images/a.jpg", "captions": ["a hill"]}]
    data = read_data(written(tmp_path / "rows.json", json.dumps(rows)))
    assert (data.images, data.texts) == (("7",), ("7#0",)) and data.pictures["7"] == tmp_path / "images/a.jpg"


def test_coco_has_its_ids_and_pictures(tmp_path: Path) -> None:
    data = read_data(written(tmp_path / "captions.json", COCO))
    assert shape(data) == ("coco", ("7", "8"), ("70", "80", "71"), [(0, 0), (0, 2), (1, 1)])
    assert data.pictures["7"] == tmp_path / "images/a.jpg"
    with gzip.open(tmp_path / "packed.json.gz", "wt") as file:
        json.dump(COCO, file)
    assert read_data(tmp_path / "packed.json.gz").digest == data.digest


def test_karpathy_is_cut_by_its_split_and_takes_test_if_none_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "dataset_toy.json", KARPATHY)
    assert read_data(path).captions == ("a hill",)
    assert read_data(path, split="train").captions == ("a lake",)
    with pytest.raises(DataError, match=r"no split 'val'. It has test, train"):
        read_data(path, split="val")


def test_lines_have_categories_for_all_captions_or_for_each(tmp_path: Path) -> None:
    data = read_data(written(tmp_path / "set.jsonl", LINES))
    assert shape(data)[1:3] == (("a.jpg", "b.jpg"), ("a.jpg#0", "a.jpg#1", "b.jpg#0"))
    masks = {name: mask.tolist() for name, mask in data.masks(np.arange(3)).items()}
    assert masks == {
        "difficulty=easy": [True, False, True], "difficulty=hard": [False, True, False],
        "lens=metaphor": [False, False, True], "lens=mood": [False, False, True],
    }  # fmt: skip


def test_a_release_is_read_as_a_folder_and_as_a_zip(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    written(folder / "images.jsonl", [RELEASE])
    written(folder / "negatives.jsonl", [{"image": "d1", "text": "a car", "key": "n"}])
    with zipfile.ZipFile(tmp_path / "release.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"release/{file.name}")
    data = read_data(folder)
    assert shape(data) == ("release", ("d1",), ("d1/c1",), [(0, 0)])
    assert data.rejected == {"d1": ("a car",)} and sorted(data.categories) == ["difficulty", "source"]
    assert read_data(tmp_path / "release.zip").digest == data.digest


def test_parquet_and_imagefolder_have_lists_of_captions(tmp_path: Path) -> None:
    table = pa.table({
        "image": [{"bytes": b"x", "path": "a.jpg"}, {"bytes": b"y", "path": "b.jpg"}],
        "captions": [["one", "two"], ["three"]],
    })  # fmt: skip
    pq.write_table(table, tmp_path / "test-00000.parquet")
    assert shape(read_data(tmp_path))[1:3] == (("a.jpg", "b.jpg"), ("a.jpg#0", "a.jpg#1", "b.jpg#0"))
    written(tmp_path / "folder/metadata.jsonl", [{"file_name": "a.jpg", "text": "one"}])
    data = read_data(tmp_path / "folder")
    assert data.kind == "imagefolder" and data.pictures["a.jpg"] == tmp_path / "folder/a.jpg"


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("set.csv", "Image;caption_1;caption_2\na.jpg;a hill;the end\nb.jpg;a lake;\n".encode("utf-16")),
        ("title.csv", b"Our captions,\n,made in May\nimage,captions\na.jpg,\"['a hill', 'the end']\"\nb.jpg,a lake\n"),
        ("set.tsv", b"\xef\xbb\xbfimage\tcaption\na.jpg\ta hill\na.jpg\tthe end\nb.jpg\ta lake\n"),
        ("set.csv.gz", gzip.compress(b"image,captions\na.jpg,\"['a hill', 'the end']\"\nb.jpg,a lake\n")),
        ("set.json", b'[{"image": "a.jpg", "text": ["a hill", "the end"],}, {"image": "b.jpg", "text": "a lake"}]'),
    ],
)  # fmt: skip
def test_tables_of_every_kind_are_data(tmp_path: Path, name: str, raw: bytes) -> None:
    (tmp_path / name).write_bytes(raw)
    data = read_data(tmp_path / name)
    assert (data.images, data.captions) == (("a.jpg", "b.jpg"), ("a hill", "the end", "a lake"))


def test_maps_and_qrels_give_other_right_pairs_for_one_direction(tmp_path: Path) -> None:
    path = written(tmp_path / "captions.json", COCO)
    data = read_data(path, positives=written(tmp_path / "eccv_caption_to_image.json", {"70": [7, 8], "71": [7]}))
    assert shape(data)[3] == [(0, 0), (0, 2), (1, 0)] and data.one_way == "text_to_image"
    data = read_data(path, positives=written(tmp_path / "image_to_caption.json", {"7": [80]}))
    assert shape(data)[3] == [(0, 1)] and data.one_way == "image_to_text"
    qrels = written(tmp_path / "pairs.qrels", "70 0 7 1\n70 0 8 0\n80 0 8 1\n")
    assert shape(read_data(path, positives=qrels))[3] == [(0, 0), (1, 1)]
    with pytest.raises(DataError, match="data lack: '999'"):
        read_data(path, positives=written(tmp_path / "wrong.json", {"999": [7]}))


@pytest.mark.nightly
@pytest.mark.shared_data
def test_the_maps_of_eccv_caption_fit_coco_but_for_two_pairs_which_are_named(shared_data: Path) -> None:
    import importlib.util

    found = importlib.util.find_spec("eccv_caption")
    assert found is not None and found.origin is not None
    maps = Path(found.origin).parent / "data"
    coco = shared_data / "coco5k/coco5k_test_captions.jsonl.gz"
    of_images = read_data(coco, positives=maps / "eccv_image_to_caption.json")
    assert len(of_images.pairs) == 22_548 and len(np.unique(of_images.pairs.image)) == 1261
    assert "2 of its 22,550 pairs are left out" in of_images.notes[-1]
    of_texts = read_data(coco, positives=maps / "eccv_caption_to_image.json")
    assert len(of_texts.pairs) == 11_279 and len(np.unique(of_texts.pairs.text)) == 1332


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", '{"images": [', "line 1: The row is not JSON"),
        ("a.json", {"images": [{"id": 1}, {"id": 1}], "annotations": []}, "image 2: the image '1' comes twice"),
        (
            "a.json",
            COCO | {"annotations": [{"id": 1, "image_id": 9, "caption": "x"}]},
            "annotation 1: there is no image '9'",
        ),
        ("a.json", COCO | {"annotations": []}, "no image with a caption"),
        ("a.jsonl", '{"image": "a", "captions": ["x"]}\n{"image":\n', "line 2: The row is not JSON"),
        ("a.jsonl", [{"image": "a", "captions": [1]}, {}], "row 1: a caption is int, not text"),
        ("a.jsonl", [{"captions": ["x"]}, {}], "row 1: the field 'image' is missing"),
        ("a.jsonl", [{"image": "a", "captions": ["x"], "categories": []}, {}], "0 values for 1 captions"),
        ("a.txt", "once upon a time in a place\n", "does not know the format"),
        ("a.txt", "", "does not know the format"),
        ("a.qrels", "q 0 d 1\nq 0 d 1\n", "line 2: 'd' comes twice"),
        ("a.parquet", "PAR1", "The file is damaged"),
    ],
)
def test_broken_data_are_refused_by_file_and_place(tmp_path: Path, name: str, content: Any, said: str) -> None:
    with pytest.raises(DataError) as refused:
        read_data(written(tmp_path / name, content))
    assert name in str(refused.value) and said in str(refused.value)


def test_the_digest_follows_the_content_and_not_the_place(tmp_path: Path) -> None:
    one = read_data(written(tmp_path / "a/set.jsonl", LINES))
    other = read_data(written(tmp_path / "b/other.jsonl", LINES))
    changed = read_data(written(tmp_path / "c/set.jsonl", [LINES[0], LINES[1] | {"captions": ["a pond"]}]))
    assert one.digest == other.digest != changed.digest
    assert one.limited(1).texts == ("a.jpg#0", "a.jpg#1") and one.limited(9) is one


# --- what models say -------------------------------------------------------------------------------------------------


@pytest.fixture
def toy(tmp_path: Path) -> BenchmarkData:
    return read_data(written(tmp_path / "captions.json", COCO))


def saved(path: Path, array: Any) -> Path:
    np.save(path, array)
    return path


def test_scores_are_taken_in_either_orientation(toy: BenchmarkData, tmp_path: Path) -> None:
    matrix = np.arange(6.0).reshape(2, 3)
    for array in (matrix, matrix.T):
        source = read_scores(saved(tmp_path / "s.npy", array), toy).source
        assert source is not None and np.array_equal(source.block(0, 2), matrix)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda path, toy: read_scores(saved(path / "s.npy", np.zeros((3, 3))), toy),
            r"shape \(3, 3\). The data need \(2, 3\)",
        ),
        (lambda path, toy: read_scores(saved(path / "s.npy", np.array(["x"])), toy), "s.npy does not have numbers"),
        (lambda path, toy: read_scores(written(path / "s.npy", "no"), toy), "not a complete .npy file"),
        (lambda path, toy: read_scores(path / "gone.npy", toy), "does not exist"),
        (lambda path, toy: read_run(written(path / "r", "70 Q0 7 1 0.5\n"), toy), "r, line 1: write query"),
        (lambda path, toy: read_run(written(path / "r", "70 Q0 7 1 nan x\n"), toy), "r, line 1: the score is nan"),
        (
            lambda path, toy: read_run(written(path / "r", "70 Q0 7 1 1 x\n70 Q0 7 2 0 x\n"), toy),
            "line 2: '7' comes twice",
        ),
        (lambda path, toy: read_run(written(path / "r", "70 Q0 9 1 1 x\n"), toy), "items that the data lack: '9'"),
        (lambda path, toy: read_run(written(path / "r", "5 Q0 7 1 1 x\n"), toy), "queries that the data lack: '5'"),
        (lambda path, toy: settings_of(["drows=3"]), "'drows=3' is unknown"),
        (lambda path, toy: settings_of(["draws=0"]), "draws is a number from 1"),
        (lambda path, toy: settings_of(["rule=most"]), "rule is one of unanimous"),
    ],
)
def test_scores_runs_and_settings_that_are_wrong_are_refused_by_name(
    toy: BenchmarkData, tmp_path: Path, make: Callable[[Path, BenchmarkData], object], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        make(tmp_path, toy)


@pytest.mark.parametrize(
    ("images", "texts", "said"),
    [
        ((np.ones((3, 4)), None), (np.ones((3, 4)), None), "3 image vectors, and the data have 2"),
        ((np.ones((2, 4)), None), (np.ones((3, 5)), None), "images have 4 numbers, and those of texts 5"),
        ((np.ones((2, 4)), ["7", "9"]), (np.ones((3, 4)), None), "no vector of 1 images: '8'"),
        ((np.ones((2, 4)), ["7", "7"]), (np.ones((3, 4)), None), "come twice: '7'"),
        ((np.ones((2, 4)), ["7"]), (np.ones((3, 4)), None), "2 image vectors, but 1 ids"),
        ((np.array([[1.0], [np.nan]]), None), (np.ones((3, 1)), None), r"image '8' \(row 1\) has NaN or infinity"),
        ((np.ones((2, 1)), None), (np.array([[1.0], [0], [1]]), None), r"text '80' \(row 1\) has only zeros"),
        ((np.ones((2, 3, 4)), None), (np.ones((3, 4)), None), r"shape \(2, 3, 4\)"),
    ],
)
def test_embeddings_that_do_not_fit_are_refused_by_name(toy: BenchmarkData, images: Any, texts: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        of_embeddings("mine", toy, images, texts, {})


def test_embeddings_are_put_in_the_order_of_the_data_by_their_ids(toy: BenchmarkData) -> None:
    images = (np.eye(3), ["8", "9", "7"])
    texts = (np.eye(3)[[0, 1, 2]], ["71", "80", "70"])
    source = of_embeddings("mine", toy, images, texts, {}).source
    assert source is not None
    assert source.block(0, 2).tolist() == [[1, 0, 0], [0, 0, 1]]


def test_captions_of_a_release_are_queries_whose_votes_say_what_is_relevant_by_three_rules() -> None:
    def caption(key: str, text: str, good: int, bad: int, unsure: int) -> dict[str, Any]:
        return {"key": key, "text": text, "source": key, "n_good": good, "n_bad": bad, "n_unsure": unsure}

    rows = [
        {"digest": "a" * 64, "captions": [caption("1", "calm", 3, 0, 0), caption("2", "storm", 2, 1, 0)]},
        {"digest": "b" * 64, "captions": [caption("3", "calm", 1, 1, 1), caption("4", "late", 0, 2, 0)]},
    ]
    data = gather_release("skies", rows, [])
    found = {}
    for rule in ("unanimous", "majority", "at_least_half"):
        asked = TASKS["relevance"].prepare(data, settings_of([f"rule={rule}"]))
        assert (asked.texts, asked.captions) == tuple(zip(*[
            (f"{'a' * 16}/1", "calm"), (f"{'a' * 16}/2", "storm"), (f"{'b' * 16}/4", "late")
        ], strict=True))  # fmt: skip
        assert asked.categories["source"] == (frozenset("13"), frozenset("2"), frozenset("4"))
        found[rule] = sorted(zip(asked.pairs.text.tolist(), asked.pairs.image.tolist(), strict=True))
    assert found == {
        "unanimous": [(0, 0)], "majority": [(0, 0), (1, 0)], "at_least_half": [(0, 0), (0, 1), (1, 0)],
    }  # fmt: skip
    assert len(data.kept(np.array([1])).judged) == 2
    with pytest.raises(DataError, match="no caption whose image is relevant by the rule unanimous"):
        TASKS["relevance"].prepare(data.kept(np.array([1])), settings_of([]))
    for row in rows:
        for each in row["captions"]:
            each.update(n_good=0, n_bad=0, n_unsure=0)
    with pytest.raises(DataError, match="skies has no votes"):
        TASKS["relevance"].prepare(gather_release("skies", rows, []), settings_of([]))
