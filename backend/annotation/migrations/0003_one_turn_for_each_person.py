"""Each person has one assignment of a HIT, ever: of several, the one that was submitted stays, else the newest."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Count, F


def keep_one_turn(apps, schema_editor) -> None:
    Assignment = apps.get_model("annotation", "Assignment")
    Assignment.objects.update(leased_at=F("created_at"))
    Hit = apps.get_model("annotation", "Hit")
    of_hit = Hit.objects.filter(pk=models.OuterRef("hit_id")).values("project")[:1]
    Assignment.objects.update(project=models.Subquery(of_hit))
    several = Assignment.objects.order_by().values("hit", "annotator").annotate(n=Count("pk")).filter(n__gt=1)
    for turn in several:
        of_one = Assignment.objects.filter(hit=turn["hit"], annotator=turn["annotator"]).order_by("-created_at")
        kept = of_one.filter(status__in=("leased", "submitted")).first() or of_one.first()
        of_one.exclude(pk=kept.pk).delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_controls_standings_and_policies")]

    operations = [
        migrations.RunPython(keep_one_turn, migrations.RunPython.noop),
    ]
