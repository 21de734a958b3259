"""Models whose rows are not known to be the same: refused, with what to ask in place."""

import re

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import confmat as cm
from confmat.command.commands import app
from confmat.paired.joining import joined
from confmat.paired.unpaired import (
    OF_EVALUATIONS,
    OF_FRAMES,
    OF_MATRICES,
    OF_SCORES,
    OF_SWEEPS,
)

RNG = np.random.default_rng(0)
A = pl.DataFrame({"id": range(60), "y_true": RNG.integers(0, 2, 60)}).with_columns(
    y_pred=pl.Series(RNG.integers(0, 2, 60)), s=pl.Series(RNG.random(60))
)
B = A[:50].with_columns(y_pred=1 - pl.col("y_pred"))
EVALUATIONS = [cm.evaluate(one, y_pred="y_pred", y_score="s") for one in (A, B)]
MATRICES = [cm.confusion_matrix(one["y_true"], one["y_pred"]) for one in (A, B)]
SWEEPS = [cm.sweep(one["y_true"], one["s"]) for one in (A, B)]


@pytest.mark.parametrize(
    ("given", "hints"),
    [
        (MATRICES, [OF_MATRICES]),
        (SWEEPS, [OF_SWEEPS]),
        (EVALUATIONS, [OF_EVALUATIONS, OF_SCORES]),
        ([A, B], [OF_FRAMES]),
    ],
)
def test_two_of_a_kind_say_what_to_ask(given, hints):
    a, b = given
    doors = [lambda: cm.compare(a, b), lambda: cm.compare({"a": a, "b": b}, "y_true", ["p", "q"])]
    if not isinstance(a, pl.DataFrame):  # frames in a list are parts of one log
        doors += [lambda: cm.compare([a, b], "y_true", ["p", "q"])]
        doors += [lambda: cm.compare(a, "y_true", ["p", "q"])]
    for door in doors:
        with pytest.raises(cm.InputError) as told:
            door()
        for hint in hints:
            assert hint in str(told.value)
            found = eval(hint, {"a": a, "b": b})
            assert isinstance(found, pl.DataFrame) or 0 <= found.p_value <= 1
    if isinstance(a, pl.DataFrame):
        assert "2 frames of 60 and 50 rows" in str(told.value)
        assert "'id', 'y_true', 'y_pred', 's'" in str(told.value)


def test_what_else_is_no_frame_of_both():
    with pytest.raises(cm.InputError, match="saved states: states keep no ids"):
        cm.compare(MATRICES[0].to_bytes(), "y", ["a", "b"])
    with pytest.raises(cm.InputError, match="without a common column"):
        cm.compare(pl.DataFrame({"x": [1]}), B.lazy())
    with pytest.raises(cm.InputError, match="other lengths: 'y' 2, 'a' 1, 'b' 2"):
        cm.compare({"y": [0, 1], "a": [1], "b": [0, 1]}, "y", ["a", "b"])
    with pytest.raises(cm.InputError, match=r"as pl\.DataFrame\(df\)"):
        cm.compare({"y": [0, 1], "a": [1, 1], "b": [0, 1]}, "y", ["a", "b"])


@pytest.mark.parametrize("values", [np.array([0, 1]), [0, 1], pl.Series([0, 1]), (0.5, 0.1)])
def test_values_in_place_of_names(values):
    told = "of 2 values, and `df` has 60 rows; wanted the name of a column"
    for asked in ({"y_pred": {"a": values, "b": "y_pred"}}, {"y_score": {"a": "s", "b": values}},
                  {"y_pred": values}):  # fmt: skip
        with pytest.raises(cm.InputError, match=told):
            cm.compare(A, "y_true", **asked)
    with pytest.raises(cm.InputError, match="`y_true` has 2 rows, `y_pred_b` has 1"):
        cm.joint_matrix([0, 1], [0, 1], [0])


def test_ids_of_which_none_is_in_both():
    other = A.with_columns(id=pl.col("id") + 100)
    with pytest.raises(cm.InputError) as told:
        joined(A.lazy(), other.lazy(), ["id"], "y_true", ["y_pred"], names=("old", "new"))
    text = str(told.value)
    assert "60 ids are in old alone, as 0, 1, 2; 60 ids are in new alone, as 100, 101" in text
    assert f"no id is in both: of other rows compare the matrices of each, {OF_MATRICES}" in text
    with pytest.raises(cm.InputError) as told:
        joined(A.lazy(), B.lazy(), ["id"], "y_true", ["y_pred"])
    assert str(told.value) == "10 ids are in a alone, as 50, 51, 52"


def test_the_command_says_so(tmp_path):
    for name, frame in (("a", A), ("b", B), ("twice", pl.concat([A, A[:3]])),
                        ("other", A.with_columns(id=pl.col("id") + 100))):  # fmt: skip
        frame.write_parquet(tmp_path / f"{name}.parquet")
    for name, message in (
        ("b", "10 ids are in a alone, as 50, 51, 52"),
        ("twice", "3 ids occur several times in twice, as 0, 1, 2"),
        ("other", "no id is in both"),
    ):
        files = [str(tmp_path / f"{one}.parquet") for one in ("a", name)]
        result = CliRunner().invoke(app, ["compare", *files, "--on", "id"])
        said = " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.output).split())
        assert result.exit_code != 0
        assert message in said + str(result.exception)
