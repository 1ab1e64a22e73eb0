"""WordNet, read from its own database files: a folder of Debian's wordnet-base, or of Princeton's release."""

from backend.methods.wordnet.database import DEBIANS, NotWordNetError, Part, read_part
from backend.methods.wordnet.depth import Depths

__all__ = ["DEBIANS", "Depths", "NotWordNetError", "Part", "read_part"]
