"""One-to-many retrieval on Postcards: figures grow along the ladder and fall with difficulty, and adapters are compared
with plain cosines, whatever that says."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from workers.engines.carried import LADDER
from workers.training import one_to_many
from workers.training.adapters.heads import KINDS

pytestmark = pytest.mark.nightly
N = 500
STEP_BACK = 0.02  # a rung may be behind the one before it by chance


def test_postcards_has_the_order_of_the_ladder_and_of_difficulty(tmp_path: Path) -> None:
    found = one_to_many.run(tmp_path, N, say=lambda line: None)
    for way in one_to_many.WAYS:
        whole = [found["ladder"][name][way]["all"]["value"] for name in LADDER]
        assert all(after > before - STEP_BACK for before, after in pairwise(whole)), whole
        assert whole[-1] > whole[0] + 5 * STEP_BACK
        for name in LADDER:
            of = found["ladder"][name][way]
            easy, medium, hard = (of[f"difficulty={each}"]["value"] for each in ("easy", "medium", "hard"))
            assert easy > medium > hard, (name, way)
    for kind in KINDS:
        rows = {(row["direction"], row["captions"]): row for row in found["adapters"][kind]}
        polysemous = rows["text_to_image", "polysemous=yes"]
        change = polysemous["difference"]
        assert change["low"] <= change["value"] <= change["high"]
        assert change["value"] == pytest.approx(polysemous["adapter"] - polysemous["plain"])
        assert "polysemous=yes" in (tmp_path / "adapters" / kind / "card.md").read_text()
    again = one_to_many.run(tmp_path, N, say=lambda line: None)
    assert again == found
