"""`manage.py invite --project SLUG --role annotator` prints a link that lets one person in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.projects.invitations import DAYS_OPEN, create_invitation, path_of
from backend.projects.models import Project, Role


class Command(BaseCommand):
    help = "Print an invitation link for one person to a project."

    def add_arguments(self, parser: CommandParser) -> None:
        site = next(iter(settings.CSRF_TRUSTED_ORIGINS), "http://127.0.0.1:8000")
        parser.add_argument("--project", required=True, metavar="SLUG", help="The slug of the project.")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument(
            "--days", type=int, default=DAYS_OPEN, help="How many days the link is valid (default: %(default)s)."
        )
        parser.add_argument("--note", default="", help="A note about the person, for curators.")
        parser.add_argument(
            "--site", default=site, metavar="URL", help="The address of the site (default: %(default)s)."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["days"] < 1:
            raise CommandError("Set --days to at least 1.")
        project = Project.objects.select_related("created_by").filter(slug=options["project"]).first()
        if project is None:
            raise CommandError(f"The project {options['project']!r} does not exist. {_known_projects()}")
        _, token = create_invitation(
            project=project,
            role=Role(options["role"]),
            created_by=project.created_by,
            expires_in_days=options["days"],
            note=options["note"],
        )
        self.stdout.write(options["site"].rstrip("/") + path_of(token))


def _known_projects() -> str:
    slugs = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
    return f"There are: {slugs}." if slugs else "There is none yet."
