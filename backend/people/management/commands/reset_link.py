"""`manage.py reset_link USERNAME` prints a link with which a person chooses a new password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.people.resets import expiry, path_of


class Command(BaseCommand):
    help = "Print a link with which a person chooses a new password. It works once."

    def add_arguments(self, parser: CommandParser) -> None:
        site = next(iter(settings.CSRF_TRUSTED_ORIGINS), "http://127.0.0.1:8000")
        parser.add_argument("username")
        parser.add_argument(
            "--site", default=site, metavar="URL", help="The address of the site (default: %(default)s)."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no open account {options['username']!r}.")
        record(RightsAction.RESET_LINK_MADE, by=None, subject=user)
        self.stdout.write(options["site"].rstrip("/") + path_of(user))
        self.stderr.write(f"The link works once, for {round(expiry().total_seconds() / 3600)} hours.")
