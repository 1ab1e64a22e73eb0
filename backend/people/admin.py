from __future__ import annotations

from typing import cast

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.forms import ModelForm
from django.http import HttpRequest

from backend.people.models import ApiToken, RightsAction, RightsRecord, User
from backend.people.records import record

RIGHTS = ("is_active", "is_staff", "is_superuser")


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ("username", "email", "display_name", "is_staff", "is_active", "last_login")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Connote", {"fields": ("display_name",)}))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """An account becomes a pseudonym instead: on the site, or by `manage.py erase_account`."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """What staff change of somebody's rights on the whole site is in the record."""
        super().save_model(request, obj, form, change)
        if changed := [name for name in RIGHTS if name in form.changed_data]:
            before = {name: form.initial.get(name) for name in changed}
            after = {name: form.cleaned_data[name] for name in changed}
            by = cast(User, request.user)
            record(RightsAction.ACCOUNT_CHANGED, by=by, subject=obj, before=before, after=after)


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """To look and to revoke; a token is made by its owner, who alone sees it."""

    list_display = ("name", "prefix", "user", "created_at", "last_used_at", "expires_at", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("name", "prefix", "user__username")
    fields = ("name", "prefix", "user", "created_at", "last_used_at", "expires_at", "revoked_at")
    readonly_fields = ("name", "prefix", "user", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(RightsRecord)
class RightsRecordAdmin(admin.ModelAdmin):
    """To look at only."""

    list_display = ("created_at", "action", "project_slug", "actor", "subject", "before", "after")
    list_select_related = ("actor", "subject")
    list_filter = ("action",)
    search_fields = ("project_slug", "actor__username", "subject__username")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: RightsRecord | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: RightsRecord | None = None) -> bool:
        return False
