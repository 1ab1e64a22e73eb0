from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def leave_room(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE candidates_candidate SET (fillfactor = 40)")


def fill_again(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE candidates_candidate RESET (fillfactor)")


class Migration(migrations.Migration):
    """Cleaning rewrites nearly every row once: let PostgreSQL do so inside the page and without touching indexes."""

    dependencies = [
        ("candidates", "0003_first_tables"),
        ("catalogue", "0001_first_tables"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="candidate", name="candidate_of_project"),
        migrations.RemoveIndex(model_name="candidate", name="candidate_pool"),
        migrations.AlterField(
            model_name="candidate",
            name="image",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="candidates",
                to="catalogue.image",
            ),
        ),
        migrations.RunPython(leave_room, fill_again),
    ]
