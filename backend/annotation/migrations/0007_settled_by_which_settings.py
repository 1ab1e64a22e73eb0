from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_replays_and_decisions"), ("projects", "0002_controls_standings_and_policies")]

    operations = [
        migrations.CreateModel(
            name="SettledAs",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("overlap", models.PositiveSmallIntegerField()),
                ("max_overlap", models.PositiveSmallIntegerField()),
                ("confidence", models.FloatField(blank=True, null=True)),
                (
                    "last_hit",
                    models.PositiveBigIntegerField(
                        blank=True, help_text="Settled up to here; empty: all are.", null=True
                    ),
                ),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="settled_as", to="projects.project"
                    ),
                ),
            ],
            options={"verbose_name_plural": "settled as"},
        ),
    ]
