"""Benchmarks without a database: data from files, results of models from files, figures to files."""
