"""Who uses Connote: people and the tokens their programs carry."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone

from backend.common.models import Dated
from backend.people.names import name_key


class User(AbstractUser):
    """A person. Roles are per project (projects.Membership); `is_staff` may create projects and see the admin."""

    display_name = models.CharField(max_length=80, blank=True, help_text="The name that others see.")
    preferences = models.JSONField(default=dict, blank=True, help_text="Theme and remapped keys, validated on write.")
    username_key = models.CharField(max_length=300, blank=True, editable=False, db_index=True)
    display_name_key = models.CharField(max_length=300, blank=True, editable=False, db_index=True)
    last_seen_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Use of the site after the sign-in, to the hour."
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When this account became a pseudonym."
    )

    only_project_id: int | None = None  # of a request with a token for one project; see projects/selectors.py

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the keys by which names that look alike are found."""
        keys = {"username_key": name_key(self.username), "display_name_key": name_key(self.display_name)}
        fields = kwargs.get("update_fields")
        if fields is not None:
            named = {f"{name}_key" for name in fields}
            kwargs["update_fields"] = {*fields, *(named & keys.keys())}
        for name, key in keys.items():
            setattr(self, name, key)
        super().save(*args, **kwargs)

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username

    @property
    def seen_at(self) -> datetime | None:
        """The newest sign-in or use of the site; None before the first sign-in."""
        return max((at for at in (self.last_login, self.last_seen_at) if at), default=None)


