"""A program that annotates over the public API like any other; what it thinks is given to it."""
