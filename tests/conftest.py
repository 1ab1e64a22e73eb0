from __future__ import annotations

pytest_plugins = ["cast", "judged_project", "service_fixtures", "shared_data_fixtures", "stack_fixtures", "browser_fixtures"]
