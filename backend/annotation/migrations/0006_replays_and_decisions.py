"""Each application of a policy is a row that pins what it was worked out from; what people decide has rows of its own.

No finding was ever stored before: their table is made anew.
"""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_one_quiz_attempt_at_a_time"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="StandingDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("created_at", models.DateTimeField(auto_now_add=True, help_text="When this row was made, UTC.")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("active", "active, whatever the policy finds"),
                            ("paused", "paused"),
                            ("excluded", "excluded"),
                            ("policy", "as the policy finds"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        help_text="Why, in a sentence that the person concerned may read.", max_length=300
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "standing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="decisions", to="annotation.standing"
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "paused", "excluded", "policy"])),
                        name="standing_decision_known",
                    )
                ],
            },
        ),
        migrations.DeleteModel(name="PolicyFinding"),
        migrations.CreateModel(
            name="PolicyReplay",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True, help_text="When this row was made, UTC.")),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "horizon",
                    models.JSONField(help_text="{until, decided_until, quarantined, skips}, see replaying.Horizon."),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of the view: findings and states of all, as JSON.", max_length=64
                    ),
                ),
                ("summary", models.JSONField(help_text="What changed by it, as the preview told it.")),
                (
                    "applied_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "policy",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replays",
                        to="annotation.qualitypolicy",
                    ),
                ),
            ],
            options={
                "ordering": ("-created_at", "-id"),
            },
        ),
        migrations.CreateModel(
            name="PolicyFinding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rule", models.PositiveSmallIntegerField(help_text="Which of the policy's rules, from 0.")),
                ("collector", models.CharField(max_length=20)),
                ("action", models.CharField(help_text="warn, pause, exclude or review.", max_length=8)),
                (
                    "evidence",
                    models.JSONField(help_text="The collector's figures: numbers, thresholds, how many it saw."),
                ),
                (
                    "replay",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="findings",
                        to="annotation.policyreplay",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.UniqueConstraint(fields=("replay", "user", "rule"), name="finding_once_per_rule")
                ],
            },
        ),
    ]
