"""Licences of pictures, told by whatever name or address a source gives them.

Codes follow SPDX where SPDX has one; `LicenseRef-...` is SPDX's way to name an agreement of one's own. A licence nobody
can name is no licence: `parse_licence` returns None, and the row is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TERMS = r"(by(?:-nc)?(?:-sa|-nd)?)"
VERSION = r"(1\.0|2\.0|2\.1|2\.5|3\.0|4\.0)"
HOST = r"(?:https?://)?(?:www\.)?creativecommons\.org/"
ADDRESS = re.compile(rf"{HOST}licenses/{TERMS}/{VERSION}(?:/\S*)?", re.IGNORECASE)
NAME = re.compile(rf"(?:cc|creative commons)[\s_-]+{TERMS}[\s_-]+{VERSION}", re.IGNORECASE)
PUBLIC_DOMAIN = re.compile(rf"{HOST}publicdomain/(zero|mark)/1\.0(?:/\S*)?", re.IGNORECASE)
LONG_NAME = re.compile(
    rf"(?:creative commons )?attribution(-noncommercial)?(-sharealike|-noderiv(?:ative)?s)? {VERSION}"
    r"(?: (?:international|unported|generic))?(?: license)?",
    re.IGNORECASE,
)
OWN_AGREEMENT = re.compile(r"LicenseRef-[A-Za-z0-9.-]{1,29}")
SHORT = {"-sharealike": "-sa", "-noderivs": "-nd", "-noderivatives": "-nd"}


@dataclass(frozen=True)
class Licence:
    """A licence's code (at most 40 characters), what people call it, and where it can be read ("" for one's own)."""

    code: str
    name: str
    url: str


CC0 = Licence("CC0-1.0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/")
PUBLIC_DOMAIN_MARK = Licence("PDM-1.0", "Public Domain Mark 1.0", "https://creativecommons.org/publicdomain/mark/1.0/")
NO_KNOWN_RESTRICTIONS = Licence("NKCR", "No known copyright restrictions", "https://www.flickr.com/commons/usage/")
US_GOVERNMENT = Licence("USGov", "United States Government Work", "https://www.usa.gov/government-works")
OWN = Licence("LicenseRef-own", "Own work of the lab", "")
OTHERS = (
    CC0,
    PUBLIC_DOMAIN_MARK,
    NO_KNOWN_RESTRICTIONS,
    US_GOVERNMENT,
    OWN,
    Licence("Apache-2.0", "Apache License 2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
    Licence("MIT", "MIT License", "https://opensource.org/license/mit"),
)
WORDS = {
    "cc0": CC0,
    "cc-zero": CC0,
    "public domain": PUBLIC_DOMAIN_MARK,
    "http://flickr.com/commons/usage/": NO_KNOWN_RESTRICTIONS,
    "http://www.usa.gov/copyright.shtml": US_GOVERNMENT,
    "own": OWN,
} | {word.lower(): one for one in OTHERS for word in (one.code, one.name, one.url) if word}


def parse_licence(text: str) -> Licence | None:
    """The licence that `text` names: a Creative Commons address of any spelling, a code, or a known name; else None.

    >>> parse_licence("http://creativecommons.org/licenses/by-sa/2.0/").code
    'CC-BY-SA-2.0'
    """
    text = text.strip()
    if found := ADDRESS.fullmatch(text) or NAME.fullmatch(text):
        return _creative_commons(found[1].lower(), found[2])
    if found := LONG_NAME.fullmatch(text):
        commercial, changes = (found[1] or "").lower(), SHORT.get((found[2] or "").lower(), "")
        return _creative_commons(f"by{'-nc' if commercial else ''}{changes}", found[3])
    if found := PUBLIC_DOMAIN.fullmatch(text):
        return CC0 if found[1].lower() == "zero" else PUBLIC_DOMAIN_MARK
    if known := WORDS.get(text.lower()):
        return known
    return Licence(text, text.removeprefix("LicenseRef-"), "") if OWN_AGREEMENT.fullmatch(text) else None


def _creative_commons(terms: str, version: str) -> Licence:
    words = f"{terms.upper()} {version}"
    url = f"https://creativecommons.org/licenses/{terms}/{version}/"
    return Licence(f"CC-{words.replace(' ', '-')}", f"CC {words}", url)


def may_be_passed_on(text: str) -> bool:
    """Whether a picture under this licence may be copied into a data set that others download.

    Every Creative Commons licence allows copies of the unchanged picture, and so do public domain, works of the US
    government, own work, Apache and MIT. An agreement that only its own text explains is not known to allow it.

    >>> may_be_passed_on("CC-BY-NC-ND-2.0"), may_be_passed_on("LicenseRef-press"), may_be_passed_on("")
    (True, False, False)
    """
    licence = parse_licence(text)
    return licence is not None and (licence == OWN or not OWN_AGREEMENT.fullmatch(licence.code))
