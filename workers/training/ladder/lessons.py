"""What rungs learn from: drawn pictures, and the vectors that a taught text tower gives their captions."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor, nn

from workers.training.ladder import examples, tokens
from workers.training.ladder.examples import Examples, Tokenizer
from workers.training.ladder.image_tower import Lessons
from workers.training.ladder.pictures import Size, pictures
from workers.training.ladder.text_tower import FactsTower, TextRecipe, new_text_tower, teach, texts_to_vectors
from workers.training.postcards.world import TRAIN

Say = Callable[[str], None]
N_FOR_TOKENS = 10_000
TEXT_SEED = 1  # of the captions that text towers learn from
FIRST_SEED = 11  # of the captions that image towers learn from
TEXTS_AT_ONCE = 256


class Taught:
    """A taught text tower with its tokenizer and its stand-in for pictures, kept in `folder` once it is taught."""

    def __init__(self, recipe: TextRecipe, folder: Path, say: Say) -> None:
        self.recipe = recipe
        self.folder = _folder(recipe, folder)
        if not (self.folder / "towers.pt").is_file():
            self._teach(say)
        kept = torch.load(self.folder / "towers.pt", weights_only=True)
        self.vocabulary = int(kept["vocabulary"])
        self.tokenize = tokenizer_of(self.folder)
        self.tower = new_text_tower(recipe, self.vocabulary)
        self.stand_in = FactsTower(recipe.dimensions)
        self.tower.load_state_dict(kept["tower"])
        self.stand_in.load_state_dict(kept["stand_in"])
        self.tower.eval()

    def _teach(self, say: Say) -> None:
        say(f"text tower {self.recipe.name}: wording captions")
        scenes = examples.scenes(TRAIN, self.recipe.n_scenes)
        texts = (one.text for scene in scenes[:N_FOR_TOKENS] for one in examples.worded(scene, 0))
        vocabulary = tokens.learn(texts, self.folder)
        lessons = examples.make(scenes, TEXT_SEED, tokenizer_of(self.folder))
        tower, stand_in = teach(self.recipe, vocabulary, lessons, say)
        kept = {"vocabulary": vocabulary, "tower": tower.state_dict(), "stand_in": stand_in.state_dict()}
        torch.save(kept, self.folder / "towers.part")
        (self.folder / "towers.part").replace(self.folder / "towers.pt")

    @torch.no_grad()
    def vectors(self, ids: Tensor) -> Tensor:
        """Unit vectors (n, d) of token numbers (n, context)."""
        return torch.cat([texts_to_vectors(self.tower, some) for some in ids.split(TEXTS_AT_ONCE)])


def forget(folder: Path, recipes: Iterable[TextRecipe]) -> None:
    """Throw away what `folder` keeps of these text towers, so that they are taught anew."""
    for recipe in recipes:
        shutil.rmtree(_folder(recipe, folder), ignore_errors=True)


def _folder(recipe: TextRecipe, folder: Path) -> Path:
    return folder / f"text-{recipe.name}-{_digest(recipe)}"


def tokenizer_of(folder: Path) -> Tokenizer:
    """What open_clip makes of a tokenizer's folder."""
    from open_clip.tokenizer import HFTokenizer

    found: Tokenizer = HFTokenizer(str(folder), context_length=tokens.CONTEXT)
    return found


@torch.no_grad()
def lessons_of(taught: Taught, n_scenes: int, n_captions: int, size: Size, cache: Path, say: Say) -> Lessons:
    """Lessons from the first `n_scenes` of TRAIN; the vectors of their captions are kept beside the text tower."""
    file = taught.folder / f"vectors-{n_scenes}-{n_captions}.pt"
    if not file.is_file():
        say(f"text tower {taught.recipe.name}: reading {n_captions} captions of {n_scenes} scenes")
        scenes = examples.scenes(TRAIN, n_scenes)
        drawn = [examples.make(scenes, FIRST_SEED + i, taught.tokenize) for i in range(n_captions)]
        torch.save(_vectors(taught, drawn), file.with_suffix(".part"))
        file.with_suffix(".part").replace(file)
    pixels = torch.from_numpy(pictures(cache / "postcards", TRAIN, n_scenes, size, say))
    return Lessons(pixels, **torch.load(file, weights_only=True))


def _vectors(taught: Taught, drawn: Sequence[Examples]) -> dict[str, Tensor]:
    codes = drawn[0].codes
    return {
        "right": torch.stack([taught.vectors(one.ids) for one in drawn], dim=1),
        "wrong": torch.stack([taught.vectors(one.wrong_ids) for one in drawn], dim=1),
        "claimed": torch.stack([one.claimed for one in drawn], dim=1),
        "wrong_claimed": torch.stack([one.wrong_claimed for one in drawn], dim=1),
        "codes": codes,
        "stand_ins": taught.stand_in(codes),
    }


def _digest(recipe: TextRecipe) -> str:
    return hashlib.sha256(json.dumps(asdict(recipe) | {"mix": examples.MIX}, sort_keys=True).encode()).hexdigest()[:8]


def vision_tower(clip: nn.Module) -> nn.Module:
    """A CLIP's image tower, with memory laid out for convolutions."""
    return clip.get_submodule("visual").to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]
