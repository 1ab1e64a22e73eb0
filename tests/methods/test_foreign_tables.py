"""Tables of judgments as other programs write them: parted, packed, encoded and quoted in their own ways."""

from __future__ import annotations

import codecs
import gc
import gzip
import io
import json
from collections.abc import Iterator
from time import process_time

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from backend.methods.foreign.columns import Columns
from backend.methods.foreign.gold import read_gold
from backend.methods.foreign.reading import NotJudgmentsError, PairVotes, Rows, read_judgments, tell_judgments

ROWS = (("t1", "Zoë", "good"), ("t1", "w2", "bad"), ("t2", "w2", "unsure"))
TEXT = "task,worker,label\n" + "\n".join(map(",".join, ROWS)) + "\n"
RECORDS = [dict(zip(("task", "worker", "label"), row, strict=True)) for row in ROWS]
BY_COLUMN = {name: {str(n): record[name] for n, record in enumerate(RECORDS)} for name in RECORDS[0]}


def rows_of(text: str | bytes, columns: Columns = Columns()) -> tuple[tuple[str, str, str], ...]:  # noqa: B008  # frozen
    read = read_judgments(text, columns)
    assert isinstance(read, Rows)
    return read.rows


@pytest.mark.parametrize(
    "raw",
    [
        TEXT.encode(), TEXT.encode("utf-8-sig"), TEXT.encode("utf-16"), b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"), b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"),
        gzip.compress(TEXT.encode(), mtime=0), TEXT.replace("\n", "\r\n").encode(), TEXT.replace("\n", "\r").encode(),
        TEXT.replace(",", "\t").encode(), TEXT.replace(",", ";").encode(), TEXT.replace(",", "|").encode(),
        TEXT.replace(",", " , ").encode(), TEXT.replace("\n", "\n\n").encode(), TEXT.title().encode(),
        TEXT.replace("\n", ",\n").encode(), b"\n" + TEXT.encode(),
        json.dumps(RECORDS).encode(), "\n".join(map(json.dumps, RECORDS)).encode(), json.dumps(BY_COLUMN).encode(),
        json.dumps({name: list(column.values()) for name, column in BY_COLUMN.items()}).encode(),
        json.dumps({"status": "ok", "data": {"n": 3, "items": RECORDS}}).encode(),
        json.dumps({"columns": [*RECORDS[0]], "index": [0, 1, 2], "data": ROWS}).encode(),
        json.dumps([[*RECORDS[0]], *ROWS]).encode(),
    ],
    ids=[
        "UTF-8", "with a mark", "UTF-16", "UTF-16, big end first", "UTF-32", "UTF-32, big end first", "packed", "CRLF",
        "CR", "tabs", "semicolons", "bars", "blanks", "empty lines", "capitals", "an empty last cell",
        "an empty first line", "records", "record a line", "by column", "lists by column",
        "deeper", "names and cells", "lists of cells",
    ],
)  # fmt: skip
def test_the_same_rows_are_read_however_they_are_written(raw: bytes) -> None:
    told = {tuple(map(str.casefold, row)) for row in rows_of(raw)}
    assert told == {tuple(map(str.casefold, row)) for row in ROWS}


def test_columns_come_in_any_order_beside_others_and_cells_hold_what_is_quoted() -> None:
    text = '"",label,seconds,task,worker\n0,good,3,"a, ""b""\nc","1"\n1,bad,2,d,1\n'
    assert rows_of(text) == (('a, "b"\nc', "1", "good"), ("d", "1", "bad"))
    assert [told.where for told in tell_judgments(text)] == ["line 2", "line 4"]


def test_columns_of_toloka_are_known_and_may_be_named() -> None:
    text = "INPUT:image\tOUTPUT:result\tASSIGNMENT:worker_id\nhttp://x/1.jpg\tgood\tw1\n"
    columns = Columns("INPUT:image", "ASSIGNMENT:worker_id", "OUTPUT:result")
    assert rows_of(text, columns) == rows_of(text) == (("http://x/1.jpg", "w1", "good"),)


def test_a_table_whose_columns_cannot_be_told_is_refused_with_their_names_and_how_to_say_which() -> None:
    with pytest.raises(NotJudgmentsError) as refused:
        read_judgments("picture,who,\n1,ann,good\n")
    assert str(refused.value) == (
        "The table has no column task or worker or label. It needs task (or image and caption), worker and label. "
        "Its columns: picture, who, (no name). "
        "Choose the columns for task and worker and label. Write commas between several columns for a task. "
        "If each column has the answers of one annotator, write all these columns for worker."
    )
    with pytest.raises(NotJudgmentsError, match=r"no column stars\. Its columns: task, worker, x"):
        read_judgments("task,worker,x\n1,ann,good\n", Columns(label="stars"))
    with pytest.raises(NotJudgmentsError, match="name29 and 70 more") as many:
        read_judgments(",".join(f"name{n}" for n in range(100)) + "\n" + "1," * 100)
    assert len(str(many.value)) < 600


