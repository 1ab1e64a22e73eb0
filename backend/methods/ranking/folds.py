"""COCO-1K: the images in their order, cut into equal parts; each part is ranked alone, and the figures are averaged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from backend.methods.ranking.blocks import Pairs, ScoreSource, make_pairs, rank_both
from backend.methods.ranking.measures import KS, measure
from backend.methods.ranking.ranking import RankingError, Ties

UNEQUAL = "{n:,} images cannot be cut into {folds} equal parts."
SHARED = "Text {text} is right for images of two parts. Folds need texts that belong to one part."


def fold_means(
    scores: ScoreSource, pairs: Pairs, folds: int, *, ties: Ties = "expected", ks: Sequence[int] = KS
) -> dict[str, dict[str, float]]:
    """The mean over `folds` parts of each measure, by direction. Raises RankingError where there are no equal parts."""
    if folds < 2 or pairs.n_images % folds or pairs.n_images == 0:
        raise RankingError(UNEQUAL.format(n=pairs.n_images, folds=folds))
    size = pairs.n_images // folds
    part_of_pair = pairs.image // size
    found: dict[str, dict[str, list[float]]] = {"image_to_text": {}, "text_to_image": {}}
    owner = np.full(pairs.n_texts, -1, np.int64)
    owner[pairs.text] = part_of_pair
    if (owner[pairs.text] != part_of_pair).any():
        raise RankingError(SHARED.format(text=int(pairs.text[(owner[pairs.text] != part_of_pair).argmax()])))
    for number in range(folds):
        texts, here = np.flatnonzero(owner == number), part_of_pair == number
        image = pairs.image[here] - number * size
        text = np.searchsorted(texts, pairs.text[here])
        only = make_pairs(image, text, n_images=size, n_texts=len(texts))
        part = scores.part(np.arange(number * size, (number + 1) * size), texts)
        for name, ranking in zip(found, rank_both(part, only)[:2], strict=True):
            for each, values in measure(ranking, ties=ties, ks=ks).values.items():
                found[name].setdefault(each, []).append(float(values.mean()))
    return {name: {each: float(np.mean(values)) for each, values in of.items()} for name, of in found.items()}
