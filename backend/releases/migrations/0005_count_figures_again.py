from django.db import migrations


def forget(apps, schema_editor):
    """The figures of releases have the agreement now. They are counted again when they are asked for."""
    apps.get_model("releases", "ReleaseFigures").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ("releases", "0004_versions_and_withdrawals"),
    ]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
