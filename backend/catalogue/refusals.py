"""What a source could not give, as rows of the run that read it."""

from __future__ import annotations

from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import Refused
from backend.runs.models import Refusal


def refusal_of(one: Refused) -> Refusal:
    """The row of the run's report. The message and its values are cut to what the table and a page can hold."""
    params = {name: printable(value) if isinstance(value, str) else value for name, value in one.params.items()}
    return Refusal(
        line=one.line,
        name=printable(one.name),
        code=one.code[:40],
        message=printable(one.message, 500),
        params=params,
        is_ignored=one.is_ignored,
    )
