"""Annotators of known reliability, who use the public API like any other program."""
