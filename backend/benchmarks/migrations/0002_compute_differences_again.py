from __future__ import annotations

from typing import Any

from django.db import migrations


def forget(apps: Any, schema_editor: Any) -> None:
    """Stored differences lack those of ranks and of the sum of both directions; they are computed again when needed."""
    apps.get_model("benchmarks", "ModelDifference").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("benchmarks", "0001_results_of_models")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
