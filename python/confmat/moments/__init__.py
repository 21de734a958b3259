"""Regressions: exact sums over true and predicted numbers, and every number that follows."""
