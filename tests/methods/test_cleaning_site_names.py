"""The site's name goes from the ends of a title, whatever separates it, and never from within."""

from __future__ import annotations

import pytest

from backend.methods.cleaning import Page, find_recurring, registered_domain
from backend.methods.cleaning.site_names import fold_name, recurring_pieces, without_site_name

OWN = Page("stockandsky.example", site_name="Sky Prints", recurring=frozenset({"dailypicture"}))


def stripped(title: str, page: Page = OWN) -> str:
    return without_site_name(page)(title)


@pytest.mark.parametrize(
    "separator", [" | ", " - ", " – ", " — ", " · ", " » ", " :: ", " // ", " › ", " « ", " • ", " ‹ ", " | | "]
)
def test_every_separator_is_known_before_and_after(separator: str) -> None:
    assert stripped(f"A lake{separator}Stock & Sky") == "A lake"
    assert stripped(f"Stock & Sky{separator}A lake") == "A lake"
    assert stripped(f"STOCKANDSKY{separator}A lake{separator}Sky Prints") == "A lake"


@pytest.mark.parametrize(
    "name", ["Stock & Sky", "stock and sky", "StockAndSky", "stockandsky.example", "www.stockandsky.example",
             "sky prints", "Daily Picture!", "Flickr", "Stock Photo",
             "Wikipedia, the free encyclopedia", "lakes-of-norway.co.uk", "www.Lakes.com"]
)  # fmt: skip
def test_a_name_is_the_domains_the_pages_own_a_recurring_one_or_one_of_the_list(name: str) -> None:
    assert stripped(f"A lake | {name}") == "A lake"


@pytest.mark.parametrize(
    "title",
    [
        "Stock & Sky",
        "A lake | Oslo",
        "Stock & Sky: a lake",
        "A lake|Stock & Sky",
        "A stockandsky lake",
        "A lake - Flickr - in Norway",
        "Stock & Skyline | A lake",
        "!!! | A lake",
    ],
)
def test_nothing_goes_from_within_nor_the_whole_title(title: str) -> None:
    assert stripped(title) == title


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("Café Zürich", Page("cafezurich.example")),
        ("Café Zürich", Page("cafezuerich.example")),
        ("Cafe Zurich", Page("café-zürich.example")),
        ("Bücher", Page("xn--bcher-kva.example")),
        ("Galería Ñandú", Page("", "Galeria Nandu")),
        ("The Daily View", Page("dailyview.example")),
        ("Daily View", Page("thedailyview.example")),
        ("Daily View", Page("", "The Daily View")),
        ("La Galerie", Page("galerie.example")),
        ("L'Atelier", Page("atelier.example")),
        ("Misty Lakes", Page(registered_domain("https://www.mistylakes.tumblr.com/1"))),
        ("Misty Lakes - Tumblr", Page(registered_domain("mistylakes.tumblr.com"))),
        ("Misty Lakes", Page(registered_domain("mistylakes.blogspot.co.uk"))),
        ("Misty Lakes", Page(registered_domain("https://mistylakes.wordpress.com/2019/01/"))),
    ],
)
def test_accents_articles_and_blogs_are_seen_through(name: str, page: Page) -> None:
    assert stripped(f"A lake in the mist | {name}", page) == "A lake in the mist"
    assert stripped(f"{name} » A lake in the mist", page) == "A lake in the mist"


@pytest.mark.parametrize(
    ("title", "outcome"),
    [
        ("A lake |", "A lake"),
        ("| A lake - ", "A lake"),
        ("A lake | Stock & Sky |", "A lake"),
        ("// A lake | - Flickr", "A lake"),
        ("« A lake » by a painter", "« A lake » by a painter"),
        ("« A lake »", "« A lake »"),
        ("» A lake", "A lake"),
        ("-", "-"),
        ("A lake - in the mist", "A lake - in the mist"),
    ],
)
def test_a_separator_that_separates_nothing_goes_and_quotation_marks_stay(title: str, outcome: str) -> None:
    assert " ".join(stripped(" ".join(title.split())).split()) == outcome


def test_several_names_go_one_after_the_other_and_one_piece_always_stays() -> None:
    assert stripped("A lake - Stock Photo | Stock & Sky") == "A lake"
    assert stripped("Flickr | Stock & Sky") == "Flickr"


def test_of_a_page_that_is_not_known_only_the_list_is() -> None:
    assert stripped("A lake | Stock & Sky", Page()) == "A lake | Stock & Sky"
    assert stripped("A lake | Flickr", Page()) == "A lake"


def test_what_begins_or_ends_three_different_titles_of_a_domain_recurs() -> None:
    titles = [("a.example", f"Lake {n} - Prints of Norway") for n in range(3)]
    titles += [("b.example", "Lake 1 - Prints of Norway")] * 5
    titles += [("", f"Lake {n} - Nowhere") for n in range(5)]
    titles += [("c.example", f"Fjords - Lake - {n}") for n in range(2)]
    assert recurring_pieces(titles) == {"a.example": frozenset({"printsofnorway"})}


def test_raw_titles_are_repaired_before_they_are_cut() -> None:
    raw = ("One &ndash; The&nbsp;Prints", "Two  |\tThe Prints", "Three â€” The Prints", "no name in this one")
    assert find_recurring(("a.example", title) for title in raw) == {"a.example": frozenset({"theprints"})}


def test_pieces_are_compared_without_case_spaces_and_marks() -> None:
    titles = [("a.example", title) for title in ("One | The Prints", "Two | the prints!", "Three - THE-PRINTS")]
    assert recurring_pieces(titles) == {"a.example": frozenset({"theprints"})}
    assert fold_name("Stock & Sky") == fold_name("stock AND sky") == "stockandsky"


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("www.picturebarn.example", "picturebarn.example"),
        ("https://Photos.StockAndSky.co.uk:8080/p/1?q=a.b", "stockandsky.co.uk"),
        ("someone@mail.bücher.de", "bücher.de"),
        ("localhost", ""),
        ("192.168.0.1", ""),
        ("http://[::1]/", ""),
        ("co.uk", ""),
        ("https://blog.mistylakes.tumblr.com/1", "mistylakes.tumblr.com"),
        ("www.tumblr.com", "tumblr.com"),
        ("mistylakes.github.io", "mistylakes.github.io"),
        ("", ""),
        ("...", ""),
        ("IMG 4711", ""),
    ],
)
def test_the_registered_domain_of_hosts_and_urls(address: str, domain: str) -> None:
    assert registered_domain(address) == domain
