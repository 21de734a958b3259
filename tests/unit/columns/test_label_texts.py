"""Texts in NumPy arrays, in objects, in pandas and in pyarrow: everywhere as a column of Polars."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confmat as cm
from confmat import _core
from confmat.columns.texts import lying_texts
from confmat.inputs import label_column

POOL = ["", "a", "b", "ab", "Zoë", "naïve", "日本", "🎉 party", "a\0b", "twelve_bytes", "x" * 300]
STRINGS = getattr(np.dtypes, "StringDType", None)
needs_strings = pytest.mark.skipif(STRINGS is None, reason="NumPy 2 has StringDType")


def drawn(rows, seed, nulls=False, pool=POOL):
    random = np.random.default_rng(seed)
    texts = [pool[at] for at in random.integers(0, len(pool), rows)]
    if nulls:
        texts = [None if random.random() < 0.1 else text for text in texts]
    return texts


def fresh(texts):
    """Return objects none of which is another one."""
    return [None if text is None else text.encode().decode() for text in texts]


def objects(texts):
    values = np.empty(len(texts), dtype=object)
    values[:] = texts
    return values


def strided(values):
    spread = np.full(3 * len(values), "other", dtype=values.dtype)
    spread[1::3] = values
    return spread[1::3]


def unaligned(values):
    raw = np.zeros(len(values), dtype=[("pad", "u1"), ("text", values.dtype)])
    raw["text"] = values
    return raw["text"]


def in_bytes(texts, dtype=None):
    return np.array([text.encode() for text in texts], dtype=dtype)


WITHOUT_NULLS = {
    "S": in_bytes,
    "S strided": lambda v: strided(in_bytes(v)),
    "S reversed": lambda v: in_bytes(v)[::-1].copy()[::-1],
    "S unaligned": lambda v: unaligned(in_bytes(v)),
    "S of one column": lambda v: in_bytes(v)[:, None],
    "S wider": lambda v: in_bytes(v, "S1000"),
    "S in a matrix": lambda v: in_bytes(v)[:, None].view(np.matrix),
    "U": np.array,
    "U swapped": lambda v: np.array(v).astype(np.array(v).dtype.newbyteorder(">")),
    "U strided": lambda v: strided(np.array(v)),
    "U reversed": lambda v: np.array(v)[::-1].copy()[::-1],
    "U unaligned": lambda v: unaligned(np.array(v)),
    "U of one column": lambda v: np.array(v)[:, None],
    "U of one column of more": lambda v: np.array([v, v]).T[:, :1],
    "U wider": lambda v: np.array(v, dtype="U1000"),
    "U in a matrix": lambda v: np.array(v)[:, None].view(np.matrix),
    "pandas index": pd.Index,
}
WITH_NULLS = {
    "objects": objects,
    "fresh objects": lambda v: objects(fresh(v)),
    "objects strided": lambda v: strided(objects(v)),
    "objects with nan": lambda v: objects([np.nan if x is None else x for x in v]),
    "objects with NA": lambda v: objects([pd.NA if x is None else x for x in v]),
    "objects of NumPy": lambda v: objects([None if x is None else np.str_(x) for x in v]),
    "pandas": pd.Series,
    "pandas object": lambda v: pd.Series(v, dtype=object),
    "pandas python": lambda v: pd.Series(v, dtype=pd.StringDtype("python")),
    "pandas pyarrow": lambda v: pd.Series(v, dtype="string[pyarrow]"),
    "pandas ArrowDtype": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas of one column": lambda v: pd.DataFrame({"y": pd.Series(v)}),
    "pandas slice": lambda v: pd.Series(["other", *v])[1:],
    "pyarrow": pa.array,
    "pyarrow large": lambda v: pa.array(v, pa.large_string()),
    "pyarrow view": lambda v: pa.array(v, pa.string_view()),
    "pyarrow chunks": lambda v: pa.chunked_array([v[:7], [], v[7:]], pa.string()),
}
if STRINGS is not None:
    WITHOUT_NULLS["StringDType"] = lambda v: np.array(v, dtype=STRINGS())
    WITH_NULLS["StringDType with None"] = lambda v: np.array(v, dtype=STRINGS(na_object=None))
    WITH_NULLS["StringDType with nan"] = lambda v: np.array(
        [np.nan if x is None else x for x in v], dtype=STRINGS(na_object=np.nan)
    )
FORMS = [(name, make, False) for name, make in WITHOUT_NULLS.items()]
FORMS += [(name, make, True) for name, make in WITH_NULLS.items()]


def told(matrix):
    return matrix.counts.tolist(), matrix.labels, matrix.n_dropped, matrix.n_other


@pytest.mark.parametrize(("make", "nulls"), [form[1:] for form in FORMS], ids=[f[0] for f in FORMS])
def test_every_door_gives_the_numbers_of_a_polars_column(make, nulls):
    true, pred = drawn(4000, 1, nulls), drawn(4000, 2, nulls)
    y, p = make(true), make(pred)
    t, q = pl.Series(true, dtype=pl.String), pl.Series(pred, dtype=pl.String)
    weight = np.arange(4000) % 7 + 0.5
    assert told(cm.confusion_matrix(y, p)) == told(cm.confusion_matrix(t, q))
    assert told(cm.confusion_matrix(y, q)) == told(cm.confusion_matrix(t, q))
    assert told(cm.confusion_matrix(t, p)) == told(cm.confusion_matrix(t, q))
    known = {"labels": ["b", "nowhere", "Zoë", "a"], "other": "bucket", "sample_weight": weight}
    assert told(cm.confusion_matrix(y, p, **known)) == told(cm.confusion_matrix(t, q, **known))
    assert cm.mcc(y, p) == cm.mcc(t, q)
    assert cm.f1(y, p, pos_label="日本") == cm.f1(t, q, pos_label="日本")
    scores = np.random.default_rng(3).random((4000, len(POOL)))
    one, other = (cm.multiclass_sweep(v, scores) for v in (y, t))
    assert one.at_argmax() == other.at_argmax()
    assert one.roc_auc == other.roc_auc
    two = [None if text is None else "日本" if len(text) > 2 else "no" for text in true]
    given = {"y_score": scores[:, 0], "pos_label": "日本", "sample_weight": weight}
    one, other = (cm.sweep(v, **given) for v in (make(two), pl.Series(two, dtype=pl.String)))
    assert one.labels == other.labels
    assert one.n_dropped == other.n_dropped
    assert np.array_equal(one.tp, other.tp)
    assert np.array_equal(one.fp, other.fp)


def test_texts_are_not_made_into_objects():
    assert lying_texts(np.array(["a"]), "y") is not None
    made = [make(drawn(100, 1, nulls)) for _, make, nulls in FORMS]
    kinds = {"U": 0, "codes": 0}
    for values in made:
        data = label_column(values, "y_true").data
        if isinstance(data, np.ndarray):
            assert np.shares_memory(data, np.asarray(values))
            kinds["U"] += 1
        else:
            kinds["codes"] += isinstance(data, _core.CodedTexts)
            assert not isinstance(data, pl.Series)
    assert kinds["U"] >= 9
    assert kinds["codes"] >= 8


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6, 17])
def test_cells_of_every_width_and_more_labels_than_a_table_has_room_for(width):
    random = np.random.default_rng(width)
    pool = ["".join(random.choice(list("ab"), random.integers(0, width + 1))) for _ in range(900)]
    true, pred = drawn(20_000, 1, pool=pool), drawn(20_000, 2, pool=pool)
    wanted = cm.confusion_matrix(pl.Series(true), pl.Series(pred))
    y, p = (np.array(side, dtype=f"U{width}") for side in (true, pred))
    assert told(cm.confusion_matrix(y, p)) == told(wanted)
    few = {"labels": [*list(wanted.labels[:3]), "absent"], "other": "bucket"}
    assert told(cm.confusion_matrix(y, p, **few)) == told(
        cm.confusion_matrix(pl.Series(true), pl.Series(pred), **few)
    )


def test_more_distinct_texts_than_are_kept():
    every = np.arange(140_000).astype("U8")
    m = cm.confusion_matrix(every, every, labels=["7", "139999"], other="bucket")
    assert (m.counts.tolist(), m.n_other) == ([[1, 0], [0, 1]], 139_998)
    twice = np.tile(every, 2)
    assert cm.confusion_matrix(twice, twice).labels == tuple(sorted(every.tolist()))
    m = cm.confusion_matrix(objects(every.tolist()), every, labels=["7", "8"], other="bucket")
    assert (m.counts.tolist(), m.n_other) == ([[1, 0], [0, 1]], 139_998)


def test_no_rows_and_no_characters():
    for dtype in ("U0", "U1", "U5", object):
        m = cm.confusion_matrix(np.array([], dtype), np.array([], dtype), labels=["a"])
        assert m.n == 0
    nothing = np.ndarray((3,), "U0", b"")
    assert cm.confusion_matrix(nothing, ["", "", "b"]).labels == ("", "b")


@pytest.mark.parametrize("point", [0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF])
@pytest.mark.parametrize("order", ["<", ">"])
def test_what_is_no_unicode_is_named(point, order):
    codes = np.full(2 * 5000, ord("a"), dtype=f"{order}u4")
    codes[2 * 4321 + 1] = point
    bad = codes.view(f"{order}U2")
    good = ["aa"] * 5000
    said = f"the text at row 4321 of `y_pred` is not Unicode: its character 1 is {point}"
    with pytest.raises(cm.InputError) as caught:
        cm.confusion_matrix(good, bad)
    assert str(caught.value) == said
    with pytest.raises(cm.InputError, match="row 4321 of `y_true`"):
        cm.sweep(bad, np.ones(5000), pos_label="aa")
    with pytest.raises(cm.InputError, match="row 4321 of `y_true`"):
        cm.multiclass_sweep(bad, np.ones((5000, 2)))


def test_too_long_a_text_is_named():
    for long in ("y" * 65_537, "é" * 40_000):
        size = len(long.encode())
        for make in (np.array, objects, pd.Series, pa.array, pl.Series):
            with pytest.raises(cm.InputError) as caught:
                cm.confusion_matrix(make(["a", "b", long]), ["a", "b", "c"])
            assert str(caught.value) == (
                f"the label at row 2 of `y_true` has {size} bytes; the limit is 64 KiB"
            )
        short = long[: 65_536 // len(long[0].encode())]
        for make in (np.array, objects):
            assert cm.accuracy(make([short, "a"]), [short, "a"]) == 1.0


def test_what_else_pandas_has_is_left_to_its_own_reader():
    levels = pd.MultiIndex.from_tuples([("a", "b")])
    for values in (levels, pd.RangeIndex(3), pd.Series([1.5]), pd.Series(["a"]).astype("category")):
        assert lying_texts(values, "y") is None
    with pytest.raises(cm.InputError, match="MultiIndex of 2 levels"):
        cm.confusion_matrix(levels, ["a"])


def test_other_objects_are_refused_as_in_lists():
    mixes = (
        ["a", None, 3],
        ["a", 0.5],
        ["a", True],
        [1, "a"],
        ["a", None, b"b"],
        ["a", object],
        ["a", ["b"]],
        ["a", "\ud800"],
    )
    for mix in mixes:
        words = set()
        for make in (list, objects, lambda v: pd.Series(v, dtype=object)):
            with pytest.raises(cm.InputError) as caught:
                cm.confusion_matrix(make(mix), ["a"] * len(mix))
            words.add(str(caught.value))
        assert len(words) == 1
    for values in ([None, None], [np.nan, np.nan], [1, 2], [True, False], [0.5, 1.5], []):
        assert lying_texts(objects(values), "y") is None


@needs_strings
def test_other_nulls_of_stringdtype():
    named = np.array(["a", "b", "a"], dtype=STRINGS(na_object="missing"))
    named[1] = "missing"
    assert cm.confusion_matrix(named, named).labels == ("a", "missing")
    odd = np.array(["a", "b"], dtype=STRINGS(na_object=7))
    assert cm.accuracy(odd, odd) == 1.0
    odd[1] = 7
    with pytest.raises(cm.InputError, match="mixes str and int"):
        cm.accuracy(odd, odd)


def test_nulls_are_named_by_row():
    for make in (objects, pd.Series, pa.array):
        with pytest.raises(cm.InputError, match="null at row 1 of `y_true`"):
            cm.confusion_matrix(make(["a", None, "b"]), np.array(["a", "b", "a"]), nulls="raise")


def test_texts_are_no_scores_and_no_weights():
    for texts in (np.array(["0.5", "1"]), objects(["0.5", "1"])):
        for call in (
            lambda v=texts: cm.sweep([0, 1], v),
            lambda v=texts: cm.confusion_matrix([0, 1], [0, 1], sample_weight=v),
            lambda v=texts: cm.multiclass_sweep([0, 1], np.ones((2, 2)), sample_weight=v),
            lambda v=texts: cm.cost_sweep([0, 1], [0.1, 0.2], fp=v, fn=1),
        ):
            with pytest.raises(cm.InputError, match=r"(?i)string|dtype object|dtype <U3"):
                call()
    with pytest.raises(cm.InputError, match="labels of one kind are needed"):
        cm.confusion_matrix(np.array(["a"]), [1])
    with pytest.raises(cm.InputError, match="is not in labels"):
        cm.confusion_matrix(np.array(["a", "b"]), np.array(["a", "a"]), labels=["a"])
    for values in (objects([b"a"]), pd.Series([b"a"]), [b"a"]):
        with pytest.raises(cm.InputError, match="holds a value of type bytes at row 0"):
            cm.confusion_matrix(values, ["a"])


_INTERRUPTED = """
import faulthandler, signal, numpy as np, confmat as cm
from confmat import _core
faulthandler.dump_traceback_later(50, exit=True)  # where it hangs, if it does
values = np.array(["a", "b"] * 4_000_000, dtype=object)
def handler(*_):
    values[:] = [str(i) for i in range(10)] * 800_000
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.06)
try:
    while True:
        _core.object_codes(values)
except KeyboardInterrupt:
    print("stopped")
"""


# The system may hand a signal to any thread, one of the call's own too, just as that starts.
_MANY_SIGNALS = """
import signal, time, numpy as np
from confmat import _core
values = np.array(["a", "b"] * 700_000, dtype=object)
class Rung(Exception): pass
def handler(*_): raise Rung
signal.signal(signal.SIGALRM, handler)
for wait in np.random.default_rng(0).uniform(0.001, 0.011, 500):
    try:
        signal.setitimer(signal.ITIMER_REAL, wait)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            _core.object_codes(values)
        raise SystemExit("a signal was lost")
    except Rung:
        pass
print("all heard")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGALRM")
@pytest.mark.parametrize(
    ("script", "said"), [(_INTERRUPTED, "stopped"), (_MANY_SIGNALS, "all heard")]
)
def test_signals_are_heard_while_objects_are_read(script, said):
    found = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=100
    )
    assert (found.stdout.strip(), found.returncode) == (said, 0), found.stderr
