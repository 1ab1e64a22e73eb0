"""The stages that make a version of the dataset."""

from __future__ import annotations

from backend.methods.exports.changes import read_notes
from backend.methods.exports.choices import LEAVABLE, LEAVE_OUT, SHARES, read_left_out, read_shares
from backend.runs.stage import Parameter, Stage
from backend.runs.stages.parameters import CAPTIONS_ONLY

RELEASE = (
    Stage(
        "release",
        "Release",
        "Saves the selected captions and their answers as a fixed version, with checksums.",
        needs="selected",
        why_not="Select captions first.",
        parameters=(
            Parameter(
                "shares",
                str,
                SHARES,
                "Training, validation and test",
                "Per cent of the images in each part. Similar images are always in the same part.",
                example=SHARES,
                check=read_shares,
            ),
            Parameter(
                "leave_out",
                str,
                LEAVE_OUT,
                "Leave out",
                f"What the files do not show. Write a comma between the names: {', '.join(LEAVABLE)}.",
                is_advanced=True,
                check=read_left_out,
            ),
            Parameter(
                "bump",
                str,
                "auto",
                "Version number",
                "auto uses the smallest step that fits the changes. You can choose a larger step.",
                choices=("auto", "patch", "minor", "major"),
                is_advanced=True,
            ),
            Parameter("notes", str, "", "Notes for the changelog", "What users must know.", check=read_notes),
        ),
        directions=CAPTIONS_ONLY,
    ),
    Stage(
        "evaluate",
        "Measure models",
        "Measures how well models find the right captions and images of a release.",
        queue="gpu",
        needs="releases",
        why_not="Make a release first.",
        parameters=(
            Parameter("release", str, "", "Release", "The ID of a release. Leave it empty to use the newest release."),
            Parameter(
                "task",
                str,
                "retrieval",
                "Task",
                "retrieval ranks captions and images. relevance does so where votes say what is right. "
                "auprc compares accepted captions with rejected ones.",
                choices=("retrieval", "relevance", "auprc"),
            ),
            Parameter(
                "models",
                str,
                "",
                "Models",
                "Write a comma between the names. Leave it empty to use the models of this site.",
            ),
            Parameter(
                "limit", int, 0, "Images to use", "Only the first images are used. 0 means all.", is_advanced=True
            ),
            Parameter(
                "rule",
                str,
                "unanimous",
                "Rule of relevance",
                "Only for relevance: how many good votes a caption needs, for its image to be relevant.",
                choices=("unanimous", "majority", "at_least_half"),
                is_advanced=True,
            ),
        ),
        directions=CAPTIONS_ONLY,
        is_optional=True,
        is_on_purpose=True,
    ),
)