class ApiToken(Dated):
    """A program's key. Only the SHA-256 of the token is kept; the token itself is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    is_read_only = models.BooleanField(default=False, help_text="Whether the token can only read.")
    is_for_releases = models.BooleanField(default=False, help_text="Whether it opens only releases and exports.")
    project = models.ForeignKey(
        "projects.Project", null=True, blank=True, on_delete=models.CASCADE, related_name="+",
        help_text="The only project that it opens; empty: all of its owner's.",
    )  # fmt: skip
    prefix = models.CharField(max_length=12, help_text="The token's first characters, to tell tokens apart.")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_live(self) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


class RightsAction(models.TextChoices):
    MEMBER_JOINED = "member_joined", "member joined"
    MEMBER_REMOVED = "member_removed", "member removed"
    ROLE_CHANGED = "role_changed", "role changed"
    SETTINGS_CHANGED = "settings_changed", "settings changed"
    GUIDELINES_CHANGED = "guidelines_changed", "guidelines changed"
    EXAMPLES_CHANGED = "examples_changed", "examples of the guidelines changed"
    REVIEW_SETTINGS_CHANGED = "review_settings_changed", "review settings changed"
    DIFFICULTY_RULE_CHANGED = "difficulty_rule_changed", "rule of difficulty changed"
    RULES_SAVED = "rules_saved", "new version of the quality rules saved"
    RULES_APPLIED = "rules_applied", "quality rules applied"
    RULES_UNDONE = "rules_undone", "earlier version of the quality rules applied"
    QUIZ_CHANGED = "quiz_changed", "quiz settings changed"
    QUIZ_ITEM_MADE = "quiz_item_made", "quiz question made"
    QUIZ_ITEM_CHANGED = "quiz_item_changed", "quiz question changed"
    QUIZ_ITEM_DELETED = "quiz_item_deleted", "quiz question deleted"
    CONTROL_MADE = "control_made", "test question made"
    CONTROL_CHANGED = "control_changed", "test question changed"
    CONTROL_DELETED = "control_deleted", "test question deleted"
    CONTROLS_IMPORTED = "controls_imported", "test questions imported"
    CONTROLS_MADE = "controls_made", "test questions made by a run"
    CONTROLS_QUARANTINED = "controls_quarantined", "test questions quarantined by their audit"
    ANNOTATOR_DECIDED = "annotator_decided", "state of an annotator decided by hand"
    WEBHOOK_CREATED = "webhook_created", "webhook created"
    WEBHOOK_CHANGED = "webhook_changed", "webhook changed"
    WEBHOOK_DELETED = "webhook_deleted", "webhook deleted"
    WEBHOOK_SECRET_RENEWED = "webhook_secret_renewed", "secret of a webhook renewed"
    WEBHOOK_DISABLED = "webhook_disabled", "webhook disabled because it failed"
    INVITATION_MADE = "invitation_made", "invitation made"
    INVITATION_WITHDRAWN = "invitation_withdrawn", "invitation withdrawn"
    RESET_LINK_MADE = "reset_link_made", "link for a new password made"
    PASSWORD_RESET = "password_reset", "password reset"
    PASSWORD_CHANGED = "password_changed", "password changed"
    TOKEN_CREATED = "token_created", "API token created"
    TOKEN_REVOKED = "token_revoked", "API token revoked"
    ACCOUNT_CHANGED = "account_changed", "account changed by staff"
    ACCOUNT_ERASED = "account_erased", "account erased"
    PROJECT_DELETED = "project_deleted", "project deleted"


class RightsKind(models.TextChoices):
    """Actions that people look for together."""

    MEMBERS = "members", "members and roles"
    SETTINGS = "settings", "settings"
    GUIDELINES = "guidelines", "guidelines"
    RULES = "rules", "quality rules"
    QUIZ = "quiz", "quiz"
    CONTROLS = "controls", "test questions"
    ANNOTATORS = "annotators", "states of annotators"
    REVIEW = "review", "review settings"
    ACCOUNTS = "accounts", "passwords and tokens"


ACTIONS_OF_KIND: dict[RightsKind, tuple[RightsAction, ...]] = {
    RightsKind.MEMBERS: (
        RightsAction.MEMBER_JOINED, RightsAction.MEMBER_REMOVED, RightsAction.ROLE_CHANGED,
        RightsAction.INVITATION_MADE, RightsAction.INVITATION_WITHDRAWN, RightsAction.ACCOUNT_ERASED,
    ),
    RightsKind.SETTINGS: (
        RightsAction.SETTINGS_CHANGED, RightsAction.DIFFICULTY_RULE_CHANGED, RightsAction.PROJECT_DELETED,
        RightsAction.WEBHOOK_CREATED, RightsAction.WEBHOOK_CHANGED, RightsAction.WEBHOOK_DELETED,
        RightsAction.WEBHOOK_SECRET_RENEWED, RightsAction.WEBHOOK_DISABLED,
    ),
    RightsKind.GUIDELINES: (RightsAction.GUIDELINES_CHANGED, RightsAction.EXAMPLES_CHANGED),
    RightsKind.RULES: (RightsAction.RULES_SAVED, RightsAction.RULES_APPLIED, RightsAction.RULES_UNDONE),
    RightsKind.QUIZ: (
        RightsAction.QUIZ_CHANGED, RightsAction.QUIZ_ITEM_MADE, RightsAction.QUIZ_ITEM_CHANGED,
        RightsAction.QUIZ_ITEM_DELETED,
    ),
    RightsKind.CONTROLS: (
        RightsAction.CONTROL_MADE, RightsAction.CONTROL_CHANGED, RightsAction.CONTROL_DELETED,
        RightsAction.CONTROLS_IMPORTED, RightsAction.CONTROLS_MADE, RightsAction.CONTROLS_QUARANTINED,
    ),
    RightsKind.ANNOTATORS: (RightsAction.ANNOTATOR_DECIDED,),
    RightsKind.REVIEW: (RightsAction.REVIEW_SETTINGS_CHANGED,),
    RightsKind.ACCOUNTS: (
        RightsAction.RESET_LINK_MADE, RightsAction.PASSWORD_RESET, RightsAction.PASSWORD_CHANGED,
        RightsAction.TOKEN_CREATED, RightsAction.TOKEN_REVOKED, RightsAction.ACCOUNT_CHANGED,
    ),
}  # fmt: skip
KIND_OF_ACTION = {action: kind for kind, actions in ACTIONS_OF_KIND.items() for action in actions}


class AppendOnlyError(TypeError):
    """Somebody tried to change the record of rights."""


class AppendOnlyRows(models.QuerySet["RightsRecord"]):
    """Rows in bulk: they can be made and read."""

    def update(self, **fields: Any) -> int:
        raise AppendOnlyError()

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError()


class RightsRecord(Dated):
    """Who changed rights, settings, rules, test questions or states in a project: written once, never changed.

    Rows name people by reference, so that an erased account is a pseudonym here too.
    """

    action = models.CharField(max_length=24, choices=RightsAction.choices)
    project = models.ForeignKey(
        "projects.Project", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    project_slug = models.CharField(max_length=60, blank=True, help_text="Stays when the project is deleted.")
    actor = models.ForeignKey(
        User,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Empty: a command or e-mail.",
    )
    subject = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)

    objects = AppendOnlyRows.as_manager()

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("project", "-id"), name="rights_record_of_project"),)

    def __str__(self) -> str:
        return f"{self.action} {self.project_slug}"

    @property
    def kind(self) -> RightsKind:
        return KIND_OF_ACTION[RightsAction(self.action)]

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError()
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError()
