"""WordNet, read from its own database files: a folder of Debian's wordnet-base, or of Princeton's release."""

from backend.methods.wordnet.database import NotWordNetError, Part, read_part
from backend.methods.wordnet.depth import Depths

__all__ = ["Depths", "NotWordNetError", "Part", "read_part"]
