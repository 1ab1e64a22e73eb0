from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def add_index(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("CREATE INDEX candidate_raw_text ON candidates_candidate USING hash (raw_text)")


def drop_index(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX candidate_raw_text")


class Migration(migrations.Migration):
    """Head annotators see the same caption on other images. A hash keeps four bytes of a text and takes any length;
    the raw text never changes, so cleaning still writes in place. SQLite has no such index and few rows."""

    dependencies = [("candidates", "0014_page_of_a_caption")]

    operations = [migrations.RunPython(add_index, drop_index)]
