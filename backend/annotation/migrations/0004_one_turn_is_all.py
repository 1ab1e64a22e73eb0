"""What 0003 made true of all rows, as constraints. Apart from it: PostgreSQL changes no table with rows in flight."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_one_turn_for_each_person")]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="project",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="projects.project",
            ),
        ),
        migrations.AlterField(
            model_name="assignment",
            name="leased_at",
            field=models.DateTimeField(help_text="When it was last handed over."),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(fields=("hit", "annotator"), name="assignment_once_per_annotator"),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("supersedes", None)),
                fields=("annotator", "candidate"),
                name="judgment_first_once_per_pair",
            ),
        ),
    ]
