"""The demo: a drawn world walked from pictures to a release, its readers simulated, one account left with work."""
