"""Conversations about an image, as models are trained with them: `conversations` is a list of `{from, value}`.

What the model says is a caption. What a person asks is a question, and no caption.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import MemberRefused, Refused
from backend.methods.tables import as_text

CONVERSATIONS = "conversations"
MODEL = "gpt"
ANSWERS = (MODEL, "assistant")
OTHERS = ("human", "user", "system")
QUESTION = "This is a question or an instruction of a conversation. Only the answers are captions."
NO_IMAGE = "This conversation has no image."
SEVERAL_IMAGES = "This conversation has several images. Connote does not know which one an answer is about."
NO_TURN = "This part of the conversation has no speaker or no text. Write from and value."
IMAGE = ("image", "images")


def turns_of(record: Mapping[str, Any]) -> list[Any] | None:
    """What was said, in its order; None where the record is no conversation."""
    turns = record.get(CONVERSATIONS)
    return turns if isinstance(turns, list) else None


def with_one_image(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A conversation whose list of images has one, with this one. Raises MemberRefused where there are several."""
    images: list[Any] = next((record[column] for column in IMAGE if isinstance(record.get(column), list)), [])
    if len(images) > 1:
        raise MemberRefused("conversation_images", SEVERAL_IMAGES)
    return {**record, IMAGE[0]: images[0]} if images else record


def without_image(line: int, record: Mapping[str, Any]) -> Refused:
    """Collections of conversations have some that are about no image. An import does not need them."""
    return Refused(line, printable(as_text(record.get("id"))), "conversation_no_image", NO_IMAGE, is_ignored=True)


def answers(line: int, key: str, record_id: str, turns: list[Any]) -> Iterator[dict[str, Any] | Refused]:
    """Each answer as a caption with an id, and each other turn as what it is."""
    for n, turn in enumerate(turns, start=1):
        said = turn if isinstance(turn, Mapping) else {}
        speaker, text = as_text(said.get("from")).casefold(), said.get("value")
        if speaker in OTHERS:
            yield Refused(line, printable(key), "turn_question", QUESTION, is_ignored=True)
        elif speaker in ANSWERS and isinstance(text, str) and text.strip():
            yield {"text": text, "caption_id": f"{record_id}#{n}", "source": MODEL}
        else:
            yield Refused(line, printable(key), "turn_unread", NO_TURN)
