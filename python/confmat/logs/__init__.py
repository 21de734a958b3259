"""Logs larger than memory: read in batches, evaluated, shown while they are read."""
