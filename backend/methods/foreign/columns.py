"""Which columns of a table hold the task, the annotator and the answer, by their names and by what stands in them.

Usual names are found however they are written (`Task`, ` worker`, `ASSIGNMENT:worker_id`); where no column is the task,
image and caption are. An annotator may also be a column of their own, or stand in each row with their answers
(`{"ann": "good"}`, `[{"user": 1, "label": "good"}]`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from backend.methods.foreign.labels import LABELS, NUMBER, plain
from backend.methods.foreign.statuses import is_status, squashed
from backend.methods.foreign.told import NotJudgmentsError
from backend.methods.foreign.values import list_of, listed_of, value_of

QUERY = "query"
NAMES = {
    "task": (
        "task", "item", "unit", "taskid", "itemid", "unitid", "hitid", "exampleid", "pair", "pairid", "recordid",
        "sampleid", "instanceid", "documentid", "docid", "tasks", "items", "units", "taskids", "itemids", "ids",
    ),
    "worker": (
        "worker", "annotator", "performer", "rater", "workerid", "annotatorid", "raterid", "participant",
        "participantid", "prolificpid", "prolificid", "coder", "coderid", "labeler", "labeller", "labelerid",
        "annotatorname", "workername", "annotatedby", "completedby", "labeledby", "labelledby", "ratedby", "judgedby",
        "respondent", "respondentid", "evaluator", "evaluatorid", "assignee", "annotatoremail", "judge", "judgeid",
        "username", "user", "userid", "sessionid", "email", "workers", "annotators", "raters", "users", "workerids",
        "annotatorids", "coders", "participants",
    ),
    "label": (
        "label", "response", "value", "answer", "judgment", "judgement", "labels", "choice", "rating", "annotation",
        "vote", "verdict", "score", "responses", "answers", "category", "choices", "values",
    ),
}  # fmt: skip
IMAGE_COLUMNS = (
    "image", "imagekey", "img", "picture", "photo", "imageid", "imgid", "imageurl", "imagename", "imagefile",
    "filename", "imagepath", "imageuri",
)  # fmt: skip
TEXT_COLUMNS = ("caption", "text", QUERY)
GOLD_COLUMNS = (
    "gold", "goldlabel", "groundtruth", "gt", "truelabel", "truth", "correctanswer", "correctlabel", "goldstandard",
    "reference", "expected",
)  # fmt: skip
# Columns in which a row may hold what several people said.
NESTED = (*NAMES["label"], "annotations", "votes", "ratings", "judgments", "judgements", "evals", "annotators",
          "workers", "raters", "results")  # fmt: skip
PERSON = re.compile(
    r"(?:rater|annotator|worker|coder|judge|labell?er|annot|anno|ann|person|participant|evaluator|expert|reader|turker|"
    r"reviewer|respondent|subject|crowd|user|r|a|w|p|u)[\s._-]*(?:[0-9]+|[a-z])"
    r"(?:[\s._-]*(?:label|rating|answer|response|judge?ment|vote|choice))?"
    r"|(?:label|rating|answer|judge?ment|vote|choice)s?[\s._-]*(?:by|of|from)?[\s._-]*"
    r"(?:(?:rater|annotator|worker|coder|judge)[\s._-]*)?[0-9]+"
)
# Columns of answers that no person gave, and of questions.
NO_PERSON = re.compile(
    r"(?:^|[\W_])(?:model|pred|clip|blip|gpt|llm|llava|auto|conf|prob|consensus|majority|final|agg|gold|truth|source|"
    r"split|id$)|scores?$|^(?:is|has|does|are|can|should)[\s._-]",
)
RESPONSES = ".responses"
FEW_WORDS, LOOKED_AT = 20, 1000  # labels that all columns of people share; rows that tell what a column holds
COLUMNS_SHOWN, NAME_WIDTH = 30, 40
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Columns:
    """What a table calls task, worker and label, where it is none of the usual names. A task may be several columns,
    by comma, and is image and caption where there is no column of one; so may the worker be where each column is one
    person's. `is_ordered` says that its labels have an order, by value where they are numbers and else by name.
    `annotator` is who made a file that names nobody."""

    task: str = ""
    worker: str = ""
    label: str = ""
    is_ordered: bool = False
    annotator: str = ""


USUAL = Columns()


class NobodyNamedError(NotJudgmentsError):
    """A table of one person's answers without a column for the person.

    `is_doccano` is true for a file of doccano, which has the person's name.
    """

    is_doccano = False


@dataclass(frozen=True)
class Layout:
    """Which columns hold what. `people` have a column each; `nested` holds several people's answers in each row; with
    `items` the columns are tasks, and a row is one person's. `path` leads to the answer within its column. `query` are
    those of `text` that are called one. `status` are those that say which rows are no votes."""

    task: tuple[str, ...]
    worker: str = ""
    label: str = ""
    path: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    nested: str = ""
    image: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    is_prodigy: bool = False


def name_without_ending(file: str) -> str:
    """Who made a file that is named after its annotator: `mia.jsonl.gz` is mia's."""
    path = PurePosixPath(file)
    return (PurePosixPath(path.stem) if path.suffix.casefold() in (".gz", ".bz2", ".xz") else path).stem


