"""The tables of a release for pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connote_client.extras import need

if TYPE_CHECKING:
    import pandas

    from connote_client.release import Release

TABLES = {
    "captions": "captions.jsonl",
    "images": "images.jsonl",
    "negatives": "negatives.jsonl",
    "judgments": "judgments.parquet",
    "candidates": "candidates.parquet",
    "annotators": "annotators.csv",
    "difficulty": "difficulty.csv",
}


def read_table(release: Release, table: str) -> pandas.DataFrame:
    """Exact values: a caption that looks like a number or a date stays text. Raises MissingPackage."""
    if table not in TABLES:
        raise ValueError(f"A table is {', '.join(TABLES)}, not {table!r}.")
    pd = need("pandas", extra="pandas")
    name = TABLES[table]
    if name.endswith(".jsonl"):
        # Not pandas.read_json: it takes a caption like "2026-11-26" for a date, and large whole numbers lose digits.
        rows = list(release.rows(name))
        frame: pandas.DataFrame = pd.DataFrame(rows)
        return frame if table != "captions" else _with_words(frame)
    path = release.file(name)
    if name.endswith(".parquet"):
        need("pyarrow", extra="pandas")
        read: pandas.DataFrame = pd.read_parquet(path)
        return read
    table_of_text: pandas.DataFrame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    return table_of_text


def _with_words(frame: pandas.DataFrame) -> pandas.DataFrame:
    """`difficulty` as one word, as in captions.csv; the votes of each model are in the table `difficulty`."""
    if "difficulty" in frame:
        frame["difficulty_votes"] = [said and said["n_votes"] for said in frame["difficulty"]]
        frame["difficulty"] = [said and said["category"] for said in frame["difficulty"]]
    return frame