PAIRS = "image,caption,annotator,label\n1.jpg,a pier,ann,good\n1.jpg,a cat,ann,bad\n1.jpg,a pier,ben,bad\n"


def test_image_and_caption_are_the_task_of_a_table_without_one() -> None:
    """As in a release, where they could be neither imported nor reported without a word on which columns to take."""
    said = (("1.jpg | a pier", "ann", "good"), ("1.jpg | a cat", "ann", "bad"), ("1.jpg | a pier", "ben", "bad"))
    read = read_judgments(PAIRS)
    assert isinstance(read, Rows)
    assert (read.rows, read.clusters_of([said[0][0], said[1][0]]).tolist()) == (said, [0, 0])
    assert [(told.image, told.text) for told in tell_judgments(PAIRS)][:2] == [("1.jpg", "a pier"), ("1.jpg", "a cat")]
    assert rows_of(PAIRS.replace("image,caption", "INPUT:image,INPUT:query").replace(",", "\t")) == said
    head, *cells = ([*line.split(",")] for line in PAIRS.splitlines())
    by_column = {name: {str(n): row[at] for n, row in enumerate(cells)} for at, name in enumerate(head)}
    assert rows_of(json.dumps(by_column)) == said


def test_a_column_of_the_task_goes_before_image_and_caption_and_the_image_alone_is_none() -> None:
    assert rows_of("item,image,caption,worker,label\n7,1.jpg,a pier,ann,good\n") == (("7", "ann", "good"),)
    assert rows_of(PAIRS, Columns(task="caption"))[0] == ("a pier", "ann", "good")
    with pytest.raises(NotJudgmentsError, match=r"no column task\. "):
        read_judgments("image,worker,label\n1.jpg,ann,good\n")


def test_a_worker_and_a_label_are_one_column_whatever_its_name_holds() -> None:
    text = 'task,"who, by name",label\n1,ann,good\n'
    assert rows_of(text, Columns(worker="who, by name")) == (("1", "ann", "good"),)
    with pytest.raises(NotJudgmentsError, match="no column task,label"):
        read_judgments(text, Columns(worker="task,label"))


def test_an_image_that_is_missing_is_no_image_that_others_share() -> None:
    read = read_judgments("task,worker,label,image\n1,a,good,NaN\n2,a,good,NaN\n3,a,bad,x.jpg\n4,a,bad,x.jpg\n")
    assert isinstance(read, Rows)
    assert (read.images, read.clusters_of("1234").tolist()) == ({"3": "x.jpg", "4": "x.jpg"}, [0, 1, 2, 2])


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """Its collection takes as long as the tests before have left things behind."""
    gc.disable()
    yield
    gc.enable()


def seconds_to_find_the_last_name_twice(n: int) -> float:
    """Of the processor, whatever else the machine does."""
    names = ",".join(f'"{at}": [1, 2, 0]' for at in range(n))
    begun = process_time()
    with pytest.raises(NotJudgmentsError, match=f"'{n - 1}' is twice"):
        read_judgments(f'{{"0": {{{names}, "{n - 1}": [1, 1, 1]}}}}')
    return process_time() - begun


@pytest.mark.nightly
@pytest.mark.usefixtures("no_garbage")
def test_a_name_that_stands_twice_is_found_at_once_among_many() -> None:
    """It took 8 seconds among 20,000, each name looked for among all before it: 64 times as long among eight times as
    many."""
    assert seconds_to_find_the_last_name_twice(80_000) < 32 * seconds_to_find_the_last_name_twice(10_000)


@pytest.mark.parametrize("missing", ["", "NaN", "nan", "NA", "null"])
def test_what_says_that_a_value_is_missing_is_no_value(missing: str) -> None:
    text = f"task,worker,label\nt1,w1,{missing}\n{missing},w1,good\nt1,{missing},good\nt2,w1,None\n"
    assert rows_of(text) == (("t2", "w1", "None"),)
    assert [told.why_not for told in tell_judgments(text)][:3] == [
        "It has no label.", "It has no task.", "It has no worker.",
    ]  # fmt: skip


