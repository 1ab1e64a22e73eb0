"""Sends a folder to a dataset repository of the Hugging Face Hub, as one commit with a tag."""

from __future__ import annotations

from pathlib import Path

from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError


class UploadError(Exception):
    """The other site refused the upload, or did not answer. The message says why."""


def push_to_hub(folder: Path, *, repo: str, version: str, token: str, endpoint: str, is_private: bool) -> str:
    """Create the repository if it is not there, and commit the folder. Returns its address. Raises UploadError.

    Files that the repository has with the same content are not sent again, so a broken upload can be repeated.
    """
    api = HfApi(endpoint=endpoint, token=token)
    try:
        address = api.create_repo(repo, repo_type="dataset", private=is_private, exist_ok=True)
        api.upload_folder(
            folder_path=folder,
            repo_id=repo,
            repo_type="dataset",
            commit_message=f"Version {version}",
            delete_patterns="*",
        )
        api.create_tag(repo, tag=version, repo_type="dataset", exist_ok=True)
    except (HfHubHTTPError, OSError, ValueError, RuntimeError) as error:
        raise UploadError(str(error).replace(token, "***")[:500]) from error
    return str(address)
