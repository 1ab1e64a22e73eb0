"""What several tests of the engines set up."""

from __future__ import annotations

import pytest

from workers.engines import image_encoder


@pytest.fixture
def lanes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """As many lanes of the image encoder as the test asks for; with none it works as on a GPU."""
    n: int = request.param
    monkeypatch.setattr(image_encoder, "n_lanes", lambda device: n)
    return n
