from collections import defaultdict

from django.db import migrations

BATCH = 1000


def note_what_gave_way(apps, schema_editor):
    Assignment = apps.get_model("annotation", "Assignment")
    pages = Assignment.objects.filter(gave_way=[]).exclude(controls={}).select_related("project").order_by("pk")
    batch = list(pages[:BATCH])
    while batch:
        last = batch[-1].pk
        pairs = _pairs_of(apps, {page.hit_id for page in batch})
        found = [page for page in batch if _note(page, pairs[page.hit_id])]
        Assignment.objects.bulk_update(found, ["gave_way"])
        batch = list(pages.filter(pk__gt=last)[:BATCH])


def _pairs_of(apps, hits):
    items = apps.get_model("annotation", "HitItem").objects.filter(hit__in=hits).order_by("position")
    pairs = defaultdict(list)
    for hit, pair in items.values_list("hit", "candidate"):
        pairs[hit].append(pair)
    return pairs


def _note(page, pairs):
    missing = [pair for pair in pairs if pair not in page.shown]
    if len(missing) == len(page.controls) or _took_places(page):
        page.gave_way = missing[: len(page.controls)]
    return bool(page.gave_way)


def _took_places(page):
    """Whether its controls took the places of pairs, where as many pairs are missing or more: they came on top where
    the rate asks for one on such a page. The rate may have been another one when it was drawn."""
    rate = page.project.control_rate
    on_top = int(len(page.shown) * rate / (1 - rate) + 0.5)
    return len(page.controls) == len(page.shown) or (rate > 0 and not on_top)


class Migration(migrations.Migration):
    """What gave way on pages that were drawn before it was noted: of the HIT's pairs those that do not stand there.

    So it is where all of them were open. Where one was done by then it may be that one, which is as good as nothing.
    """

    dependencies = [("annotation", "0020_what_gave_way")]
    operations = [migrations.RunPython(note_what_gave_way, migrations.RunPython.noop)]
