"""Polars Categoricals are counted by the codes that they hold: the numbers are those of texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat import _core, categories
from confmat.categories import coded

NAMES = pl.Series(["pear", "", "Äpfel", "a kind of fruit with a long name"])


def _texts(n: int, seed: int, nulls: bool = True) -> pl.Series:
    rng = np.random.default_rng(seed)
    texts = NAMES.gather(rng.integers(0, len(NAMES), n))
    return texts.set(pl.Series(rng.random(n) < 0.1), None) if nulls else texts


@pytest.fixture(autouse=True, params=[0, categories._FEW_ROWS], ids=["codes", "few as texts"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many rows are read as texts."""
    rows: int = request.param
    monkeypatch.setattr(categories, "_FEW_ROWS", rows)
    return rows


@pytest.mark.parametrize("n", [1, 7, 5000])
def test_objects_and_frames_agree_with_texts(n: int, few: int) -> None:
    y, p = _texts(n, 1), _texts(n, 2)
    a, b = y.cast(pl.Categorical), p.cast(pl.Categorical)
    assert isinstance(coded(a), _core.CodedTexts) == (n > few)
    assert cm.confusion_matrix(a, b) == cm.confusion_matrix(y, p)
    assert cm.confusion_matrix(a, p) == cm.confusion_matrix(y, p)
    weights = np.arange(n, dtype=np.float64)
    weighted = cm.confusion_matrix(a, b, sample_weight=weights)
    assert weighted == cm.confusion_matrix(y, p, sample_weight=weights)
    some = cm.confusion_matrix(a, b, labels=["pear", ""], other="bucket")
    assert some == cm.confusion_matrix(y, p, labels=["pear", ""], other="bucket")
    frame, plain = pl.DataFrame({"y": a, "p": b}), pl.DataFrame({"y": y, "p": p})
    assert frame.cm.evaluate("y", "p").equals(plain.cm.evaluate("y", "p"))


def test_slices_chunks_and_reversed() -> None:
    y, p = _texts(5000, 3), _texts(5000, 4)
    a, b = y.cast(pl.Categorical), p.cast(pl.Categorical)
    assert cm.confusion_matrix(a[7:4000], b[7:4000]) == cm.confusion_matrix(y[7:4000], p[7:4000])
    assert cm.confusion_matrix(a.reverse(), b) == cm.confusion_matrix(y.reverse(), p)
    cut = pl.concat([a[:100], a[100:101], a[101:]], rechunk=False)
    assert cut.n_chunks() == 3
    assert cm.confusion_matrix(cut, b) == cm.confusion_matrix(y, p)


def test_scores_and_probabilities() -> None:
    y = _texts(900, 5, nulls=False)
    scores = np.random.default_rng(6).random(900)
    two = y.replace(["Äpfel", "a kind of fruit with a long name"], ["", "pear"])
    a = cm.sweep(two.cast(pl.Categorical), scores, pos_label="pear")
    assert a.roc_auc == cm.sweep(two, scores, pos_label="pear").roc_auc
    table = np.random.default_rng(7).dirichlet(np.ones(4), 900)
    k = cm.multiclass_sweep(y.cast(pl.Categorical), table)
    assert k.log_loss == cm.multiclass_sweep(y, table).log_loss
    hole = y.set(pl.Series(np.arange(900) == 40), None).cast(pl.Categorical)
    with pytest.raises(cm.InputError, match="null at row 40 of `y_true`"):
        cm.multiclass_sweep(hole, table, nulls="raise")
    hollow = two.set(pl.Series(np.arange(900) == 40), None).cast(pl.Categorical)
    with pytest.raises(cm.InputError, match="null at row 40 of `y_true`"):
        cm.sweep(hollow, scores, pos_label="pear", nulls="raise")
    with pytest.raises(cm.InputError, match="null at row 40 of `y_pred`"):
        cm.confusion_matrix(y, hole, nulls="raise")


@pytest.mark.skipif(not hasattr(pl.Categories, "to_series"), reason="older Polars")
@pytest.mark.parametrize("physical", [pl.UInt8, pl.UInt16, pl.UInt32])
def test_long_columns_of_few_categories_take_all_texts(
    monkeypatch: pytest.MonkeyPatch, physical: Any
) -> None:
    kinds = pl.Categories.random(physical=physical)
    y, p = _texts(5000, 8), _texts(5000, 9)
    a, b = y.cast(pl.Categorical(kinds)), p.cast(pl.Categorical(kinds))
    more = pl.Series([f"unused {i}" for i in range(200)]).cast(a.dtype)
    monkeypatch.setattr(categories, "_LONG_COLUMN", 5000)
    monkeypatch.setattr(categories, "_texts_up_to_greatest", lambda *_: pytest.fail("was scanned"))
    assert cm.confusion_matrix(a, b) == cm.confusion_matrix(y, p)
    assert cm.confusion_matrix(a, a).n == a.len() - a.null_count()
    del more


def test_long_columns_of_many_categories_are_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = pl.Categorical(pl.Categories.random())
    many = pl.Series([f"category {i}" for i in range(9000)]).cast(kinds)
    y = pl.concat([many[:3]] * 2000)
    monkeypatch.setattr(categories, "_LONG_COLUMN", 5000)
    assert isinstance(coded(y), _core.CodedTexts)
    assert cm.confusion_matrix(y, y).counts.tolist() == np.diag([2000] * 3).tolist()
    monkeypatch.setattr(categories, "_all_texts", lambda _: pytest.fail("too many"))
    assert cm.confusion_matrix(y[:4999], y[:4999]).n == 4999


def test_few_rows_of_many_categories(few: int) -> None:
    many = pl.Series([f"category {i}" for i in range(9000)]).cast(pl.Categorical)
    last = many[-3:]
    if few == 0:
        assert coded(last) is last  # 9000 texts for 3 rows are not worth it
    assert cm.confusion_matrix(last, last).labels == tuple(sorted(last.cast(pl.String)))
    assert cm.confusion_matrix(many[:30], many[:30]).n == 30


def test_all_null_and_empty() -> None:
    none = pl.Series([None, None], dtype=pl.Categorical)
    assert cm.confusion_matrix(none, none).n_dropped == 2
    assert cm.confusion_matrix(none[:0], none[:0]).n == 0


@pytest.mark.parametrize(
    ("codes", "texts", "message"),
    [
        (pl.Series([0, 5], dtype=pl.UInt32), pl.Series(["a"]), "key 5 at row 1"),
        (pl.Series([0, -1]), pl.Series(["a"]), "key -1 at row 1"),
        (pl.Series([0.0]), pl.Series(["a"]), "integer keys into texts"),
        (pl.Series([0]), pl.Series([1]), "integer keys into texts"),
        (pl.Series([0]), pl.concat([NAMES, NAMES], rechunk=False), "integer keys into texts"),
        (np.zeros(2, np.int64), NAMES, "Arrow"),
    ],
)
def test_codes_without_texts_are_refused(codes: Any, texts: Any, message: str) -> None:
    broken = _core.CodedTexts(codes, texts)
    with pytest.raises(cm.InputError, match=message):
        _core.count(broken, broken, None, None, 1)
