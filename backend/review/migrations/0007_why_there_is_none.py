from __future__ import annotations

from typing import Any

from django.db import migrations


def work_out_again(apps: Any, schema_editor: Any) -> None:
    """What was worked out and drawn gave reasons that were not true: of a mean of kappas that of its largest pair, and
    too few shared items where one label was rare. Packed rows have a column more. All of it is thrown away."""
    apps.get_model("review", "AgreementTable").objects.update(
        figures_version=None, draws=[], pair_draws=b"", draws_version=None, drawn_at=None
    )


class Migration(migrations.Migration):
    dependencies = [("review", "0006_too_few_shared")]

    operations = [migrations.RunPython(work_out_again, migrations.RunPython.noop)]
