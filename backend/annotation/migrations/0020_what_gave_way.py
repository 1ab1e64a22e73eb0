from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0019_looked_at")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="gave_way",
            field=models.JSONField(
                default=list, help_text="Candidate ids of the pairs that gave way to control items. Never leaves the server."
            ),
        ),
    ]
