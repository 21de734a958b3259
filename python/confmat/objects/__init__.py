"""What users hold: one class a file, each a table of contents of its topics."""
