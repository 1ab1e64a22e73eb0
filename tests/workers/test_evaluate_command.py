"""`manage.py evaluate`: from data and scores to figures, without a database, the same bytes each time."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml
from django.core.management import CommandError, call_command
from huggingface_hub import parse_eval_result_entries
from PIL import Image

from backend.methods.benchmarks.results import check_result
from backend.methods.ranking.scorers import SETS
from red_tower import RedTower, use
from workers.engines import registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Twelve images, each with an easy, a medium and a hard caption and two rejected ones."""
    path = tmp_path / "set.jsonl"
    rows = [
        {
            "image": f"i{n}.png", "captions": [f"{n} {each}" for each in ("easy", "medium", "hard")],
            "categories": [{"difficulty": each} for each in ("easy", "medium", "hard")],
            "rejected": [] if n == 3 else [f"{n} wrong", f"{n} bad"],
        }
        for n in range(12)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def evaluate(task: str, data: Path, *options: str) -> str:
    out = StringIO()
    call_command("evaluate", task, "--data", str(data), "--set", "draws=50", *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def result(folder: Path) -> dict[str, Any]:
    body = json.loads((folder / "result.json").read_text())
    check_result(body)
    return dict(body)


def test_the_same_inputs_give_the_same_bytes(lines: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        said = evaluate("retrieval", lines, "--model", "mock", "--out", str(tmp_path / name), "--set", "folds=3")
        assert "text to image  hit@1" in said
    files = sorted(path.relative_to(tmp_path / "one").as_posix() for path in (tmp_path / "one").rglob("*.*"))
    files.remove(".eval_results")
    assert files == [
        ".eval_results/retrieval.yaml", "card.md", "categories.svg", "curves.svg", "per_query.parquet", "result.json",
        "table.tex", "times.json",
    ]  # fmt: skip
    for name in set(files) - {"times.json"}:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    body = result(tmp_path / "one")
    assert body["metrics"]["text_to_image"]["hit@1"]["n"] == 36 and body["folds"]["n"] == 3
    assert body["categories"]["difficulty=hard"]["image_to_text"]["mrr"]["n"] == 12
    table = pq.read_table(tmp_path / "one/per_query.parquet").to_pylist()
    assert len(table) == 72 and {row["direction"] for row in table} == {"image_to_text", "text_to_image"}
    assert all(row["best_wrong"] and row["rank"] >= 1 and row["item"] != row["best_wrong"] for row in table)


@pytest.mark.nightly
def test_figures_are_kept_as_the_hub_reads_them(lines: Path, tmp_path: Path) -> None:
    file = tmp_path / "out/.eval_results/retrieval.yaml"
    evaluate("retrieval", lines, "--model", "mock", "--out", str(tmp_path / "out"))
    assert file.read_text().startswith("# Write the id of the data set on the Hub")
    evaluate("retrieval", lines, "--model", "mock", "--out", str(tmp_path / "out"), "--hub", "my-lab/postcards")
    entries = {each.task_id: each for each in parse_eval_result_entries(yaml.safe_load(file.read_text()))}
    first = entries["retrieval_text_to_image_hit_at_1"]
    assert first.value == result(tmp_path / "out")["metrics"]["text_to_image"]["hit@1"]["value"]
    assert first.dataset_id == "my-lab/postcards"
    assert first.notes is not None and "n = 36; 95% interval" in first.notes


@pytest.mark.nightly
def test_a_stronger_mock_model_has_better_figures(lines: Path, tmp_path: Path) -> None:
    for strength in ("0", "4"):
        evaluate(
            "retrieval", lines, "--model", "mock", "--set", f"strength={strength}", "--out", str(tmp_path / strength)
        )
    weak, strong = (result(tmp_path / each)["metrics"]["text_to_image"]["hit@1"]["value"] for each in "04")
    assert weak < 0.3 < 0.9 < strong


def test_scores_and_embeddings_of_one_model_have_one_result_and_limit_cuts_both(lines: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images, texts = rng.standard_normal((12, 8)), rng.standard_normal((36, 8))
    folder = tmp_path / "vectors"
    folder.mkdir()
    turned = rng.permutation(36)
    np.save(folder / "image.npy", images)
    np.save(folder / "text.npy", texts[turned])
    (folder / "text_ids.txt").write_text("".join(f"i{t // 3}.png#{t % 3}\n" for t in turned))
    unit = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in (images, texts)]
    np.save(tmp_path / "scores.npy", (unit[0] @ unit[1].T).astype(np.float32).T)
    for extra in ((), ("--limit", "5")):
        evaluate("retrieval", lines, "--embeddings", str(folder), "--out", str(tmp_path / "a"), *extra)
        evaluate("retrieval", lines, "--scores", str(tmp_path / "scores.npy"), "--out", str(tmp_path / "b"), *extra)
        one, other = result(tmp_path / "a"), result(tmp_path / "b")
        assert one["metrics"] == other["metrics"] and one["data"] == other["data"]
        assert one["data"]["images"] == (5 if extra else 12)


def test_vectors_in_safetensors_and_pt_are_read_and_a_pickle_is_not(lines: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(0)
    vectors = {"image_features": torch.randn(12, 8), "text_features": torch.randn(36, 8)}
    halves = {name: tensor.bfloat16() for name, tensor in vectors.items()}
    for name in ("pt", "safetensors", "pickle"):
        (tmp_path / name).mkdir()
    torch.save(halves, tmp_path / "pt/vectors.pt")
    save_file(halves, tmp_path / "safetensors/vectors.safetensors")
    torch.save({"image_features": Path("x")}, tmp_path / "pickle/vectors.pt")
    for name in ("pt", "safetensors"):
        evaluate("retrieval", lines, "--embeddings", str(tmp_path / name), "--out", str(tmp_path / name / "out"))
    one, other = (result(tmp_path / name / "out") for name in ("pt", "safetensors"))
    assert one["metrics"] == other["metrics"]
    with pytest.raises(CommandError, match="has more than tensors"):
        evaluate("retrieval", lines, "--embeddings", str(tmp_path / "pickle"))


def saved(folder: Path, **arrays: np.ndarray) -> str:
    folder.mkdir()
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return str(folder)


@pytest.mark.nightly
def test_sets_and_means_are_scored_by_the_scorer_of_the_folder_or_of_the_command(lines: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = rng.standard_normal((12, 2, 8))
    texts = images[np.arange(36) // 3] + 0.3 * rng.standard_normal((36, 2, 8))
    sets = saved(tmp_path / "sets", image=images, text=texts)
    means = saved(
        tmp_path / "means", image=images[:, 0], text=texts[:, 0],
        image_log_variance=np.full((12, 8), -3.0), text_log_variance=np.full((36, 8), -3.0),
    )  # fmt: skip
    (tmp_path / "sets/scorer.json").write_text('{"scorer": "smooth_chamfer", "alpha": 8}')
    (tmp_path / "only.txt").write_text("i7.png\ni2.png\ni11.png\n")
    asked = [(sets, ""), (means, ""), *((sets, each) for each in SETS), (means, "csd"), (means, "pcme_probability")]
    for folder, scorer in asked:
        chosen = ("--set", f"scorer={scorer}") if scorer else ()
        evaluate("retrieval", lines, "--embeddings", folder, "--out", str(tmp_path / "out"), *chosen)
        body = result(tmp_path / "out")
        assert body["metrics"]["text_to_image"]["hit@1"]["value"] > 0.8, scorer
        assert body["model"]["scorer"] == scorer or not scorer
        if (folder, scorer) == (sets, ""):
            assert (body["model"]["scorer"], body["model"]["alpha"]) == ("smooth_chamfer", 8)
            assert "* scorer: smooth_chamfer" in (tmp_path / "out/card.md").read_text()
    evaluate(
        "retrieval", lines, "--embeddings", sets, "--out", str(tmp_path / "out"), "--set", f"only={tmp_path}/only.txt"
    )
    body = result(tmp_path / "out")
    assert (body["data"]["images"], body["data"]["texts"], body["settings"]["only"]) == (3, 9, "only.txt")


def test_broken_sets_are_refused_by_name_and_place(lines: Path, tmp_path: Path) -> None:
    good = {"image": np.ones((12, 2, 4)), "text": np.ones((36, 2, 4))}
    nan, zero = good["text"].copy(), good["text"].copy()
    nan[4, 1, 2], zero[5, 0] = np.nan, 0
    flat = {"image": np.ones((12, 4)), "text": np.ones((36, 4))}
    hot = np.zeros((36, 4))
    hot[7, 1] = 99
    cases: list[tuple[dict[str, np.ndarray], str, str]] = [
        (good | {"text": nan}, "pvse_max", r"the vector 1 of the text 'i1.png#1' \(row 4\) has NaN or infinity"),
        (good | {"text": zero}, "chamfer", r"the vector 0 of the text 'i1.png#2' \(row 5\) has only zeros"),
        (good, "cosine", "each image has 2 vectors, and the scorer cosine needs one"),
        (good, "csd", "each image has 2 vectors"),
        (flat, "csd", "csd needs means with log-variances"),
        (good | {"text": np.ones((36, 2, 5))}, "pvse_max", "images have 4 numbers, and those of texts 5"),
        (good | {"text": np.ones((35, 2, 4))}, "pvse_max", "has 35 text vectors, and the data have 36"),
        (good | {"text": np.ones((36, 2, 2, 1))}, "pvse_max", "Give \\(n, d\\), one vector"),
        (flat | {"text_log_variance": hot}, "csd", "has log-variances of texts alone"),
        (
            flat | {"image_log_variance": np.zeros((12, 4)), "text_log_variance": hot}, "csd",
            r"a log-variance of the text 'i2.png#1' \(row 7\) is not a number from -60 to 60",
        ),
        (flat | {"image_log_variance": np.zeros((12, 3)), "text_log_variance": hot}, "csd", "Both must be"),
        (good, "best", "scorer is one of cosine, pvse_max"),
    ]  # fmt: skip
    for at, (arrays, scorer, said) in enumerate(cases):
        folder = saved(tmp_path / str(at), **arrays)
        with pytest.raises(CommandError, match=said):
            evaluate("retrieval", lines, "--embeddings", folder, "--set", f"scorer={scorer}")
    (tmp_path / "0/scorer.json").write_text("[]")
    with pytest.raises(CommandError, match=r"scorer\.json must be an object"):
        evaluate("retrieval", lines, "--embeddings", str(tmp_path / "0"))
    with pytest.raises(CommandError, match="A scorer is for --embeddings"):
        evaluate("retrieval", lines, "--model", "mock", "--set", "scorer=csd")
    (tmp_path / "only.txt").write_text("i99.png\n")
    with pytest.raises(CommandError, match=r"only\.txt names images that set\.jsonl lacks: 'i99.png'"):
        evaluate("retrieval", lines, "--model", "mock", "--set", f"only={tmp_path}/only.txt")


def test_a_run_is_measured_in_its_direction_and_a_missing_item_has_no_rank(lines: Path, tmp_path: Path) -> None:
    run = tmp_path / "mine.run"
    run.write_text("i0.png#0 Q0 i1.png 1 2.0 me\ni0.png#0 Q0 i0.png 2 1.0 me\ni1.png#0 Q0 i1.png 1 2.0 me\n")
    evaluate("retrieval", lines, "--run", str(run), "--out", str(tmp_path / "out"), "--ties", "docno")
    figures = result(tmp_path / "out")["metrics"]["text_to_image"]
    assert figures["mrr"]["value"] == pytest.approx(1.5 / 36)
    assert figures["rank_all_mean"] == {"value": None, "low": None, "high": None, "n": 36, "reason": "not_all_ranked"}


def test_other_right_pairs_are_measured_in_their_direction(lines: Path, tmp_path: Path) -> None:
    more = tmp_path / "image_to_caption.json"
    more.write_text(json.dumps({"i0.png": ["i1.png#0", "i0.png#0"]}))
    evaluate("retrieval", lines, "--model", "mock", "--set", f"positives={more}", "--out", str(tmp_path / "out"))
    body = result(tmp_path / "out")
    assert list(body["metrics"]) == ["image_to_text"] and body["metrics"]["image_to_text"]["mrr"]["n"] == 1
    assert body["dropped"]["image_to_text"]["n"] == 11 and body["settings"]["positives"] == "image_to_caption.json"


def test_auprc_draws_one_rejected_caption_of_each_image_and_keeps_it(lines: Path, tmp_path: Path) -> None:
    said = evaluate("auprc", lines, "--model", "mock", "--set", "strength=4", "--out", str(tmp_path / "out"))
    body = result(tmp_path / "out")
    assert body["metrics"]["pairs"]["auprc"]["value"] > 0.95 > body["metrics"]["pairs"]["prevalence"]["value"]
    assert body["metrics"]["pairs"]["prevalence"]["value"] == pytest.approx(36 / 47)
    assert body["categories"]["difficulty=hard"]["pairs"]["prevalence"]["value"] == pytest.approx(12 / 23)
    assert body["dropped"]["pairs"] == {"n": 1, "reason": "no_rejected_caption"} and "left out: 1" in said
    rejected = [row for row in pq.read_table(tmp_path / "out/per_query.parquet").to_pylist() if not row["accepted"]]
    assert len(rejected) == 11 and rejected[0]["text"] == "rejected:i0.png"


@pytest.mark.nightly
@pytest.mark.shared_data
def test_relevance_on_conqa_drops_a_query_of_each_kind(shared_data: Path, tmp_path: Path) -> None:
    evaluate("relevance", shared_data / "conqa", "--model", "mock", "--out", str(tmp_path / "out"))
    body = result(tmp_path / "out")
    assert sorted(body["metrics"]["text_to_image"]) == ["hit@1", "hit@10", "hit@5", "ndcg", "r_precision"]
    kinds = {name: ways["text_to_image"]["ndcg"]["n"] for name, ways in body["categories"].items()}
    assert kinds == {"query=conceptual": 49, "query=descriptive": 29}
    assert body["dropped"]["text_to_image"]["n"] == 2 and body["data"]["images"] == 6390
    assert {row["measure"]: row["n"] for row in body["contrast"]}["ndcg"] == [49, 29]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Give one of --model"),
        (("--model", "mock", "--run", "x"), "Give one of --model"),
        (("--model", "mock", "--limit", "0"), "--limit is a number of images"),
        (("--model", "mock", "--set", "folds=5"), "12 images cannot be cut into 5 equal parts"),
        (("--model", "mock", "--set", "color=red"), "'color=red' is unknown"),
        (("--embeddings", "nowhere"), "The folder nowhere does not exist"),
        (("--model", "no-such-model"), "lacks the files of 12 images: 'i0.png'"),
    ],
)
def test_a_command_that_cannot_go_on_says_why(lines: Path, options: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        evaluate("retrieval", lines, *options)


@pytest.fixture
def tower(lines: Path, tmp_path: Path) -> Iterator[None]:
    """A model that is always right on the lines, whose pictures lie beside them."""
    for n in range(12):
        Image.new("RGB", (4, 4), (n, 0, 0)).save(tmp_path / f"i{n}.png")
    use(RedTower())
    yield
    registry.forget("tower")


@pytest.mark.nightly
@pytest.mark.usefixtures("tower")
def test_a_model_is_run_on_pictures_and_captions(lines: Path, tmp_path: Path) -> None:
    evaluate("retrieval", lines, "--model", "tower", "mock", "--out", str(tmp_path / "out"))
    assert result(tmp_path / "out/tower")["metrics"]["text_to_image"]["hit@1"]["value"] == 1
    assert "mock" in (tmp_path / "out/table.tex").read_text()


@pytest.mark.usefixtures("tower")
def test_a_model_that_fails_on_an_item_is_not_run_and_the_others_are(lines: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    evaluate("retrieval", lines, "--model", "tower", "mock", "--out", str(out))
    (tmp_path / "i5.png").write_bytes(b"x")
    with pytest.raises(CommandError, match=r"^tower was not run: .*'i5.png' cannot be read\. It is no image\.$"):
        evaluate("retrieval", lines, "--model", "tower", "mock", "--out", str(out))
    body = result(out / "tower")
    assert body["metrics"] == {} and body["not_run"] | {"reason": ""} == {"reason": "", "items": ["i5.png"], "n": 1}
    assert sorted(each.name for each in (out / "tower").iterdir() if each.is_file()) == ["card.md", "result.json"]
    assert "**Not run.**" in (out / "tower/card.md").read_text()
    assert "tower & \\multicolumn{17}{l}{not run}" in (out / "table.tex").read_text()
    assert result(out / "mock")["metrics"]
    with pytest.raises(CommandError, match="was not run"):
        call_command("compare", str(out / "tower"), str(out / "mock"), stdout=StringIO())


HIDE = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden}:
            raise ModuleNotFoundError("No module named " + name, name=name)

sys.meta_path.insert(0, Absent())
"""
OF_WORKERS = ("torch", "torchvision", "open_clip", "transformers", "sentence_transformers", "timm", "faiss", "spacy")


@pytest.mark.nightly
@pytest.mark.shared_data
def test_a_stranger_needs_neither_database_nor_redis_nor_settings_nor_torch(shared_data: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "random.npy", np.random.default_rng(0).integers(0, 256, (5000, 25000), np.uint8))
    venv.create(tmp_path / "venv", symlinks=True)
    packages = next((tmp_path / "venv/lib").glob("python*")) / "site-packages"
    (packages / "installed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (packages / "sitecustomize.py").write_text(HIDE.replace("{hidden}", repr(OF_WORKERS)))
    program = [tmp_path / "venv/bin/python", "manage.py", "evaluate", "retrieval", "--data", shared_data / "coco5k"]
    options = ["--scores", tmp_path / "random.npy", "--limit", "100", "--set", "draws=100", "--out", tmp_path / "out"]
    told = subprocess.run(
        [*map(str, program), *map(str, options)], cwd=ROOT, env={"PATH": os.defpath}, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    assert "random on coco5k" in told.stdout and "n 500" in told.stdout
    assert "random: about " in told.stderr and " MB (ranks " in told.stderr
    assert result(tmp_path / "out")["data"]["images"] == 100
