"""The checks of a GPU run to their end and find what they look for, here with a processor in the place of the card."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from tests.gpu import check, measuring, neighbour_checks, panel_checks, prepare
from tests.gpu.check import BAD, CHECKS, GOOD, NO_CARD, PARTLY, Check
from workers.engines.sentences import TransformerSentences

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
Row = check.Row


@pytest.fixture
def setup(tmp_path: Path) -> Any:
    return check.Setup(torch.device("cpu"), tmp_path, n=2)


def ran(checks: list[Check], setup: Any, *, seconds: float = 300) -> list[Any]:
    return check.run(checks, setup, until=time.monotonic() + seconds)


@pytest.mark.nightly
@pytest.mark.parametrize("one", CHECKS, ids=lambda one: one.name)
def test_a_check_runs_to_its_end_and_finds_a_processor_equal_to_itself(one: Check, setup: Any) -> None:
    rows = ran([one], setup)
    assert check.status_of(rows) == GOOD, rows
    assert any(row.passed for row in rows)


def test_the_architecture_with_random_weights_is_read_as_the_package_is(tmp_path: Path) -> None:
    folder = check.encoder_checks.random_minilm(tmp_path / "random")
    encoder = TransformerSentences(str(folder), torch.device("cpu"))
    vectors = encoder.encode(measuring.sentences(3))
    assert vectors.shape == (3, 384) and np.abs(vectors[0] - vectors[1]).max() > 1e-3


def test_vectors_scores_and_neighbours_that_differ_fail() -> None:
    vectors = np.eye(4, dtype=np.float32)
    wrong = vectors[[1, 0, 2, 3]]
    assert measuring.same("x", "float32", vectors, vectors).passed
    assert measuring.same("x", "bfloat16", vectors, wrong).passed is False
    scores = np.zeros((1, 2, 2), dtype=np.float32)
    assert panel_checks.same_votes("x", "float32", scores, scores + np.float32(1e-3), [0.5]).passed is False
    ids = np.tile(np.arange(neighbour_checks.K), (2, 1))
    cosines = np.ones(ids.shape, dtype=np.float32)
    assert neighbour_checks.same_neighbours("x", (cosines, ids), (cosines, ids)).passed
    assert neighbour_checks.same_neighbours("x", (cosines, ids), (cosines, ids + 25)).passed is False


def test_a_check_that_breaks_or_cannot_run_is_a_row_and_the_others_go_on(
    setup: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(setup: Any) -> Iterator[Any]:
        yield Row("a", "same", "0")
        raise RuntimeError("CUDA error: an illegal memory access")

    def lacks(setup: Any) -> Iterator[Any]:
        raise ModelMissing(name="ftfy")
        yield

    class ModelMissing(ModuleNotFoundError):
        pass

    good = Check("good", lambda setup: iter([Row("b", "same", "0", "0", True)]))
    absent = Check("absent", breaks, ("no_such_module",))
    rows = ran([Check("breaks", breaks), absent, Check("lacks", lacks), good], setup)
    assert [row.passed for row in rows] == [None, False, None, None, True]
    assert rows[1].found == "RuntimeError: CUDA error: an illegal memory access"
    assert [row.found for row in rows[2:4]] == [f"the package {n} is missing" for n in ("no_such_module", "ftfy")]
    assert (check.status_of(rows), check.status_of(rows[2:]), check.status_of(rows[4:])) == (BAD, PARTLY, GOOD)
    assert ran([good], setup, seconds=-1)[0].found == "the time is up"
    assert "FAILED  breaks: broke: RuntimeError" in capsys.readouterr().out


def test_the_table_replaces_what_was_measured_before_and_nothing_else() -> None:
    document = check.DOCUMENT.read_text("utf-8")
    once = check.rewritten(document, check.table([Row("CLIP", "same|vectors", "1e-6", "1e-4", True)], {"Card": "one"}))
    twice = check.rewritten(once, check.table([Row("CLIP", "same", "2e-6", "1e-4", False)], {"Card": "other"}))
    assert "* Card: one\n\n| What |" in once and "| CLIP | same/vectors | 1e-6 | 1e-4 | passed |" in once
    assert "one" not in twice.split(check.BEGIN)[1] and "| CLIP | same | 2e-6 | 1e-4 | FAILED |" in twice
    assert check.rewritten(twice, document.split(check.BEGIN)[1].split(check.END)[0].strip()) == document


@pytest.mark.parametrize(("arguments", "writes"), [([], True), (["--only", "neighbours"], False)])
def test_a_whole_run_on_a_card_writes_the_document_and_one_check_does_not(
    arguments: list[str], writes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (document := tmp_path / "gpu.md").write_text(before := check.DOCUMENT.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "DOCUMENT", document)
    monkeypatch.setattr(check, "no_card", lambda: "")
    monkeypatch.setattr(
        torch.cuda, "get_device_properties", lambda device: SimpleNamespace(name="X9", total_memory=2**34)
    )
    monkeypatch.setattr(check, "CHECKS", (Check("neighbours", lambda setup: iter([Row("b", "same", "7", "8", True)])),))
    assert check.main([*arguments, "--device", "cpu"]) == GOOD
    found = document.read_text("utf-8")
    assert (found != before) is writes
    assert ("* Card: X9, 16 GiB" in found and "| b | same | 7 | 8 | passed |" in found) is writes


def test_without_a_card_nothing_is_measured_or_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = check.DOCUMENT.read_bytes()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert check.main([]) == NO_CARD
    assert capsys.readouterr().out.startswith("No CUDA device: ")
    monkeypatch.setattr(prepare.shutil, "which", lambda name: None)
    monkeypatch.setattr(prepare, "SIGNS", ())
    assert prepare.main() == NO_CARD
    assert check.DOCUMENT.read_bytes() == before


@pytest.mark.nightly
def test_missing_packages_go_into_an_environment_of_their_own_and_torch_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new environment sees the packages of the Python with a card, and pip keeps their versions."""
    asked: list[tuple[Path, list[str], str]] = []
    base = Path(prepare.sys.executable)
    monkeypatch.setattr(prepare, "ROOT", tmp_path)
    monkeypatch.setattr(prepare, "VENV", tmp_path / "venv")
    monkeypatch.setitem(prepare.NEEDED, "no_such_module", "ftfy")
    monkeypatch.setattr(prepare, "install", lambda python, names, kept, until: asked.append((python, names, kept)))
    made = prepare.prepared(base, time.monotonic() + 300)
    ((python, names, kept),) = asked
    assert (made, python, names) == (tmp_path / "venv" / "bin" / "python",) * 2 + (["no_such_module"],)
    assert f"torch=={torch.__version__}" in kept.splitlines()
    monkeypatch.delitem(prepare.NEEDED, "no_such_module")
    assert prepare.prepared(base, time.monotonic() + 300) == base


def test_every_package_that_is_added_is_pinned() -> None:
    assert {name.lower() for name in prepare.NEEDED.values()} <= set(prepare.pins())
