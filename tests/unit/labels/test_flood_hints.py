"""A flood of labels, as of identifiers: what the message advises works at the door that says it."""

import re

import polars as pl
import pytest

import confmat as cm

FEW = 11_585  # classes of one table at most
FLOODS = {"more than a table": 20_000, "more than possible": 70_000, "identifiers": 100_000}
PYTHON = re.compile(r"(?<!-)\b(labels|other)=|\by_(true|pred)\b")


def frame_of(rows, kind):
    ids = pl.int_range(10**6, 10**6 + rows, eager=True).cast(kind)
    return pl.DataFrame({"g": pl.int_range(rows, eager=True) % 3, "y": ids, "p": ids})


def doors(frame):
    """Every way to count classes that nobody named."""

    def asked(**given):
        return cm.metrics("y", "p", ["accuracy"], **given)

    lazy = frame.lazy()
    return {
        "matrix": lambda **given: cm.confusion_matrix(frame["y"], frame["p"], **given),
        "function": lambda **given: cm.accuracy(frame["y"], frame["p"], **given),
        "eager": lambda **given: frame.cm.evaluate("y", "p", metrics=["accuracy"], **given),
        "eager by": lambda **given: frame.cm.evaluate("y", "p", by="g", **given),
        "lazy": lambda **given: lazy.cm.evaluate("y", "p", **given).collect(),
        "lazy by": lambda **given: lazy.cm.evaluate("y", "p", by="g", **given).collect(),
        "streaming": lambda **given: lazy.cm.evaluate("y", "p", by="g", **given).collect(
            engine="streaming"
        ),
        "select": lambda **given: frame.select(asked(**given)),
        "agg": lambda **given: frame.group_by("g").agg(asked(**given)),
    }


@pytest.mark.parametrize("kind", [pl.Int64, pl.String])
@pytest.mark.parametrize("rows", FLOODS.values(), ids=FLOODS)
def test_the_advice_of_the_library_works(rows, kind):
    frame = frame_of(3 * rows if rows < 10**5 else rows, kind)
    for name, door in doors(frame).items():
        with pytest.raises((cm.InputError, pl.exceptions.ComputeError)) as error:
            door()
        said = str(error.value).partition("\n")[0]
        assert "identifiers?" in said, (name, said)
        whole = name in ("matrix", "function", "eager", "lazy")
        of = "those that count" if whole else f"up to {FEW}"
        assert f'give {of} as labels=, with other="bucket" for the rest' in said, name
    found = doors(frame)["matrix"](labels=frame["y"].head(FEW), other="bucket")
    assert (found.n, found.n_other) == (FEW, len(frame) - FEW)
    some = frame["y"].head(50).to_list()
    for name, door in doors(frame).items():
        result = door(labels=some, other="bucket")
        if name.startswith(("eager", "lazy", "streaming")):
            assert (result["n"].sum(), result["n_other"].sum()) == (50, len(frame) - 50), name


@pytest.mark.parametrize("by", [[], ["--by", "g"]], ids=["all", "by"])
@pytest.mark.parametrize("kind", [pl.Int64, pl.String])
@pytest.mark.parametrize("rows", FLOODS.values(), ids=FLOODS)
def test_the_advice_of_the_command_line_works(run, tmp_path, rows, kind, by):
    pytest.importorskip("typer")
    frame_of(3 * rows if by and rows < 10**5 else rows, kind).write_parquet(
        tmp_path / "ids.parquet"
    )
    options = ["--y-true", "y", "--y-pred", "p", "--metrics", "accuracy", *by]
    code, _, said = run("evaluate", tmp_path / "ids.parquet", *options)
    assert (code, said.count("\n")) == (2, 1)
    assert "identifiers?" in said
    few = f"give up to {FEW}" if by else "give those that count"
    assert f"{few} as `--labels`, with `--other bucket` for the rest" in said
    assert not PYTHON.search(said), said
    advised = ["--labels", "1000000,1000001", "--other", "bucket"]
    code, out, said = run("evaluate", tmp_path / "ids.parquet", *options, *advised)
    assert (code, said) == (0, "")
    assert "accuracy" in out
