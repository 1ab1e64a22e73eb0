#!/usr/bin/env python
"""Connote's command line: `python manage.py help`."""

from __future__ import annotations

import os
import secrets
import sys

# Commands that read and write files only: a researcher runs them without a site, so they need no secret of one.
WITHOUT_A_SITE = {"evaluate", "examine_model", "compare", "describe_queries"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    if WITHOUT_A_SITE.intersection(sys.argv[1:2]):
        os.environ.setdefault("CONNOTE_SECRET_KEY", secrets.token_urlsafe(50))
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
