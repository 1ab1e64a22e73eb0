"""How often one may try. The counters live in the cache: Redis in production, this process when embedded."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from backend.common.errors import ConnoteError
from backend.people.models import ApiToken, User

if TYPE_CHECKING:
    from rest_framework.views import APIView  # it imports this module: the limits of calls are for every view

logger = structlog.get_logger(__name__)

IPV6_NETWORK_BITS = 64  # what one customer of a provider holds: counting single addresses would count nothing


class CannotCount(ConnoteError):
    """The server cannot count tries, because Redis does not answer. Try again in a minute."""

    code = "unavailable"
    status = 503


class WindowThrottle(SimpleRateThrottle):
    """At most `rate` tries in each fixed window.

    DRF's own reads a list, then writes it: a hundred tries at once would all read the empty list. This one adds to a
    counter, which the cache does in one step.
    """

    num_requests: int  # both read out of the rate by DRF
    duration: int
    counts = "POST"  # the method that tries something: OPTIONS or a wrong method counts nothing

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether this try is within the limit. Raises CannotCount."""
        return request.method != self.counts or self.is_within(self.get_cache_key(request, view))

    def is_within(self, key: str) -> bool:
        """Count one try under `key`: whether it is within the limit. Raises CannotCount."""
        window, self.elapsed = divmod(self.timer(), self.duration)
        counter = f"{key}_{window:.0f}"
        try:
            return self._count(counter) <= self.num_requests
        except RedisError as error:
            raise CannotCount() from error

    def _count(self, counter: str) -> int:
        for _ in range(2):
            with suppress(ValueError):  # there is no counter yet: a new window has begun
                return int(self.cache.incr(counter))
            self.cache.add(counter, 0, timeout=self.duration)
        return 1  # it ran out between two steps

    def wait(self) -> float:
        """Seconds until the window ends."""
        return ceil(self.duration - self.elapsed)

    def get_ident(self, request: Request) -> str:
        """The caller's address, an IPv6 one cut to its network. Proxies count as CONNOTE_PROXIES says."""
        address = super().get_ident(request) or ""
        try:
            parsed = ip_address(address)
        except ValueError:
            return address
        if isinstance(parsed, IPv6Address) and not parsed.ipv4_mapped:
            return str(int(parsed) >> (128 - IPV6_NETWORK_BITS))
        return str(parsed)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        digest = hashlib.sha256(self.who(request).encode(errors="replace")).hexdigest()
        return self.cache_format % {"scope": self.scope, "ident": digest}

    def who(self, request: Request) -> str:
        """Whose tries are counted together."""
        return self.get_ident(request)


class CallThrottle(WindowThrottle):
    """All calls with one token, or of one signed-in person. What anybody may call has limits of its own.

    Without Redis nothing is counted: the limit protects the site, and must not close it.
    """

    scope = "calls"
    duration = 60

    def __init__(self) -> None:
        """The limits are settings of the site, so there is no rate to read."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether this call is within the limit."""
        is_program = isinstance(request.auth, ApiToken)
        self.num_requests = settings.TOKEN_CALLS_PER_MINUTE if is_program else settings.SESSION_CALLS_PER_MINUTE
        if not self.num_requests or not request.user.is_authenticated:
            return True
        try:
            return self.is_within(self.get_cache_key(request, view))
        except CannotCount:
            logger.warning("calls_not_counted")
            return True

    def who(self, request: Request) -> str:
        return f"token {request.auth.pk}" if isinstance(request.auth, ApiToken) else f"person {request.user.pk}"


class SignInPersonThrottle(WindowThrottle):
    """One person from one address. An attacker elsewhere cannot use up the tries of somebody at their own desk."""

    scope = "sign_in_person"

    def who(self, request: Request) -> str:
        return f"{self.get_ident(request)} {_username(request)}"


class SignInAddressThrottle(WindowThrottle):
    """Everybody at one address, against one list of passwords tried on many names."""

    scope = "sign_in_address"


class SignUpThrottle(WindowThrottle):
    scope = "sign_up"


class PasswordThrottle(WindowThrottle):
    """Guesses at the current password by whoever found a session open."""

    scope = "password"

    def who(self, request: Request) -> str:
        return str(request.user.pk)


class ResetPersonThrottle(WindowThrottle):
    """Mails to one address, whoever asks for them."""

    scope = "reset_person"

    def who(self, request: Request) -> str:
        sent = request.data.get("email") if isinstance(request.data, dict) else ""
        return sent.strip().casefold() if isinstance(sent, str) else ""


class ResetAddressThrottle(WindowThrottle):
    """Mails that one caller asks for."""

    scope = "reset_address"


class ResetLinkThrottle(WindowThrottle):
    """Guesses at links, and weak passwords tried with a good one."""

    scope = "reset_link"


def _username(request: Request) -> str:
    """The name somebody tries to sign in with, in the spelling that accounts have."""
    sent = request.data.get("username") if isinstance(request.data, dict) else ""
    return User.normalize_username(sent).casefold() if isinstance(sent, str) else ""
