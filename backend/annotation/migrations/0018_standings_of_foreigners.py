from django.db import migrations, models

NAMES = "^(foreign|unnamed)-[0-9a-f]{20}$"


def mark(apps, schema_editor):
    """Those that an import made: nobody can sign in as them, and their names say what they stand for."""
    standings = apps.get_model("annotation", "Standing").objects.filter(user__username__regex=NAMES, user__is_active=False)
    standings.update(is_foreign=True)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0017_unique_where_not_null")]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="is_foreign",
            field=models.BooleanField(default=False, help_text="Their judgments were made elsewhere and brought in."),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
