import django.db.models.deletion
from django.db import migrations, models

OF_HELD = models.UniqueConstraint(
    fields=("assignment",), condition=models.Q(assignment__isnull=False), name="slot_once_per_assignment"
)
OF_LATER = models.UniqueConstraint(
    fields=("supersedes",), condition=models.Q(supersedes__isnull=False), name="judgment_superseded_once"
)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_settled_of_whom")]

    operations = [
        migrations.AlterField(
            model_name="judgment",
            name="supersedes",
            field=models.ForeignKey(
                blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT,
                related_name="later", related_query_name="superseded_by", to="annotation.judgment",
            ),
        ),
        migrations.AlterField(
            model_name="slot",
            name="assignment",
            field=models.ForeignKey(
                blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL,
                related_name="slots", related_query_name="slot", to="annotation.assignment",
            ),
        ),
        migrations.AddConstraint("judgment", OF_LATER),
        migrations.AddConstraint("slot", OF_HELD),
    ]  # fmt: skip
