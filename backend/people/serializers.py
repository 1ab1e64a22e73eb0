"""What the API takes and gives about people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.errors import InvalidInput
from backend.people.demo import ROLES
from backend.people.models import ApiToken, User
from backend.people.preferences import BREAKS, LANGUAGES, THEMES, check_keys, read_preferences

UNKNOWN = "There is no setting with this name."


class PasswordField(serializers.CharField):
    """Taken as it is, spaces included, and never given back."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 200, "trim_whitespace": False, "write_only": True, **kwargs})


class NamedPersonOut(serializers.Serializer):
    """A person with the name to show."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    display_name = serializers.CharField(source="shown_name")


class PreferencesOut(serializers.Serializer):
    theme = serializers.ChoiceField(choices=THEMES)
    language = serializers.ChoiceField(choices=LANGUAGES, help_text="`system`: the browser's own.")
    break_minutes = serializers.ChoiceField(
        choices=BREAKS, help_text="Minutes of work without a pause after which a break is proposed; 0: never."
    )
    keys = serializers.DictField(child=serializers.CharField(), help_text="Action -> the key this person gave it.")


class KeyField(serializers.CharField):
    """A key as the browser names it; a number is not taken for its digit."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return data


class PreferencesIn(serializers.Serializer):
    theme = serializers.ChoiceField(choices=THEMES, required=False)
    language = serializers.ChoiceField(choices=LANGUAGES, required=False)
    break_minutes = serializers.ChoiceField(choices=BREAKS, required=False)
    keys = serializers.DictField(child=KeyField(), required=False)

    def validate_keys(self, keys: object) -> dict[str, str]:
        try:
            return check_keys(keys)
        except InvalidInput as error:
            raise serializers.ValidationError(error.message, code=error.error_code) from error

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := set(data) - set(self.fields)):
            raise serializers.ValidationError(
                {str(name): [UNKNOWN] for name in unknown},
                code="no_such_preference",
            )
        return super().to_internal_value(data)


class MeOut(serializers.ModelSerializer):
    email = serializers.CharField(read_only=True, help_text="Empty if there is none.")
    preferences = serializers.SerializerMethodField()

    class Meta:
        model = User
        fields = ("id", "username", "email", "display_name", "is_staff", "preferences")
        read_only_fields = fields

    @extend_schema_field(PreferencesOut)
    def get_preferences(self, user: User) -> dict[str, Any]:
        return read_preferences(user.preferences)


class MeIn(serializers.ModelSerializer):
    preferences = PreferencesIn(required=False)

    class Meta:
        model = User
        fields = ("email", "display_name", "preferences")


class SessionOut(serializers.Serializer):
    user = MeOut(allow_null=True)
    sign_up_open = serializers.BooleanField()
    mails_passwords = serializers.BooleanField(help_text="The site can send links for a new password by email.")
    demo_roles = serializers.ListField(
        child=serializers.ChoiceField(choices=ROLES),
        help_text="The roles with a demo account that signs in by one click. Empty outside of demo mode.",
    )

    @classmethod
    def of(cls, user: User | None, *, demo_roles: Sequence[str] = ()) -> dict[str, Any]:
        """The answer that tells the site who is signed in."""
        facts: dict[str, Any] = {"user": user, "sign_up_open": settings.SIGN_UP_OPEN, "demo_roles": demo_roles}
        facts["mails_passwords"] = bool(settings.EMAIL_HOST)
        return dict(cls(facts).data)


class DemoSignInIn(serializers.Serializer):
    role = serializers.ChoiceField(choices=ROLES)


class SignInIn(serializers.Serializer):
    username = serializers.CharField(max_length=150)
    password = PasswordField()


class SignUpIn(serializers.Serializer):
    """A new account. The password must be strong and the name must be free."""

    username = serializers.CharField(max_length=150)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True, default="")
    password = PasswordField()


class PasswordChangeIn(serializers.Serializer):
    current = PasswordField()
    new = PasswordField()
    revoke_tokens = serializers.BooleanField(required=False, default=False, help_text="End all API tokens too.")


class OwnPasswordIn(serializers.Serializer):
    """Your password, for an action that cannot be undone."""

    password = PasswordField()


class ResetMailIn(serializers.Serializer):
    email = serializers.EmailField(max_length=254)


class ResetLinkIn(serializers.Serializer):
    """The two parts of a link for a new password."""

    uid = serializers.CharField(max_length=64)
    token = serializers.CharField(max_length=128)


class ResetIn(ResetLinkIn):
    password = PasswordField()


class ResetDoorOut(serializers.Serializer):
    username = serializers.CharField()


class NewResetLinkOut(serializers.Serializer):
    url = serializers.CharField(help_text="The link to send. It is shown only once.")
    username = serializers.CharField()
    expires_at = serializers.DateTimeField()


DAYS_OF_TOKEN = 90


class TokenIn(serializers.Serializer):
    name = serializers.CharField(max_length=80)
    expires_in_days = serializers.IntegerField(
        min_value=1,
        max_value=3650,
        required=False,
        allow_null=True,
        default=DAYS_OF_TOKEN,
        help_text="Null: the token does not expire.",
    )
    is_read_only = serializers.BooleanField(required=False, default=False)
    is_for_releases = serializers.BooleanField(
        required=False, default=False, help_text="The token can only read releases and exports."
    )
    project = serializers.SlugField(
        required=False, allow_null=True, default=None, help_text="The only project that the token opens. Null: all."
    )


class TokenOut(serializers.ModelSerializer):
    project = serializers.CharField(source="project.slug", default=None, allow_null=True, read_only=True)

    class Meta:
        model = ApiToken
        fields = (
            "id", "name", "prefix", "is_read_only", "is_for_releases", "project", "created_at", "last_used_at",
            "expires_at",
        )  # fmt: skip
        read_only_fields = fields


class NewTokenOut(TokenOut):
    token = serializers.CharField(read_only=True, help_text="The token. It is shown only once.")

    class Meta:
        model = ApiToken
        fields = (*TokenOut.Meta.fields, "token")
        read_only_fields = fields