def layout_of(names: Sequence[str], rows: Sequence[Record], asked: Columns = USUAL) -> Layout:
    """The layout of a table with these columns, which begins with these rows. Raises NobodyNamedError where nothing but
    the annotator is missing, and NotJudgmentsError."""
    found = _asked(names, asked)
    if not any((asked.task, asked.worker, asked.label)) and (known := _of_prodigy(names) or _of_argilla(names)):
        found = known
    found = _with_usual(found, names, rows)
    found = _with_others(found, names)
    if not (found.worker or found.people):
        found = _with_people(found, names, rows)
    elif found.worker:
        found = _with_items(found, names, rows)
    _check(found, names, asked, rows)
    used = {*found.task, found.worker, found.label, found.nested, *found.people, *found.items, *found.image}
    used |= {*found.text, *found.gold}
    status = tuple(name for name in names if name not in used and (is_status(name) or _is_prodigys(name, rows)))
    if found.label.endswith(RESPONSES):
        status = tuple(name for name in status if name.startswith(found.label))
    return replace(found, status=status, is_prodigy=_of_prodigy(names) is not None)


def _is_prodigys(name: str, rows: Sequence[Record]) -> bool:
    """Whether a column says of each row that its choice was accepted, rejected or ignored."""
    told = {text for row in rows if (text := value_of(row.get(name)))}
    return squashed(name) == "answer" and bool(told) and told <= {"accept", "reject", "ignore"}


def gold_columns(names: Sequence[str], asked: Columns) -> tuple[tuple[str, ...], str] | None:
    """The columns of items and of their true labels; None for two columns of which no name is known. Raises
    NotJudgmentsError."""
    told = asked.task.split(",") if asked.task else []
    is_there = set(map(_folded, told)) <= set(map(_folded, names))
    task = tuple(_place(name, names) for name in told) if is_there else ()
    task = task or tuple(_named("task", names)[:1]) or _pair(names)
    task = task or tuple(name for name in names if squashed(name) == "id")[:1]
    gold = (_shown(GOLD_COLUMNS, names) or [name for name in names if squashed(name).endswith("gold")])[:1]
    if not gold and _named("worker", names):
        raise NotJudgmentsError(f"The file of correct answers has no column gold. {columns_shown(names)}")
    gold = gold or [name for name in _named("label", names) if name not in task][:1]
    if task and gold:
        return task, gold[0]
    others = [name for name in names if name not in (*task, *gold)]
    if len(names) == 2 and (task or gold):
        return (task, others[0]) if task else ((others[0],), gold[0])
    if len(names) == 2:
        return None
    raise NotJudgmentsError(
        "The file of correct answers needs the columns task (or image and caption) and gold. " + columns_shown(names)
    )


def _asked(names: Sequence[str], asked: Columns) -> Layout:
    """What was asked for. Raises NotJudgmentsError on a column that is not there, or twice."""
    task = tuple(_place(name, names) for name in asked.task.split(",")) if asked.task else ()
    label, path = _with_path(asked.label, names) if asked.label else ("", ())
    if not asked.worker:
        return Layout(task, "", label, path)
    several = [name for name in asked.worker.split(",") if name.strip()]
    if _n_there(asked.worker, names) != 1 and len(several) > 1 and not asked.label:
        people = tuple(_place(name, names) for name in several if _n_there(name, names) == 1)
        if len(people) == len(several) and not set(people) & {*task, *_named("label", names), *_named("task", names)}:
            return Layout(task, people=people)
    return Layout(task, _place(asked.worker, names), label, path)


