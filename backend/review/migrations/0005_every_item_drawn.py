from typing import Any

from django.db import migrations


def work_out_again(apps: Any, schema_editor: Any) -> None:
    """What was worked out and drawn counted pairs once for each two annotators under Cohen's mean, left those that one
    person judged out of the drawing, and drew each two annotators 500 times: all of it is thrown away."""
    apps.get_model("review", "AgreementTable").objects.update(
        figures_version=None, draws=[], pair_draws=b"", draws_version=None, drawn_at=None
    )


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0004_intervals_packed"),
    ]

    operations = [
        migrations.RunPython(work_out_again, migrations.RunPython.noop),
    ]
