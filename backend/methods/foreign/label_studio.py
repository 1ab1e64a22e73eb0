"""Label Studio's exports: JSON, tasks with their annotations, and JSON_MIN, one flat record for each annotation.

In JSON an annotation's choice stands in `result` under `value.choices`, or as a taxonomy or a rating, and where a file
has none of these, as the side of a pair or as a number. Who made it stands in `completed_by`: an id, or an object with
one, by which people are known in both exports of a project; an annotation of nobody is no judgment. One that was
cancelled or rejected says nothing, and one marked `ground_truth` is gold. Predictions and drafts are no annotations.
In JSON_MIN and CSV the choice stands under the name that the labelling configuration gave it, beside the task's own
data: that name is asked for where it cannot be told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, TypeGuard

from backend.methods.foreign.statuses import CANCELLED, REJECTED
from backend.methods.foreign.told import NotJudgmentsError, Told, Why
from backend.methods.foreign.values import listed_of

ABOUT = frozenset({
    "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "annotations", "agreement",
    "file_upload", "inner_id", "total_annotations", "cancelled_annotations", "total_predictions", "comment_count",
    "project", "updated_by",
})  # fmt: skip
OF_NOBODY = Why("row_names_nobody", "It does not name the annotator.")
NOT_ANNOTATED = Why("row_not_annotated", "It has no annotation.")
ONLY_A_NUMBER = Why("row_only_a_number", "It has only a number, and no choice.")
NO_CHOICE = Why("row_no_choice", "It has no choice.")
JUDGED_LATER = Why("row_judged_later", "The same person answered the task again later.")
CHOICES: tuple[str, ...] = ("choices", "taxonomy", "rating")
OTHERS: tuple[str, ...] = ("selected", "number")
QUERY = "query"
IMAGES, TEXTS = ("image_digest", "image", "img", "picture", "photo", "url"), ("caption", "text", QUERY, "sentence")


def is_label_studio(values: Any) -> TypeGuard[list[Mapping[str, Any]]]:
    """Whether parsed JSON is one of the two exports."""
    return isinstance(values, list) and bool(values) and _is_task(values[0])


def is_label_studio_table(names: Sequence[str]) -> bool:
    """Whether a table has the columns of its CSV export."""
    return {"annotator", "annotation_id"} <= {name.strip().casefold() for name in names}


def read_label_studio(values: Sequence[Mapping[str, Any]], *, label: str = "") -> list[Told]:
    """Every judgment of an export in its order. `label` names the choice where a task has several, or JSON_MIN's field.

    Of several annotations of a task by one person the newest is told. Raises NotJudgmentsError.
    """
    named = list(zip(_names(values), values, strict=True))
    if _has_annotations(values[0]):
        kinds = (*CHOICES, *OTHERS) if label else CHOICES if any(map(_has_choice, values)) else OTHERS
        return newest([each for name, task in named for each in _of_task(name, task, label, kinds)])
    field = label or _label_field(named)
    return newest([_of_record(n, *each, field) for n, each in enumerate(named, start=1)])


def _names(tasks: Sequence[Any]) -> list[str]:
    """What each is called: by its id, or by its place in the file where it has none, as in what Label Studio takes
    in."""
    ids = [_id(each) for each in tasks]
    there = frozenset(ids)
    return [name or _place(n, there) for n, name in enumerate(ids, start=1)]


def _place(number: int, ids: Set[str]) -> str:
    """Written so that no task has it for its id."""
    name = f"#{number}"
    while name in ids:
        name = f"#{name}"
    return name


def _is_task(value: Any) -> bool:
    return isinstance(value, Mapping) and (_has_annotations(value) or {"annotator", "annotation_id"} <= set(value))


def _has_annotations(value: Mapping[str, Any]) -> bool:
    """Whether annotations lie in it; other tools call lists of labels so, too."""
    made = value.get("annotations", value.get("completions"))
    if not isinstance(made, list):
        return False
    known = {"result", "completed_by", "was_cancelled"}
    return "data" in value or not made or any(not isinstance(each, Mapping) or known & set(each) for each in made)


def _has_choice(task: Any) -> bool:
    made = task.get("annotations", task.get("completions")) if isinstance(task, Mapping) else None
    return any(
        isinstance(region, Mapping) and _answers(region.get("value"), CHOICES)
        for annotation in (made if isinstance(made, list) else ())
        for region in _regions(annotation)
    )


def _regions(annotation: Any) -> Sequence[Any]:
    regions = annotation.get("result") if isinstance(annotation, Mapping) else None
    return regions if isinstance(regions, list) else ()


def _of_task(name: str, task: Mapping[str, Any], label: str, kinds: Sequence[str]) -> Iterator[tuple[str, Told]]:
    if not isinstance(task, Mapping) or not _has_annotations(task):
        raise NotJudgmentsError(f"Task {name} has no list of annotations, but tasks before it have one.")
    data = task.get("data")
    data = data if isinstance(data, Mapping) else {}
    annotations = task.get("annotations", task.get("completions"))
    if not annotations:
        yield "", Told(f"task {name}", name, "", "", why_not=NOT_ANNOTATED)
    for annotation in annotations:
        where = f"task {name}, annotation {_id(annotation) or '?'}"
        if not isinstance(annotation, Mapping):
            yield "", Told(where, name, "", "", why_not=ONLY_A_NUMBER)
            continue
        said, why = _said(annotation, label, where, kinds)
        worker, is_gold = _worker(annotation.get("completed_by")), bool(annotation.get("ground_truth"))
        yield (
            _when(annotation),
            Told(
                where=where, task=name, worker=worker, label=said, image=_first(data, IMAGES),
                text=_first(data, TEXTS), is_gold=is_gold, why_not=why or ("" if worker or is_gold else OF_NOBODY),
                is_of_query=_is_of_query(data),
            ),
        )  # fmt: skip


def _id(told: Any) -> str:
    """Empty where it has none."""
    told = told.get("id") if isinstance(told, Mapping) else told
    return "" if told is None else str(told)


def _said(annotation: Mapping[str, Any], label: str, where: str, kinds: Sequence[str]) -> tuple[str, str]:
    """What its maker chose under that name, or under any; or why that is no judgment."""
    if annotation.get("was_cancelled"):
        return "", CANCELLED
    if _is_rejected(annotation):
        return "", REJECTED
    made: dict[str, list[str]] = {}
    for region in _regions(annotation):
        if isinstance(region, Mapping) and (answers := _answers(region.get("value"), kinds)):
            made.setdefault(str(region.get("from_name")), []).extend(answers)
    if label:
        made = {name: answers for name, answers in made.items() if name == label}
    if len(made) > 1:
        names = ", ".join(sorted(made))
        raise NotJudgmentsError(
            f"Annotations have several choices, as in {where}. Choose one of them as the label: {names}."
        )
    if not made and (others := {str(region.get("type")) for region in _regions(annotation) if _is_typed(region)}):
        shown = ", ".join(sorted(others))[:80]
        return "", Why("row_other_kind", f"It has a result of the kind {shown}, and no choice.")
    return only_of(next(iter(made.values()), []))


def _is_rejected(annotation: Mapping[str, Any]) -> bool:
    """By the newest review of it."""
    reviews = annotation.get("reviews")
    last = reviews[-1] if isinstance(reviews, list) and reviews else None
    return annotation.get("last_action") == "rejected" or (isinstance(last, Mapping) and last.get("accepted") is False)


def _is_typed(region: Any) -> bool:
    """Whether a result says of which kind it is, and is no choice that was left open."""
    return isinstance(region, Mapping) and region.get("type") not in (None, "", *CHOICES, "relation")


def _answers(value: Any, kinds: Sequence[str] = (*CHOICES, *OTHERS)) -> list[str]:
    """What stands in a `value`: choices, paths of a taxonomy, or what else it holds of these kinds."""
    if not isinstance(value, Mapping):
        return []
    if isinstance(value.get("taxonomy"), list) and "taxonomy" in kinds:
        return [" > ".join(_said_of(path)) for path in value["taxonomy"] if isinstance(path, list)]
    if isinstance(chosen := value.get("choices"), (list, str)) and "choices" in kinds:
        return _said_of([chosen] if isinstance(chosen, str) else chosen)
    for kind in ("rating", "number", "selected"):
        if kind in kinds and isinstance(value.get(kind), (int, float, str)):
            return [str(value[kind])]
    return []


def _said_of(answers: Sequence[Any]) -> list[str]:
    return [str(each) for each in answers if each is not None]


def only_of(answers: Sequence[str]) -> tuple[str, str]:
    """The only answer. One that is stored twice is one."""
    answers = list(dict.fromkeys(answers))
    if len(answers) > 1:
        several = f"It has several choices: {', '.join(answers)[:80]}. An answer is only one."
        return "", Why("row_several_choices", several)
    return (answers[0], "") if answers and answers[0] else ("", NO_CHOICE)


def _of_record(number: int, name: str, record: Any, field: str) -> tuple[str, Told]:
    if not isinstance(record, Mapping):
        raise NotJudgmentsError(f"Record {number} is not an annotation, but records before it are.")
    missing = Why("row_no_field", f"It has no field {field}.")
    said, why = only_of(_flat(record[field])) if field in record else ("", missing)
    worker = _worker(record.get("annotator"))
    return _when(record), Told(
        where=f"record {number}", task=name, worker=worker, label=said,
        image=_first(record, IMAGES), text=_first(record, TEXTS), why_not=why or ("" if worker else OF_NOBODY),
        is_of_query=_is_of_query(record),
    )  # fmt: skip


def _label_field(records: Sequence[tuple[str, Any]]) -> str:
    """The field that people filled in: the one whose value differs within a task, or else the only one left over."""
    by_task: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for task, record in records:
        if isinstance(record, Mapping):
            by_task[task].append(record)
    names = sorted({name for rows in by_task.values() for record in rows for name in record} - ABOUT)
    differs = [name for name in names if any(len({str(r.get(name)) for r in rows}) > 1 for rows in by_task.values())]
    left = differs or [name for name in names if name not in (*IMAGES, *TEXTS)]
    names = left or names
    if not names:
        raise NotJudgmentsError("These tasks have no field for an answer.")
    if len(left) != 1:
        raise NotJudgmentsError(f"Choose the field of the answers as the label: {', '.join(names)}.")
    return left[0]


def _flat(value: Any) -> list[str]:
    """The answers of a flat field: text or a number, or what JSON would hold as a `value`, alone or in a list, as a
    rating, a taxonomy and what is said of regions are written."""
    value = held if (held := listed_of(value)) is not None else value
    if isinstance(value, list):
        return [answer for each in value for answer in _answers({"taxonomy": [each]}) or _flat(each)]
    return [str(value)] if isinstance(value, (str, int, float)) else _answers(value)


def _worker(told: Any) -> str:
    """`completed_by` is an id, or in newer exports an object with id and email: the id, for JSON_MIN has no other."""
    if isinstance(told, Mapping):
        told = next((told[name] for name in ("id", "email", "username") if told.get(name) not in (None, "")), None)
    return "" if told is None else str(told)


def _when(told: Mapping[str, Any]) -> str:
    return str(told.get("updated_at") or told.get("created_at") or "")


def _first(data: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((str(data[name]) for name in names if isinstance(data.get(name), str)), "")


def _is_of_query(data: Mapping[str, Any]) -> bool:
    """Whether the text is called a query."""
    return next((name for name in TEXTS if isinstance(data.get(name), str)), "") == QUERY


def newest(dated: Sequence[tuple[str, Told]]) -> list[Told]:
    """All in their order; of one person's judgments of one task the newest holds, the later one of equal age."""
    best: dict[tuple[str, str, bool], int] = {}
    for at, (when, told) in enumerate(dated):
        key = (told.task, told.worker, told.is_gold)
        if not told.why_not and (key not in best or when >= dated[best[key]][0]):
            best[key] = at
    kept = set(best.values())
    return [
        told if told.why_not or at in kept else told._replace(why_not=JUDGED_LATER)
        for at, (_, told) in enumerate(dated)
    ]
