"""croissant.json: the release as Croissant 1.1 describes a dataset, for tools that find and load datasets.

Files are `FileObject`s with their checksums. Images are never listed one by one: where an export has them, they are in
a `FileSet`. What people and models did stands in PROV-O, the terms in `usageInfo`, and what a user must know before a
use in the RAI properties.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from backend.methods.exports.citation import write_bibtex

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "annotation": "cr:annotation",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
KINDS = {
    "csv": "text/csv",
    "jsonl": "application/jsonlines",
    "json": "application/json",
    "parquet": "application/x-parquet",
    "md": "text/markdown",
    "html": "text/html",
    "cff": "application/yaml",
    "yaml": "application/yaml",
}
TEXT, WHOLE, REAL, YES_NO = "sc:Text", "cr:Int64", "cr:Float64", "sc:Boolean"
Columns = Mapping[str, tuple[str, str]]  # name -> type, and what it is
CAPTIONS: Columns = {
    "image": (TEXT, "SHA-256 of the original bytes of the image."),
    "key": (TEXT, "The caption's own name in every file."),
    "split": (TEXT, "train, validation or test. Near-duplicate images are in one split."),
    "position": (WHOLE, "Place among the captions of the image."),
    "text": (TEXT, "The caption, cleaned."),
    "raw_text": (TEXT, "The caption as it was imported."),
    "source": (TEXT, "Where the caption is from."),
}
VOTES: Columns = {
    "n_good": (WHOLE, "How many people found that the caption fits."),
    "n_bad": (WHOLE, "How many people found that it does not fit."),
    "n_unsure": (WHOLE, "How many people were unsure."),
}
JUDGMENTS: Columns = {
    "image": (TEXT, "SHA-256 of the original bytes of the image."),
    "caption": (TEXT, "The key of the caption."),
    "annotator": (TEXT, "A pseudonym that holds in this release."),
    "label": (TEXT, "good, bad or unsure."),
    "is_counted": (YES_NO, "Whether it counts for the final label."),
    "seconds": (REAL, "How long the annotator looked at the caption."),
    "position": (WHOLE, "Place among the captions that were shown together."),
}


def describe_release(manifest: Mapping[str, Any], files: Iterable[tuple[str, int, str]]) -> dict[str, Any]:
    """The release's own files; `files` are name, size and SHA-256 of each."""
    listed = sorted(files)
    names = {name for name, _, _ in listed}
    tables = [_table("captions", "captions.jsonl", CAPTIONS, VOTES)]
    if "judgments.parquet" in names:
        tables.append(_table("judgments", "judgments.parquet", JUDGMENTS, {}))
    objects = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "contentSize": f"{n_bytes} B",
            "encodingFormat": KINDS.get(name.rpartition(".")[2], "text/plain"),
            "sha256": sha256,
        }
        for name, n_bytes, sha256 in listed
    ]
    return _dataset(manifest) | {"distribution": objects, "recordSet": tables}


def describe_parquet(manifest: Mapping[str, Any], *, version: str, published: str) -> dict[str, Any]:
    """The export with images: one FileSet holds all Parquet files."""
    files = {
        "@type": "cr:FileSet",
        "@id": "parquet-files",
        "name": "parquet-files",
        "description": "Parquet files with the images inside.",
        "encodingFormat": KINDS["parquet"],
        "includes": "data/*.parquet",
    }
    source = {"fileSet": {"@id": "parquet-files"}}
    fields = [
        _field("images", "image", "sc:ImageObject", "The image.", source | _inside("image", "bytes")),
        *(_field("images", name, kind, what, source | _column(name)) for name, (kind, what) in OF_IMAGES.items()),
    ]
    table = {"@type": "cr:RecordSet", "@id": "images", "name": "images", "field": fields}
    dated = {"version": version, "datePublished": published}
    return _dataset(manifest) | dated | {"distribution": [files], "recordSet": [table]}


OF_IMAGES: Columns = {
    "digest": (TEXT, "SHA-256 of the original bytes of the image."),
    "key": (TEXT, "What its source calls it."),
    "split": (TEXT, "train, validation or test."),
    "width": (WHOLE, "Pixels."),
    "height": (WHOLE, "Pixels."),
    "licence": (TEXT, "The licence of the image."),
    "source_url": (TEXT, "Where the image is from."),
    "attribution": (TEXT, "How to credit the image."),
}


def _column(name: str) -> dict[str, Any]:
    return {"extract": {"column": name}}


