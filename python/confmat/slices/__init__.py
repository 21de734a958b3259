"""Slices of an evaluation: coarser ones, bins of continuous keys, the worst ones."""
