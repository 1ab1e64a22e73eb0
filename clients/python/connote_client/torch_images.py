"""A release for torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from connote_client.extras import need
from connote_client.site import Json

if TYPE_CHECKING:
    from torch.utils.data import Dataset
else:
    Dataset = need("torch.utils.data", extra="torch").Dataset
need("PIL.Image", extra="torch")


class ReleaseImages(Dataset[Json]):
    """Each item is a dict: `image` (a Pillow image in RGB, or what `transform` makes of it), `captions` (texts in their
    order), `difficulty` (easy, medium, hard ... for each caption), `digest`, `key` and `split`. `rows` has everything.

    Nothing in it is open, so that the workers of a DataLoader can copy it. A DataLoader needs a `collate_fn`, because
    the images have different numbers of captions.
    """

    def __init__(
        self, rows: Sequence[Json], paths: Sequence[str], transform: Callable[[Any], Any] | None = None
    ) -> None:
        self.rows, self._paths, self._transform = list(rows), list(paths), transform

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Json:
        from PIL import Image

        row = self.rows[index]
        with Image.open(self._paths[index]) as opened:
            image: Any = opened.convert("RGB")
        difficulties = [caption.get("difficulty") for caption in row["captions"]]
        return {
            "image": self._transform(image) if self._transform else image,
            "captions": [caption["text"] for caption in row["captions"]],
            "difficulty": [said["category"] if said else None for said in difficulties],
            **{name: row[name] for name in ("digest", "key", "split")},
        }
