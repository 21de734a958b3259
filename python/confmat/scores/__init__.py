"""Sweeps over every threshold of a score: exact or in bins, and every number and curve of them."""
