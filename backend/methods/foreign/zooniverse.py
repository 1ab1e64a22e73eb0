"""Zooniverse's exports of classifications: a table in which some cells are JSON.

A row is what one person said of one subject. `annotations` lists the answers, a question each; `subject_data` has the
columns of the manifest by the id of the subject, where a `#` or `//` before a name hides it from people. People who
were not signed in are called after their address. What is marked `gold_standard` is gold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from backend.methods.foreign.columns import IMAGE_COLUMNS, NAMES, TEXT_COLUMNS, Record
from backend.methods.foreign.label_studio import OF_NOBODY, only_of
from backend.methods.foreign.statuses import FALSE, squashed
from backend.methods.foreign.told import NotJudgmentsError, Told, Why
from backend.methods.foreign.values import value_of

NOT_JSON = Why("row_cell_not_json", "Its annotations or subject_data are not valid JSON.")
SEVERAL_SUBJECTS = Why("row_several_subjects", "It is about several subjects. An answer is about one.")
OTHER_KIND = Why("row_other_kind", "It has marks or a survey, and no choice.")
PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)")  # which may stand before the words of an answer
QUESTIONS = "The answers have several questions. Choose one of them as the label: {names}."
WORKFLOWS = "This file has answers of several workflows: {names}. Export one of them."
KEYS = (*NAMES["task"], "key", "pairkey")
SHOWN = 80


def is_zooniverse(names: Iterable[str]) -> bool:
    """Whether a table has the columns of an export of classifications."""
    there = {name.strip().casefold() for name in names}
    return {"annotations", "subject_data", "workflow_id"} <= there


def read_zooniverse(rows: Sequence[tuple[str, Record | Why]], *, label: str = "") -> list[Told]:
    """Every classification in its order. `label` names the question where there are several, by its task (T0) or by its
    words. Raises NotJudgmentsError."""
    records = [(where, row if isinstance(row, Why) else _folded(row)) for where, row in rows]
    _check_one_workflow(records)
    asked = [(where, row, _answers(row)) for where, row in records]
    questions = {
        task: words
        for _, _, answers in asked
        if isinstance(answers, list)
        for task, words, said in answers
        if _choices(said) is not None
    }
    if len(questions) > 1 and not label:
        names = ", ".join(f"{task} ({words[:SHOWN]})" if words else task for task, words in questions.items())
        raise NotJudgmentsError(QUESTIONS, code="file_several_questions", names=names)
    return [_of_row(where, row, answers, label) for where, row, answers in asked]


def _folded(row: Record) -> Record:
    return {name.strip().casefold(): value for name, value in row.items()}


def _check_one_workflow(records: Iterable[tuple[str, Record | Why]]) -> None:
    """T0 is another question in another workflow."""
    found: dict[str, str] = {}
    for _, row in records:
        if not isinstance(row, Why) and (number := value_of(row.get("workflow_id"))):
            found.setdefault(number, value_of(row.get("workflow_name")) or number)
    if len(found) > 1:
        names = ", ".join(name[:SHOWN] for name in [*found.values()][:10])
        raise NotJudgmentsError(WORKFLOWS, code="file_several_workflows", names=names)


def _answers(row: Record | Why) -> list[tuple[str, str, Any]] | Why:
    """Task, words and answer of each question, or why they cannot be read."""
    if isinstance(row, Why):
        return row
    told = _json(row.get("annotations"))
    return list(_flat(told)) if isinstance(told, list) else NOT_JSON


def _flat(annotations: list[Any]) -> Iterator[tuple[str, str, Any]]:
    """Several questions on one page lie in each other."""
    waiting = annotations[::-1]
    while waiting:
        each = waiting.pop()
        if not isinstance(each, Mapping):
            continue
        inner = each.get("value")
        if isinstance(inner, list) and any(isinstance(one, Mapping) and "task" in one for one in inner):
            waiting += inner[::-1]
        else:
            yield value_of(each.get("task")), value_of(each.get("task_label")), inner


def _choices(said: Any) -> list[str] | None:
    """What was chosen; None for what is no choice, such as marks on the image."""
    told = said if isinstance(said, list) else [said]
    if any(isinstance(each, (Mapping, list)) for each in told):
        return None
    words = (PICTURE.sub("", value_of(each)).strip() or value_of(each) for each in told)
    return list(dict.fromkeys(filter(None, words)))


def _of_row(where: str, row: Record | Why, answers: list[tuple[str, str, Any]] | Why, label: str) -> Told:
    if isinstance(row, Why):
        return Told(where, "", "", "", why_not=row)
    if isinstance(answers, Why):
        return Told(where, "", "", "", why_not=answers)
    subject = _subject(row)
    if isinstance(subject, Why):
        return Told(where, "", "", "", why_not=subject)
    number, facts = subject
    worker = value_of(row.get("user_name")) or value_of(row.get("user_id"))
    is_gold = value_of(row.get("gold_standard")).casefold() not in FALSE
    said, why = _said(answers, label)
    text = next((name for name in TEXT_COLUMNS if facts.get(name)), "")
    return Told(
        where, next((facts[name] for name in KEYS if facts.get(name)), number), worker, said,
        next((facts[name] for name in IMAGE_COLUMNS if facts.get(name)), ""), facts.get(text, ""), is_gold,
        why or ("" if worker or is_gold else OF_NOBODY), is_of_query=text == "query",
    )  # fmt: skip


def _said(answers: Sequence[tuple[str, str, Any]], label: str) -> tuple[str, str]:
    """The one choice under that name, or under any; or why there is none."""
    asked = [said for task, words, said in answers if not label or label in (task, words)]
    told = [choice for said in asked for choice in _choices(said) or ()]
    if not told and any(_choices(said) is None for said in asked):
        return "", OTHER_KIND
    return only_of(told)


def _subject(row: Record) -> tuple[str, dict[str, str]] | Why:
    """The id of the subject, and what the manifest says of it, by name without signs and capitals."""
    subjects = _json(row.get("subject_data"))
    if not isinstance(subjects, Mapping) or not subjects:
        return NOT_JSON
    if len(subjects) > 1:
        return SEVERAL_SUBJECTS
    (number, facts), *_ = subjects.items()
    if not isinstance(facts, Mapping):
        return NOT_JSON
    told: dict[str, str] = {}
    for name, value in facts.items():
        if not isinstance(value, (Mapping, list)):
            told.setdefault(squashed(name), value_of(value))
    return str(number), told


def _json(cell: Any) -> Any:
    """What a cell holds; None where it is no JSON."""
    if not isinstance(cell, str):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None
