"""Diverse selection: which k of the good captions of an image are shown (SCIENCE 2.8).

Two variants: `least_alike` (A) finds the captions with the lowest mean similarity; `by_cluster` (B) lays the captions
out on a plane, groups them into k clusters, and takes one of each.
"""

from backend.methods.selection.by_cluster import Grouper, select_by_cluster
from backend.methods.selection.choice import Choice, GoodCaptions, Place, Variant, select_least_alike
from backend.methods.selection.least_alike import Chosen, Method, select_diverse, select_diverse_vectors
from backend.methods.selection.seeds import image_seed, rank_of

__all__ = [
    "Choice",
    "Chosen",
    "GoodCaptions",
    "Grouper",
    "Method",
    "Place",
    "Variant",
    "image_seed",
    "rank_of",
    "select_by_cluster",
    "select_diverse",
    "select_diverse_vectors",
    "select_least_alike",
]
