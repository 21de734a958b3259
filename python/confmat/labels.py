"""Label sets: ordered, of one kind (integers, booleans or texts), and how a label is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set, Sized
from enum import IntEnum
from itertools import islice
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.errors import ConfmatError, InputError

Label: TypeAlias = int | bool | str
Kind: TypeAlias = Literal["int", "bool", "text"]


class Origin(IntEnum):
    """Where labels come from; the numbers are those of saved states."""

    FOUND = 0  # in rows: sorted, and more may be found
    GIVEN = 1  # in an order that has a meaning
    OF_TYPE = 2  # an Enum, Booleans: whether rows have them or not


MAX_LABEL_BYTES = 65_536
MAX_WHOLE = 2.0**53  # up to here floats hold every whole number
MAX_LABELS = 65_533  # pair codes of one more class pass 32 bits
MAX_CLASSES = 1 << 24  # of a matrix, whose cells have codes of 64 bits


def kind_of(labels: Sequence[Label]) -> Kind:
    """Return the kind of a label set; an empty one counts as integers."""
    first = labels[0] if labels else 0
    if isinstance(first, str):
        return "text"
    return "bool" if isinstance(first, bool) else "int"


def label_set(labels: Any, argument: str = "labels", most: int = MAX_LABELS) -> list[Label]:
    """Return `labels` as a list of Python values of one kind, in the order given.

    Parameters
    ----------
    labels : list, tuple, range, 1-D array, Series, Index or pl.Enum
        Distinct integers, booleans or texts; whole numbers in floats are integers.
    argument : str, default "labels"
        Name used in messages.
    most : int
        How many there may be.

    Raises
    ------
    InputError
        Empty, more than `most`, unordered, mixed kinds, a null, a fraction, a duplicate, an
        integer beyond 64 bits or a text of more than 64 KiB.
    """
    if type(labels) is list and len(labels) <= most and _are_plain_names(labels):
        return list(labels)
    try:
        sized = isinstance(labels, Sized) and getattr(labels, "ndim", 1) == 1
        size = len(labels) if sized else 0
        items = [] if size > most else [plain(item) for item in _items(labels, argument, most)]
    except ConfmatError:
        raise
    except Exception as error:
        raise InputError(
            f"`{argument}` of type {type(labels).__name__} is no list of labels: {error}"
        ) from error
    size = max(size, len(items))
    if size > most:
        is_expression = argument == "labels" and most < MAX_CLASSES
        more = "; cm.confusion_matrix takes more" if is_expression else ""
        raise InputError(f"`{argument}` has {size} labels; at most {most} are possible{more}")
    if not items:
        raise InputError(f"`{argument}` is empty; wanted at least one label")
    kinds: dict[str, int] = {}
    for at, item in enumerate(items):
        kinds.setdefault(_kind_word(item, at, argument), at)
    if len(kinds) > 1:
        (one, _), (two, at) = list(kinds.items())[:2]
        raise InputError(
            f"`{argument}` mixes {one} and {two} (first {two}: {items[at]!r} at position {at}); "
            "wanted labels of one kind"
        )
    if len(set(items)) != len(items):
        seen: set[Label] = set()
        for at, item in enumerate(items):
            if item in seen:
                raise InputError(f"`{argument}` holds {item!r} twice, again at position {at}")
            seen.add(item)
    return items


def _are_plain_names(labels: list[Any]) -> bool:
    """Return whether these need no closer look, as names of columns mostly do not."""
    return (
        bool(labels)
        and type(labels[0]) is str
        and set(map(type, labels)) == {str}
        and all(map(str.isascii, labels))
        and max(map(len, labels)) <= MAX_LABEL_BYTES
        and len(set(labels)) == len(labels)
    )


def _items(labels: Any, argument: str, most: int) -> Iterable[Any]:
    if isinstance(labels, pl.Enum):
        return labels.categories.to_list()
    if isinstance(labels, np.ndarray):
        if labels.ndim != 1:
            raise InputError(f"`{argument}` has shape {labels.shape}; wanted one dimension")
        items: list[Any] = list(labels) if labels.dtype.kind == "S" else labels.tolist()
        return items
    if isinstance(labels, (list, tuple, range)):
        return labels
    if isinstance(labels, (str, bytes, Mapping, Set)) or not isinstance(labels, Iterable):
        raise InputError(
            f"`{argument}` is {type(labels).__name__}; wanted an ordered list of labels"
        )
    to_list = getattr(labels, "to_list", None) or getattr(labels, "tolist", None)
    return list(to_list() if callable(to_list) else islice(labels, most + 1))


def one_label(value: Any, argument: str) -> Label:
    """Return one label as a plain value, checked like those of `label_set`.

    Raises
    ------
    InputError
        An array or a list, a null, a fraction.
    """
    label = plain(value)
    if not isinstance(label, (bool, int, str)):
        raise InputError(
            f"`{argument}` is {described(value)}; wanted one label: an integer, a Boolean or a text"
        )
    return label_set([label], argument)[0]


def plain(item: Any) -> Any:
    """Return a label as a plain value: whole numbers in floats are integers.

    A text in bytes of NumPy is read as UTF-8, and stays what it is where it is none.
    """
    if isinstance(item, np.bytes_):
        try:
            return item.decode()
        except UnicodeDecodeError:
            return item
    if isinstance(item, np.generic):
        item = item.item()
    if isinstance(item, float) and abs(item) <= MAX_WHOLE and item == int(item):
        return int(item)
    if isinstance(item, str) and type(item) is not str:
        return str.__str__(item)
    return item


def is_null(item: Any) -> bool:
    """Return whether an item stands for a missing label: None, nan, or the NA and NaT of pandas."""
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, (float, np.floating)) and bool(item != item)


def described(value: Any) -> str:
    """Return a value for a message: its type, and how it is written where that is short."""
    kind = type(value).__name__
    try:
        text = repr(value)
    except Exception:
        return f"of type {kind}"
    return f"{kind} {text}" if len(text) <= 60 and "\n" not in text else f"of type {kind}"


def _kind_word(item: Any, at: int, argument: str) -> str:
    if isinstance(item, bool):
        return "bool"
    if isinstance(item, int):
        if not -(2**63) <= item < 2**63:
            raise InputError(f"`{argument}` holds {item} at position {at}: beyond 64-bit integers")
        return "int"
    if isinstance(item, str):
        _check_text(item, at, argument)
        return "str"
    found = "a null" if is_null(item) else described(item)
    raise InputError(
        f"`{argument}` holds {found} at position {at}; wanted integers, booleans or texts"
    )


def _check_text(item: str, at: int, argument: str) -> None:
    try:
        size = len(item.encode())
    except UnicodeEncodeError:
        raise InputError(
            f"`{argument}` holds {item!r} at position {at}: not valid Unicode"
        ) from None
    if size > MAX_LABEL_BYTES:
        raise InputError(
            f"`{argument}` holds a text of {size} bytes at position {at}; "
            f"the limit is {MAX_LABEL_BYTES}"
        )


def sorted_union(labels: Iterable[Any], argument: str, most: int = MAX_LABELS) -> list[Label]:
    """Return the distinct labels in ascending order, checked like `label_set`."""
    distinct = label_set(list(dict.fromkeys(map(plain, labels))), argument, most)
    return sorted(distinct)


def position(labels: Sequence[Label], label: Any, argument: str) -> int:
    """Return the index of `label`; 1 finds True and 0 finds False."""
    wanted = plain(label)
    if isinstance(wanted, (str, int)):
        try:
            return labels.index(wanted)
        except ValueError:
            pass
    name = repr(wanted) if isinstance(wanted, (str, int)) else f"of {described(wanted)}"
    raise InputError(f"`{argument}` {name} is not in the labels {listing(labels)}")


def finder(labels: Sequence[Label], argument: str) -> Callable[[Any], int]:
    """Return what gives the index of one label, as `position`, where many are looked up."""
    places = {label: at for at, label in enumerate(labels)}

    def find(label: Any) -> int:
        wanted = plain(label)
        at = places.get(wanted) if isinstance(wanted, (str, int)) else None
        return position(labels, label, argument) if at is None else at  # which says what is wrong

    return find


def listing(labels: Sequence[Label], limit: int = 10) -> str:
    """Return the labels for a message: "[0, 1, 2]", cut after `limit`."""
    words = [repr(label) for label in labels[:limit]]
    if len(labels) > limit:
        words.append(f"... {len(labels) - limit} more")
    return f"[{', '.join(words)}]"


def shown(label: Label) -> str:
    """Return the label as text that cannot disturb a terminal or a page layout.

    Control, bidirectional and other invisible characters are escaped, as Python writes them; a
    text that is empty or has blank ends is put in quotes.
    """
    text = str(label)
    if not text.isprintable():
        text = "".join(
            c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
        )
    return f'"{text}"' if text != text.strip() or not text else text


def labels_of_type(truth: pl.DataType, pred: pl.DataType) -> list[Label]:
    """Return the labels that the type of both columns declares; none where it declares none."""
    if truth != pred:
        return []
    if truth == pl.Boolean:
        return [False, True]
    return list(truth.categories) if isinstance(truth, pl.Enum) else []