def _with_path(name: str, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """A column, or what lies within one: `Answer.taskAnswers.fits`."""
    parts = name.split(".")
    for n in range(len(parts), 1, -1):
        if _n_there(".".join(parts[:n]), names) == 1:
            return _place(".".join(parts[:n]), names), tuple(parts[n:])
    return _place(name if _n_there(name, names) else parts[0] if _n_there(parts[0], names) else name, names), tuple(
        parts[1:] if not _n_there(name, names) else ()
    )


def _of_prodigy(names: Sequence[str]) -> Layout | None:
    """Prodigy's rows: `answer` is the answer where a label was proposed, and whether it counts where one was chosen."""
    there = {squashed(name): name for name in reversed(names)}
    if "answer" not in there or not {"taskhash", "inputhash"} & set(there):
        return None
    worker = there.get("annotatorid") or there.get("sessionid") or ""
    label = there.get("accept") or there["answer"]
    return Layout((there.get("taskhash") or there["inputhash"],), worker, label)


def _of_argilla(names: Sequence[str]) -> Layout | None:
    """Argilla's flat records: the answers to a question, and their users, each a list."""
    of = [name for name in names if name.endswith(RESPONSES) and f"{name}.users" in names]
    return Layout((), f"{of[0]}.users", of[0]) if len(of) == 1 else None


def _with_usual(found: Layout, names: Sequence[str], rows: Sequence[Record]) -> Layout:
    """With the usual names in place of what was not asked for."""
    task = found.task or tuple(_named("task", names)[:1]) or _pair(names)
    worker = found.worker or ("" if found.people else next(iter(_named("worker", names)), ""))
    if worker != found.worker and any(isinstance(_structure(row.get(worker)), Mapping) for row in rows):
        worker = ""  # what they said stands there with them
    label = found.label or ("" if found.people else _usual_label(names, {*task, worker}))
    if not task and label and "id" in (bare := [squashed(name) for name in names]):
        ids = names[bare.index("id")]
        is_list = any(list_of(row.get(worker)) for row in rows)
        task = (ids,) if not worker or is_list or _repeats(ids, rows) else ()
    task = task or tuple(name for name in names if name.strip().casefold().startswith(("input:", "input.")))
    for name in (*task, *filter(None, (worker, label))):
        _place(name, names)
    return replace(found, task=task, worker=worker, label=label)


def _usual_label(names: Sequence[str], used: set[str]) -> str:
    free = [name for name in names if name not in used]
    if usual := _named("label", free):
        return usual[0]
    with_gold = [name for name in free if f"{squashed(name)}gold" in map(squashed, names)]  # Appen
    shown = [name for name in free if name.strip().casefold().startswith(("output:", "answer."))]
    answers = [name for name in shown if squashed(name) != "taskanswers"] or shown
    found = with_gold or answers
    return found[0] if len(found) == 1 else ""


def _named(role: str, names: Sequence[str]) -> list[str]:
    """The columns with a usual name, the most usual first."""
    there: dict[str, str] = {}
    for name in names:
        if not str(name).strip().casefold().startswith(("golden:", "hint:")):
            there.setdefault(squashed(name), name)
    return [there[each] for each in NAMES[role] if each in there]


def _pair(names: Sequence[str]) -> tuple[str, ...]:
    """Image and caption, which are the task of a table without one."""
    pair = [_shown(usual, names)[:1] for usual in (IMAGE_COLUMNS, TEXT_COLUMNS)]
    return tuple(name for each in pair for name in each) if all(pair) else ()


def _shown(usual: Sequence[str], names: Sequence[str]) -> list[str]:
    """Those columns that people were shown under these names, in the order of the names."""
    there = {squashed(name): name for name in reversed(names)}
    return [there[name] for name in usual if name in there]


def _with_others(found: Layout, names: Sequence[str]) -> Layout:
    gold = [name for name in names if name.strip().casefold().startswith("golden:")]
    gold += [name for name in _shown(GOLD_COLUMNS, names) if name not in gold]
    gold += _shown([f"{squashed(found.label)}gold"] if found.label else [], names)
    used = {*found.task[1:], found.worker, found.label}
    return replace(
        found,
        image=tuple(_shown(IMAGE_COLUMNS, names)), text=tuple(_shown(TEXT_COLUMNS, names)),
        gold=tuple(dict.fromkeys(name for name in gold if name not in used)), query=tuple(_shown([QUERY], names)),
    )  # fmt: skip


def _with_people(found: Layout, names: Sequence[str], rows: Sequence[Record]) -> Layout:
    """The columns that are one person's each, or the one in which several people's answers stand; as it was where there
    is neither."""
    if nested := _nested(found, names, rows):
        task = found.task or _first_that_differs(names, rows, {nested})
        return replace(found, nested=nested, label="", task=task)
    if found.label:
        return found
    free = _free(found, names)
    people = [name for name in free if PERSON.fullmatch(name.strip().casefold())]
    people = people if len(people) > 1 else [name for name in free if _are_our_words(name, rows)]
    if len(people) < 2 or not _share_few_words(people, rows):
        return found
    return replace(found, people=tuple(people), task=found.task or _first_that_differs(names, rows, set(people)))


def _free(found: Layout, names: Sequence[str]) -> list[str]:
    used = {*found.task, *found.image, *found.text, *found.gold, found.worker}
    return [name for name in names if name not in used and not is_status(name) and not NO_PERSON.search(name.lower())]


def _with_items(found: Layout, names: Sequence[str], rows: Sequence[Record]) -> Layout:
    """The columns that are one task each, where a row holds all answers of one person, as in forms."""
    if found.task or found.label or _repeats(found.worker, rows):
        return found
    free = _free(found, names)
    words = {name: {plain(text) for row in rows if (text := value_of(row.get(name)))} for name in free}
    n_told = Counter(word for each in words.values() for word in each)
    items = [name for name in free if any(n_told[word] > 1 for word in words[name])]
    if len(items) < 2 or not _share_few_words(items, rows):
        return found
    return replace(found, items=tuple(items))


def _nested(found: Layout, names: Sequence[str], rows: Sequence[Record]) -> str:
    for name in names:
        if name in found.task:
            continue
        held = next((value for row in rows if (value := _structure(row.get(name)))), None)
        is_usual = squashed(name) in NESTED
        if isinstance(held, list) and any(map(_is_answer, held)):
            return name
        if isinstance(held, Mapping) and is_usual:
            if all(isinstance(each, list) for each in held.values()) and any(
                _is_answer(each) for of in held.values() for each in of
            ):
                return name
            if len(held) > 1 and not any(isinstance(each, (list, Mapping, bool)) for each in held.values()):
                return name
    return ""


def _is_answer(value: Any) -> bool:
    """Whether an object tells what somebody said: a comment has a user, too."""
    return isinstance(value, Mapping) and bool(_named("worker", list(value)) and _named("label", list(value)))


def _structure(value: Any) -> Any:
    """A list or an object, also one that is written as text."""
    return value if isinstance(value, (Mapping, list)) else listed_of(value)


def _are_our_words(name: str, rows: Sequence[Record]) -> bool:
    """Whether a column holds nothing but words for our labels; numbers may be anybody's scores."""
    words = {plain(text) for row in rows if (text := value_of(row.get(name)))}
    return bool(words) and words <= set(LABELS) and not any(map(NUMBER.fullmatch, words))


def _share_few_words(people: Sequence[str], rows: Sequence[Record]) -> bool:
    """Whether what stands in these columns may be labels: few, the same in all, and no fractions of scores."""
    words = [{plain(text) for row in rows if (text := value_of(row.get(name)))} for name in people]
    everything = set().union(*words)
    if any(NUMBER.fullmatch(word) and "." in word for word in everything) or len(everything) > FEW_WORDS:
        return False
    n_shared = sum(1 for n in Counter(word for each in words for word in each).values() if n > 1)
    return bool(everything) and (n_shared > 0 or len(rows) < 3)


def _first_that_differs(names: Sequence[str], rows: Sequence[Record], used: set[str]) -> tuple[str, ...]:
    """The first other column, where it names each row."""
    for name in (each for each in names if each not in used):
        told = [value_of(row.get(name)) for row in rows]
        return (name,) if all(told) and len(set(told)) == len(told) else ()
    return ()


def _repeats(name: str, rows: Sequence[Record]) -> bool:
    told = [value_of(row.get(name)) for row in rows]
    return len(set(told)) < len(told)


def _check(found: Layout, names: Sequence[str], asked: Columns, rows: Sequence[Record]) -> None:
    is_there = {
        "task": bool(found.task or found.items),
        "worker": bool(found.worker or found.people or found.nested or asked.annotator),
        "label": bool(found.label or found.people or found.nested or found.items),
    }
    missing = [name for name, there in is_there.items() if not there]
    if not missing:
        return
    if found.gold and not found.label and "worker" in missing:
        raise NotJudgmentsError(
            "This file has correct answers in the column {column}, and no answers of annotators. "
            "Use it as the file of correct answers.",
            code="file_of_gold", column=found.gold[0],
        )  # fmt: skip
    choose = f"Choose the columns for {' and '.join(missing)}. Write commas between several columns for a task."
    if missing == ["worker"] and _are_scores(found, rows):
        raise NotJudgmentsError(
            "The column {column} has scores and not answers, and the table has no column worker. "
            "Its columns: {columns}. Choose the columns for worker.",
            code="file_of_scores", column=found.label, columns=_shown_names(names),
        )  # fmt: skip
    if missing == ["worker"]:
        problem = NobodyNamedError(
            "The table has no column worker. It needs task (or image and caption), worker and label. "
            "Its columns: {columns}. Choose the columns for worker. "
            "If one annotator made the file, give the name of the annotator.",
            code="file_of_nobody", columns=_shown_names(names),
        )  # fmt: skip
        problem.is_doccano = {"id", "text", "label"} <= set(names) and any(list_of(row.get("label")) for row in rows)
        raise problem
    if len(missing) > 1 and "label" in missing and "worker" in missing:
        choose += " If each column has the answers of one annotator, write all these columns for worker."
    raise NotJudgmentsError(
        "The table has no column {missing}. It needs task (or image and caption), worker and label. "
        f"Its columns: {{columns}}. {choose}",
        code="file_lacks_columns", missing=" or ".join(missing), columns=_shown_names(names),
    )  # fmt: skip


def _are_scores(found: Layout, rows: Sequence[Record]) -> bool:
    """Whether a column without annotators is what a model or a formula gave."""
    told = [text for row in rows if (text := value_of(row.get(found.label)))]
    numbers = [text for text in told if NUMBER.fullmatch(text)]
    return squashed(found.label) == "score" or any("." in each and not each.endswith(".0") for each in numbers)


def _n_there(name: str, names: Sequence[str]) -> int:
    return sum(_folded(each) == _folded(name) for each in names)


def _place(name: str, names: Sequence[str]) -> str:
    there = [each for each in names if _folded(each) == _folded(name)]
    if len(there) != 1:
        n = "two columns" if there else "no column"
        raise NotJudgmentsError(f"The table has {n} {name.strip()}. {columns_shown(names)}")
    return there[0]


def _folded(name: str) -> str:
    return name.strip().casefold()


def columns_shown(names: Sequence[str]) -> str:
    """Which columns there are; names of a width that a line can hold, as a file of no columns has a text for one."""
    return f"Its columns: {_shown_names(names)}."


def _shown_names(names: Sequence[str]) -> str:
    shown = [name.strip()[:NAME_WIDTH] or "(no name)" for name in names[:COLUMNS_SHOWN]]
    more = f" and {len(names) - COLUMNS_SHOWN:,} more" if len(names) > COLUMNS_SHOWN else ""
    return f"{', '.join(shown)}{more}"


def children_of(value: Any, path: Sequence[str] = ()) -> Iterator[tuple[str, Record]]:
    """What several people said in a cell, as a record each, and where it stands in the cell. Raises ValueError on
    several questions, of which `path` may name one."""
    held = _structure(value)
    if isinstance(held, Mapping):
        questions = {str(name): each for name, each in held.items() if isinstance(each, list)}
        if questions and len(questions) == len(held):
            chosen = next(iter(path), "") or (next(iter(questions)) if len(questions) == 1 else "")
            if chosen not in questions:
                raise ValueError(", ".join(questions))
            held = questions[chosen]
        else:
            yield from ((str(who), {"worker": who, "label": said}) for who, said in held.items())
            return
    for n, child in enumerate(held if isinstance(held, list) else [], start=1):
        yield str(n), child if isinstance(child, Mapping) else {}
