from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_votes_without_names")]

    operations = [
        migrations.AlterField(
            model_name="control",
            name="state",
            field=models.CharField(
                choices=[
                    ("active", "active"),
                    ("quarantined", "quarantined: counts for nobody"),
                    ("retired", "retired by a person"),
                ],
                default="active",
                max_length=12,
            ),
        ),
    ]
