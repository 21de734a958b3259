"""Object stores: which files a pattern names there, and what a store says of an error."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from confmat.errors import InputError

_WEB = ("http", "https")  # which have no lists of files


def is_remote(path: str) -> bool:
    """Return whether a path is of an object store or of the web."""
    scheme, found, _ = path.partition("://")
    return bool(found) and scheme != "file"


def listed(pattern: str, storage_options: dict[str, Any] | None) -> list[str]:
    """Return the files of an object store that a pattern names; itself where it is none.

    Raises
    ------
    InputError
        There is no such file, or the store does not answer.
    """
    scheme = pattern.partition("://")[0]
    if scheme in _WEB or re.search(r"[*?[]", pattern) is None:
        return [pattern]
    # A scan with a schema reads no file: it is asked for the names that it would read.
    options: dict[str, Any] = {"glob": True, "schema": {}, "hive_partitioning": False}
    query = pl.scan_parquet(pattern, storage_options=storage_options, **options)
    try:
        query.collect_schema()  # lists, and lets other threads go on meanwhile
        node = query._ldf.visit().view_current_node()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{pattern} cannot be listed: {reason(error)}") from error
    except AttributeError:
        raise InputError(
            f"{pattern} cannot be listed with Polars {pl.__version__}; name the files"
        ) from None
    found = sorted(map(str, getattr(node, "paths", ())))
    if not found and "*" in pattern:
        raise InputError(f"no such file: {pattern}")
    return found or [pattern]  # a name may have brackets


def reason(error: Exception) -> str:
    r"""Return the first line of an error, and what a store says in its answer.

    Examples
    --------
    >>> reason(OSError("403 Forbidden: <?xml?>\n<Error><Code>NoKey</Code><Message>Who?</Message>"))
    '403 Forbidden: NoKey: Who?'
    """
    text = str(error).strip()
    first = text.split("\n")[0]
    said = re.search(r"<Code>([^<]+)</Code>(?:\s*<Message>([^<]*)</Message>)?", text)
    if said is None:
        return first
    told = ": ".join(filter(None, said.groups()))
    return f"{re.sub(r'<.*', '', first).strip()} {told}"
