import re
from datetime import datetime

from django.db import migrations, models

RULES = {
    "Too many of your answers differ from what is known to be right.": "rule_control_failures",
    "Many of your answers came faster than the items can be looked at.": "rule_too_fast",
    "You often gave a whole page one answer, more often than its items explain.": "rule_straight_lining",
    "Your answers follow the place on the screen more than the items do.": "rule_position_bias",
    "Your answers differ from those of most others more often than is usual here.": "rule_disagreement",
    "You left many of the pages you were shown to others.": "rule_skips",
}
CONTROLS = {
    "Looked at by a person and put back in use.": "control_put_back",
    "Retired by hand.": "control_retired",
    "Its answer is wrong, says a person: it counts for nobody.": "control_wrong",
}
AUDITED = re.compile(r"(\d+) of (\d+) good annotators failed it \(p = (\S+)\), (\d\d \w+ \d{4})\.")


def name_reasons(apps, schema_editor):
    """What stood as our own sentence is stored as its code; what a person wrote stays."""
    standings = apps.get_model("annotation", "Standing").objects.exclude(reasons=[])
    for standing in standings.iterator():
        standing.reasons = [RULES.get(reason, reason) for reason in standing.reasons]
        standing.save(update_fields=["reasons"])
    controls = apps.get_model("annotation", "Control").objects.exclude(state_detail="")
    for control in controls.iterator():
        if name_state(control):
            control.save(update_fields=["state_code", "state_params", "state_detail"])


def name_state(control):
    audited = AUDITED.fullmatch(control.state_detail)
    if audited:
        failed, good, p, on = audited.groups()
        day = datetime.strptime(on, "%d %B %Y").date().isoformat()
        control.state_code = "control_failed_by_good"
        control.state_params = {"failed": int(failed), "good": int(good), "p": p, "on": day}
    else:
        control.state_code = CONTROLS.get(control.state_detail, "")
    if control.state_code:
        control.state_detail = ""
    return bool(control.state_code)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0022_settled_at_which_change'),
    ]

    operations = [
        migrations.AddField(
            model_name='control',
            name='state_code',
            field=models.CharField(blank=True, help_text='Why it has its state: a code of our sentences.', max_length=30),
        ),
        migrations.AddField(
            model_name='control',
            name='state_params',
            field=models.JSONField(blank=True, default=dict, help_text='The values of that sentence.'),
        ),
        migrations.AlterField(
            model_name='control',
            name='state_detail',
            field=models.CharField(blank=True, help_text="Why it has its state, in a person's words.", max_length=300),
        ),
        migrations.AlterField(
            model_name='standing',
            name='reasons',
            field=models.JSONField(blank=True, default=list, help_text="Codes of active rules, or a person's sentence."),
        ),
        migrations.RunPython(name_reasons, migrations.RunPython.noop),
    ]
