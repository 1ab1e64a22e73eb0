"""Licences of pictures, told by whatever name or address a source gives them.

Codes follow SPDX where SPDX has one. A licence nobody can name is no licence: `parse_licence` returns None, and the row
is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CC = re.compile(
    r"creativecommons\.org/licenses/(by(?:-nc)?(?:-sa|-nd)?)/(1\.0|2\.0|2\.1|2\.5|3\.0|4\.0)", re.IGNORECASE
)
CC_NAME = re.compile(
    r"(?:cc|creative commons)[\s_-]+(by(?:-nc)?(?:-sa|-nd)?)[\s_-]+(1\.0|2\.0|2\.1|2\.5|3\.0|4\.0)", re.IGNORECASE
)
PUBLIC_DOMAIN = re.compile(r"creativecommons\.org/publicdomain/(zero|mark)/1\.0", re.IGNORECASE)


@dataclass(frozen=True)
class Licence:
    """A licence's code, what people call it, and where it can be read."""

    code: str
    name: str
    url: str


CC0 = Licence("CC0-1.0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/")
PUBLIC_DOMAIN_MARK = Licence("PDM-1.0", "Public Domain Mark 1.0", "https://creativecommons.org/publicdomain/mark/1.0/")
NO_KNOWN_RESTRICTIONS = Licence("NKCR", "No known copyright restrictions", "https://www.flickr.com/commons/usage/")
US_GOVERNMENT = Licence("USGov", "United States Government Work", "https://www.usa.gov/government-works")
OWN = Licence("LicenseRef-own", "Own work of the lab", "")
OTHERS = {
    licence.code.lower(): licence
    for licence in (
        CC0,
        PUBLIC_DOMAIN_MARK,
        NO_KNOWN_RESTRICTIONS,
        US_GOVERNMENT,
        OWN,
        Licence("Apache-2.0", "Apache License 2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
        Licence("MIT", "MIT License", "https://opensource.org/license/mit"),
    )
} | {
    "cc0": CC0,
    "public domain": PUBLIC_DOMAIN_MARK,
    "no known copyright restrictions": NO_KNOWN_RESTRICTIONS,
    "http://flickr.com/commons/usage/": NO_KNOWN_RESTRICTIONS,
    "united states government work": US_GOVERNMENT,
    "http://www.usa.gov/copyright.shtml": US_GOVERNMENT,
    "own": OWN,
}


def parse_licence(text: str) -> Licence | None:
    """The licence that `text` names: a Creative Commons address of any spelling, a code, or a known name; else None.

    >>> parse_licence("http://creativecommons.org/licenses/by-sa/2.0/").code
    'CC-BY-SA-2.0'
    """
    text = text.strip()
    if found := CC.search(text) or CC_NAME.fullmatch(text):
        return _creative_commons(found[1].lower(), found[2])
    if found := PUBLIC_DOMAIN.search(text):
        return CC0 if found[1].lower() == "zero" else PUBLIC_DOMAIN_MARK
    return OTHERS.get(text.lower())


def _creative_commons(terms: str, version: str) -> Licence:
    words = f"{terms.upper()} {version}"
    url = f"https://creativecommons.org/licenses/{terms}/{version}/"
    return Licence(f"CC-{words.replace(' ', '-')}", f"CC {words}", url)
