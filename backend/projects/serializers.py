"""What the API takes and gives about projects, members and invitations."""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.models import LARGEST_ID
from backend.people.models import RightsKind, RightsRecord
from backend.people.serializers import NamedPersonOut, PasswordField, SessionOut
from backend.projects.invitations import DAYS_OPEN
from backend.projects.models import Invitation, InvitationBatch, Membership, Project, Role

KNOBS = (
    "guidelines", "overlap", "captions_per_hit", "lease_minutes", "control_rate", "confidence", "max_overlap",
    "hits_per_annotator", "shuffles_options", "pay_per_hit", "pay_fee",
)  # fmt: skip
SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*\Z"
FIXED = ("slug", "direction")
IS_FIXED = "You cannot change this after you create the project."


class ProjectCountsOut(serializers.Serializer):
    images = serializers.IntegerField(default=0, read_only=True)
    candidates = serializers.IntegerField(default=0, read_only=True)
    kept = serializers.IntegerField(default=0, read_only=True)
    hits = serializers.IntegerField(default=0, read_only=True)
    judgments = serializers.IntegerField(default=0, read_only=True)
    slots = serializers.IntegerField(default=0, read_only=True, help_text="Assignments that the HITs need.")
    slots_open = serializers.IntegerField(default=0, read_only=True, help_text="Nobody has submitted them yet.")
    releases = serializers.IntegerField(default=0, read_only=True)


class ProjectOut(serializers.ModelSerializer):
    """A row of `list_projects`, with the page's counters in the context."""

    role = serializers.ChoiceField(choices=Role.choices)
    counts = serializers.SerializerMethodField()
    control_rate = serializers.SerializerMethodField(help_text="Null for annotators: controls are hidden from them.")

    class Meta:
        model = Project
        fields = ("slug", "name", "direction", *KNOBS, "role", "version", "created_at", "counts")
        read_only_fields = fields

    def get_control_rate(self, project: Project) -> float | None:
        return project.control_rate if Role(project.role).may_review else None  # type: ignore[attr-defined]  # annotated

    @extend_schema_field(ProjectCountsOut)
    def get_counts(self, project: Project) -> dict[str, int]:
        return ProjectCountsOut(self.context["counters"][project.pk]).data


class ProjectIn(serializers.ModelSerializer):
    slug = serializers.CharField(
        max_length=60,
        required=False,
        validators=[RegexValidator(SLUG, "Use small letters, digits and single hyphens.", code="slug_letters")],
        help_text="The address of the project on the site. Without it, made from the name.",
    )

    class Meta:
        model = Project
        fields = ("name", "slug", "direction", *KNOBS)
        extra_kwargs = {"direction": {"required": True}}


class ProjectChangeIn(serializers.ModelSerializer):
    version = serializers.IntegerField(min_value=1, help_text="The version that was changed.")

    class Meta:
        model = Project
        fields = ("version", "name", *KNOBS)
        extra_kwargs = {"name": {"required": False}}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if fixed := [name for name in FIXED if name in self.initial_data]:
            raise serializers.ValidationError({name: [IS_FIXED] for name in fixed}, code="fixed_once_made")
        return attrs


class MemberOut(serializers.ModelSerializer):
    username = serializers.CharField(source="user.username")
    display_name = serializers.CharField(source="user.shown_name")
    joined_at = serializers.DateTimeField(source="created_at")
    last_seen_at = serializers.DateTimeField(
        source="user.seen_at",
        read_only=True,
        allow_null=True,
        help_text="The newest sign-in or use of the site, to the hour. Null before the first sign-in.",
    )

    class Meta:
        model = Membership
        fields = ("id", "username", "display_name", "role", "joined_at", "last_seen_at")
        read_only_fields = fields


class MemberIn(serializers.Serializer):
    role = serializers.ChoiceField(choices=Role.choices)


HISTORY_COLUMNS = ("at", "kind", "action", "by", "about", "field", "before", "after")
LINKS_AT_ONCE = 100
LONGEST_SHOWN = 300  # characters of one value in a list: guidelines are long


