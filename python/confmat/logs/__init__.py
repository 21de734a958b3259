"""Logs larger than memory: read in batches, kept as states of slices, resumed after a stop."""
