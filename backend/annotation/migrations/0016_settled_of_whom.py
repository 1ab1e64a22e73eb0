from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0015_what_quarantined_means")]

    operations = [
        migrations.AddField(
            model_name="settledas",
            name="of_users",
            field=models.JSONField(
                blank=True, help_text="Only the HITs that these people submitted are gone through; empty: all.", null=True
            ),
        ),
    ]
