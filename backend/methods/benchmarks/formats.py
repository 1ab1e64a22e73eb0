"""The formats of a benchmark's data, each from what its file holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from backend.methods.benchmarks.data import BenchmarkData, DataError, Gathering, Judged, Votes, some
from backend.methods.benchmarks.files import field_of, parse_json, read_text, rows_in_bytes, rows_of
from backend.methods.foreign.conqa import read_seed_queries
from backend.methods.foreign.shapes import PairVotes
from backend.methods.foreign.told import NotJudgmentsError
from backend.methods.ranking import make_pairs
from backend.methods.relevance import Rule, judge_relevance
from backend.methods.tables import many_in, values_of

UNKNOWN = (
    "Connote does not know the format of {name}. It reads a release, COCO and Karpathy JSON, JSON lines or Parquet "
    "with images and captions, an imagefolder, maps of caption ids, TREC qrels, and the folder of ConQA."
)
FIELDS = ("difficulty", "source", "lens", "category", "figurative")  # of a caption, by which figures are cut
MOST_LOST = 0.001  # of the pairs of a map: ECCV's names two captions that are not among the 25,000
Caption = tuple[str, str, Mapping[str, frozenset[str]]]


def read_json_file(name: str, body: Any, folder: Path, split: str) -> BenchmarkData:
    """COCO captions, a file of Karpathy, a list of rows, or a map of ids. Raises DataError."""
    if isinstance(body, dict) and isinstance(body.get("images"), list):
        if isinstance(body.get("annotations"), list):
            return _coco(name, body, folder)
        return _karpathy(name, body, folder, split)
    if isinstance(body, list) and body and isinstance(body[0], dict):
        return read_rows(name, name, body, folder=folder, split=split, kind="json")
    if isinstance(body, dict) and body and all(isinstance(each, list) for each in body.values()):
        if "image" in name and name.index("image") < (name.index("caption") if "caption" in name else len(name)):
            return read_maps(name, body, None, {})
        return read_maps(name, None, body, {})
    raise DataError(UNKNOWN.format(name=name))


def _coco(name: str, body: Mapping[str, Any], folder: Path) -> BenchmarkData:
    found = Gathering(name)
    for at, image in enumerate(body["images"], 1):
        where = f"image {at}"
        number = str(field_of(image, "id", name, where))
        found.add_image(number, where)
        if file := image.get("file_name"):
            found.pictures[number] = folder / "images" / str(file)
    for at, annotation in enumerate(body["annotations"], 1):
        where = f"annotation {at}"
        image = str(field_of(annotation, "image_id", name, where))
        if image not in found.images:
            raise DataError(f"{name}, {where}: there is no image {image!r}.")
        caption = str(field_of(annotation, "caption", name, where))
        text = found.add_text(str(field_of(annotation, "id", name, where)), caption, where, _categories(annotation))
        found.pairs.append((found.images[image], text))
    return found.done("coco", name)


def _karpathy(name: str, body: Mapping[str, Any], folder: Path, split: str) -> BenchmarkData:
    found = Gathering(name)
    splits = {str(image.get("split")) for image in body["images"] if isinstance(image, dict)}
    split = split or ("test" if "test" in splits else "")
    if split and split not in splits:
        raise DataError(f"{name} has no split {split!r}. It has {', '.join(sorted(splits))}.")
    for at, image in enumerate(body["images"], 1):
        where = f"image {at}"
        if split and str(image.get("split")) != split:
            continue
        key = str(image.get("cocoid") or image.get("imgid") or field_of(image, "filename", name, where))
        number = found.add_image(key, where)
        found.pictures[key] = folder / str(image.get("filepath") or "images") / str(image.get("filename"))
        for sentence in field_of(image, "sentences", name, where):
            caption = str(field_of(sentence, "raw", name, where))
            key = str(sentence.get("sentid", f"{key}#{len(found.texts)}"))
            found.pairs.append((number, found.add_text(key, caption, where, _categories(sentence))))
    return found.done("karpathy", name, notes=[f"The split is {split}."] if split else [])


def read_release(name: str, images: bytes, negatives: bytes, split: str) -> BenchmarkData:
    """images.jsonl of a release, and its negatives.jsonl. Raises DataError with the line."""
    rows, rejected = rows_in_bytes(images, "images.jsonl"), rows_in_bytes(negatives, "negatives.jsonl")
    return gather_release(name, rows, rejected, split)


def gather_release(name: str, images: Iterable[Any], negatives: Iterable[Any], split: str = "") -> BenchmarkData:
    """The data of a release from the rows of its files. Raises DataError with the line."""
    found, judged = Gathering("images.jsonl"), []
    for at, row in enumerate(images, 1):
        if split and row.get("split") != split:
            continue
        where = f"line {at}"
        image = str(field_of(row, "digest", "images.jsonl", where))
        number = found.add_image(image, where)
        for caption in field_of(row, "captions", "images.jsonl", where):
            key = f"{image[:16]}/{field_of(caption, 'key', 'images.jsonl', where)}"
            text = str(field_of(caption, "text", "images.jsonl", where))
            found.pairs.append((number, found.add_text(key, text, where, _categories(caption))))
            judged.append(_votes_of(caption, where))
    for at, row in enumerate(negatives, 1):
        image = str(field_of(row, "image", "negatives.jsonl", f"line {at}"))
        if image in found.images:
            found.rejected[image] = (
                *found.rejected.get(image, ()),
                str(field_of(row, "text", "negatives.jsonl", f"line {at}")),
            )
    return replace(found.done("release", name), judged=tuple(judged))


def _votes_of(caption: Mapping[str, Any], where: str) -> Judged:
    votes = [caption.get(name) or 0 for name in ("n_good", "n_bad", "n_unsure")]
    if not all(isinstance(each, int) and each >= 0 for each in votes):
        raise DataError(f"images.jsonl, {where}: the votes on a caption must be three counts.")
    good, bad, unsure = votes
    return good, bad, unsure


def read_rows(
    name: str, file: str, rows: Sequence[Any], *, folder: Path | None = None, split: str = "", kind: str = "jsonl"
) -> BenchmarkData:
    """Rows with an image and its captions, or with one caption each."""
    if rows and isinstance(rows[0], dict) and {"captions", "digest"} <= rows[0].keys():
        return gather_release(name, rows, (), split)
    found = Gathering(file)
    for at, row in enumerate(rows, 1):
        where = f"row {at}"
        if not isinstance(row, dict):
            raise DataError(f"{file}, {where}: this is not an object with fields.")
        if split and row.get("split", split) != split:
            continue
        image = _image_of(row, file, where)
        one_each = len(many_in(row.get("caption"))) == 1 or "caption_id" in row
        number = found.images[image] if one_each and image in found.images else found.add_image(image, where)
        if folder is not None:
            file_names = (row.get(each) for each in ("file_name", "file", "image"))
            found.pictures[image] = folder / next((each for each in file_names if isinstance(each, str)), image)
        for words, key, values in _captions_of(row, file, where):
            text = found.add_text(key or f"{image}#{_n_of(found, number)}", words, where, values)
            found.pairs.append((number, text))
        if rejected := row.get("rejected"):
            found.rejected[image] = tuple(map(str, rejected if isinstance(rejected, list) else [rejected]))
    return found.done(kind, name)


def _captions_of(row: Mapping[str, Any], file: str, where: str) -> Iterator[Caption]:
    """Text, id and categories of each caption of a row. `categories` is one for all of them, or a list of one each."""
    captions = values_of(row, ("captions", "caption", "text", "sentences", "raw"))
    if not captions:
        raise DataError(f"{file}, {where}: the field 'captions' is missing.")
    categories = row.get("categories")
    if not isinstance(categories, list):
        categories = [categories] * len(captions)
    if len(categories) != len(captions):
        raise DataError(f"{file}, {where}: 'categories' has {len(categories)} values for {len(captions)} captions.")
    for caption, category in zip(captions, categories, strict=True):
        words, key, values = _caption_of(caption, row, file, where)
        yield words, key, values or _values_of(category)


def _n_of(found: Gathering, image: int) -> int:
    """How many captions the image has so far: rows of one image stand together."""
    n = 0
    for number, _ in reversed(found.pairs):
        if number != image:
            break
        n += 1
    return n


def _image_of(row: Mapping[str, Any], file: str, where: str) -> str:
    value = next((row[each] for each in ("image_id", "image", "file_name", "key") if row.get(each) is not None), None)
    if isinstance(value, dict):  # of Parquet: the bytes and the path
        value = value.get("path") or row.get("digest")
    if value is None or value == "":
        raise DataError(f"{file}, {where}: the field 'image' is missing.")
    return str(value)


def _caption_of(caption: Any, row: Mapping[str, Any], file: str, where: str) -> Caption:
    if isinstance(caption, dict):
        words = next((caption[each] for each in ("text", "raw", "caption") if each in caption), None)
        if not isinstance(words, str):
            raise DataError(f"{file}, {where}: a caption has no text.")
        key = caption.get("key") or caption.get("id") or ""
        return words, str(key), _categories(caption)
    if not isinstance(caption, str):
        raise DataError(f"{file}, {where}: a caption is {type(caption).__name__}, not text.")
    return caption, str(row.get("caption_id", "")), {}


def _values_of(categories: Any) -> Mapping[str, frozenset[str]]:
    if isinstance(categories, dict):
        return {
            str(name): frozenset(map(str, value if isinstance(value, list) else [value]))
            for name, value in categories.items()
            if value not in (None, "")
        }
    values = categories if isinstance(categories, list) else [categories]
    return {"category": frozenset(map(str, values))} if categories not in (None, "") else {}


def _categories(caption: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Difficulty, lens, source and the like, as far as a caption has them."""
    found = {}
    for name in FIELDS:
        value = caption.get(name)
        if isinstance(value, dict):
            value = value.get("category")
        if name == "category" and value is None and isinstance(caption.get("consensus"), dict):
            continue
        if value not in (None, "", []):
            found[name] = frozenset(map(str, value if isinstance(value, list) else [value]))
    return found