def _inside(column: str, path: str) -> dict[str, Any]:
    return {"extract": {"column": column}, "transform": {"jsonPath": path}}


def _table(name: str, file: str, columns: Columns, votes: Columns) -> dict[str, Any]:
    """A table of one file; `votes` annotate the text of its rows."""
    source = {"fileObject": {"@id": file}}
    fields = [_field(name, each, kind, what, source | _column(each)) for each, (kind, what) in columns.items()]
    annotations = [_field(name, each, kind, what, source | _column(each)) for each, (kind, what) in votes.items()]
    more = {"annotation": annotations} if annotations else {}
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields, **more}


def _field(table: str, name: str, kind: str, what: str, source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{name}",
        "name": name,
        "description": what,
        "dataType": kind,
        "source": dict(source),
    }


def _dataset(manifest: Mapping[str, Any]) -> dict[str, Any]:
    project, counts = manifest["project"], manifest["counts"]
    licences = sorted(manifest["licences"])
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": project["slug"],
        "alternateName": project["name"],
        "description": (
            f"{counts['images']} images with {counts['captions']} captions that people agreed are good for them. "
            "Every judgment of every annotator is included under a pseudonym."
        ),
        **({"version": manifest["version"]} if "version" in manifest else {}),
        "citeAs": write_bibtex(manifest),
        "creator": {"@type": "sc:Organization", "name": f"The project {project['name']}"},
        "license": licences,
        "usageInfo": {
            "@type": "sc:CreativeWork",
            "name": "Licences of the images",
            "text": "Each image is under its own licence: "
            + ", ".join(licences)
            + ". ATTRIBUTION.csv has the credit line of each image.",
        },
        "isLiveDataset": False,
        "prov:wasGeneratedBy": [_activity(name, made) for name, made in manifest["stages"].items()],
        **_responsibility(manifest),
    }


def _activity(name: str, made: Mapping[str, Any]) -> dict[str, Any]:
    """A stage of the pipeline, with its settings, its seed, its code and its models."""
    agents = [
        {"@type": "prov:SoftwareAgent", "prov:label": model, "identifier": str(digest)}
        for model, digest in made["models"].items()
    ]
    code = {"@type": "prov:SoftwareAgent", "prov:label": "Connote", "identifier": str(made["code_version"])}
    settings = {**made["parameters"], "seed": made["seed"]}
    return {
        "@type": "prov:Activity",
        "prov:label": name,
        "description": ", ".join(f"{key}={value}" for key, value in settings.items()),
        "prov:wasAssociatedWith": [code, *agents],
    }


def _responsibility(manifest: Mapping[str, Any]) -> dict[str, Any]:
    counts, choices = manifest["counts"], manifest.get("choices") or {}
    panel = [one["model"] for one in (manifest["difficulty"] or {}).get("panel", [])]
    models = sorted({model for made in manifest["stages"].values() for model in made["models"]} | set(panel))
    left_out = ", ".join(choices.get("left_out", [])) or "nothing"
    return {
        "rai:dataCollection": "Captions come from several sources. `source` names the source of each caption.",
        "rai:dataCollectionType": ["Manual Human Curation"],
        "rai:dataAnnotationPlatform": ["Connote"],
        "rai:dataAnnotationProtocol": [
            "Annotators said of each caption if it is good or bad for its image, or that they were unsure. "
            f"The guidelines have the SHA-256 {manifest['project']['guidelines_sha256']}."
        ],
        "rai:dataAnnotationAnalysis": [f"The final labels follow the policy {manifest['policy']}."],
        "rai:annotationsPerItem": f"{counts['judgments'] / max(counts['captions'], 1):.2f}",
        "rai:annotatorDemographics": ["Not recorded."],
        "rai:machineAnnotationTools": models or ["None."],
        "rai:dataPreprocessingProtocol": [
            "Captions were cleaned by rules. candidates.parquet names the rule of each one."
        ],
        "rai:dataLimitations": [
            "Images with too few good captions are left out.",
            f"The curator left out of the judgments: {left_out}.",
        ],
        "rai:dataBiases": ["The captions that were selected are those that differ most from each other."],
        "rai:dataUseCases": ["Training and evaluation of models that connect images and text."],
        "rai:personalSensitiveInformation": ["Images may show people. Annotators appear under pseudonyms."],
        "rai:dataReleaseMaintenancePlan": "A release never changes. Corrections are made in a new version.",
    }
