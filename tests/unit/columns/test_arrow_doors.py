"""Arrow data may be wrong in every way that can be seen: an error, never a crash."""

from __future__ import annotations

import ctypes
import io
import struct
from typing import Any

import numpy as np
import pytest
from support.arrow_structs import (
    ArrayObject,
    ArrowArray,
    ArrowSchema,
    StreamObject,
    array_of,
    schema_of,
)

import confmat as cm

pa = pytest.importorskip("pyarrow")
ipc = pytest.importorskip("pyarrow.ipc")

DOORS = (lambda array: array, lambda array: pa.chunked_array([array]))


def views(*rows: tuple[int, int, int], data: bytes = b"a" * 20) -> Any:
    """Return a string_view array whose views are lengths, buffers and offsets."""
    packed = b"".join(struct.pack("<i4sii", n, b"aaaa", at, offset) for n, at, offset in rows)
    return pa.Array.from_buffers(
        pa.string_view(), len(rows), [None, pa.py_buffer(packed), pa.py_buffer(data)]
    )


def ints(**fields: Any) -> ArrayObject:
    """Return an array of the int32 0 and 1, with some fields other than they should be."""
    array = array_of([None, struct.pack("<2i", 0, 1)], 2)
    for name, value in fields.items():
        setattr(array, name, value)
    return ArrayObject(schema_of(b"i"), array)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "view",
    [(40, 0, 0), (14, 0, 8), (15, 0, 1 << 30), (15, 0, -1), (15, 1, 0), (15, -1, 0), (-1, 0, 0)],
)
def test_views_lie_within_their_buffers(door: Any, view: tuple[int, int, int]) -> None:
    good, bad = views((15, 0, 0), (20, 0, 0)), views((15, 0, 0), view)
    assert cm.confusion_matrix(door(good), door(good)).labels == ("a" * 15, "a" * 20)
    with pytest.raises(cm.InputError, match="text at row 1 of `y_pred` lies outside its buffer"):
        cm.confusion_matrix(door(good), door(bad))
    with pytest.raises(cm.InputError, match="lies outside its buffer"):
        cm.sweep(door(bad), [0.1, 0.2], pos_label="a" * 15)


def test_views_below_nulls_do_not_matter() -> None:
    packed = struct.pack("<i4sii", 99, b"aaaa", 7, 1 << 30) + struct.pack("<i12s", 1, b"b")
    array = pa.Array.from_buffers(
        pa.string_view(), 2, [pa.py_buffer(b"\x02"), pa.py_buffer(packed)]
    )
    m = cm.confusion_matrix(array, array)
    assert (m.labels, m.n_dropped) == (("b",), 1)


@pytest.mark.parametrize("door", DOORS)
def test_offsets_never_descend(door: Any) -> None:
    offsets = pa.py_buffer(struct.pack("<4i", 0, 1 << 20, 2, 3))
    bad = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"abc")])
    with pytest.raises(cm.InputError, match="text at row 0 of `y_true` lies outside its buffer"):
        cm.confusion_matrix(door(bad), door(bad))


@pytest.mark.parametrize("door", DOORS)
def test_sizes_that_only_pyarrow_knows(door: Any) -> None:
    sink = io.BytesIO()
    batch = pa.record_batch({"y": ["a", "bc"]})
    with ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    good, bad = struct.pack("<3i", 0, 1, 3), struct.pack("<3i", 0, 1, 1 << 30)
    file = sink.getvalue().replace(good, bad)
    column = ipc.open_stream(file).read_next_batch().column(0)
    with pytest.raises(cm.InputError, match="`y_true` is not a valid Arrow array"):
        cm.confusion_matrix(door(column), door(column))


@pytest.mark.parametrize("door", DOORS)
def test_labels_are_utf8(door: Any) -> None:
    offsets = pa.py_buffer(struct.pack("<3i", 0, 1, 3))
    bad = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"a\xff\xc3")])
    with pytest.raises(cm.InputError, match=r"text at row 1 of `y_true` is not UTF-8: \\xff\\xc3"):
        cm.confusion_matrix(door(bad), door(bad))
    with pytest.raises(cm.InputError, match="not UTF-8"):
        cm.confusion_matrix(door(bad), door(bad), labels=["a"])
    with pytest.raises(cm.InputError, match="not UTF-8"):
        cm.sweep(door(bad), [0.1, 0.2], pos_label="a")


class Gives:
    """Returns something from one of the methods of the PyCapsule interface."""

    def __init__(self, method: str, value: Any) -> None:
        self.method, self.value = method, value

    def __getattr__(self, name: str) -> Any:
        if name != self.__dict__["method"]:
            raise AttributeError(name)
        return self.give

    def give(self, requested_schema: object = None) -> Any:
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


