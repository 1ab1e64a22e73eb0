from __future__ import annotations

from typing import cast

from django.contrib import admin
from django.db.models import F
from django.forms import BaseModelFormSet, ModelForm
from django.http import HttpRequest

from backend.people.models import RightsAction, User
from backend.people.records import record
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
    # All else is changed on the site alone, where it is checked, and what is there already follows it; and the address
    # never: orders are drawn by it, and whoever judged elsewhere is known by it when a file comes again.
    readonly_fields = tuple(
        field.name for field in Project._meta.fields if field.editable and field.name not in ("id", "name")
    )
    inlines = (MembershipInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A project is made on the site, which makes its first curator with it."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        """A project goes with its files, in a job: on the site, or by `manage.py delete_project`."""
        return False

    def save_model(self, request: HttpRequest, obj: Project, form: ModelForm, change: bool) -> None:
        """What was changed here and nothing else: the rest may be other by now than when it was read."""
        if changes := {name: form.cleaned_data[name] for name in form.changed_data}:
            before = {name: form.initial[name] for name in changes}
            Project.objects.filter(pk=obj.pk).update(version=F("version") + 1, **changes)
            by = cast(User, request.user)
            record(RightsAction.SETTINGS_CHANGED, by=by, project=obj, before=before, after=changes)

    def save_formset(self, request: HttpRequest, form: ModelForm, formset: BaseModelFormSet, change: bool) -> None:
        """Members that staff change here are in the record as well."""
        super().save_formset(request, form, formset, change)
        by = cast(User, request.user)
        for member in formset.new_objects:
            after = {"role": member.role}
            record(RightsAction.MEMBER_JOINED, by=by, subject=member.user, project=member.project, after=after)
        for member, changed in formset.changed_objects:
            if "role" in changed:
                after = {"role": member.role}
                record(RightsAction.ROLE_CHANGED, by=by, subject=member.user, project=member.project, after=after)
        for member in formset.deleted_objects:
            before = {"role": member.role}
            record(RightsAction.MEMBER_REMOVED, by=by, subject=member.user, project=member.project, before=before)


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    """To look and to withdraw; a link is made by a curator, who alone sees it."""

    list_display = ("project", "role", "note", "created_by", "expires_at", "accepted_by", "revoked_at")
    list_select_related = ("project", "created_by", "accepted_by")
    fields = ("project", "role", "note", "created_by", "expires_at", "revoked_at", "accepted_at", "accepted_by")
    readonly_fields = ("project", "role", "created_by", "accepted_at", "accepted_by")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
