"""Polars: expressions, the namespace `.cm`, and whole frames."""
