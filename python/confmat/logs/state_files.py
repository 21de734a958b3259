"""Files of states: frames of `cm.partial` as Parquet or Arrow, and bytes of objects as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from confmat import _core
from confmat.errors import ConfmatError, InputError, StateError
from confmat.frames.cluster_intervals import CLUSTER, without_clusters
from confmat.frames.state_queries import JOINT, SCORED, STATE
from confmat.labels import listing
from confmat.logs.cluster_keys import with_named_clusters
from confmat.logs.files import expand, folder_keys, kind_of, scan_file
from confmat.logs.joint_states import apart
from confmat.logs.request import LogRequest
from confmat.logs.schemas import schema_of
from confmat.logs.sources import Part
from confmat.logs.stores import is_remote, reason
from confmat.objects.states import from_bytes
from confmat.state_kinds import JOINTS, SWEEPS, StateKind
from confmat.state_tables import read_table

STATES = (STATE, SCORED, JOINT)
FRAMES = (".parquet", ".pq", ".arrow", ".ipc", ".feather")
_TEXTS = (".csv", ".tsv", ".ndjson", ".jsonl")
_HEAD = 12  # bytes up to the number of the kind
_WANTED = "wanted what `cm.partial`, `e.states()` or `to_bytes` gives"


@dataclass(frozen=True)
class StateFile:
    """One file of states: its columns, and its rows in batches."""

    path: str
    frame: pl.LazyFrame
    schema: pl.Schema
    left_out: str | None = None  # what else is in it

    @property
    def keys(self) -> list[str]:
        """The columns that hold no states."""
        return [name for name in self.schema if name not in STATES]

    @property
    def states(self) -> list[str]:
        """The columns of states."""
        return [name for name in STATES if name in self.schema]

    def rows(self, first: int, n: int) -> pl.DataFrame:
        """Return some rows, fewer at the end. Raises InputError: the file is broken."""
        try:
            return self.frame.slice(first, n).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(f"{self.path} cannot be read: {reason(error)}") from error


def state_files(patterns: Sequence[str], cluster: str | None = None) -> list[StateFile]:
    """Return the files of states that paths, globs and folders name.

    The clusters of evaluations are a key where they are the ones that are named, and merged else.

    Raises
    ------
    InputError
        No such file, or one that holds no states.
    """
    paths = expand(patterns, any_kind=True)
    keys = folder_keys(paths)
    return [
        _of_frame(path, keys) if kind_of(path) in FRAMES else _of_bytes(path, cluster)
        for path in paths
    ]


def kinds_in(states: pl.Series) -> set[int]:
    """Return the numbers of the kinds of some states. Raises StateError: bytes that are none."""
    heads = pl.DataFrame({"head": states.bin.head(_HEAD), STATE: states})
    first = heads.drop_nulls(STATE).unique("head", keep="first", maintain_order=True)
    return set(map(_core.state_kind, first[STATE]))


def refuse_bytes(path: str, first_row: int, batch: pl.DataFrame) -> None:
    """Refuse the first bytes of a batch that are no state, by file and row. Raises InputError."""
    for name in (one for one in STATES if one in batch.columns):
        for row, data in enumerate(batch[name]):
            try:
                if data is not None:
                    from_bytes(data)
            except StateError as why:
                message = f"{path}, row {first_row + row} of {name!r}: {why}"
                raise InputError(message) from None


def check_kinds(kinds: set[int], column: str) -> None:
    """Refuse states of several kinds in one column, and whole tables. Raises InputError."""
    if StateKind.TABLE in kinds:
        raise InputError(f"the column {column!r} holds evaluations; wanted their `e.states()`")
    if len(kinds) > 1 and not kinds <= SWEEPS:
        names = [name for number, name in _names().items() if number in kinds]
        raise InputError(f"the column {column!r} holds states of {' and of '.join(names)}")


def kind_name(kind: int) -> str:
    """Return what states of a kind are called.

    Examples
    --------
    >>> kind_name(1)
    'predicted classes'
    """
    return _names()[kind]


def _names() -> dict[int, str]:
    return {
        StateKind.COUNTS: "predicted classes",
        StateKind.CURVE: "distinct scores",
        StateKind.BINS: "scores in bins",
        StateKind.CLASSES: "scores of many classes in bins",
        StateKind.SETS: "label sets",
        StateKind.TABLE: "slices",
        StateKind.SET_SCORES: "scores of label sets in bins",
        StateKind.JOINT: "two models on the same rows",
        StateKind.MOMENTS: "numbers",
        StateKind.JOINT_SCORES: "scores of two models",
    }


def _of_frame(path: str, folders: dict[str, type[pl.DataType]]) -> StateFile:
    frame = scan_file(path, None, folders)
    schema = schema_of(Part(frame, path))
    held = [name for name in STATES if name in schema]
    if held in ([], [SCORED]):
        raise InputError(
            f"{path} has no column {STATE!r}, only {listing(list(schema))}; {_WANTED}. A log of "
            "rows is read by `confmat evaluate`"
        )
    for name in held:
        if schema[name] != pl.Binary:
            raise InputError(f"{path}: the column {name!r} is {schema[name]}; wanted Binary states")
    return StateFile(path, frame, schema)


def _of_bytes(path: str, cluster: str | None) -> StateFile:
    if kind_of(path) in _TEXTS:
        raise InputError(f"{path} is text, which holds no states; {_WANTED}, as Parquet or Arrow")
    if is_remote(path):
        raise InputError(f"{path} is of no known kind; its name must end in {' '.join(FRAMES)}")
    left_out = None
    try:
        data = Path(path).read_bytes()
        if (
            _core.state_kind(data) == StateKind.TABLE
        ):  # an evaluation, an accumulator or a checkpoint
            whole, asked, _ = read_table(data)
            parts, joints = apart(whole)
            if CLUSTER in parts.columns:
                request = LogRequest.from_dict(asked["request"])
                is_named = cluster is not None and cluster == request.counting.cluster
                if is_named:
                    parts = with_named_clusters(parts, request)
                else:
                    parts = without_clusters(parts, CLUSTER)
            left_out = None if joints is None else "the joint counts of pairs of models"
        else:
            parts = pl.DataFrame({JOINT if _core.state_kind(data) in JOINTS else STATE: [data]})
    except ConfmatError as why:
        raise InputError(f"{path} holds no states: {why}; {_WANTED}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    return StateFile(path, parts.lazy(), parts.schema, left_out)