class HistoryIn(serializers.Serializer):
    kind = serializers.ChoiceField(choices=RightsKind.choices, required=False, help_text="Only entries of this kind.")
    format = serializers.ChoiceField(choices=("json", "csv"), default="json", help_text="csv: all of it as a table.")


class HistoryEntryOut(serializers.ModelSerializer):
    kind = serializers.ChoiceField(choices=RightsKind.choices, read_only=True)
    actor = NamedPersonOut(
        allow_null=True, help_text="The person. The person. Null: a command on the server, a run, or a link by email."
    )
    subject = NamedPersonOut(allow_null=True)
    before = serializers.DictField()
    after = serializers.DictField()
    is_short = serializers.BooleanField(
        default=False, help_text="Whether long texts are cut here. The entry has the full texts."
    )

    class Meta:
        model = RightsRecord
        fields = ("id", "created_at", "kind", "action", "actor", "subject", "before", "after", "is_short")
        read_only_fields = fields


class HistoryRowOut(HistoryEntryOut):
    """An entry of the list. Long texts are cut."""

    def to_representation(self, instance: RightsRecord) -> dict[str, Any]:
        told = super().to_representation(instance)
        cut = {side: {name: _cut(value) for name, value in told[side].items()} for side in ("before", "after")}
        return {**told, **cut, "is_short": any(cut[side] != told[side] for side in cut)}


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_SHOWN:
        return f"{value[:LONGEST_SHOWN]}…"
    if isinstance(value, list):
        return [_cut(each) for each in value]
    if isinstance(value, dict):
        return {name: _cut(each) for name, each in value.items()}
    return value


class InvitationOut(serializers.ModelSerializer):
    accepted_by = serializers.CharField(source="accepted_by.username", default=None, allow_null=True, read_only=True)

    class Meta:
        model = Invitation
        fields = ("id", "role", "note", "batch", "created_at", "expires_at", "accepted_at", "accepted_by", "revoked_at")
        read_only_fields = fields


class NewInvitationOut(InvitationOut):
    url = serializers.URLField(read_only=True, help_text="The link to send. It is shown only once.")
    token = serializers.CharField(read_only=True)

    class Meta:
        model = Invitation
        fields = (*InvitationOut.Meta.fields, "url", "token")
        read_only_fields = fields


class InvitationIn(serializers.Serializer):
    role = serializers.ChoiceField(choices=Role.choices)
    expires_in_days = serializers.IntegerField(min_value=1, max_value=365, required=False, default=DAYS_OPEN)
    note = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")


class InvitationBatchIn(InvitationIn):
    n = serializers.IntegerField(min_value=1, max_value=LINKS_AT_ONCE)
    note = serializers.CharField(
        max_length=116, required=False, allow_blank=True, default="", help_text="Several links have a number after it."
    )


class InvitationBatchOut(serializers.Serializer):
    invitations = NewInvitationOut(many=True)


class InvitationBatchRowOut(serializers.ModelSerializer):
    """Links that were made at once, counted by their state. A link is in one of the four counts."""

    n = serializers.IntegerField()
    n_accepted = serializers.IntegerField()
    n_withdrawn = serializers.IntegerField()
    n_expired = serializers.IntegerField()
    n_open = serializers.IntegerField()

    class Meta:
        model = InvitationBatch
        fields = (
            "id", "role", "note", "created_at", "expires_at", "n", "n_accepted", "n_withdrawn", "n_expired", "n_open",
        )  # fmt: skip
        read_only_fields = fields


class InvitationListIn(serializers.Serializer):
    batch = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_ID, help_text="Only the links of this batch."
    )


class InvitationDoorOut(serializers.Serializer):
    """What an invitation link shows before it is accepted."""

    project_name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    expires_at = serializers.DateTimeField()
    signed_in_as = serializers.CharField(allow_null=True)


class InvitationAcceptIn(serializers.Serializer):
    """Empty if you are signed in. Otherwise the new account, with the fields of SignUpIn."""

    username = serializers.CharField(max_length=150, required=False)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True)
    password = PasswordField(required=False)


class InvitationAcceptedOut(serializers.Serializer):
    project_slug = serializers.CharField()
    session = SessionOut()
