"""`manage.py delete_project SLUG` deletes a project with its files."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.common.errors import ConnoteError
from backend.erasure.services import delete_project
from backend.projects.models import Project


class Command(BaseCommand):
    help = "Delete a project for good. A worker then deletes its rows and files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--yes", action="store_true", help="Do not ask.")

    def handle(self, *args: Any, **options: Any) -> None:
        project = Project.objects.filter(slug=options["slug"]).first()
        if project is None:
            raise CommandError(f"There is no project {options['slug']!r}.")
        typed = project.slug if options["yes"] else input(f"Type {project.slug} to delete {project.name}: ")
        try:
            delete_project(project=project, confirmation=typed, by=None)
        except ConnoteError as error:
            raise CommandError(error.message) from error
        self.stdout.write("The project is closed. A worker deletes its rows and files.")