LONG = b"9" * 5000  # more digits than Python takes for a number


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("task,worker,label\nt1,Zoë,good\n".encode("latin-1"), "line 2: The line is not UTF-8"),
        ("ann: {t1: good}\nZoë: {t1: bad}\n".encode("latin-1"), r"^Line 2 is not UTF-8"),
        (codecs.BOM_UTF8 + b"task,worker,label\r\n\xeb,w1,good\n", "line 2: The line is not UTF-8"),
        ("task,worker,label\nt1\u0a0a,w1,good".encode("utf-16") + b"\x00", "line 2: The line is not UTF-8"),
        (bytes(range(256)), "The file is not a table"),
        (gzip.compress(TEXT.encode(), mtime=0)[:20], "The file is damaged"),
        (b'task,worker,label\n"t2,w1,good\nt3;w1;good\n', "line 2: A quote opens on this line"),
        (b"task,worker,label,label\nt1,w1,good,bad\n", "two columns label"),
        (b"task,worker,label\n", "a header and no rows"),
        (b'[{"task": 1, "worker": 2, "label": "good"}, 3]', "no JSON object in record 2"),
        (b'{"task": 1, "worker"\n{"task"}\n', "^Line 1: The row is not JSON from character 21 on"),
        (b'{"0": {"7": [2, 1, 0], "7": [0, 2, 1]}}', "'7' is twice"),
        (b'{"0": {"7": [2, 1', "not JSON from line 1"),
        (b'[{"task": 1, "worker": ' + LONG + b', "label": "good"}]', "^A number .* digits"),
        (b'{"task": 1, "worker": ' + LONG + b', "label": "good"}\n[]\n', "^Line 1: A number .* digits"),
        (b"[" + LONG + b"]", "^A number .* digits"),
        (b"w1: {i1: " + LONG + b"}\n", "^A number .* digits"),
        (b"a: &a [x]\nb: {c: *a}\n", "references to other parts"),
        (b"[" * 100_000, "not JSON, CSV or YAML"),
        (b'{"0": {"7": [2, 1, 0], "8": null}}', "query 0 and image 8 are None"),
        (b'{"0": {"7": [99999999999999999999, 1, 0]}}', "query 0 and image 7"),
        (b'{"0": {"7": [NaN, 1, 0]}}', "query 0 and image 7"),
        (b'{"0": {"7": {"relevant": 2}}}', "The answer of 0 on 7 is not a label"),
        (b'{"0": {"7": [0, 0, 0]}}', "No pair has a vote"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(raw: bytes, says: str) -> None:
    with pytest.raises(NotJudgmentsError, match=says):
        read_judgments(raw)


@pytest.mark.parametrize(
    ("raw", "line", "code"),
    [
        (TEXT.replace("Zoë", "ann").encode() + "t3,Zoë,good\n".encode("latin-1"), 5, "not_utf8"),
        (TEXT.replace("\n", "\r").encode("utf-16") + b"\x00", 5, "not_utf8"),
        (TEXT.encode() + b'"t3,w1,good\n', 5, "open_quote"),
        (TEXT.encode() + b"t3,w1,good,fine\n", 5, "row_has_more_cells"),
        ("\n".join(map(json.dumps, RECORDS)).encode() + b'\n{"task"}', 4, "not_json"),
        (gzip.compress(TEXT.encode(), mtime=0)[:-7], 5, "file_damaged"),
    ],
)
def test_a_row_that_cannot_be_read_is_left_out_and_told_and_the_others_count(raw: bytes, line: int, code: str) -> None:
    read = read_judgments(raw)
    assert isinstance(read, Rows) and len(read.rows) == 3
    assert [(each.where, getattr(each.why_not, "code", "")) for each in read.left_out] == [(f"line {line}", code)]


def test_judgments_may_lie_in_a_sheet_or_in_parquet() -> None:
    book = openpyxl.Workbook()
    for row in (("task", "worker", "label"), *ROWS):
        book.active.append(row)
    book.save(sheet := io.BytesIO())
    parquet.write_table(pa.Table.from_pylist(RECORDS), columns := io.BytesIO())
    assert rows_of(sheet.getvalue()) == rows_of(columns.getvalue()) == ROWS
    assert [told.where for told in tell_judgments(sheet.getvalue())] == ["row 2", "row 3", "row 4"]


def test_a_first_line_of_excel_is_not_the_header() -> None:
    assert rows_of("sep=;\r\n" + TEXT.replace(",", ";").replace("\n", "\r\n")) == ROWS


def test_a_row_of_true_labels_that_cannot_be_read_is_told_with_its_line() -> None:
    assert read_gold(b'{"t1": "good", "t2": "bad",}') == {"t1": "good", "t2": "bad"}
    with pytest.raises(NotJudgmentsError, match="line 2: A quote opens on this line"):
        read_gold(b'item,gold\nt1,"good\n')


def test_votes_may_be_written_as_text_or_with_a_point() -> None:
    votes = read_judgments('{"0": {"7": ["2", "1", "0"], "8": [0.0, 2.0, 1.0], "9": [0, 0, 0]}}')
    assert isinstance(votes, PairVotes)
    assert votes.counts.tolist() == [[2, 1, 0], [0, 2, 1], [0, 0, 0]]
