"""The accounts of the demo, which sign in by one click and have no password.

They exist for people on the machine that runs the demo. So the site must run with CONNOTE_DEMO, and the caller must be
on this machine. Everywhere else the address does not exist.
"""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from rest_framework.request import Request

from backend.common.errors import NotFound
from backend.people.models import User

VISITORS = {"curator": "curator", "head_annotator": "head", "annotator": "annotator"}  # role -> user name
ROLES = (("curator", "curator"), ("head_annotator", "head annotator"), ("annotator", "annotator"))


def is_demo(request: Request) -> bool:
    """Whether demo accounts are offered to this caller."""
    return settings.DEMO and _is_this_machine(request.META.get("REMOTE_ADDR", ""))


def _is_this_machine(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:  # a Unix socket has no address: a proxy is in front, and the caller can be anywhere
        return False


def demo_roles() -> list[str]:
    """The roles that have an account to look around with. An account with a password is a person's own."""
    users = User.objects.filter(username__in=VISITORS.values(), is_active=True)
    names = {user.username for user in users if not user.has_usable_password()}
    return [role for role, name in VISITORS.items() if name in names]


def find_visitor(*, role: str) -> User:
    """The demo's account of this role. Raises NotFound where there is none."""
    user = User.objects.filter(username=VISITORS[role], is_active=True).first()
    if user is None or user.has_usable_password():
        raise NotFound()
    return user
