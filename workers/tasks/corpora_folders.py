"""Where a corpus' vectors lie, and opening them again: CONNOTE_EMBEDDINGS/MODEL/CORPUS/, a shard for each shard.

Both names are the first 16 digits of a digest, so two projects that register the same corpus share its vectors. The
checksum of a table does not cover the pictures beside it: only tables in the same folder are the same corpus here.
Beside row and key, the id tables hold

    captions         list of string, all that the corpus says of the picture
    shard, place     where the picture lies: the shard's position, and what `corpora.read_picture` takes
    width, height    int32, pixels, upright
    perceptual_hash  uint64, the pHash that imported images have too
"""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from backend.catalogue.corpora import STEM, stem_of
from backend.catalogue.models import Corpus
from backend.common.errors import Conflict
from workers.engines.protocols import ImageEncoder
from workers.engines.shard_manifest import COLLECTION, read_json, recipe_of
from workers.engines.shards import Recipe, ShardRefusedError, Shards, read_shards

OTHER_MODEL = (
    "The corpus {corpus!r} has vectors of {theirs}, not of {ours}. Connote never compares vectors "
    "of two models. Run embed_corpus with {ours}, or choose the model of the corpus."
)
NOT_EMBEDDED = "The corpus {corpus!r} has no vectors yet. Run embed_corpus with the model {ours}."
HALF = (
    "The corpus {corpus!r} is not complete: {n:,} of its {total:,} shards have no vectors by "
    "{ours} yet. Run embed_corpus again to continue."
)
DAMAGED = "Connote cannot use the vectors of the corpus {corpus!r} ({why}). Run embed_corpus again to make new ones."


class NotEmbedded(Conflict):
    """The corpus has no vectors that fit: run embed_corpus first."""

    code = "not_embedded"


def recipe_by(encoder: ImageEncoder) -> Recipe:
    """What the vectors of this encoder are made with."""
    return Recipe(encoder.name, encoder.digest, encoder.preprocessing, encoder.dimensions)


def folder_of(corpus: Corpus, model_digest: str) -> Path:
    """The folder of the corpus' vectors by the model with this digest."""
    return Path(settings.EMBEDDINGS) / model_digest[:STEM] / stem_of(corpus)


def open_embedded(corpus: Corpus, recipe: Recipe, *, verify: bool = False) -> Shards:
    """All vectors of the corpus by `recipe`, which is that of the targets. `verify` reads every file's checksum.

    Raises NotEmbedded where there are none, some, or another model's (naming both), or where files are damaged.
    """
    folder = folder_of(corpus, recipe.model_digest)
    names = {"corpus": corpus.name, "ours": f"{recipe.model!r}"}
    theirs = _recipe_in(folder)
    if theirs != recipe:
        raise _another(corpus, recipe, [theirs] if theirs else _recipes_of(corpus))
    try:
        shards = read_shards(folder, partial=True, verify=verify)
    except ShardRefusedError as error:
        n_missing = _n_missing(folder, corpus)
        if n_missing == corpus.n_shards:
            raise NotEmbedded(NOT_EMBEDDED.format(**names)) from error
        raise NotEmbedded(DAMAGED.format(corpus=corpus.name, why=error), code="shard_refused") from error
    if n_missing := _n_missing(folder, corpus):
        raise NotEmbedded(HALF.format(n=n_missing, total=corpus.n_shards, **names), code="half_embedded")
    return shards


def _n_missing(folder: Path, corpus: Corpus) -> int:
    return corpus.n_shards - len(list(folder.glob("shard-*.json")))


def _another(corpus: Corpus, ours: Recipe, found: list[Recipe]) -> NotEmbedded:
    if not found:
        return NotEmbedded(NOT_EMBEDDED.format(corpus=corpus.name, ours=f"{ours.model!r}"))
    theirs = " and ".join(_told(recipe, ours) for recipe in found)
    message = OTHER_MODEL.format(corpus=corpus.name, theirs=theirs, ours=_told(ours, found[0]))
    return NotEmbedded(message, code="other_model")


def _told(one: Recipe, other: Recipe) -> str:
    """A model by its name; with its digest or its preprocessing where the name alone would not tell two apart."""
    if one.model != other.model:
        return repr(one.model)
    return f"{one.model!r} ({one.model_digest[:12]}, {one.preprocessing})"


def _recipes_of(corpus: Corpus) -> list[Recipe]:
    """By which models the corpus is embedded, or has begun to be."""
    folders = sorted(Path(settings.EMBEDDINGS).glob(f"*/{stem_of(corpus)}"))
    return [recipe for folder in folders if (recipe := _recipe_in(folder)) is not None]


def _recipe_in(folder: Path) -> Recipe | None:
    path = folder / COLLECTION
    try:
        plan = read_json(path)
        return None if plan is None else recipe_of(plan, path)
    except ShardRefusedError:
        return None
