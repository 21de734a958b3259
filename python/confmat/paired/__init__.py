"""Models compared on the same rows: differences of metrics, with intervals and tests."""
