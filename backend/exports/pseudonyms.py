"""Names for the annotators of a project that stay the same while it grows.

They follow from the secret key of the site, so that nobody else can find the account behind a name. A release has other
names, so that its rows cannot be put beside these.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.crypto import salted_hmac

from backend.annotation.models import AnnotatorState
from backend.methods.export_rows import Pseudonyms
from backend.projects.models import Project

SALT = "backend.exports.pseudonyms"
DIGITS = 10


def read_names(*, project: Project) -> dict[int, str]:
    """The name of each annotator by the id of the account. Imported votes without annotators have none."""
    states = AnnotatorState.objects.filter(project=project, is_unnamed=False).order_by()
    return {user: _name(project.pk, user) for user in states.values_list("user_id", flat=True)}


def _name(project: int, user: int) -> str:
    digest = salted_hmac(SALT, f"{project} {user}", algorithm="sha256").hexdigest()
    return f"annotator-{digest[:DIGITS]}"


class FixedNames(Pseudonyms):
    """These names for writers that ask a release's pseudonyms."""

    def __init__(self, names: Mapping[int, str]) -> None:
        super().__init__()
        self._names = {str(user): name for user, name in names.items()}

    def names(self) -> dict[str, str]:
        """By the same token as in the judgments."""
        return self._names
