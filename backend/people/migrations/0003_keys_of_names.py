"""Give the accounts that are there the keys by which look-alike names are found."""

from __future__ import annotations

from itertools import islice

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from backend.people.names import name_key

BATCH = 1000


def fill_keys(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    user_model = apps.get_model("people", "User")
    users = user_model.objects.filter(username_key="").order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(users, BATCH)):
        for user in batch:
            user.username_key, user.display_name_key = name_key(user.username), name_key(user.display_name)
        user_model.objects.bulk_update(batch, ["username_key", "display_name_key"])


class Migration(migrations.Migration):
    dependencies = [("people", "0002_rights_record_and_erased_accounts")]
    operations = [migrations.RunPython(fill_keys, migrations.RunPython.noop)]
