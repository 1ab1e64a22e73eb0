"""Raw web titles: true captions as the web would hand them over, with what is the matter with each.

A title keeps the clean text that perfect cleaning (SCIENCE 2.4) gives back, or the rule by which it has to go, so that
cleaning can be measured.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from workers.training.postcards.kinds import Caption, Kind
from workers.training.postcards.literal import literal
from workers.training.postcards.world import Scene


class Mess(StrEnum):
    """In the order in which they are laid on: what was said first, then the page around it, then its bytes."""

    CAMERA_FILE = "camera_file"
    KEYWORDS = "keywords"
    REPEATED = "repeated"
    ELLIPSIS = "ellipsis"
    CAPITALS = "capitals"
    FULL_WIDTH = "full_width"
    INLINE_HASHTAG = "inline_hashtag"
    HASHTAGS = "hashtags"
    MANY_HASHTAGS = "many_hashtags"
    URL = "url"
    EMAIL = "email"
    SITE_PREFIX = "site_prefix"
    SITE_SUFFIX = "site_suffix"
    SPACES = "spaces"
    ZERO_WIDTH = "zero_width"
    MOJIBAKE = "mojibake"
    ENTITIES = "entities"
    MARKUP = "markup"


# What the whole title is; nothing else is left to say then.
WHOLE = (Mess.CAMERA_FILE, Mess.KEYWORDS)
SEPARATORS = (" | ", " - ", " – ", " — ", " · ", " » ", " :: ")
SITES = {"Picture Barn": "picturebarn.example", "Postcard Exchange": "postcardexchange.example",
         "FreeWallpapers": "freewallpapers.example", "Stock & Sky": "stockandsky.example",
         "The Daily View": "thedailyview.example", "Snapshelf": "snapshelf.example"}  # fmt: skip
TAGS = ("nofilter", "picoftheday", "wanderlust", "travel", "photography", "instagood", "art", "holiday")
STOCK = ("stock photo", "royalty free", "wallpaper", "HD", "background", "free download", "image", "print")
CAMERAS = ("IMG_{n:04}.JPG", "DSC{n:05}", "DSCN{n:04}.jpg", "P10{n:05}.JPG", "IMG_20190{m}14_{n:06}.jpg", "{n:05}.png")
MARKUPS = ("<b>{}</b>", '<p class="title">{}</p>', "<h1>{}</h1>", "{}<br/>", "<span>{}</span>", "<em>{}</em>")


@dataclass(frozen=True)
class Title:
    """`text` as found on a page of `domain`, `caption` the true sentence behind it.

    `clean` is what is left of it when everything is put right; None where the whole title has to go, by rule `dropped`.
    """

    text: str
    caption: Caption
    messes: tuple[Mess, ...]
    clean: str | None
    dropped: str | None
    site: str
    domain: str


@dataclass(frozen=True)
class _Draft:
    text: str
    clean: str
    site: str
    dice: random.Random
    dropped: str | None = None

    def around(self, text: str) -> _Draft:
        """The page has put something on; what it means stays."""
        return replace(self, text=text)


def title_of(scene: Scene, seed: int, messes: tuple[Mess, ...] | None = None) -> Title:
    """A title from a literal caption of `scene`, with these messes or one to three drawn ones."""
    dice = random.Random(f"title {scene.seed} {seed}")
    caption, site = literal(scene, seed), dice.choice(list(SITES))
    drawn = _drawn(dice) if messes is None else messes
    chosen = tuple(mess for mess in Mess if mess in drawn)
    draft = _Draft(caption.text, caption.text, site, dice)
    for mess in chosen:
        draft = _LAID_ON[mess](draft)
    clean = None if draft.dropped else draft.clean
    return Title(draft.text, caption, chosen, clean, draft.dropped, site, SITES[site])


def as_caption(scene: Scene, seed: int) -> Caption:
    """The title as a caption with the claims of its sentence; a file name or a list of keywords claims nothing."""
    title = title_of(scene, seed)
    claims = () if set(WHOLE) & set(title.messes) else title.caption.claims
    return Caption(title.text, Kind.TITLE, claims, seed=seed)


def _drawn(dice: random.Random) -> tuple[Mess, ...]:
    found = tuple(dice.sample(list(Mess), dice.choice((1, 1, 2, 2, 3))))
    whole = [mess for mess in found if mess in WHOLE]
    return (whole[0],) if whole else found


def _camera_file(draft: _Draft) -> _Draft:
    name = draft.dice.choice(CAMERAS).format(n=draft.dice.randint(1, 9999), m=draft.dice.randint(1, 9))
    return replace(draft, text=name, dropped="too_short")


def _keywords(draft: _Draft) -> _Draft:
    """As photo stocks list them: the nouns again and again, so that more than a fifth are repeated."""
    words = [word.strip(",:").lower() for word in draft.text.split() if len(word) > 3][:5]
    listed = [f"{word} {draft.dice.choice(STOCK)}" for word in words] + words + words[:2]
    return replace(draft, text=", ".join(listed), dropped="repetition")


def _repeated(draft: _Draft) -> _Draft:
    again = draft.dice.choice((" {0} {0}", " - {0}", ", {0}, {0}")).format(draft.text)
    return replace(draft, text=f"{draft.text}{again}", dropped=draft.dropped or "repetition")


def _ellipsis(draft: _Draft) -> _Draft:
    words = draft.text.split()
    kept = " ".join(words[: max(5, len(words) * 2 // 3)])
    return replace(draft, text=f"{kept}…", clean=f"{kept}...")


def _capitals(draft: _Draft) -> _Draft:
    return replace(draft, text=draft.text.upper(), clean=draft.clean.upper())


def _full_width(draft: _Draft) -> _Draft:
    """One word in full-width letters, as East Asian keyboards give them."""
    words = draft.text.split(" ")
    at = draft.dice.randrange(len(words))
    words[at] = "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in words[at])
    return draft.around(" ".join(words))


def _inline_hashtag(draft: _Draft) -> _Draft:
    words = draft.text.split(" ")
    inner = [at for at, word in enumerate(words[1:-2], start=1) if len(word) > 2 and word.isalpha()]
    if inner:
        at = draft.dice.choice(inner)
        words[at] = f"#{words[at]}"
    return draft.around(" ".join(words))


def _hashtags(draft: _Draft, n: int = 2) -> _Draft:
    return draft.around(" ".join([draft.text, *(f"#{tag}" for tag in draft.dice.sample(TAGS, n))]))


def _many_hashtags(draft: _Draft) -> _Draft:
    return replace(_hashtags(draft, 5), dropped=draft.dropped or "keyword_list")


def _url(draft: _Draft) -> _Draft:
    return draft.around(f"{draft.text} https://{SITES[draft.site]}/p/{draft.dice.randint(1000, 99999)}")


def _email(draft: _Draft) -> _Draft:
    return draft.around(f"{draft.text} prints@{SITES[draft.site]}")


def _site_prefix(draft: _Draft) -> _Draft:
    return draft.around(f"{draft.site}{draft.dice.choice(SEPARATORS)}{draft.text}")


def _site_suffix(draft: _Draft) -> _Draft:
    return draft.around(f"{draft.text}{draft.dice.choice(SEPARATORS)}{draft.site}")


def _spaces(draft: _Draft) -> _Draft:
    return draft.around(draft.dice.choice((" \t{} ", "\r\n{}\n", "  {}\u3000")).format(_at_a_space(draft, "   ")))


def _zero_width(draft: _Draft) -> _Draft:
    at = draft.dice.randrange(1, len(draft.text))
    return draft.around(draft.text[:at] + draft.dice.choice("\u200b\ufeff\u00ad\u2060") + draft.text[at:])


def _mojibake(draft: _Draft) -> _Draft:
    """UTF-8 read as Windows-1252: curly quotes or a no-break space, whatever else is there too."""
    text = draft.text.replace("\u3000", " ")
    if draft.dice.random() < 0.5:
        quoted = replace(draft, text=f"“{text}”", clean=f'"{draft.clean}"')
        return quoted.around(_misread(quoted.text))
    return draft.around(_misread(_at_a_space(draft.around(text), "\u00a0")))


def _misread(text: str) -> str:
    """The five bytes that Windows-1252 leaves open stay what they are, as in browsers."""
    found = text.encode("utf-8")
    return "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in found)


def _entities(draft: _Draft) -> _Draft:
    """Markup's own characters must be escaped; here and there a letter or space is too, though it need not be."""
    text = draft.text.replace("&", "&amp;").replace('"', "&quot;")
    text = text.replace(" ", draft.dice.choice(("&nbsp;", "&#32;", " &#x20;")), 1)
    if " and " in text:
        return replace(draft, text=text.replace(" and ", " &amp; ", 1), clean=draft.clean.replace(" and ", " & ", 1))
    return draft.around(text)


