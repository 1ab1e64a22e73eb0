from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def leave_room(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE candidates_candidate SET (fillfactor = 40)")


def fill_again(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE candidates_candidate RESET (fillfactor)")


class Migration(migrations.Migration):
    """Cleaning rewrites nearly every row once: let PostgreSQL do so inside the page."""

    dependencies = [("candidates", "0001_first_tables")]

    operations = [migrations.RunPython(leave_room, fill_again)]
