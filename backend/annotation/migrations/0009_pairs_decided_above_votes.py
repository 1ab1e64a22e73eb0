from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_index_of_late_and_skipped")]

    operations = [
        migrations.AddField(
            model_name="hititem",
            name="is_decided",
            field=models.BooleanField(default=False, help_text="Whether somebody's word above all votes stands on it."),
        ),
    ]
