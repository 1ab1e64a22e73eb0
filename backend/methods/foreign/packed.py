"""The files of judgments in an archive: doccano and other tools write one for each annotator and pack them."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

from backend.methods.foreign.parsing import unread
from backend.methods.tables import TableFault, is_table_name
from backend.methods.tables.reading import ENCRYPTED, is_hidden
from backend.methods.tables.sources import SMALL_ENOUGH, UNREADABLE


def members_of(raw: bytes, name: str, *, most: int = SMALL_ENOUGH) -> list[tuple[str, bytes]]:
    """Name and content of each table in a .zip of at most `most` bytes unpacked; of any other file, itself.

    Raises NotJudgmentsError for an archive that is damaged, encrypted or larger.
    """
    if not raw.startswith(b"PK\x03\x04"):
        return [(name, raw)]
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if {"xl/workbook.xml", "mimetype"} & set(archive.namelist()):
                return [(name, raw)]  # a spreadsheet
            named = (info for info in archive.infolist() if is_table_name(info.filename))
            infos = [info for info in named if not is_hidden(info.filename)]
            if any(info.flag_bits & ENCRYPTED for info in infos):
                raise unread(TableFault("encrypted_table"))
            if sum(info.file_size for info in infos) > most:
                if len(infos) == 1:
                    return [(name, raw)]  # its reader has bounds of its own
                raise unread(TableFault("text_too_long", most=most))
            found = [(PurePosixPath(info.filename).name, archive.read(info)) for info in infos]
    except UNREADABLE as problem:
        raise unread(TableFault("file_damaged")) from problem
    return found or [(name, raw)]
