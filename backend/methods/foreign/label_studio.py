"""Label Studio's exports: JSON, tasks with their annotations, and JSON_MIN, one flat record for each annotation.

In JSON an annotation's choice stands in `result` under `value.choices`, who made it in `completed_by`; one that was
cancelled says nothing, and one marked `ground_truth` is gold. In JSON_MIN the choice stands under the name that the
labelling configuration gave it, beside the task's own data: that name is asked for where it cannot be told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from backend.methods.foreign.told import NotJudgmentsError, Told

ABOUT = frozenset({
    "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "annotations", "agreement",
    "file_upload", "inner_id", "total_annotations", "cancelled_annotations", "total_predictions", "comment_count",
    "project", "updated_by",
})  # fmt: skip
IMAGES, TEXTS = ("image", "img", "picture", "photo", "url"), ("caption", "text", "query", "sentence")


def is_label_studio(values: Any) -> TypeGuard[list[Mapping[str, Any]]]:
    """Whether parsed JSON is one of the two exports."""
    return isinstance(values, list) and bool(values) and _is_task(values[0])


def read_label_studio(values: Sequence[Mapping[str, Any]], *, label: str = "") -> list[Told]:
    """Every judgment of an export in its order. `label` names the choice where a task has several, or JSON_MIN's field.

    Of several annotations of a task by one person the newest is told. Raises NotJudgmentsError.
    """
    if _has_annotations(values[0]):
        return _newest([each for task in values for each in _of_task(task, label)])
    field = label or _label_field(values)
    return _newest([_of_record(n, record, field) for n, record in enumerate(values, start=1)])


def _is_task(value: Any) -> bool:
    return isinstance(value, Mapping) and (_has_annotations(value) or {"annotator", "annotation_id"} <= set(value))


def _has_annotations(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("annotations", value.get("completions")), list)


def _of_task(task: Mapping[str, Any], label: str) -> Iterator[tuple[str, Told]]:
    if not _has_annotations(task):
        raise NotJudgmentsError(f"Task {task.get('id', '?')} has no list of annotations, unlike those before it.")
    data = task.get("data")
    data = data if isinstance(data, Mapping) else {}
    for annotation in task.get("annotations", task.get("completions")):
        where = f"task {task.get('id', '?')}, annotation {annotation.get('id', '?')}"
        if annotation.get("was_cancelled"):
            why = "It was cancelled: its maker said nothing."
            said = ""
        else:
            said, why = _choice(annotation.get("result") or (), label), ""
            why = "" if said else "It holds no choice."
        yield (
            _when(annotation),
            Told(
                where=where, task=str(task.get("id", "")), worker=_worker(annotation.get("completed_by")), label=said,
                image=_first(data, IMAGES), text=_first(data, TEXTS), is_gold=bool(annotation.get("ground_truth")),
                why_not=why,
            ),
        )  # fmt: skip


def _choice(result: Sequence[Any], label: str) -> str:
    """The only choice made under that name, or under any."""
    made = [
        each["value"]["choices"]
        for each in result
        if isinstance(each, Mapping)
        and isinstance(each.get("value"), Mapping)
        and isinstance(each["value"].get("choices"), list)
        and (not label or each.get("from_name") == label)
    ]
    if len(made) > 1:
        names = sorted({str(each.get("from_name")) for each in result if isinstance(each, Mapping)})
        raise NotJudgmentsError(f"Annotations make several choices: name one of {', '.join(names)} as the label.")
    if made and len(made[0]) > 1:
        raise NotJudgmentsError("A choice of several answers at once is no judgment: only single choices can be read.")
    return str(made[0][0]) if made and made[0] else ""


def _of_record(number: int, record: Mapping[str, Any], field: str) -> tuple[str, Told]:
    if field not in record:
        said, why = "", f"It has no field {field}."
    else:
        said = _flat(record[field])
        why = "" if said else "It holds no choice."
    return _when(record), Told(
        where=f"record {number}", task=str(record.get("id", "")), worker=_worker(record.get("annotator")), label=said,
        image=_first(record, IMAGES), text=_first(record, TEXTS), why_not=why,
    )  # fmt: skip


def _label_field(records: Sequence[Mapping[str, Any]]) -> str:
    """The field that people filled in: the one whose value differs within a task, or else the only one left over."""
    by_task: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        by_task[str(record.get("id"))].append(record)
    names = sorted({name for record in records for name in record} - ABOUT)
    differs = [name for name in names if any(len({str(r.get(name)) for r in rows}) > 1 for rows in by_task.values())]
    left = differs or [name for name in names if name not in (*IMAGES, *TEXTS)]
    if len(left) != 1:
        raise NotJudgmentsError(f"Which field holds the label cannot be told: name one of {', '.join(left or names)}.")
    return left[0]


def _flat(value: Any) -> str:
    if isinstance(value, Mapping) and isinstance(value.get("choices"), list) and len(value["choices"]) == 1:
        return str(value["choices"][0])
    return value if isinstance(value, str) else ""


def _worker(told: Any) -> str:
    """`completed_by` is an id, or in newer exports an object with id and email."""
    if isinstance(told, Mapping):
        return str(told.get("email") or told.get("id") or "")
    return "" if told is None else str(told)


def _when(told: Mapping[str, Any]) -> str:
    return str(told.get("updated_at") or told.get("created_at") or "")


def _first(data: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((str(data[name]) for name in names if isinstance(data.get(name), str)), "")


def _newest(dated: Sequence[tuple[str, Told]]) -> list[Told]:
    """All in their order, but of one person's judgments of one task only the newest, the later one of equal age."""
    best: dict[tuple[str, str, bool], int] = {}
    for at, (when, told) in enumerate(dated):
        key = (told.task, told.worker, told.is_gold)
        if not told.why_not and (key not in best or when >= dated[best[key]][0]):
            best[key] = at
    kept = set(best.values())
    return [told for at, (_, told) in enumerate(dated) if told.why_not or at in kept]
