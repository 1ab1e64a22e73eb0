from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class ConnoteAdminConfig(AdminConfig):
    """Django's admin behind the site's own counters of failed sign-ins."""

    default = False
    default_site = "backend.people.admin_site.ConnoteAdminSite"
