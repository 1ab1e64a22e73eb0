from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0010_drafts_of_work")]

    operations = [
        migrations.AddField(
            model_name="settledas",
            name="has_controls",
            field=models.BooleanField(default=False, help_text="Then pairs may have given way to controls."),
        ),
    ]
