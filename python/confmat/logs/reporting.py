"""An evaluation as a page: `e.report("report.html")`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def report(
    evaluation: Any,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    sensitive: str | Sequence[str] | None = None,
    level: float | None = None,
) -> Path:
    """Write the evaluation as one page of HTML, which opens anywhere without a network.

    The numbers with their intervals and what they say in sentences; the confusion matrix, the
    classes; curves of scores and a slider through their thresholds with the costs there; slices
    and groups, to sort and filter; models compared on the same rows; where all of it comes
    from. The page holds its own style and script and asks nothing of any server.

    Parameters
    ----------
    path : path
        Where to, a name that ends in .html; a file that is there is replaced.
    title : str, optional
        Of the page; default the names of what was evaluated.
    sensitive : str or sequence of str, optional
        Keys whose groups are compared; default each key of 2 to 20 values.
    level : float, optional
        Of the intervals; default that of `ci`, else 0.95.

    Returns
    -------
    pathlib.Path
        The file. The same evaluation gives the same bytes.

    Raises
    ------
    InputError
        A name that does not end in .html, a folder that is not there, a key that is none.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> import tempfile
    >>> from pathlib import Path
    >>> log = pl.DataFrame({"y_true": ["cat", "dog", "dog"], "y_pred": ["cat", "dog", "cat"]})
    >>> folder = Path(tempfile.mkdtemp())
    >>> page = cm.evaluate(log).report(folder / "report.html", title="Cats and dogs")
    >>> page.name, "<h1>Cats and dogs</h1>" in page.read_text("utf-8")
    ('report.html', True)
    """
    from confmat.report.writing import write_report

    return write_report(evaluation, path, title, sensitive, level)
