"""`manage.py curation_report` with models that know the kind of each caption, so that every figure is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from panels import StandIn, seat
from word_sentences import WordSentences
from workers.demo.curation_report import KINDS, pools_of
from workers.engines.registry import use_sentence_encoder

# umap and numba deprecate their own corners at import; none of it is ours.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
IMAGES = 3
COSINES = dict(zip(KINDS, (0.9, 0.5, 0.1), strict=True))


@pytest.fixture
def knowing(settings: Any, tmp_path: Path) -> str:
    """Four models: all say yes to literal captions, two of them to partly literal ones, and none to others."""
    settings.CALIBRATIONS = tmp_path / "calibrations"
    use_sentence_encoder("words", WordSentences())
    kinds = {caption.text: str(caption.kind) for pool in pools_of(IMAGES, 0) for caption in pool.captions}
    for n in range(4):
        model = StandIn(f"knows-{n}", lambda text: COSINES.get(kinds[text], 0.1))
        seat(model, folder=settings.CALIBRATIONS, threshold=0.4 if n < 2 else 0.8)
    return ",".join(f"knows-{n}" for n in range(4))


def run(folder: Path, models: str, **options: Any) -> dict[str, Any]:
    call_command(
        "curation_report", images=IMAGES, models=models, sentences="words", output=folder, verbosity=0, **options
    )
    report: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return report


@pytest.mark.nightly
def test_the_figures_are_those_of_models_that_know_the_kind(
    knowing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run(tmp_path / "one", knowing)
    kinds = report["difficulty_by_kind"]
    assert (kinds["tau_b"]["value"], kinds["tau_b"]["low"], kinds["tau_b"]["high"]) == (1.0, 1.0, 1.0)
    assert kinds["mean_no_votes"] == {"literal": 0.0, "partly_literal": 2.0, "figurative": 4.0}
    assert set(kinds["categories"]["literal"]) == {"easy"}
    assert set(kinds["categories"]["partly_literal"]) == {"medium"}
    assert set(kinds["categories"]["figurative"]) == set(kinds["categories"]["emotional"]) == {"hard"}
    assert report["sets"]["literal only"] == {"easy": 5 * IMAGES}
    assert all(sum(counts.values()) == 5 * IMAGES for counts in report["sets"].values())
    robust = report["robustness"]
    assert (robust["n_models"], robust["size"], robust["n_panels"]) == (4, 2, 6)
    assert -1 <= robust["between"]["nominal"]["least"] <= robust["between"]["nominal"]["most"] == 1.0
    words = report["diversity"]["measures"][0]
    variant_b, variant_a, by_chance = (one["mean"] for one in words["datasets"])
    assert variant_a < variant_b and variant_a < by_chance
    assert words["differences"]["variant A - random"]["value"] == pytest.approx(variant_a - by_chance, abs=2e-6)
    said = capsys.readouterr().out
    assert "Kendall's tau-b of kind and no votes: 1.000 [1.000, 1.000]" in said
    assert "kappa linear" in said and "variant B - variant A" in said
    drawn = {
        name: (tmp_path / "one" / name).read_text() for name in ("difficulty.svg", "agreement.svg", "diversity.svg")
    }
    for drawing in drawn.values():
        ElementTree.fromstring(drawing)  # noqa: S314  # our own drawing
    assert "1.000 [1.000, 1.000]" in drawn["agreement.svg"]
    linear = robust["between"]["linear"]
    assert f"{linear['mean']:.3f} [{linear['least']:.3f}, {linear['most']:.3f}]" in drawn["agreement.svg"]
    again = run(tmp_path / "two", knowing)
    assert again == report


def test_what_cannot_be_reported_is_told(knowing: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="at least 2 images"):
        call_command("curation_report", images=1, models=knowing)
    with pytest.raises(CommandError, match="calibrat"):
        seat(StandIn("unknown", lambda text: 0.5), folder=tmp_path, threshold=None)
        call_command("curation_report", images=2, models="unknown", sentences="words", output=tmp_path)
