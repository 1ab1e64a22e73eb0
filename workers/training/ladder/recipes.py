"""The seven rungs: what each is and how it is taught. A rung's digest says whether its folder is of this recipe."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from workers.engines.carried import LADDER
from workers.training.ladder.examples import MIX
from workers.training.ladder.image_tower import ImageRecipe
from workers.training.ladder.pictures import Size
from workers.training.ladder.text_tower import TextRecipe

N_SCENES = 24_000  # of TRAIN, drawn once for all rungs
N_CAPTIONS = 2  # right and wrong ones of each scene
TEXT = TextRecipe("large", width=96, layers=3, dimensions=128, n_scenes=20_000)


@dataclass(frozen=True)
class Rung:
    """One model of the ladder. `vision` is open_clip's vision_cfg.

    A rung that is `grown_from` a lower one begins with that one's image tower and has more layers on top.
    """

    name: str
    what: str
    size: Size
    vision: dict[str, Any]
    image: ImageRecipe
    text: TextRecipe = TEXT
    grown_from: str = ""

    def config(self, vocabulary: int) -> dict[str, Any]:
        """open_clip's model_cfg."""
        size = self.size[0] if self.size[0] == self.size[1] else list(self.size)
        vision = self.vision | {"image_size": size}
        return {"embed_dim": self.text.dimensions, "vision_cfg": vision, "text_cfg": self.text.config(vocabulary)}

    def digest(self) -> str:
        """What changes when anything in the recipe does."""
        taught = {key: value for key, value in asdict(self).items() if key != "what"}
        below = next((rung.digest() for rung in RUNGS if rung.name == self.grown_from), "")
        text = json.dumps(
            taught | {"below": below, "scenes": N_SCENES, "captions": N_CAPTIONS, "mix": MIX}, sort_keys=True
        )
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _resnet(width: int, layers: tuple[int, int, int, int]) -> dict[str, Any]:
    return {"layers": list(layers), "width": width, "head_width": 64}


def _vit(width: int, layers: int, patch: int) -> dict[str, Any]:
    return {
        "width": width,
        "layers": layers,
        "patch_size": patch,
        "head_width": 32,
        "mlp_ratio": 3.0,
        "pool_type": "avg",
    }


RESNET = "A CLIP with a ResNet-like image tower, {} of Connote's ladder of seven."
VIT = "A CLIP with a ViT-like image tower, {} of Connote's ladder of seven."
TIE = "A CLIP with a small convolutional image tower, the strongest of Connote's ladder of seven: its tie-breaker."
RUNGS: tuple[Rung, ...] = (
    Rung(LADDER[0], RESNET.format("the weakest"), (64, 64), _resnet(8, (1, 1, 1, 1)), ImageRecipe(seen=16_000)),
    Rung(LADDER[1], RESNET.format("the second"), (64, 64), _resnet(12, (1, 1, 1, 1)), ImageRecipe(seen=24_000)),
    Rung(LADDER[2], VIT.format("the third"), (64, 96), _vit(64, 3, 16), ImageRecipe(seen=96_000)),
    Rung(LADDER[3], VIT.format("the fourth"), (64, 96), _vit(96, 4, 16), ImageRecipe(seen=80_000)),
    Rung(LADDER[4], VIT.format("the fifth"), (64, 96), _vit(128, 4, 16), ImageRecipe(seen=150_000)),
    Rung(
        LADDER[5],
        VIT.format("the sixth"),
        (64, 96),
        _vit(128, 6, 16),
        ImageRecipe(seen=90_000, rate=1.5e-3),
        grown_from=LADDER[4],
    ),
    Rung(
        LADDER[6],
        TIE,
        (64, 96),
        {"timm_model_name": "resnet10t", "timm_proj": "linear"},
        ImageRecipe(seen=120_000),
    ),
)
