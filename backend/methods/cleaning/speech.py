"""Rule 8: a caption has a noun, a verb or an adjective.

The paper drops captions "with no noun, verb or adjective" (IMP, C.3). That cannot mean those that miss one of the
three: it publishes "Echoes of footsteps, whispers of the high-rise", which has no verb.
"""

from __future__ import annotations

from collections.abc import Collection

from backend.methods.cleaning.outcome import PART_OF_SPEECH, Dropped, Outcome

WANTED = frozenset({"NOUN", "PROPN", "VERB", "ADJ"})


def with_content(text: str, tags: Collection[str] | None) -> Outcome:
    """`text`, or `part_of_speech` where none of its universal tags is a noun, a verb or an adjective.

    `tags` is None where no parser could read the text; then it is kept.
    """
    if tags is None or not WANTED.isdisjoint(tags):
        return text
    seen = " ".join(sorted(tags)) or "nothing"
    return Dropped(PART_OF_SPEECH, f"No noun, verb or adjective, only {seen}")