def read_maps(
    name: str, to_text: Mapping[str, Any] | None, to_image: Mapping[str, Any] | None, captions: Mapping[str, str]
) -> BenchmarkData:
    """Which caption ids belong to which image ids, as ECCV Caption and CxC keep it."""
    pairs = {(str(image), str(text)) for image, texts in (to_text or {}).items() for text in texts}
    turned = {(str(image), str(text)) for text, images in (to_image or {}).items() for image in images}
    if to_text is not None and to_image is not None and pairs != turned:
        image, text = next(iter(pairs ^ turned))
        raise DataError(f"{name}: the two maps differ, for example in image {image!r} and caption {text!r}.")
    pairs |= turned
    if not pairs:
        raise DataError(f"{name} has no image with a caption.")
    texts = sorted({text for _, text in pairs} | set(map(str, to_image or ())), key=_natural)
    owner = {
        text: image
        for image, text in sorted(pairs, key=lambda pair: (_natural(pair[1]), _natural(pair[0])), reverse=True)
    }
    images = list(dict.fromkeys(owner[text] for text in texts if text in owner))
    images += sorted({image for image, _ in pairs} - set(images), key=_natural)
    image_at, text_at = ({each: at for at, each in enumerate(of)} for of in (images, texts))
    image, text = np.array([[image_at[i], text_at[t]] for i, t in pairs], np.int64).T
    made = make_pairs(image, text, n_images=len(images), n_texts=len(texts))
    words = tuple(captions[text] for text in texts) if captions and all(text in captions for text in texts) else None
    return BenchmarkData("maps", name, tuple(images), tuple(texts), made, words)


