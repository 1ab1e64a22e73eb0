from django.db import migrations, models

STATES = [
    ("active", "active, whatever the policy finds"),
    ("paused", "paused"),
    ("excluded", "excluded"),
    ("policy", "as the policy finds"),
    ("reviewed", "as the policy finds; what asked for a review has been looked at"),
]


def hand_back(apps, schema_editor):
    """Who was looked at was left to the rules. Last among the operations: on the way back it goes before the rest."""
    decisions = apps.get_model("annotation", "StandingDecision").objects.filter(state="reviewed")
    decisions.update(state="policy")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0018_standings_of_foreigners")]

    operations = [
        migrations.RemoveConstraint(model_name="standingdecision", name="standing_decision_known"),
        migrations.AlterField(
            model_name="standingdecision",
            name="state",
            field=models.CharField(choices=STATES, max_length=8),
        ),
        migrations.AddConstraint(
            model_name="standingdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["active", "paused", "excluded", "policy", "reviewed"])),
                name="standing_decision_known",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, hand_back),
    ]
