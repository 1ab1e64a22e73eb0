"""Tables of any kind as rows: CSV, TSV, JSON, JSONL, Excel and Parquet, packed or not, in any usual encoding.

`read_rows(file, name, Wanted(known=...))` gives each row, or a Fault with its line and one sentence: nothing vanishes.
"""

from __future__ import annotations

from backend.methods.tables.faults import SENTENCES, Fault, TableFault
from backend.methods.tables.json_outline import Outline
from backend.methods.tables.json_rows import BY_NAME, COLUMNS, ONE_LIST, SEVERAL_LISTS, shape_of
from backend.methods.tables.json_text import parse as parse_json
from backend.methods.tables.json_text import without_extra_commas
from backend.methods.tables.reading import (
    Table,
    is_table_name,
    open_table,
    outline,
    read_lines,
    read_list,
    read_members,
    read_rows,
    read_text,
    read_values,
)
from backend.methods.tables.rows import Row, Several, TableLimits, Wanted, as_text, fold
from backend.methods.tables.values import many_in, numbered, single_of, values_by_name, values_of

__all__ = [
    "BY_NAME", "COLUMNS", "ONE_LIST", "SENTENCES", "SEVERAL_LISTS", "Fault", "Outline", "Row", "Several", "Table",
    "TableFault", "TableLimits", "Wanted", "as_text", "fold", "is_table_name", "many_in", "numbered", "open_table",
    "outline", "parse_json", "read_lines", "read_list", "read_members", "read_rows", "read_text", "read_values",
    "shape_of", "single_of", "values_by_name", "values_of", "without_extra_commas",
]  # fmt: skip
