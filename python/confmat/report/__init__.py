"""An evaluation as one page of HTML that opens anywhere: built as a tree, escaped in one place."""
