"""New passwords for people who forgot theirs: by a link from a curator or an administrator, or by e-mail.

Django's own tokens: signed, valid for PASSWORD_RESET_TIMEOUT, and worth nothing once the password has changed or the
person has signed in. Both parts of a link stand behind the `#`, so that no server writes them into a log.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import structlog
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.db import close_old_connections, transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from backend.common.errors import ConnoteError, Gone
from backend.people.models import RightsAction, User
from backend.people.preferences import read_preferences
from backend.people.records import record
from backend.people.services import check_password_strength, revoke_all_tokens

logger = structlog.get_logger(__name__)
# The answer must not wait for the mail server: how long it takes would tell which addresses have an account.
_mailer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mailer")
MAILS = {
    "en": (
        "A new password for Connote",
        "Hello {name},\n\nsomebody asked for a new password for your account on {site}.\n"
        "Open this link to choose one:\n\n{link}\n\n"
        "The link works once, for {hours} hours. If you did not ask for it, do nothing.\n",
    ),
    "de": (
        "Ein neues Passwort für Connote",
        "Hallo {name},\n\nfür dein Konto auf {site} wurde ein neues Passwort angefordert.\n"
        "Öffne diesen Link, um eines zu wählen:\n\n{link}\n\n"
        "Der Link gilt einmal und {hours} Stunden lang. Wenn du ihn nicht angefordert hast, tu nichts.\n",
    ),
}


class ResetLinkSpent(Gone):
    """This link does not work any more. Ask for a new one."""

    code = "reset_link_spent"


class NoMailServer(ConnoteError):
    """This site cannot send emails. Ask the curator of your project for a link."""

    code = "no_mail_server"
    status = 409


def check_mail_server() -> None:
    """Raises NoMailServer where the settings name none."""
    if not settings.EMAIL_HOST:
        raise NoMailServer()


def path_of(user: User) -> str:
    """The site's page where `user` can choose a new password, once."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return f"/new-password#{uid}.{default_token_generator.make_token(user)}"


def expiry() -> timedelta:
    return timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def find_person(*, uid: str, token: str) -> User:
    """Whose link this is. Raises ResetLinkSpent where it is used, too old, or nobody's."""
    try:
        user = User.objects.filter(pk=int(urlsafe_base64_decode(uid)), is_active=True).first()
    except (ValueError, OverflowError) as error:
        raise ResetLinkSpent() from error
    if user is None or not default_token_generator.check_token(user, token):
        raise ResetLinkSpent()
    return user


@transaction.atomic
def reset_password(*, uid: str, token: str, password: str) -> User:
    """Set the password that the holder of a link chose. It ends every session and every API token of this person.

    Raises ResetLinkSpent, or InvalidInput on a weak password, which leaves the link open.
    """
    user = find_person(uid=uid, token=token)
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not default_token_generator.check_token(user, token):  # of two at once the second finds it used
        raise ResetLinkSpent()
    check_password_strength(user=user, password=password, field="password")
    user.set_password(password)
    user.save(update_fields=["password"])
    n_revoked = revoke_all_tokens(user=user)
    record(RightsAction.PASSWORD_RESET, by=None, subject=user, after={"tokens_revoked": n_revoked})
    return user


def mail_links_later(*, email: str, site: str, language: str) -> None:
    """Send links in another thread and return at once, whether or not an account has this address.

    Raises NoMailServer.
    """
    check_mail_server()
    _mailer.submit(_mail_from_thread, email, site, language)


def _mail_from_thread(email: str, site: str, language: str) -> None:
    try:
        mail_links(email=email, site=site, language=language)
    except Exception:  # nobody looks at what the thread's future holds
        logger.exception("mail_not_sent")
    finally:
        close_old_connections()


def mail_links(*, email: str, site: str, language: str) -> int:
    """Send a link to every account with this address, in its owner's language. Returns how many were sent.

    An account without a password (a demo's, an imported voter's) gets none. Raises SMTPException or OSError.
    """
    found = [
        user
        for user in User.objects.filter(email__iexact=email, is_active=True).order_by("pk")
        if user.has_usable_password()
    ]
    for user in found:
        _mail(user, site, language)
    return len(found)


def _mail(user: User, site: str, language: str) -> None:
    wanted = read_preferences(user.preferences)["language"]
    subject, template = MAILS[wanted if wanted in MAILS else language]
    hours = round(expiry().total_seconds() / 3600)
    body = template.format(name=user.shown_name, site=site, link=f"{site}{path_of(user)}", hours=hours)
    send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [user.email])


def language_of(header: str) -> str:
    """The first language of an Accept-Language header that there are mails in, or English."""
    tags = (part.split(";")[0].strip().lower()[:2] for part in header.split(","))
    return next((tag for tag in tags if tag in MAILS), "en")
