from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("candidates", "0005_what_retrieval_finds"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="neighbour", name="neighbour_once_per_corpus"),
        migrations.AlterField(
            model_name="neighbour",
            name="key",
            field=models.CharField(
                help_text="What its shard calls it; another shard may use the same.", max_length=200
            ),
        ),
        migrations.AddConstraint(
            model_name="neighbour",
            constraint=models.UniqueConstraint(fields=("corpus", "shard", "key"), name="neighbour_once_per_shard"),
        ),
    ]
