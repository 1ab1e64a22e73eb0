"""Withdraws an image from what is published: its picture goes, the releases stay as they are.

A release is frozen, and so is the row that says who withdrew the image, when and why. Only the files of the picture are
removed. The image keeps its row, with names behind which there is no file: whoever reads the picture finds it gone.
"""

from __future__ import annotations

from functools import partial

from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from backend.annotation.models import Slot
from backend.catalogue.models import Image
from backend.catalogue.storage import SIZES, WITHDRAWN, original_name, thumbnail_name
from backend.common.errors import Conflict, NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Withdrawal
from backend.releases.unused_files import remove_unused
from backend.surveys.models import SurveyItem
from backend.webhooks.models import WebhookEvent
from backend.webhooks.services import emit


class NoImageToWithdraw(NotFound):
    """The project has no image with this digest."""

    code = "no_image_to_withdraw"


class AlreadyWithdrawn(Conflict):
    """This image was withdrawn before."""

    code = "already_withdrawn"


def withdraw_image(*, project: Project, digest: str, reason: str, by: User | None) -> Withdrawal:
    """Withdraw an image of the project. Raises NoImageToWithdraw, AlreadyWithdrawn."""
    image = Image.objects.filter(project=project, digest=digest).first()
    if image is None:
        raise NoImageToWithdraw()
    names = {image.original, image.small, image.large}
    try:
        with transaction.atomic():
            made = Withdrawal.objects.create(
                project=project, digest=digest, key=image.key, reason=reason, created_by=by
            )
            _hide(image)
            emit(project=project, event=WebhookEvent.RELEASE_WITHDRAWN, data={"image": digest, "reason": reason})
            transaction.on_commit(partial(remove_unused, names), robust=True)
    except IntegrityError as error:
        raise AlreadyWithdrawn() from error
    return made


def _hide(image: Image) -> None:
    """No page, survey or task shows the picture any more, and nobody gets a new task with it."""
    small, large = (f"{WITHDRAWN}{thumbnail_name(image.digest, size)}" for size in SIZES)
    original = f"{WITHDRAWN}{original_name(image.digest, image.format)}"
    Image.objects.filter(pk=image.pk).update(original=original, small=small, large=large)
    asked = SurveyItem.objects.filter(survey__project=image.project_id, digest=image.digest)
    asked.update(small=small, large=large)
    Slot.objects.filter(hit__image=image, assignment=None).delete()


def remove_pictures() -> int:
    """Remove the files of withdrawn images that are still there: a run may have held them, or a worker was killed, or
    an import stored them again. Returns how many."""
    n_gone = 0
    for project_id, digest in Withdrawal.objects.order_by("pk").values_list("project", "digest").iterator():
        image = Image.objects.filter(project=project_id, digest=digest).first()
        if image is not None:
            names = [original_name(digest, image.format), *(thumbnail_name(digest, size) for size in SIZES)]
            n_gone += remove_unused([name for name in names if default_storage.exists(name)])
    return n_gone
