from typing import Any

from django.db import migrations, models


def draw_again(apps: Any, schema_editor: Any) -> None:
    """What was drawn before knows no intervals of every two."""
    apps.get_model("review", "AgreementTable").objects.filter(scope="overall").update(draws_version=None, drawn_at=None)


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0002_remarks_to_annotators"),
    ]

    operations = [
        migrations.AddField(
            model_name="agreementtable",
            name="pair_draws",
            field=models.JSONField(
                blank=True, default=dict, help_text="Of all pairs: intervals of Cohen's kappa of every two annotators."
            ),
        ),
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
