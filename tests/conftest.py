from __future__ import annotations

from hypothesis import settings

pytest_plugins = [
    "cast",
    "generic_fixtures",
    "judged_project",
    "retrieval_fixtures",
    "service_fixtures",
    "shared_data_fixtures",
    "stack_fixtures",
    "web_titles",
    "browser_fixtures",
]

# The same examples on every run, and no clock: a busy machine is no bug.
settings.register_profile("connote", deadline=None, derandomize=True)
settings.load_profile("connote")