def _natural(key: str) -> tuple[int, int, str]:
    return (0, int(key), "") if key.isdecimal() else (1, 0, key)


def captions_beside(folder: Path) -> dict[str, str]:
    """The captions of the files `*captions.jsonl` next to a map, by their ids. Raises DataError."""
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*captions.jsonl*")):
        for row in rows_of(file):
            if "caption_id" in row and "caption" in row:
                found[str(row["caption_id"])] = str(row["caption"])
    return found


def read_conqa(name: str, votes: Any, seeds: bytes, rule: Rule) -> BenchmarkData:
    """Queries are the texts, the gallery the images; a query without a relevant image stays, without a pair."""
    try:
        queries = read_seed_queries(seeds)
        rows = [
            (str(q), str(i), [int(n) for n in counts]) for q, images in votes.items() for i, counts in images.items()
        ]
    except (NotJudgmentsError, ValueError, TypeError, AttributeError) as problem:
        raise DataError(
            f"{name}: the votes must have the form {{query: {{image: [relevant, other, unsure]}}}}."
        ) from problem
    if not rows:
        raise DataError(f"{name}: the file of the votes is empty.")
    if wrong := next((row for row in rows if len(row[2]) != 3 or min(row[2]) < 0), None):
        raise DataError(f"{name}: query {wrong[0]!r}, image {wrong[1]!r} has the votes {wrong[2]}, not three counts.")
    if missing := [query for query in votes if query not in queries]:
        raise DataError(f"{name}: seed.json lacks the queries {some(missing)}.")
    told = PairVotes(np.array([row[2] for row in rows], np.int64), tuple(r[0] for r in rows), tuple(r[1] for r in rows))
    judged = judge_relevance(told, queries, rule=rule)
    images = {image: at for at, image in enumerate(judged.gallery)}
    texts = list(judged.relevant)
    pairs = [(images[i], at) for at, query in enumerate(texts) for i in sorted(judged.relevant[query])]
    image, text = np.array(pairs, np.int64).reshape(-1, 2).T
    kinds = tuple(frozenset(["conceptual" if queries[q].is_conceptual else "descriptive"]) for q in texts)
    return BenchmarkData(
        "conqa", name, tuple(images), tuple(texts), make_pairs(image, text, n_images=len(images), n_texts=len(texts)),
        tuple(queries[query].text for query in texts), {"query": kinds}, votes=Votes(told, queries),
        notes=(f"The rule of relevance is {rule}. {judged.n_seeds} seed images are not in the gallery.",),
    )  # fmt: skip


