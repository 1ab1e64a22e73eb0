"""`manage.py erase_account USERNAME` makes a pseudonym of an account."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.common.errors import ConnoteError
from backend.erasure.accounts import erase_account
from backend.people.models import User


class Command(BaseCommand):
    help = "Erase an account for good: name, email, tokens and sessions go. The answers stay under a pseudonym."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="Do not ask.")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']!r}.")
        if not options["yes"] and input(f"Type {user.username} to erase this account: ") != user.username:
            raise CommandError("Nothing was erased.")
        try:
            self.stdout.write(f"The account is now {erase_account(user=user, by=None).username}.")
        except ConnoteError as error:
            raise CommandError(error.message) from error
