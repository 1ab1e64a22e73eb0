"""Pictures become images of a project, once each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from django.db import transaction

from backend.catalogue.models import Image
from backend.catalogue.sources import ImageRow, Refused
from backend.catalogue.sources.names import printable
from backend.common.errors import InvalidInput
from backend.methods.licences import Licence, parse_licence
from backend.projects.models import Project

SAME_PICTURE = "The project has the same image as {key}. This row is another name of that image."
OTHER_BYTES = "Another image already has the id {key}. Give one of them another id."
MOST_NAMES = 20  # of one image
LONGEST_NAME = 500
NO_LICENCE = "The row has no licence. Add a license_url, or import with a default licence."
UNKNOWN_LICENCE = "Connote does not know the licence {name}. Use its address or SPDX code, for example CC-BY-4.0."


@dataclass(frozen=True)
class NewImage:
    """One picture as the importer made it out; the fields from `key` on are those of Image."""

    line: int
    name: str
    key: str
    digest: str
    perceptual_hash: str
    width: int
    height: int
    format: str
    n_bytes: int
    original: str
    small: str
    large: str
    licence: str
    author: str = ""
    title: str = ""
    source_url: str = ""
    attribution: str = ""
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Added:
    """The result of a batch."""

    n_added: int = 0
    n_there: int = 0
    refused: list[Refused] = field(default_factory=list)


def read_default_licence(text: str) -> Licence | None:
    """The licence of rows that name none; None for empty text. Raises InvalidInput where nobody knows it."""
    if not text.strip():
        return None
    found = parse_licence(text)
    if found is None:
        raise InvalidInput(UNKNOWN_LICENCE, code="unknown_licence", params={"name": text[:100]})
    return found


def choose_licence(row: ImageRow, default: Licence | None) -> Licence | Refused:
    """The first wording of the row's licence that is known, or the default where the row has none."""
    if not row.licence:
        return default or Refused(row.line, row.shown, "no_licence", NO_LICENCE)
    known = next(filter(None, map(parse_licence, row.licence)), None)
    return known or Refused(row.line, row.shown, "unknown_licence", UNKNOWN_LICENCE, {"name": row.licence[0][:100]})


@dataclass(frozen=True)
class Named:
    """An image that the project has already, as a source calls it now."""

    key: str
    names: tuple[str, ...]


@transaction.atomic
def add_images(*, project: Project, images: Sequence[NewImage], there: Sequence[Named] = ()) -> Added:
    """Add every image that is not there yet. The same id with the same bytes is there already and counts as such.

    The same bytes under another id become another name of the image that is there. `there` are images that are known
    to be there. Imports into one project pass here one after the other; the lock lets rows that refer to the project
    be inserted.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    key_of, digest_of = _known(project, images)
    added = Added()
    fresh: dict[str, NewImage] = {}
    named = list(there)
    for image in images:
        if digest_of.get(image.key) == image.digest:
            added.n_there += 1
            named.append(Named(image.key, image.names))
        elif image.key in digest_of:
            added.refused.append(refuse_other_bytes(image.line, image.name, image.key))
        elif (taken := key_of.get(image.digest)) is not None:
            added.refused.append(
                Refused(image.line, image.name, "same_picture", SAME_PICTURE, {"key": taken}, is_ignored=True)
            )
            named.append(Named(taken, (image.key, *image.names)))
        else:
            key_of[image.digest], digest_of[image.key] = image.key, image.digest
            fresh[image.key] = image
    Image.objects.bulk_create([_row_of(project, image) for image in fresh.values()], batch_size=500)
    _add_names(project, named)
    added.n_added = len(fresh)
    return added


def _add_names(project: Project, named: Sequence[Named]) -> None:
    """Keep what images are called besides, as far as it is new."""
    keys = {one.key for one in named if one.names}
    images = {image.key: image for image in Image.objects.filter(project=project, key__in=keys).only("key", "names")}
    changed = set()
    for one in named:
        if (image := images.get(one.key)) is not None:
            before = list(image.names)
            image.names = _storable_names(image.key, (*image.names, *one.names))
            changed |= {image.key} if image.names != before else set()
    Image.objects.bulk_update([images[key] for key in sorted(changed)], ["names"], batch_size=500)


def _storable_names(key: str, names: Sequence[str]) -> list[str]:
    found = (name for name in dict.fromkeys(names) if name and name != key and len(name) <= LONGEST_NAME)
    return [printable(name, LONGEST_NAME) for name in found][:MOST_NAMES]


def refuse_other_bytes(line: int, name: str, key: str) -> Refused:
    """An id that stands for another picture already."""
    return Refused(line, name, "duplicate_id", OTHER_BYTES, {"key": key})


def _known(project: Project, images: Sequence[NewImage]) -> tuple[dict[str, str], dict[str, str]]:
    """Ids by digest, and digests by id, of what the project has of this batch."""
    own = Image.objects.filter(project=project)
    by_digest = own.filter(digest__in=[image.digest for image in images]).values_list("digest", "key")
    by_key = own.filter(key__in=[image.key for image in images]).values_list("key", "digest")
    return dict(by_digest), dict(by_key)


def _row_of(project: Project, image: NewImage) -> Image:
    facts = asdict(image)
    for name in ("line", "name"):
        del facts[name]
    names = _storable_names(image.key, image.names)
    return Image(project=project, **facts | {"notes": list(image.notes), "names": names})
