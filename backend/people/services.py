"""What can be done to a person and their tokens."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.common.compiled import Compiled
from backend.common.errors import InvalidFields, InvalidInput, NotAllowed, NotFound
from backend.common.field_sentences import SENTENCES, fields_of
from backend.methods.said import Said
from backend.people.models import ApiToken, RightsAction, User
from backend.people.names import has_hidden_characters, mixes_alphabets, name_key
from backend.people.preferences import read_preferences
from backend.people.records import record

OF_NAMES = {"taken": "username_taken", "invalid": "username_letters"}  # a code of any field, and that of a username
LAST_USED_GRAIN = timedelta(minutes=1)
TOKEN_MARK = "connote_"  # noqa: S105  (what leaked tokens are searched for)


class SignUpClosed(NotAllowed):
    """You need an invitation for an account here. Ask the curator of your project for a link."""

    code = "sign_up_closed"


def sign_up(*, username: str, email: str, password: str) -> User:
    """An account for anybody, where this site allows it. Raises SignUpClosed or InvalidInput."""
    if not settings.SIGN_UP_OPEN:
        raise SignUpClosed()
    return create_account(username=username, email=email, password=password)


@transaction.atomic
def create_account(*, username: str, password: str, email: str = "") -> User:
    """An account without any role. Raises InvalidInput where the name is taken or the password is weak."""
    user = User(username=User.normalize_username(username), email=User.objects.normalize_email(email))
    _check_username(user)
    check_password_strength(user=user, password=password, field="password")
    user.set_password(password)
    try:
        with transaction.atomic():
            user.full_clean()
            user.save()
    except ValidationError as error:
        raise _refused(error) from error
    except IntegrityError as error:  # somebody took the name between the check and the write
        raise InvalidInput(SENTENCES["username_taken"], code="username_taken", field="username") from error
    return user


def _check_username(user: User) -> None:
    """Raises InvalidInput where people would take this name for another person's."""
    if mixes_alphabets(user.username):
        raise InvalidInput(SENTENCES["username_mixed"], code="username_mixed", field="username")
    key = name_key(user.username)
    if key and _named(key).exclude(username=user.username).exists():
        raise InvalidInput(SENTENCES["username_alike"], code="username_alike", field="username")


def _check_display_name(user: User, name: str) -> None:
    """The same for the name that others see."""
    if has_hidden_characters(name):
        raise InvalidInput(SENTENCES["name_hidden"], code="name_hidden", field="display_name")
    if mixes_alphabets(name):
        raise InvalidInput(SENTENCES["name_mixed"], code="name_mixed", field="display_name")
    key = name_key(name)
    if key and _named(key).exclude(pk=user.pk).exists():
        raise InvalidInput(SENTENCES["name_alike"], code="name_alike", field="display_name")


def _named(key: str) -> QuerySet[User]:
    return User.objects.filter(Q(username_key=key) | Q(display_name_key=key))


def _refused(error: ValidationError) -> InvalidFields:
    fields = fields_of(error)
    names = [_of_name(said) for said in fields.get("username", [])]
    return InvalidFields({**fields, "username": names} if names else fields)


def _of_name(said: Said) -> Said:
    code = OF_NAMES.get(said.code)
    return Said(code, SENTENCES[code]) if code else said