@pytest.mark.parametrize(
    ("method", "make", "message"),
    [
        (
            "__arrow_c_stream__",
            lambda: pa.array([1]).__arrow_c_array__()[1],
            "returned another capsule",
        ),
        (
            "__arrow_c_stream__",
            lambda: pa.array([1]).__arrow_c_array__()[0],
            "returned another capsule",
        ),
        ("__arrow_c_stream__", lambda: None, "a value of type NoneType"),
        ("__arrow_c_stream__", lambda: TypeError("not\ntoday"), "raised TypeError: not"),
        ("__arrow_c_array__", lambda: pa.array([1]).__arrow_c_array__()[::-1], "another capsule"),
        ("__arrow_c_array__", lambda: pa.chunked_array([[1]]).__arrow_c_stream__(), "no pair"),
        ("__arrow_c_array__", lambda: (1, 2), "a value of type int"),
        ("__arrow_c_array__", lambda: (1, 2, 3), "no pair"),
        ("__arrow_c_array__", lambda: ValueError("no"), "raised ValueError: no"),
    ],
)
def test_capsules_are_of_the_kind_that_was_asked_for(method: str, make: Any, message: str) -> None:
    for call in (
        lambda: cm.confusion_matrix(Gives(method, make()), [1]),
        lambda: cm.confusion_matrix([1], [1], sample_weight=Gives(method, make())),
        lambda: cm.sweep([1], Gives(method, make())),
        lambda: cm.multiclass_sweep([0], Gives(method, make())),
        lambda: cm.multilabel(Gives(method, make()), [[1]]),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()


def test_an_interrupt_of_the_producer_goes_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        cm.confusion_matrix(Gives("__arrow_c_stream__", KeyboardInterrupt()), [1])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"n_buffers": 0}, "has 0 buffers, wanted 2"),
        ({"n_buffers": 1}, "has 1 buffers, wanted 2"),
        ({"n_buffers": -1}, "has -1 buffers, wanted 2"),
        ({"buffers": None}, "its buffers are null"),
        ({"length": -1}, "its length is -1"),
        ({"length": (1 << 63) - 1}, "beyond any memory"),
        ({"offset": -2}, "its offset is -2"),
        ({"offset": (1 << 63) - 1}, "beyond any memory"),
        ({"null_count": 3}, "says 3 nulls in 2 rows"),
        ({"null_count": -2}, "says -2 nulls"),
        ({"null_count": 1}, "1 nulls and no buffer of validity"),
        ({"n_children": 1}, "has 1 children, its type 0"),
        ({"n_children": -1}, "has -1 children"),
        ({"release": None}, "used before"),
    ],
)
def test_arrays_hold_what_their_type_promises(fields: dict[str, Any], message: str) -> None:
    assert cm.accuracy(ints(), ints()) == 1.0
    for call in (
        lambda: cm.confusion_matrix([0, 1], ints(**fields)),
        lambda: cm.confusion_matrix([0, 1], [0, 1], sample_weight=ints(**fields)),
        lambda: cm.sweep([0, 1], ints(**fields)),
        lambda: cm.multiclass_sweep([0, 1], {"a": ints(**fields), "b": ints(**fields)}),
        lambda: cm.multilabel([[0], [1]], ints(**fields)),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (None, "without format"),
        (b"", "an unknown type"),
        (b"\xff\xfe", "an unknown type"),
        (b"+r", "RunEndEncoded"),
        (b"+us:0", "Union"),
        (b"+vl", "ListView"),
        (b"+w:-1", "Array"),
        (b"tdD", "Date"),
        (b"d:5,2", "Decimal"),
    ],
)
def test_formats_that_hold_no_labels_are_named(form: bytes | None, message: str) -> None:
    array = ArrayObject(schema_of(form), array_of([None, b"\x00" * 8], 2))
    with pytest.raises(cm.InputError, match=f"`y_true` .*{message}"):
        cm.confusion_matrix(array, [0, 1])


def test_a_null_buffer_of_values() -> None:
    for form, buffers in (
        (b"i", [None, None]),
        (b"u", [None, None, b"ab"]),
        (b"vu", [None, None, None]),
    ):
        array = ArrayObject(schema_of(form), array_of(buffers, 2))
        with pytest.raises(
            cm.InputError, match=r"`y_true` is not a valid Arrow array: its .* null"
        ):
            cm.confusion_matrix(array, [0, 1])
    text = ArrayObject(schema_of(b"u"), array_of([None, struct.pack("<3i", 0, 1, 2), None], 2))
    with pytest.raises(cm.InputError, match="2 bytes of text are null"):
        cm.confusion_matrix(text, ["a", "b"])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("key", [2, -1, 1 << 30])
def test_keys_beyond_the_dictionary(door: Any, key: int) -> None:
    keys = pa.array([0, 1, key], pa.int32())
    texts = pa.DictionaryArray.from_arrays(keys, pa.array(["a", "b"]), safe=False)
    with pytest.raises(cm.InputError, match=f"key {key} at row 2 of `y_true` is not in its dict"):
        cm.confusion_matrix(door(texts), ["a", "b", "a"])
    numbers = pa.DictionaryArray.from_arrays(keys, pa.array([7, 8]), safe=False)
    with pytest.raises(cm.InputError, match="its key at row 2 is not in its dictionary of 2 ent"):
        cm.confusion_matrix(door(numbers), [7, 8, 7])


