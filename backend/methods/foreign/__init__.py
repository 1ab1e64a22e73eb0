"""Judgments that were made elsewhere: read from the layouts they come in, and reported as ours are."""