def check_password_strength(*, user: User, password: str, field: str) -> None:
    """Raises InvalidInput with every reason why this password would not do, under the name of the form's field."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidFields(fields_of(error, field)) from error


@transaction.atomic
def change_password(*, user: User, current: str, new: str, revoke_tokens: bool = False) -> None:
    """Set a new password, which ends every session of this person. Raises InvalidInput on a wrong or weak one.

    Whoever holds the session that asked keeps it alive with `update_session_auth_hash`. Tokens live on, unless
    `revoke_tokens` ends them all.
    """
    check_own_password(user=user, password=current, field="current")
    check_password_strength(user=user, password=new, field="new")
    user.set_password(new)
    user.save(update_fields=["password"])
    n_revoked = revoke_all_tokens(user=user) if revoke_tokens else 0
    record(RightsAction.PASSWORD_CHANGED, by=user, subject=user, after={"tokens_revoked": n_revoked})


def check_own_password(*, user: User, password: str, field: str) -> None:
    """Raises InvalidInput where this is not the password of `user`."""
    if not user.check_password(password):
        raise InvalidInput("This is not your current password.", code="wrong_password", field=field)


@transaction.atomic
def update_profile(*, user: User, changes: dict[str, Any]) -> User:
    """Change `email`, `display_name` or parts of `preferences`; a sent `keys` replaces all keys.

    Raises InvalidInput where others would take the display name for another person's.
    """
    kept = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if changes.get("display_name", kept.display_name) != kept.display_name:
        _check_display_name(kept, changes["display_name"])
    if "preferences" in changes:
        kept.preferences = read_preferences(kept.preferences) | changes["preferences"]
    for field in {"email", "display_name"} & changes.keys():
        setattr(kept, field, changes[field])
    kept.save(update_fields=["email", "display_name", "preferences"])
    return kept


def digest_of(secret: str) -> str:
    """SHA-256 of a token, hex. Tokens are 256 random bits, so that a slow hash would add nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def create_token(
    *,
    user: User,
    name: str,
    expires_in_days: int | None = None,
    is_read_only: bool = False,
    is_for_releases: bool = False,
    project: str | None = None,
) -> tuple[ApiToken, str]:
    """A new token and its secret, which is kept nowhere and cannot be shown again. With `project` it opens this alone.

    A token for releases only reads.

    Raises InvalidInput where `user` is no member of the project with this slug.
    """
    only = _own_project(user, project) if project else None
    secret = TOKEN_MARK + secrets.token_urlsafe(32)
    expires_at = timezone.now() + timedelta(days=expires_in_days) if expires_in_days else None
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=secret[:12],
        digest=digest_of(secret),
        expires_at=expires_at,
        is_read_only=is_read_only or is_for_releases,
        is_for_releases=is_for_releases,
        project=only,
    )
    limits = {"expires_in_days": expires_in_days, "is_read_only": token.is_read_only}
    limits |= {"is_for_releases": True} if is_for_releases else {}
    record(RightsAction.TOKEN_CREATED, by=user, subject=user, project=only, after=limits)
    return token, secret


def _own_project(user: User, slug: str) -> Any:
    membership = user.memberships.select_related("project").filter(project__slug=slug).first()
    if membership is None:
        raise InvalidInput("You are not a member of this project.", code="not_your_project", field="project")
    return membership.project


@transaction.atomic
def revoke_token(*, user: User, token_id: int) -> None:
    """End a token at once. Raises NotFound where it is revoked already or another person's."""
    token = ApiToken.objects.select_related("project").filter(pk=token_id, user=user, revoked_at=None).first()
    if token is None or not ApiToken.objects.filter(pk=token_id, revoked_at=None).update(revoked_at=timezone.now()):
        raise NotFound()
    record(RightsAction.TOKEN_REVOKED, by=user, subject=user, project=token.project)


def revoke_all_tokens(*, user: User) -> int:
    """End every token of this person at once. Returns how many were live."""
    return ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def note_seen(*, user: User) -> None:
    """Keep when a person last used the site. `last_login` stays as it is: links for a new password depend on it."""
    User.objects.filter(pk=user.pk).update(last_seen_at=timezone.now())


LIVE_TOKEN = Compiled(
    lambda given: ApiToken.objects.select_related("user").filter(
        Q(expires_at=None) | Q(expires_at__gt=given("now")),
        revoked_at=None,
        user__is_active=True,
        digest=given("digest"),
    )
)


def use_token(*, secret: str) -> ApiToken | None:
    """The live token behind `secret`, its `last_used_at` kept to the minute; None where there is none."""
    now = timezone.now()
    token = LIVE_TOKEN.first(digest=digest_of(secret), now=now)
    if token:
        token.user.only_project_id = token.project_id
    if token and (token.last_used_at is None or now - token.last_used_at > LAST_USED_GRAIN):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token
