"""Licences by whatever name or address a source gives them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.licences import parse_licence


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("http://creativecommons.org/licenses/by/2.0/", "CC-BY-2.0"),
        ("https://creativecommons.org/licenses/by-sa/4.0/legalcode.en", "CC-BY-SA-4.0"),
        ("https://creativecommons.org/licenses/by-nc-nd/3.0", "CC-BY-NC-ND-3.0"),
        ("https://www.creativecommons.org/licenses/BY-NC/2.5/", "CC-BY-NC-2.5"),
        ("CC BY 4.0", "CC-BY-4.0"),
        ("cc-by-sa-3.0", "CC-BY-SA-3.0"),
        ("Creative Commons BY-NC-SA 4.0", "CC-BY-NC-SA-4.0"),
        ("Creative Commons Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0"),
        ("Attribution-NonCommercial-NoDerivatives 4.0 International", "CC-BY-NC-ND-4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("CC0", "CC0-1.0"),
        ("CC0 1.0", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/", "PDM-1.0"),
        ("http://flickr.com/commons/usage/", "NKCR"),
        ("No known copyright restrictions", "NKCR"),
        ("http://www.usa.gov/copyright.shtml", "USGov"),
        ("Apache-2.0", "Apache-2.0"),
        ("  own ", "LicenseRef-own"),
        ("LicenseRef-agreement-with-the-museum", "LicenseRef-agreement-with-the-museum"),
    ],
)
def test_a_licence_is_known_by_its_address_its_code_and_its_names(text: str, code: str) -> None:
    licence = parse_licence(text)
    assert licence is not None and licence.code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Attribution License",  # of which version?
        "CC BY",
        "https://creativecommons.org/licenses/by/9.0/",
        "https://example.org/?for=creativecommons.org/licenses/by/4.0/",
        "https://evilcreativecommons.org/licenses/by/4.0/",
        "not CC BY 4.0",
        "All rights reserved",
        "LicenseRef-",
        "LicenseRef-" + "x" * 60,
        "LicenseRef-<script>",
    ],
)
def test_what_nobody_can_name_is_no_licence(text: str) -> None:
    assert parse_licence(text) is None


@given(
    st.sampled_from(["by", "by-sa", "by-nc", "by-nd", "by-nc-sa", "by-nc-nd"]),
    st.sampled_from(["1.0", "2.0", "2.1", "2.5", "3.0", "4.0"]),
    st.sampled_from(["http://", "https://", "https://www.", ""]),
    st.sampled_from(["", "/", "/deed.en", "/legalcode"]),
)
def test_a_licences_own_code_and_address_lead_back_to_it(terms: str, version: str, scheme: str, end: str) -> None:
    licence = parse_licence(f"{scheme}creativecommons.org/licenses/{terms}/{version}{end}")
    assert licence is not None
    assert parse_licence(licence.code) == parse_licence(licence.name) == parse_licence(licence.url) == licence
    assert len(licence.code) <= 40


@given(st.text(max_size=80))
def test_any_text_is_answered(text: str) -> None:
    licence = parse_licence(text)
    assert licence is None or parse_licence(licence.code) == licence
