"""Text and HTML: how numbers, words and tables are written."""
