"""The log of predictions that the tests of the command line read."""

import polars as pl

EVIL = "\x1b[31m=red\u202e"
FRAME = pl.DataFrame(
    {
        "y": ["cat", "cat", "dog", "dog", "eel", "eel", "cat", None],
        "p": ["cat", "dog", "dog", "dog", "eel", "cat", "cat", "dog"],
        "site": ["b", "b", "b", "a", "a", "=1+1", EVIL, "a"],
        "w": [1, 2, 3, 4, 5, 6, 7, 8],
        "unused": [0] * 8,
    }
)
COLUMNS = ["--y-true", "y", "--y-pred", "p"]
