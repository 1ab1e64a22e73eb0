from __future__ import annotations

from django.contrib import admin
from django.db.models import F
from django.forms import ModelForm
from django.http import HttpRequest

from backend.projects.models import Invitation, Membership, Project


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Project)
class ProjectAdmin(admin.ModelAdmin):
    list_display = ("slug", "name", "direction", "created_by", "created_at")
    list_select_related = ("created_by",)
    search_fields = ("slug", "name")
    # Changed on the site alone, where they are checked, and the HITs that are there follow them.
    readonly_fields = ("version", "created_by", "overlap", "max_overlap", "confidence", "control_rate", "quota_version")
    inlines = (MembershipInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A project is made on the site, which makes its first curator with it."""
        return False

    def save_model(self, request: HttpRequest, obj: Project, form: ModelForm, change: bool) -> None:
        """What was changed here and nothing else: the rest may be other by now than when it was read."""
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        Project.objects.filter(pk=obj.pk).update(version=F("version") + 1, **changes)


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    """To look and to withdraw; a link is made by a curator, who alone sees it."""

    list_display = ("project", "role", "note", "created_by", "expires_at", "accepted_by", "revoked_at")
    list_select_related = ("project", "created_by", "accepted_by")
    fields = ("project", "role", "note", "created_by", "expires_at", "revoked_at", "accepted_at", "accepted_by")
    readonly_fields = ("project", "role", "created_by", "accepted_at", "accepted_by")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