@pytest.mark.parametrize("door", DOORS)
def test_dictionaries_of_numbers_are_their_values(door: Any) -> None:
    values = pa.array([7, 8]), pa.array([True, False])
    for entries, wanted in zip(values, ((7, 8), (False, True)), strict=True):
        column = door(pa.DictionaryArray.from_arrays(pa.array([0, 1, 1]), entries))
        assert cm.confusion_matrix(column, column).labels == wanted


@pytest.mark.parametrize("door", DOORS)
def test_halves_are_read(door: Any) -> None:
    scores = door(pa.array(np.array([0.5, 0.25, 1, 0], dtype=np.float16)))
    assert cm.sweep([0, 1, 1, 0], scores).roc_auc == 0.75


@pytest.mark.parametrize("door", DOORS)
def test_run_end_encoded(door: Any) -> None:
    pc = pytest.importorskip("pyarrow.compute")
    column = door(pc.run_end_encode(pa.array([1, 1, 2])))
    for call in (
        lambda: cm.confusion_matrix(column, [1, 1, 2]),
        lambda: cm.multiclass_sweep([0, 1, 1], column),
        lambda: cm.multilabel(column, [[1], [1], [1]]),
        lambda: cm.multilabel(pa.table({"a": column}), [[1], [1], [1]]),
        lambda: cm.multiclass_sweep([0, 1, 1], pa.table({"a": column, "b": column})),
    ):
        with pytest.raises(cm.InputError, match="RunEndEncoded"):
            call()


@pytest.mark.parametrize("inner", [pa.list_, lambda of: pa.list_(of, 2), pa.large_list])
def test_nested_arrays_are_checked_before_they_are_lent(inner: Any) -> None:
    rows = pa.array([[0.1, 0.9], [0.3, 0.7]], inner(pa.float64()))
    assert cm.multiclass_sweep([0, 1], rows).n == 2
    for door in DOORS:
        assert cm.multilabel(door(pa.array([["a"], ["b"]])), [["a"], ["b"]]).n == 2
    kind = {pa.list_: (b"+l", 4), pa.large_list: (b"+L", 8)}.get(inner)
    if kind is None:
        return
    form, width = kind
    item = schema_of(b"g")

    def nested(offsets: tuple[int, ...]) -> ArrayObject:
        child = array_of([None, struct.pack("<4d", 0.1, 0.9, 0.3, 0.7)], 4)
        packed = b"".join(at.to_bytes(width, "little", signed=True) for at in offsets)
        parent = array_of([None, packed], 2, n_children=1)
        parent.children = ctypes.pointer(ctypes.pointer(child))
        schema = schema_of(form, n_children=1)
        schema.children = ctypes.pointer(ctypes.pointer(item))
        return ArrayObject(schema, parent)

    assert cm.multiclass_sweep([0, 1], nested((0, 2, 4))).n == 2
    for offsets, message in (
        ((0, 2, 6), "wanted 6"),
        ((0, 1 << 20, 4), "offsets go from"),
        ((-2, 2, 4), "go from -2"),
    ):
        with pytest.raises(cm.InputError, match=message):
            cm.multiclass_sweep([0, 1], nested(offsets))


def _give_schema(stream: Any, out: int) -> int:
    target = ArrowSchema.from_address(out)
    for name, value in (("format", b"i"), ("name", b""), ("release", schema_of(b"i").release)):
        setattr(target, name, value)
    return 0


def _end(stream: Any, out: int) -> int:
    ArrowArray.from_address(out).release = None
    return 0


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (lambda: StreamObject(lambda stream, out: 5, _end, b"disk \xff gone"), r"disk \\xff gone"),
        (lambda: StreamObject(lambda stream, out: 5, _end), "fails with code 5 and says no more"),
        (lambda: StreamObject(_give_schema, lambda stream, out: -1, b"torn"), "torn"),
        (lambda: StreamObject(None, _end), "cannot be read"),
        (lambda: StreamObject(_give_schema, None), "cannot be read"),
        (lambda: StreamObject(lambda stream, out: 0, _end), "used before"),
    ],
)
def test_streams_that_fail(stream: Any, message: str) -> None:
    made = stream()
    with pytest.raises(cm.InputError, match=f"`y_pred` .*{message}"):
        cm.confusion_matrix([1], made)
    assert made.released == 1
    with pytest.raises(cm.InputError, match="gave an Arrow stream that was used before"):
        cm.confusion_matrix([1], made)  # the same struct again, released by now
    assert made.released == 1


def test_a_column_is_read_once() -> None:
    class Once:
        calls = 0

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            Once.calls += 1
            return pa.chunked_array([[0, None, 1]]).__arrow_c_stream__()

    with pytest.raises(cm.InputError, match="null at row 1 of `y_true`"):
        cm.confusion_matrix(Once(), [0, 1, 1], nulls="raise")
    assert Once.calls == 1
