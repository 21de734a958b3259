"""The compiled core: counting, metric values and facts. Users call `confmat`, not this module."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from confmat.options import Options

Label = int | bool | str
Cells = npt.NDArray[np.int64] | npt.NDArray[np.float64]
# K, places row * K + column that ascend, and the cells there; the others are 0.
SparseCells = tuple[int, npt.NDArray[np.int64], Cells]
AnyCells = Cells | SparseCells
Scores = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Tallies = npt.NDArray[np.uint32] | npt.NDArray[np.uint64] | npt.NDArray[np.float64]

# The code of every row; None, whose code is 0, and the distinct texts.
TextCodes = tuple[npt.NDArray[np.uint32], list[str | None]]

# Values of a key: a number for each slice (-1: null), what 0 stands for, or what numbers list.
KeyValues = tuple[npt.NDArray[np.int64], int, list[str] | npt.NDArray[np.int64] | None]
GroupColumns = tuple[
    list[KeyValues],  # of each key
    list[int],  # how many of the groups each grouping has
    Any,  # a struct of G rows: those counted, dropped for a null, with other labels; metrics
    tuple[list[str], npt.NDArray[np.int32]] | None,  # reasons, and (m, G) which, or -1
]

__version__: str

class ArrowData:
    """Arrow data, read once; lends it to others when every value is known to be sound."""

    def __init__(self, values: Any, argument: str) -> None: ...
    @property
    def dtype(self) -> str: ...  # of the keys of a dictionary
    @property
    def is_dictionary(self) -> bool: ...
    @property
    def readable(self) -> bool: ...  # as labels, scores or weights, where it lies
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class CodedTexts:
    """Integer codes, and the texts that they are the positions of: a column of labels."""

    def __init__(self, codes: Any, texts: Any) -> None: ...
    @property
    def codes(self) -> Any: ...

def count(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any | None,
    labels: Sequence[Label] | None,
    threads: int,
    max_bytes: int = ...,  # of a table
    pred_argument: str = "y_pred",  # what errors call it
) -> tuple[
    Counts,
    tuple[str, int, str] | None,  # the first row of another label: argument, row, label
]: ...

class _State:  # in this file alone
    """What states of all kinds share."""

    def added(self, other: Self) -> Self: ...
    def taken_away(self, other: Self) -> Self: ...
    def same(self, other: Self) -> bool: ...
    def to_bytes(self) -> bytes: ...
    @classmethod
    def from_bytes(cls, data: bytes) -> Self: ...

class Counts(_State):
    """The state of a confusion matrix. Immutable."""

    def __init__(
        self,
        labels: Sequence[Label],
        origin: int,  # of confmat.labels.Origin
        cells: Cells | tuple[npt.NDArray[np.int64], Cells],  # K x K, or places and cells
        squares: npt.NDArray[np.float64] | None,  # of weights, one a cell
        n_dropped: int,
        n_other: int,
    ) -> None: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...
    @property
    def origin(self) -> int: ...
    @property
    def positive(self) -> Label | None: ...  # where it is named and not the usual one
    @property
    def cells(self) -> Cells | tuple[npt.NDArray[np.int64], Cells]: ...
    @property
    def squares(self) -> npt.NDArray[np.float64] | None: ...
    @property
    def rows(self) -> int: ...  # counted; -1 where that is not known
    @property
    def n_dropped(self) -> int: ...
    @property
    def n_other(self) -> int: ...
    def about(self, origin: int, positive: Label | None) -> Counts: ...
    def with_positive(self, label: Label) -> Counts: ...  # which found labels gain
    def renamed(self, labels: Sequence[Label]) -> Counts: ...

def merge_counts(states: list[bytes | Counts]) -> Counts: ...

class SliceCounts:
    """Counts of label pairs by slice, for batch after batch. One thread at a time."""

    def __init__(
        self, labels: Sequence[Label] | None, refuse_other: bool, max_bytes: int, threads: int
    ) -> None: ...
    # False: the batch does not fit tables, and nothing of it is counted.
    def add(
        self, by: Sequence[Any], y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> bool: ...
    @property
    def refused(self) -> bool: ...  # the last batch, for a label outside those given
    def states(
        self, origin: int, pos_label: Label | None
    ) -> tuple[list[KeyValues], list[bytes]]: ...
    def evaluated(
        self, spec: bytes, groupings: Sequence[Sequence[int]]
    ) -> GroupColumns | None: ...  # as evaluate_groups() of all rows, without weights
    @property
    def labels(self) -> list[Label]: ...

class SliceNumbers:
    """Numbers of slices, as they are met, of the rows of batch after batch."""

    def __init__(self, threads: int) -> None: ...
    # None: the keys have too many combinations, or values that have no numbers.
    def of_rows(self, by: Sequence[Any]) -> npt.NDArray[np.uint32] | None: ...
    def keys(self) -> list[KeyValues]: ...
    def __len__(self) -> int: ...

class SliceMoments:
    """Sums of true and predicted numbers by slice, for batch after batch."""

    def __init__(
        self, names: Sequence[str], nan_drop: bool, has_weights: bool, max_bytes: int, threads: int
    ) -> None: ...
    # False: the keys do not fit tables, or there are too many slices.
    def add(
        self, by: Sequence[Any], y_true: Any, y_pred: Any, sample_weight: Any = None
    ) -> bool: ...
    def states(self) -> tuple[list[KeyValues], Any]: ...

class SetCounts(_State):
    """The state of a matrix of label sets. Immutable."""

    @property
    def labels(self) -> tuple[Label, ...]: ...
    @property
    def cells(self) -> Cells: ...  # (L, 2, 2), [[tn, fp], [fn, tp]]
    @property
    def squares(self) -> npt.NDArray[np.float64] | None: ...  # of weights, (L, 2, 2)
    @property
    def sizes(self) -> tuple[npt.NDArray[np.uint32], Cells]: ...  # (S, 3) shared, true, pred; (S,)
    @property
    def size_squares(self) -> npt.NDArray[np.float64] | None: ...  # of weights, (S,)
    @property
    def sets(
        self,
    ) -> tuple[
        npt.NDArray[np.uint32],  # places of the labels of all sets, one after the other
        npt.NDArray[np.uint64],  # (N,): where those of each end
        Cells,  # (N, 3): true, pred, both
    ]: ...
    @property
    def sets_by_first_labels(self) -> npt.NDArray[np.uint32]: ...  # (N,): in the order of lists
    @property
    def total(self) -> int | float: ...  # rows, or the sum of their weights
    @property
    def rows(self) -> int: ...
    @property
    def n_dropped(self) -> int: ...

class ClassScores(_State):
    """The state of scores of many classes in bins. Immutable."""

    def __init__(
        self,
        argmax: Counts,
        sweeps: list[SweepState],  # K, or K x K: scores of class i of rows of class j
        top: SweepState,  # the highest scores
        ranks: Cells,  # (4, K)
        losses: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None,  # exact parts
        n_clipped: int,
        has_pairs: bool,
    ) -> None: ...
    @property
    def argmax(self) -> Counts: ...
    @property
    def sweeps(self) -> list[SweepState]: ...
    @property
    def top(self) -> SweepState: ...
    @property
    def ranks(self) -> Cells: ...
    @property
    def losses(self) -> npt.NDArray[np.float64] | None: ...  # log loss and Brier score, summed
    @property
    def n_clipped(self) -> int: ...
    @property
    def has_pairs(self) -> bool: ...

class Joint(_State):
    """The state of two models on the same rows. Immutable."""

    @property
    def labels(self) -> tuple[Label, ...]: ...
    @property
    def origin(self) -> int: ...
    @property
    def places(self) -> npt.NDArray[np.int64]: ...  # (truth * K + a) * K + b, ascending
    @property
    def cells(self) -> Cells: ...  # at these, none 0
    @property
    def squares(self) -> npt.NDArray[np.float64] | None: ...  # of weights, of each of these cells
    @property
    def rows(self) -> int: ...
    @property
    def n_dropped(self) -> int: ...
    @property
    def n_other(self) -> int: ...
    def matrix(self, of_b: bool) -> Counts: ...

def cells_of_parts(  # of saved states: which each is of, true class * K + predicted class, cell
    whole: Counts, states: list[bytes]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]: ...
def merge_joints(states: list[bytes | Joint]) -> Joint: ...
def joint_states(
    truth: npt.NDArray[np.int32],  # positions of labels; -1: null, -2: another label
    a: npt.NDArray[np.int32],
    b: npt.NDArray[np.int32],
    n: npt.NDArray[np.int64],  # rows
    starts: npt.NDArray[np.int64],  # (G + 1,) of groups
    labels: Sequence[Label],
    origin: int,  # of confmat.labels.Origin
    threads: int = 0,
) -> list[bytes]: ...
def joint_of_pairs(
    pairs: Counts,  # of -1 - truth and a * K + b
    labels: Sequence[Label],
    origin: int,
    n_other: int,  # of the rows that it dropped
) -> Joint: ...

class JointScores(_State):
    """The state of the scores that two models give the same rows. Immutable."""

    def __init__(
        self,
        a: SweepState,  # in "unit" bins
        b: SweepState,
        positive: npt.NDArray[np.int32],  # 1 or 0, of rows or of distinct ones
        bins_a: npt.NDArray[np.uint32],  # as unit_bins has them
        bins_b: npt.NDArray[np.uint32],
        amounts: npt.NDArray[np.int64] | npt.NDArray[np.float64],  # rows, or their weights
        n_dropped: int,
        n_nan: int,
    ) -> None: ...
    def sweep(self, of_b: bool) -> SweepState: ...
    @property
    def bins(self) -> Joint: ...  # of the "unit" bins of `level`
    @property
    def level(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def n_dropped(self) -> int: ...
    @property
    def n_nan(self) -> int: ...

def merge_joint_scores(states: list[bytes | JointScores]) -> JointScores: ...
def unit_bins(scores: npt.NDArray[np.float64], level: int = 0) -> npt.NDArray[np.uint32]: ...
def merge_class_scores(states: list[bytes | ClassScores]) -> ClassScores: ...
def count_sets(
    # (n, L) Booleans; (n, ceil(L / 8)) uint8: label j is bit j % 8 of those at j // 8; or a tuple:
    # places of labels, and where those of each row end
    y_true: Any,
    y_pred: Any,
    sample_weight: npt.NDArray[Any] | None,  # (n,), int64 or float64
    labels: Sequence[Label],
    origin: int,  # of confmat.labels.Origin
    n_dropped: int,
    threads: int,
) -> SetCounts: ...

class SetScores(_State):
    """The state of scores for sets of labels. Immutable."""

    def __init__(
        self,
        labels: Sequence[Label],
        sweeps: list[SweepState],  # of each label
        terms: list[npt.NDArray[np.float64]],  # 3: what each row adds to the sums over rows
        n_rows: int,
        n_dropped: int,
        n_nan: int,
    ) -> None: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...
    @property
    def sweeps(self) -> list[SweepState]: ...
    @property
    def order(self) -> npt.NDArray[np.float64]: ...  # (3,): average precision, coverage, loss
    @property
    def rows(self) -> int: ...
    @property
    def n_dropped(self) -> int: ...
    @property
    def n_nan(self) -> int: ...

def merge_set_scores(states: list[bytes | SetScores]) -> SetScores: ...
def merge_set_counts(states: list[bytes | SetCounts]) -> SetCounts: ...
def label_difference(one: Sequence[Label], other: Sequence[Label]) -> str: ...  # "": none
def have_usual_positive(labels: Sequence[Label]) -> bool: ...  # of 0 and 1, -1 and 1, Booleans
def state_kind(data: bytes) -> int: ...  # by its number in saved bytes
def state_kinds() -> dict[int, tuple[str, str | None]]: ...  # what each is of, a metric of it
def state_holds_weights(data: bytes) -> bool: ...  # by its header

# The name of a key, its type, the kind of its values; these, and where they are null.
KeyParts = tuple[str, str, int, npt.NDArray[Any] | list[str | None], npt.NDArray[np.bool_] | None]

def table_bytes(
    asked: str,
    totals: dict[str, int],
    keys: list[KeyParts],
    states: list[tuple[str, list[bytes | None]]],
    rows: int,
) -> bytes: ...
def read_table(
    data: bytes,
) -> tuple[str, dict[str, int], list[KeyParts], list[tuple[str, list[bytes | None]]], int]: ...
def merge_tables(tables: list[bytes], threads: int = 0) -> bytes: ...
def subtract_tables(one: bytes, other: bytes) -> bytes: ...

class SweepState(_State):
    """The state of a sweep: positives and negatives at each score, or in each bin, descending."""

    @property
    def scores(self) -> Scores | None: ...  # (T,); None where a bin holds several
    @property
    def lower(self) -> npt.NDArray[np.float64] | None: ...  # (T,); None without bins
    @property
    def upper(self) -> npt.NDArray[np.float64] | None: ...  # not within the bin unless inf
    @property
    def bins(self) -> int | Literal["unit", "float16"] | npt.NDArray[np.float64] | None: ...
    @property
    def level(self) -> int | None: ...  # of unit bins
    @property
    def positives(self) -> Tallies: ...  # (T,)
    @property
    def negatives(self) -> Tallies: ...  # (T,), of the same type
    @property
    def squares(  # of the weights of positives and of negatives; None of counts, or not known
        self,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None: ...
    @property
    def positive(self) -> Label: ...
    @property
    def negative(self) -> Label | None: ...  # None: only the positive class occurs
    @property
    def rows(self) -> int: ...  # counted; -1: not known
    @property
    def n_dropped(self) -> int: ...
    @property
    def n_nan(self) -> int: ...
    @property
    def score_type(self) -> Literal["float16", "float32", "float64"]: ...
    def with_labels(self, negative: Label | None, positive: Label) -> SweepState: ...
    def with_type(self, score_type: str) -> SweepState: ...
    def without_squares(self) -> SweepState: ...
    def regrouped(self, edges: npt.NDArray[np.float64]) -> SweepState: ...
    def coarser(self, level: int) -> SweepState: ...

class SliceBins:
    """States of scores of many slices, from batches of rows."""

    def __init__(
        self,
        max_bytes: int,
        pos_label: Label | None = None,
        nan_drop: bool = False,
        threads: int = 0,
        limit: str = ...,  # what errors call `max_bytes`
    ) -> None: ...
    def add(
        self,
        slices: Any,  # (n,) uint32
        y_true: Any,
        y_score: Any,
        n_slices: int,
        half: bool = False,  # the scores were float16
        rows_before: int = 0,  # of other batches, which messages count
    ) -> None: ...
    def states(self) -> ArrowData: ...  # large binaries, (n_slices,)
    @staticmethod
    def level_of(  # after slices of so many rows of each class
        negatives: list[int], positives: list[int], are_doubles: bool, max_bytes: int
    ) -> int: ...
    @property
    def n_slices(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def bytes(self) -> int: ...

def scores_of_parts(  # of saved states: which each is of, its place, positives and negatives
    whole: SweepState, states: list[bytes]
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
]: ...
def roc_curve(sweep: SweepState) -> ArrowData: ...  # threshold, fpr, tpr, fp, tp
def pr_curve(sweep: SweepState) -> ArrowData: ...  # threshold, recall, precision, tp, fp
def merge_sweeps(states: list[bytes | SweepState]) -> SweepState: ...
def indicators(
    columns: Sequence[Any],  # C columns of one length, a multiple of `width`
    width: int,  # so many values of a column are one row
    argument: str,
    threads: int,
) -> tuple[
    npt.NDArray[np.bool_],  # (C, length): where a value is 1
    npt.NDArray[np.bool_] | None,  # rows with a null or a nan, if there are any
    tuple[int, int] | None,  # row and column of the first value that is neither 0 nor 1
]: ...
def packed_indicators(
    columns: Sequence[Any],  # C columns of one length
    argument: str,
    threads: int,
) -> tuple[
    npt.NDArray[np.uint8],  # (ceil(C / 8), length): bit j % 8 at j // 8: where column j is 1
    npt.NDArray[np.bool_] | None,  # as those of indicators
    tuple[int, int] | None,
]: ...
def indicator_table(
    values: Any,  # Arrow data: a table, or lists of one length by their type
    argument: str,
    threads: int,
) -> (  # None: nulls in such lists, rows that are null, other types, values other than 0 and 1
    tuple[
        npt.NDArray[Any],  # (n, L) Booleans of lists; bits of a table, as packed_indicators gives
        npt.NDArray[np.bool_] | None,  # rows with a null or a nan, if there are any
        list[str] | None,  # the names of the columns of a table
    ]
    | None
): ...
def sparse_lists(
    starts: npt.NDArray[Any],  # of each row among the places, and the end of the last one
    places: npt.NDArray[Any],
    columns: int,
    argument: str,
    threads: int,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]: ...  # the places, the end of each row
def label_codes(
    columns: Sequence[tuple[Any, str]],  # one or two of lists, and the argument that errors name
    labels: Sequence[Label] | None,  # None: those found
    threads: int,
) -> tuple[
    list[
        tuple[
            npt.NDArray[np.uint32],  # the places of the labels of all rows, one after the other
            npt.NDArray[np.int64],  # where those of each row end
            npt.NDArray[np.bool_] | None,  # rows that are null, if there are any
        ]
    ],
    list[Label] | None,  # those found, ascending
]: ...
def evaluate_groups(
    by: Sequence[Any],
    y_true: Any,
    y_pred: Any,
    labels: Sequence[Label],
    spec: bytes,
    threads: int,
    groupings: Sequence[Sequence[int]],  # positions of keys, all of them first
) -> GroupColumns | None: ...  # None: too many combinations, or other values
def sweep(
    y_true: Any,
    y_score: Any,
    sample_weight: Any | None,
    pos_label: Label | None,
    half: bool,  # the scores were float16
    nan_drop: bool,
    threads: int,
    score_argument: str = "y_score",  # what errors call it
) -> SweepState: ...
def sweep_binned(
    y_true: Any,
    y_score: Any,
    sample_weight: Any | None,
    pos_label: Label | None,
    bins: int | str | npt.NDArray[np.float64],  # a power of two, "unit", "float16", or edges
    half: bool,
    nan_drop: bool,
    threads: int,
    score_argument: str = "y_score",  # what errors call it
) -> SweepState: ...
def bin_map_code(bins: int | str) -> int: ...  # what states call it
def bin_map_lower(bins: int | str) -> npt.NDArray[np.float64]: ...  # of every bin, ascending

MAX_BINS: int  # that a number can ask for
UNIT_BINS: tuple[int, ...]  # by level
MAX_LEVEL: int  # of "unit" bins: each joins pairs of those of the level before

def intervals(
    asks: Asks,
    cells: AnyCells,  # (K, K) or (G, K, K)
    labels: Sequence[str],
    options: Options,
    below: float,  # standard errors down, and up
    above: float,
    *,
    squares: npt.NDArray[np.float64] | None = None,
) -> tuple[  # (G, m, 4): value, low, high, standard error; (G, m): the method
    npt.NDArray[np.float64], npt.NDArray[np.uint8]
]: ...
def rates(
    asks: Asks,
    cells: AnyCells,
    labels: Sequence[str],
    options: Options,
    *,
    squares: npt.NDArray[np.float64] | None = None,
) -> npt.NDArray[np.float64]: ...  # (G, m, 2): numerator and denominator, nan: no rate
def rate_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None: ...
def gradients(
    asks: Asks, cells: AnyCells, labels: Sequence[str], options: Options
) -> npt.NDArray[np.float64] | None: ...  # (m, K, K); None: of sparse cells
def effective_rows(  # of rates of weights, of one shape
    part: Any,
    whole: Any,
    part_square: Any,  # the squared weights in part
    whole_square: Any,
) -> npt.NDArray[np.float64]: ...
def on_scale(
    values: npt.NDArray[np.float64],
    se: npt.NDArray[np.float64],
    lo: float,
    hi: float,
    below: float,
    above: float,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...

class Asks:
    """Metric names, parsed once. Raises `InputError` for an unknown name."""

    def __init__(self, names: Sequence[str]) -> None: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def needs_positive(self) -> bool: ...
    @property
    def may_leave_out(self) -> bool: ...  # whether any is over classes
    def value(  # of the first, of one table
        self, cells: AnyCells, labels: Sequence[Label], options: Options
    ) -> float: ...
    def values(
        self,
        cells: AnyCells,  # (K, K) or (G, K, K)
        labels: Sequence[str],  # displayed class names, for messages
        options: Options = ...,
    ) -> npt.NDArray[np.float64]: ...  # (m,) or (G, m)
    def per_class(
        self, cells: AnyCells, options: Options = ...
    ) -> npt.NDArray[np.float64]: ...  # (K, m)
    def reasons(
        self, cells: AnyCells, labels: Sequence[str], options: Options = ...
    ) -> list[str | None]: ...
    def explained(
        self, cells: AnyCells, labels: Sequence[str], options: Options = ...
    ) -> tuple[npt.NDArray[np.float64], list[str | None]]: ...
    def n_used(self, cells: AnyCells, options: Options = ...) -> list[int]: ...
    # Why what is not computed of a matrix of very many classes is not.
    def refused(self, cells: AnyCells, options: Options = ...) -> list[str | None]: ...
    # Positions of undefined classes, of the first name.
    def left_out(self, cells: AnyCells, options: Options = ...) -> list[int]: ...

def paired_replicates(  # of metrics of two tables whose rows, or clusters, are drawn again
    asks: Asks,
    k: int,
    labels: Sequence[str],
    options: Options,
    *,
    draws: npt.NDArray[np.float64],  # of each unit, on average
    starts: npt.NDArray[np.int64],  # of its entries
    at_a: npt.NDArray[np.int64],  # of each entry the cell, true class * K + predicted class
    at_b: npt.NDArray[np.int64],
    amounts: npt.NDArray[np.float64],
    replicates: int,
    seed: int,
    threads: int = 0,
) -> npt.NDArray[np.float64]: ...  # (replicates, 2, m)
def replicates(  # of metrics of a table whose rows are drawn again
    asks: Asks,
    cells: AnyCells,
    labels: Sequence[str],  # displayed class names, for messages
    options: Options = ...,
    *,
    squares: npt.NDArray[np.float64] | None,  # of the weights, one for each cell; None: counts
    replicates: int,
    seed: int,
    threads: int = 0,
) -> npt.NDArray[np.float64]: ...  # (replicates, m)
def facts() -> list[dict[str, Any]]: ...
def own_facts(definition: str) -> list[dict[str, Any]]: ...
def params(name: str) -> list[dict[str, Any]]: ...  # that a value name takes
def averages() -> list[dict[str, Any]]: ...  # of metrics of one class: what names end in
def fixed_params(name: str) -> dict[str, float]: ...  # of an alias: "f2" has beta 2
def other_way_round(name: str) -> str: ...  # of "macro_f1" "f1_macro"; empty: no such metric
def absent_average(name: str) -> str: ...  # why it is none; empty: not named like an average
def levels() -> dict[str, str]: ...  # of every value name in `facts`
def elsewhere() -> dict[str, str]: ...  # numbers that are no metrics, and what to say of them
def pycm_names() -> dict[str, str]: ...  # keys of PyCM, and the names that they stand for
def eve_eigenvalues(cells: AnyCells) -> npt.NDArray[np.float64]: ...
def eve_bounds(cells: AnyCells) -> tuple[float, float]: ...
def singular_values(cells: AnyCells) -> npt.NDArray[np.float64]: ...
def balanced(cells: AnyCells) -> npt.NDArray[np.float64]: ...  # of each cell that it was given
def bistochastic(cells: AnyCells) -> npt.NDArray[np.float64]: ...
def pair_counts(cells: AnyCells) -> npt.NDArray[np.int64]: ...
def expected_information(rows: npt.NDArray[Any], cols: npt.NDArray[Any]) -> float: ...
def exact_sum(values: npt.NDArray[Any]) -> float: ...
def score_facts() -> list[dict[str, Any]]: ...
def regression_facts() -> list[dict[str, Any]]: ...
def is_of_numbers(name: str) -> bool: ...
def kept_exactly(name: str) -> list[str]: ...
def regression_param(name: str) -> float: ...
def regression(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any,
    names: Sequence[str],
    nan_drop: bool,
    threads: int = 0,
) -> Moments: ...
def merge_moments(states: list[Any]) -> Moments: ...

class Moments:
    @property
    def rows(self) -> int: ...
    @property
    def n(self) -> float: ...
    @property
    def n_dropped(self) -> int: ...
    @property
    def n_nan(self) -> int: ...
    @property
    def has_weights(self) -> bool: ...
    @property
    def least_truth(self) -> float: ...
    @property
    def largest_truth(self) -> float: ...
    @property
    def sums(self) -> list[float]: ...
    def values(self, names: Sequence[str]) -> tuple[list[float], list[str | None]]: ...
    def holds(self, name: str) -> bool: ...
    def error_bins(self) -> tuple[list[float], list[float], list[float]]: ...
    def density_cells(self) -> tuple[list[float], list[float], float, list[float]]: ...
    def density_columns(self) -> tuple[list[float], list[float]]: ...
    def exact_sums(self) -> list[list[float]]: ...
    def term_means(self, name: str) -> tuple[float, float]: ...
    def added(self, other: Moments) -> Moments: ...
    def taken_away(self, other: Moments) -> Moments: ...
    def same(self, other: Moments) -> bool: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Moments: ...

def score_values(
    names: Sequence[str],
    scores: npt.NDArray[Any],  # distinct, descending: float32 or float64
    positives: npt.NDArray[Any],  # at each score: uint32, uint64 or int64; float64 for weights
    negatives: npt.NDArray[Any],
    *,
    clip: float = 0.0,  # of log loss; 0: the epsilon of the scores' type
    threads: int = 0,
) -> list[float]: ...  # nan where undefined
def score_replicates(  # of metrics of a sweep whose rows are drawn again
    names: Sequence[str],
    scores: npt.NDArray[Any],
    positives: npt.NDArray[Any],
    negatives: npt.NDArray[Any],
    *,
    replicates: int,
    seed: int,
    threads: int = 0,
    stratified: bool = True,  # positives and negatives apart
    clip: float = 0.0,
    squares: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None,  # of weights
) -> npt.NDArray[np.float64]: ...  # (replicates, m)
def score_of_bins(  # of a metric of bins: "ece"; nan without any
    name: str,
    n: npt.NDArray[np.float64],  # of the rows of each bin, above 0
    positives: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
) -> float: ...
def score_reasons(
    names: Sequence[str],
    scores: npt.NDArray[Any],
    positives: npt.NDArray[Any],
    negatives: npt.NDArray[Any],
) -> list[str | None]: ...
def auc_fraction(positives: npt.NDArray[Any], negatives: npt.NDArray[Any]) -> tuple[int, int]: ...
def area_variance(
    positives: npt.NDArray[Any],
    negatives: npt.NDArray[Any],
    *,
    threads: int = 0,
    squares: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None,  # of weights
) -> tuple[float, float]: ...  # of the area under the ROC curve
def metrics_at(
    names: Sequence[str],
    tp: npt.NDArray[Any],  # (T,) int64 or float64
    fp: npt.NDArray[Any],
    n_positive: float,
    n_negative: float,
    *,
    undefined: float | None = None,
    threads: int = 0,
) -> tuple[  # (m, T); (m,): how many of them are undefined
    npt.NDArray[np.float64], npt.NDArray[np.int64]
]: ...

class RowSums(TypedDict):
    n_rows: int
    n_clipped: int
    weight: float
    log_loss: float
    brier: float
    class_weights: npt.NDArray[np.float64]  # (K,)
    ranks: npt.NDArray[np.float64]  # (4, K): ties best, first, last, worst; weights by rank
    not_probabilities: str  # why, of the first such row; or empty

class ProbabilitySums(RowSums):
    losses: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]  # log loss, Brier: exact parts
    soft: npt.NDArray[np.float64]  # (K, K), where asked for

class Ladders(TypedDict):
    """Of K classes one after the other; see `confmat.multiclass.ladder`."""

    offsets: npt.NDArray[np.int64]  # (K + 1,)
    scores: npt.NDArray[np.float64]
    members: npt.NDArray[np.float64]
    others: npt.NDArray[np.float64]
    between: npt.NDArray[np.float64]
    lowest: npt.NDArray[np.float64]
    below: npt.NDArray[np.float64]  # (K,)
    lowest_below: npt.NDArray[np.float64]  # (K,)

def class_codes(
    y_true: Any, labels: Sequence[Label], threads: int
) -> npt.NDArray[np.uint16]: ...  # K + 1 for null
def row_weights(
    sample_weight: Any,
    rows: int,
    passed_over: npt.NDArray[np.bool_] | None,  # rows whose weight is not looked at, and is 0
    as_floats: bool,  # else integers stay such
    threads: int,
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]: ...  # and which are null
def probability_sums(
    proba: list[Any],  # K columns of floats
    classes: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.float64] | None,
    tolerance: float,
    clip: float,
    soft: bool,
    threads: int,
) -> ProbabilitySums: ...
def predict_top_k(
    proba: list[Any], classes: npt.NDArray[np.uint16], k: int, last: bool, threads: int
) -> npt.NDArray[np.uint16]: ...
def class_ladders(
    proba: list[Any],
    classes: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.float64] | None,
    ladders: bool,
    threads: int,
) -> tuple[npt.NDArray[Any], Ladders | None]: ...  # (K, K) wins: uint64, or float64 with weights
def pooled_ladder(
    proba: list[Any],
    classes: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.float64] | None,
    threads: int,
) -> Ladders: ...
def object_codes(
    array: npt.NDArray[Any],
) -> TextCodes | None: ...  # None: some object is neither a short text nor a null
def string_codes(
    array: npt.NDArray[Any],  # of StringDType
    null_text: str | None,  # what a null stands for
) -> TextCodes | None: ...
def raise_refusal_in(message: bytes) -> None: ...  # what an expression refused, if it holds that
def send_guests_off() -> None: ...
def end_without_destructors() -> None: ...
