import hashlib
import json

from django.db import migrations, models


def name_records(apps, schema_editor):
    """As curation/rating.py does; what these raters kept of their records is the numbers alone."""
    raters = apps.get_model("curation", "Rater")
    for rater in raters.objects.all():
        text = json.dumps(rater.calibration, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        rater.record = hashlib.sha256(text.encode()).hexdigest()
        rater.save(update_fields=["record"])


class Migration(migrations.Migration):
    dependencies = [
        ("curation", "0002_how_hard_models_find_the_chosen_captions"),
    ]

    operations = [
        migrations.AddField(
            model_name="rater",
            name="record",
            field=models.CharField(default="", help_text="SHA-256 of the whole record.", max_length=64),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="rater",
            name="calibration",
            field=models.JSONField(
                help_text="The whole record: what the threshold was made from, and the preprocessing it holds for."
            ),
        ),
        migrations.RunPython(name_records, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="rater", name="rater_once_per_threshold"),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.UniqueConstraint(fields=("name", "digest", "record"), name="rater_once_per_record"),
        ),
    ]
