from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("candidates", "0006_neighbours_by_shard"),
    ]

    operations = [
        migrations.AddField(
            model_name="webtitles",
            name="refused",
            field=models.CharField(
                blank=True, default="", help_text="Why the picture was not taken, by its code.", max_length=40
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="webtitles",
            name="message",
            field=models.CharField(blank=True, default="", help_text="The same in words.", max_length=500),
            preserve_default=False,
        ),
    ]
