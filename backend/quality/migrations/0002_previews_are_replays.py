import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("quality", "0001_first_tables"), ("runs", "0002_what_rows_lack")]

    operations = [
        migrations.DeleteModel(name="PolicyPreview"),
        migrations.DeleteModel(name="PolicyFinding"),
        migrations.RenameField(model_name="policyreplay", old_name="summary", new_name="effect"),
        migrations.AlterField(
            model_name="policyreplay",
            name="effect",
            field=models.JSONField(help_text="What changes by it, see effects.Effect."),
        ),
        migrations.AddField(
            model_name="policyreplay",
            name="findings",
            field=models.JSONField(
                default=list, help_text="[{user_id, rule, collector, action, evidence}], by user and rule."
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="policyreplay",
            name="is_applied",
            field=models.BooleanField(default=True, help_text="Not a preview, of which a version has one at most."),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="policyreplay",
            name="run",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="runs.run"
            ),
        ),
    ]
