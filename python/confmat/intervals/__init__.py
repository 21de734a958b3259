"""Intervals of rates: of one, of two that are compared, and of the metrics that are rates."""