def _markup(draft: _Draft) -> _Draft:
    return draft.around(draft.dice.choice(MARKUPS).format(_at_a_space(draft, draft.dice.choice((" ", "<br>")))))


def _at_a_space(draft: _Draft, instead: str) -> str:
    """The text with one of its spaces, drawn, replaced."""
    spaces = [at for at, letter in enumerate(draft.text) if letter == " "]
    if not spaces:
        return draft.text
    at = draft.dice.choice(spaces)
    return draft.text[:at] + instead + draft.text[at + 1 :]


_LAID_ON: dict[Mess, Callable[[_Draft], _Draft]] = {
    Mess.CAMERA_FILE: _camera_file,
    Mess.KEYWORDS: _keywords,
    Mess.REPEATED: _repeated,
    Mess.ELLIPSIS: _ellipsis,
    Mess.CAPITALS: _capitals,
    Mess.FULL_WIDTH: _full_width,
    Mess.INLINE_HASHTAG: _inline_hashtag,
    Mess.HASHTAGS: _hashtags,
    Mess.MANY_HASHTAGS: _many_hashtags,
    Mess.URL: _url,
    Mess.EMAIL: _email,
    Mess.SITE_PREFIX: _site_prefix,
    Mess.SITE_SUFFIX: _site_suffix,
    Mess.SPACES: _spaces,
    Mess.ZERO_WIDTH: _zero_width,
    Mess.MOJIBAKE: _mojibake,
    Mess.ENTITIES: _entities,
    Mess.MARKUP: _markup,
}
