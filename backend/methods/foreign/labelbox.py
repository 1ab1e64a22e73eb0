"""Labelbox's exports: NDJSON or JSON, a data row with the labels that people gave it in a project.

A label's answers stand in `annotations.classifications`; who made it stands in `label_details.created_by`. A label that
was skipped, whose newest review rejects it, or whose row is to be labelled again is no vote, and a benchmark is gold.
The task is the global key, or else the id of the data row. The image is called by the external id. A field of the row's
metadata, or an attachment of text, is the caption where it is called so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from backend.methods.foreign.columns import IMAGE_COLUMNS, TEXT_COLUMNS, Record
from backend.methods.foreign.label_studio import NO_CHOICE, NOT_ANNOTATED, OF_NOBODY, newest, only_of
from backend.methods.foreign.statuses import DENIED, REJECTED, SKIPPED, squashed
from backend.methods.foreign.told import NotJudgmentsError, Told, Why
from backend.methods.foreign.values import value_of

NO_DATA_ROW = Why("row_no_data_row", "It has no data row, or no projects.")
BROKEN = Why("row_label_unread", "Its label is not written as Labelbox writes labels.")
FRAMES = Why("row_of_frames", "It labels parts of a video, and has no answer for the whole.")
OBJECTS = Why("row_other_kind", "It marks objects, and has no choice.")
FREE_TEXT = Why("row_free_text", "It has a text, and no choice.")
OLD = "This is an export of an old version of Labelbox. Export the project again as NDJSON."
QUESTIONS = "The labels have several questions. Choose one of them as the label: {names}."
PROJECTS = "This file has labels of several projects: {names}. Export one of them."
SHOWN = 80
Answers = dict[str, list[str]]  # by question


def is_labelbox(names: Iterable[str]) -> bool:
    """Whether records with these names are data rows of an export."""
    return {"data_row", "projects"} <= set(names)


def check_not_old(names: Iterable[str]) -> None:
    """Raises NotJudgmentsError on the rows of Labelbox's first export."""
    if {"DataRow ID", "Labeled Data", "Label"} <= set(names):
        raise NotJudgmentsError(OLD, code="file_of_old_labelbox")


def read_labelbox(rows: Sequence[tuple[str, Record | Why]], *, label: str = "") -> list[Told]:
    """Every label of an export in its order. `label` names the question where there are several. Of several labels of a
    data row by one person the newest one counts. Raises NotJudgmentsError."""
    _check_one_project(rows)
    questions = dict.fromkeys(
        question
        for _, row in rows
        for made in (_labels(row) if isinstance(row, Mapping) else ())
        if isinstance(made, Mapping)
        for question in _choices(made)
    )
    if len(questions) > 1 and not label:
        raise NotJudgmentsError(QUESTIONS, code="file_several_questions", names=", ".join(questions))
    return newest([each for where, row in rows for each in _of_row(where, row, label)])


def _check_one_project(rows: Sequence[tuple[str, Record | Why]]) -> None:
    """The same question may mean two things in two projects."""
    labelled: dict[str, str] = {}
    for _, row in rows:
        for key, project in _projects(row).items():
            if isinstance(project, Mapping) and project.get("labels"):
                labelled.setdefault(str(key), str(project.get("name") or key))
    if len(labelled) > 1:
        names = ", ".join(name[:SHOWN] for name in [*labelled.values()][:10])
        raise NotJudgmentsError(PROJECTS, code="file_several_projects", names=names)


def _projects(row: Any) -> Mapping[str, Any]:
    projects = row.get("projects") if isinstance(row, Mapping) else None
    return projects if isinstance(projects, Mapping) else {}


def _labels(row: Any) -> list[Any]:
    found = []
    for project in _projects(row).values():
        labels = project.get("labels") if isinstance(project, Mapping) else None
        found += labels if isinstance(labels, list) else []
    return found


def _of_row(where: str, row: Record | Why, label: str) -> Iterator[tuple[str, Told]]:
    if isinstance(row, Why):
        yield "", Told(where, "", "", "", why_not=row)
        return
    data = row.get("data_row")
    if not isinstance(data, Mapping) or not isinstance(row.get("projects"), Mapping):
        yield "", Told(where, "", "", "", why_not=NO_DATA_ROW)
        return
    about, text_name = _about(row, data)
    labels, is_in_rework = _labels(row), _is_in_rework(row)
    if not labels:
        yield "", about._replace(where=where, why_not=NOT_ANNOTATED)
    for n, made in enumerate(labels, start=1):
        place = f"{where}, label {n}" if len(labels) > 1 else where
        if not isinstance(made, Mapping):
            yield "", about._replace(where=place, why_not=BROKEN)
            continue
        details = _held(made, "label_details")
        worker, is_gold = value_of(details.get("created_by")), _is_benchmark(made, details)
        said, why = ("", REJECTED) if is_in_rework else _said(made, label)
        yield (
            str(details.get("content_last_updated_at") or details.get("updated_at") or details.get("created_at") or ""),
            about._replace(
                where=place, worker=worker, label=said, is_gold=is_gold, is_of_query=text_name == "query",
                why_not=why or ("" if worker or is_gold else OF_NOBODY),
            ),
        )  # fmt: skip


