"""Tests of hypotheses over counts and tables, and p-values of many of them adjusted."""
