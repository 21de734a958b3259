"""What Polars does from one release on: tests run with the oldest that is supported, too."""

import polars as pl

import confmat as cm

_RELEASE = tuple(map(int, pl.__version__.split(".")[:2]))

# Functions of whole columns stream; before, they run in memory, with the same results.
STREAMS_FUNCTIONS = _RELEASE >= (1, 41)

# What is raised in a Python source comes out as it is; before, as the text of another error.
ERROR_OF_SOURCES = cm.InputError if _RELEASE >= (2, 0) else pl.exceptions.ComputeError

# Expressions tell whether they look at other rows.
TELLS_OTHER_ROWS = hasattr(pl.col("v").meta, "is_row_separable")

# Types that others have registered stay what they are; before, they are read as what they hold.
KNOWS_EXTENSIONS = _RELEASE >= (2, 0)

# Lists of texts that are null may have items; 1.39 aborts when anyone reads what it makes of them.
READS_HIDDEN_ITEMS = _RELEASE >= (1, 44)

# Python may end while its threads wait for Polars; seen to abort in 1.39, without confmat, too.
LETS_PYTHON_END = _RELEASE >= (1, 44)