def _about(row: Record, data: Mapping[str, Any]) -> tuple[Told, str]:
    """The data row as a task, and what its text is called."""
    key, number, name = (value_of(data.get(each)) for each in ("global_key", "id", "external_id"))
    facts = dict(_facts(row))
    image = next((facts[name] for name in IMAGE_COLUMNS if facts.get(name)), "")
    image = image or name or key or value_of(data.get("row_data"))
    text_name = next((name for name in TEXT_COLUMNS if facts.get(name)), "")
    return Told("", key or number or name, "", "", image, facts.get(text_name, "")), text_name


def _facts(row: Record) -> Iterator[tuple[str, str]]:
    """The metadata and the attachments of text that a data row has, by name."""
    for field in _list(row, "metadata_fields"):
        yield squashed(field.get("schema_name") or field.get("name") or ""), value_of(field.get("value"))
    for field in _list(row, "attachments"):
        if str(field.get("type", "")).upper() == "RAW_TEXT":
            yield squashed(field.get("name") or field.get("attachment_name") or "caption"), value_of(field.get("value"))


def _is_benchmark(made: Mapping[str, Any], details: Mapping[str, Any]) -> bool:
    performance = _held(made, "performance_details")
    reference = performance.get("benchmark_reference_label")
    is_marked = any(each.get("is_benchmark_reference") is True for each in (made, details, performance))
    return is_marked or (bool(reference) and reference == made.get("id"))


def _said(made: Mapping[str, Any], label: str) -> tuple[str, str]:
    """The choice of a label, or why it is no vote."""
    details, performance = _held(made, "label_details"), _held(made, "performance_details")
    if any(each.get("skipped") is True for each in (made, details, performance)):
        return "", SKIPPED
    if _is_rejected(details):
        return "", REJECTED
    choices, texts = _choices(made), _texts(made)
    if said := (choices | texts).get(label, []) if label else next(iter(choices.values()), []):
        return only_of(said)
    annotations = _held(made, "annotations")
    if annotations.get("frames"):
        return "", FRAMES
    if texts and not label:
        return "", FREE_TEXT
    return "", OBJECTS if annotations.get("objects") else NO_CHOICE


def _is_rejected(details: Mapping[str, Any]) -> bool:
    """By the newest review of a label."""
    reviews = _list(details, "reviews")
    if not reviews:
        return False
    last = max(reviews, key=lambda each: str(each.get("reviewed_at") or each.get("created_at") or ""))
    told = (value_of(last.get(name)).casefold() for name in ("approved", "status", "action", "score"))
    return any(each in DENIED or each in ("-1", "-1.0", "reject") for each in told if each)


def _is_in_rework(row: Record) -> bool:
    """Whether the row was sent back, to be labelled again."""
    states = (_held(project, "project_details") for project in _projects(row).values() if _list(project, "labels"))
    return any(str(state.get("workflow_status", "")).upper() == "IN_REWORK" for state in states)


def _classifications(made: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The answers of a label, each followed by those that were asked because of it."""
    waiting = _list(_held(made, "annotations"), "classifications")[::-1]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [inner for option in _options(each) for inner in _list(option, "classifications")][::-1]


def _options(classification: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What was chosen. A question that was left open has nothing."""
    return [_held(classification, "radio_answer"), *_list(classification, "checklist_answers")]


def _choices(made: Mapping[str, Any]) -> Answers:
    """What was chosen, by question."""
    return _by_question(
        (each, value_of(option.get("name") or option.get("value")))
        for each in _classifications(made)
        for option in _options(each)
    )


def _texts(made: Mapping[str, Any]) -> Answers:
    return _by_question((each, value_of(_held(each, "text_answer").get("content"))) for each in _classifications(made))


def _by_question(told: Iterable[tuple[Mapping[str, Any], str]]) -> Answers:
    """Each answer once. Nothing is no answer."""
    answers: dict[str, dict[str, None]] = {}
    for classification, said in told:
        if said:
            name = value_of(classification.get("name") or classification.get("value")) or "(no name)"
            answers.setdefault(name, {})[said] = None
    return {name: list(each) for name, each in answers.items()}


def _held(values: Any, name: str) -> Mapping[str, Any]:
    """The object of that name, or an empty one."""
    held = values.get(name) if isinstance(values, Mapping) else None
    return held if isinstance(held, Mapping) else {}


def _list(values: Any, name: str) -> list[Mapping[str, Any]]:
    """The objects of the list of that name."""
    held = values.get(name) if isinstance(values, Mapping) else None
    return [each for each in held if isinstance(each, Mapping)] if isinstance(held, list) else []