def read_qrels(name: str, text: str) -> BenchmarkData:
    """TREC qrels: queries are the texts, items the images. Raises DataError with the line."""
    relevant = _grades_of(name, text)
    images = {item: at for at, item in enumerate(dict.fromkeys(i for items in relevant.values() for i in items))}
    texts = list(relevant)
    pairs = [(images[i], at) for at, query in enumerate(texts) for i, grade in relevant[query].items() if grade > 0]
    if not pairs:
        raise DataError(f"{name} has no relevant item.")
    image, number = np.array(pairs, np.int64).T
    made = make_pairs(image, number, n_images=len(images), n_texts=len(texts))
    return BenchmarkData("qrels", name, tuple(images), tuple(texts), made)


def _grades_of(name: str, text: str) -> dict[str, dict[str, int]]:
    """TREC qrels: query, iteration, item, grade. Raises DataError with the line."""
    found: dict[str, dict[str, int]] = {}
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        parts = line.split()
        if len(parts) != 4 or not parts[3].lstrip("-").isdecimal():
            raise DataError(f"{name}, line {at}: write query, 0, item and grade, not {line.strip()[:60]!r}.")
        query, _, item, grade = parts
        if item in found.setdefault(query, {}):
            raise DataError(f"{name}, line {at}: {item!r} comes twice for the query {query!r}.")
        found[query][item] = int(grade)
    return found


def with_positives(data: BenchmarkData, path: Path) -> BenchmarkData:
    """The same images and texts with other right pairs, as ECCV Caption and CxC add them to COCO. Its keys are the
    queries, for one direction: ECCV's two maps have queries of their own, and are not each other turned round."""
    text = read_text(path)
    if text.lstrip()[:1] == "{":
        body = parse_json(path.name, text)
        given = [(str(key), str(each)) for key, values in body.items() for each in values]
    else:
        given = [(q, i) for q, items in _grades_of(path.name, text).items() for i, grade in items.items() if grade > 0]
    if not given:
        raise DataError(f"{path.name} has no right pair.")
    images, texts = data.image_numbers, data.text_numbers
    # Ids of images and of captions may look alike, so both readings are tried, and the one that fits better is taken.
    by_image = [(a, b) for a, b in given if a in images and b in texts]
    by_text = [(b, a) for a, b in given if b in images and a in texts]
    pairs, way = (by_image, "image_to_text") if len(by_image) >= len(by_text) else (by_text, "text_to_image")
    notes = [f"The right pairs are those of {path.name}, for {way.replace('_', ' ')} alone."]
    if n_lost := len(given) - len(pairs):
        sides = (images, texts) if way == "image_to_text" else (texts, images)
        unknown = some(
            dict.fromkeys(each for pair in given for each, of in zip(pair, sides, strict=True) if each not in of)
        )
        if n_lost > MOST_LOST * len(given):
            raise DataError(f"{path.name} names images or captions that the data lack: {unknown}.")
        notes.append(f"{n_lost} of its {len(given):,} pairs are left out, since the data lack {unknown}.")
    image, number = np.array([[images[i], texts[t]] for i, t in pairs], np.int64).T
    made = make_pairs(image, number, n_images=len(images), n_texts=len(texts))
    return replace(data, pairs=made, notes=(*data.notes, *notes), one_way=way)
