from typing import Any

from django.db import migrations


def work_out_again(apps: Any, schema_editor: Any) -> None:
    """What was worked out gave an alpha of 0 to a single item, and what was drawn an interval to the mean kappa of many
    annotators who share few items: both are thrown away."""
    apps.get_model("review", "AgreementTable").objects.update(
        figures_version=None, draws=[], draws_version=None, drawn_at=None
    )


class Migration(migrations.Migration):
    dependencies = [("review", "0005_every_item_drawn")]

    operations = [migrations.RunPython(work_out_again, migrations.RunPython.noop)]
