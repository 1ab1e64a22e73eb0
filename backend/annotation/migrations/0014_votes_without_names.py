# Votes that are imported without names are dealt to standings that are no person's.

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0013_previews_are_kept")]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="is_unnamed",
            field=models.BooleanField(
                default=False, help_text="No person: it stands for imported votes whose voters the file does not name."
            ),
        ),
    ]
