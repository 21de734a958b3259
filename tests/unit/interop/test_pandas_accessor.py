"""The accessor `.cm` of pandas frames: there when it is imported, and the numbers of Polars."""

import importlib
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

import confmat as cm
import confmat.pandas

ROWS = {
    "site": ["x", "x", "y", "y", None, "x"],
    "y": [0, 1, 1, 0, 1, 1],
    "p": [0, 1, 0, 0, 1, 0],
    "q": [0, 1, 1, 1, 1, 0],
    "s": [0.1, 0.9, 0.4, 0.3, None, 0.2],
    "w": [1.0, 2.0, 1.0, 1.0, 3.0, 0.5],
}
FRAME, POLARS = pd.DataFrame(ROWS), pl.DataFrame(ROWS)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"by": "site", "metrics": ["recall", "mcc"]},
        {"by": ["site"], "y_score": "s"},
        {"by": ["site"], "ci": 0.9, "metrics": ["recall"]},
        {"sample_weight": "w", "cube": True, "by": ["site", "q"], "metrics": ["accuracy"]},
    ],
)
def test_numbers_are_those_of_polars(asked):
    found = FRAME.cm.evaluate("y", "p", **asked)
    assert isinstance(found, pd.DataFrame)
    wanted = POLARS.cm.evaluate("y", "p", **asked).to_pandas()
    pd.testing.assert_frame_equal(found, wanted)


def test_categories_and_columns_of_anything_beside():
    frame = FRAME.assign(y=FRAME.y.astype("category"), p=FRAME.p.astype("category"))
    frame["junk"] = [object(), 1, "a", [2], {3}, None]
    assert frame.cm.evaluate("y", "p", metrics=["mcc"]).mcc[0] == cm.mcc(ROWS["y"], ROWS["p"])


def test_objects_and_reports():
    assert FRAME.cm.confusion_matrix("y", "p", sample_weight="w") == cm.confusion_matrix(
        ROWS["y"], ROWS["p"], sample_weight=ROWS["w"]
    )
    assert FRAME.cm.sweep("y", "s").roc_auc == cm.sweep(POLARS["y"], POLARS["s"]).roc_auc
    assert FRAME.cm.classification_report("y", "p") == cm.classification_report(
        ROWS["y"], ROWS["p"]
    )
    asked = {"y_true": "y", "y_pred": {"a": "p", "b": "q"}, "by": "site"}
    one, two = FRAME.cm.compare(**asked), cm.compare(POLARS, **asked)
    assert one.table().equals(two.table())


def test_columns_that_are_not_there():
    for ask in (
        lambda: FRAME.cm.evaluate("z", "p"),
        lambda: FRAME.cm.evaluate("y", "p", by="z"),
        lambda: FRAME.cm.confusion_matrix("y", "p", sample_weight="z"),
        lambda: FRAME.cm.compare("y", {"a": "p", "b": "z"}),
    ):
        with pytest.raises(cm.InputError, match="the frame has no column 'z', but"):
            ask()


def test_a_level_of_the_index_is_told_to_be_no_column():
    frame = FRAME.set_index(FRAME.columns[0])
    level = frame.index.name
    with pytest.raises(cm.InputError, match=r"is a level of the index: use df.reset_index\(\)$"):
        frame.cm.confusion_matrix("y", "p", sample_weight=level)
    with pytest.raises(cm.InputError, match=r"'z', but \[[^;]*\]$"):
        frame.cm.evaluate("y", "p", by="z")


def test_confmat_alone_imports_no_pandas():
    code = """if True:
        import sys, confmat
        assert not {"pandas", "pyarrow", "mlflow", "IPython", "rich"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_pandas_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(cm.ConfmatError, match=r"pip install 'confmat\[pandas\]'"):
        importlib.reload(confmat.pandas)
