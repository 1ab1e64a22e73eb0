from typing import Any

from django.db import migrations, models


def draw_again(apps: Any, schema_editor: Any) -> None:
    """What was drawn is thrown away with its column: a worker, or the next reader of a small project, draws it anew."""
    apps.get_model("review", "AgreementTable").objects.filter(scope="overall").update(draws_version=None, drawn_at=None)


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0003_intervals_of_every_two"),
    ]

    operations = [
        migrations.RemoveField(model_name="agreementtable", name="pair_draws"),
        migrations.AddField(
            model_name="agreementtable",
            name="pair_draws",
            field=models.BinaryField(
                default=bytes, help_text="Of all pairs: intervals of Cohen's kappa of every two annotators, packed."
            ),
        ),
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
