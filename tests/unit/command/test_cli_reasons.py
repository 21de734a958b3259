"""`confmat evaluate --reasons`: why values of slices are undefined, as `reasons=True` says it."""

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

import confmat as cm
from confmat.command.commands import app
from confmat.errors import InputError

FRAME = pl.DataFrame(
    {"g": ["a", "a", "b", "b"], "y": [1, 0, 1, 1], "p": [0, 0, 1, 1], "s": [0.2, 0.3, 0.4, 0.5]}
)
METRICS = ["precision", "mcc", "roc_auc"]


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "log.parquet"
    FRAME.write_parquet(path)

    def call(*options):
        names = ["--y-true", "y", "--y-pred", "p", "--y-score", "s", "--metrics", ",".join(METRICS)]
        return CliRunner().invoke(app, ["evaluate", str(path), *names, *map(str, options)])

    return call


def wanted():
    return FRAME.cm.evaluate("y", "p", "s", by="g", metrics=METRICS, labels=[0, 1], reasons=True)


def test_they_are_printed(run):
    said = run("--by", "g", "--reasons").output
    for row in wanted().to_dicts():
        for name, why in row["reasons"].items():
            if why is not None:
                assert any(
                    line.split()[:2] == [row["g"], name] and line.rstrip().endswith(why)
                    for line in said.splitlines()
                ), (name, why, said)
    assert "because" in said
    assert "because" not in run("--by", "g").output


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_they_are_written(run, tmp_path, kind):
    out = tmp_path / f"out.{kind}"
    assert run("--by", "g", "--reasons", "--out", out).exit_code == 0
    rows = wanted()
    if kind == "parquet":
        assert_frame_equal(pl.read_parquet(out), rows)
    elif kind == "json":
        assert [row["reasons"] for row in json.loads(out.read_text())] == rows["reasons"].to_list()
    else:
        found = pl.read_csv(out)
        assert "reasons" not in found.columns
        for name in METRICS:
            said = rows["reasons"].struct.field(name).to_list()
            assert found[f"{name}_reason"].to_list() == said


def test_all_rows_have_them_without(run):
    failed = run("--reasons")
    assert isinstance(failed.exception, InputError)
    assert "`--by`" in str(failed.exception)


@pytest.mark.parametrize("by", [None, "g"])
@pytest.mark.parametrize("frame", [FRAME, FRAME.lazy()], ids=["eager", "lazy"])
def test_a_value_that_undefined_filled_keeps_its_reason(frame, by):
    part = frame if by else frame.filter(pl.col("g") == "b")
    options = {"by": by, "metrics": METRICS, "labels": [0, 1], "reasons": True}
    found = [part.cm.evaluate("y", "p", "s", undefined=u, **options) for u in (None, 0.25)]
    plain, filled = (x.collect() if isinstance(x, pl.LazyFrame) else x for x in found)
    assert_frame_equal(plain.select("reasons"), filled.select("reasons"))
    assert_frame_equal(plain.select(METRICS).fill_null(0.25), filled.select(METRICS))
    assert plain.select(METRICS).null_count().sum_horizontal().item() > 0
    for asked, names in (
        (lambda u: cm.metrics("y", "p", METRICS[:2], labels=[0, 1], reasons=True, undefined=u), 2),
        (lambda u: cm.sweep_metrics("y", "s", METRICS[2:], reasons=True, undefined=u), 1),
    ):
        one, two = (
            FRAME.group_by("g", maintain_order=True).agg(m=asked(u))["m"].struct.field("reasons")
            for u in (None, 0.25)
        )
        assert one.equals(two)
        assert len(one.struct.fields) == names


def test_a_matrix_says_it_beside_the_stand_in():
    m = cm.confusion_matrix([1, 1], [1, 1], labels=[0, 1])
    (_, plain, why), (_, filled, still) = (
        m.overall(["mcc"], undefined=u).row(0) for u in (None, 0.25)
    )
    assert (plain, filled) == (None, 0.25)
    assert why == still == m.reason("mcc")
