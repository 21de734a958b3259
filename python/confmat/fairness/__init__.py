"""Metrics of groups of people or things, compared: from states alone, with intervals."""
