from typing import Any

import django.utils.timezone
from django.db import migrations, models


def read_all_again(apps: Any, schema_editor: Any) -> None:
    """The next filling of each queue looks at every pair and sets the new column."""
    apps.get_model('review', 'QueueState').objects.update(submitted_at=None, assignment=None)


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0005_when_filled'),
    ]

    operations = [
        migrations.AddField(
            model_name='pairtally',
            name='changed_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='Of the newest vote or verdict.'),
        ),
        migrations.RunPython(read_all_again, migrations.RunPython.noop),
    ]
