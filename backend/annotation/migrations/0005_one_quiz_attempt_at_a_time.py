"""A pass is told by when, the guidelines by their digest; a person has one unfinished attempt at a time."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0004_one_turn_is_all"),
        ("projects", "0002_controls_standings_and_policies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveField(
            model_name="standing",
            name="qualified_until",
        ),
        migrations.AddField(
            model_name="qualification",
            name="passes_since",
            field=models.DateTimeField(
                blank=True,
                help_text="When a curator last asked everybody to pass anew; what came before is void.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="quizattempt",
            name="pass_mark",
            field=models.FloatField(
                default=0.8, help_text="Share that must be right, as the terms had it when this began."
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="standing",
            name="guidelines_digest",
            field=models.CharField(
                blank=True,
                help_text="SHA-256 of the guidelines they read; another text is to be read again.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="quiz_passed_at",
            field=models.DateTimeField(blank=True, help_text="How long it holds the terms in force say.", null=True),
        ),
        migrations.AlterField(
            model_name="qualification",
            name="version",
            field=models.PositiveIntegerField(
                default=1, help_text="Grows with every change; a stale write answers 409."
            ),
        ),
        migrations.AlterField(
            model_name="quizattempt",
            name="answers",
            field=models.JSONField(
                default=dict,
                help_text="{number of the question from 1, as text: {label, is_right}}; each is final once given.",
            ),
        ),
        migrations.AddConstraint(
            model_name="quizattempt",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("project", "user"), name="quiz_one_attempt_at_a_time"
            ),
        ),
    ]
