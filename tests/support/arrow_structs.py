"""Arrow C structures made by hand, right or wrong, behind the PyCapsule interface."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

_ALIVE: list[Any] = []  # what capsules point to; kept for the whole run


class ArrowSchema(ctypes.Structure):
    """A type, with the fields of the C data interface."""


class ArrowArray(ctypes.Structure):
    """An array, with the fields of the C data interface."""


class ArrowStream(ctypes.Structure):
    """A stream, with the fields of the C stream interface."""


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowStream), ctypes.c_void_p)
_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)

ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
ArrowStream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.c_void_p),
    ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


@_RELEASE
def _do_nothing(_: int) -> None:
    pass


_NOTHING = ctypes.cast(_do_nothing, ctypes.c_void_p).value


def capsule(struct: ctypes.Structure, name: str) -> object:
    """Return a PyCapsule of that name around the struct."""
    text = name.encode()
    _ALIVE.extend((struct, text))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = (
        ctypes.py_object,
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
    )
    return new(ctypes.addressof(struct), text, None)


def schema_of(form: bytes | None, **fields: Any) -> ArrowSchema:
    """Return a type of that format."""
    fields = {"name": b"", "release": _NOTHING} | fields
    return ArrowSchema(format=form, **fields)


def array_of(buffers: Sequence[bytes | None], length: int, **fields: Any) -> ArrowArray:
    """Return an array over copies of the buffers, None for a null pointer."""
    copies = [
        None if data is None else ctypes.create_string_buffer(data, len(data)) for data in buffers
    ]
    pointers = (ctypes.c_void_p * max(len(copies), 1))(
        *(None if data is None else ctypes.addressof(data) for data in copies)
    )
    _ALIVE.extend((copies, pointers))
    given = {
        "n_buffers": len(copies),
        "buffers": ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p)),
        "release": _NOTHING,
    } | fields
    return ArrowArray(length=length, **given)


class ArrayObject:
    """Hands over one array."""

    def __init__(self, schema: ArrowSchema, array: ArrowArray) -> None:
        self.structs = schema, array

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        schema, array = self.structs
        return capsule(schema, "arrow_schema"), capsule(array, "arrow_array")


class StreamObject:
    """Hands over a stream with the functions given; None is a null pointer."""

    def __init__(
        self,
        get_schema: Callable[[ArrowStream, int], int] | None,
        get_next: Callable[[ArrowStream, int], int] | None,
        last_error: bytes | None = None,
    ) -> None:
        self.released = 0
        text = None if last_error is None else ctypes.create_string_buffer(last_error)
        address = None if text is None else ctypes.addressof(text)

        def release(pointer: int) -> None:
            self.released += 1
            ArrowStream.from_address(pointer).release = None

        functions = [
            None if get_schema is None else _GET(get_schema),
            None if get_next is None else _GET(get_next),
            _ERROR(lambda _: address),
            _RELEASE(release),
        ]
        self.kept = functions, text
        self.stream = ArrowStream(
            *(None if one is None else ctypes.cast(one, ctypes.c_void_p) for one in functions)
        )

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return capsule(self.stream, "arrow_array_stream")
