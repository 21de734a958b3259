"""Rows that have sets of labels: predicted sets, and scores for each label."""
