from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from backend.people.models import ApiToken, User


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ("username", "email", "display_name", "is_staff", "is_active", "last_login")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Connote", {"fields": ("display_name",)}))


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
