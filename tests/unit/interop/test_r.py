"""What R reads of a table: JSON by jsonlite, Parquet by nanoparquet. Run where R is."""

import json
import shutil
import subprocess

import polars as pl
import pytest

import confmat as cm

pytestmark = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not here")
SITES = ["Oslo", 'a "b"\\c', "Åre\n", "NA"]
LOG = pl.DataFrame(
    {
        "site": SITES * 3,
        "y": [0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1],
        "p": [0, 1, 0, 1] * 2 + [1] * 4,
    }
)
ECHO = """
slices <- jsonlite::fromJSON(commandArgs(TRUE)[1])
stopifnot(is.data.frame(slices), is.integer(slices$n), is.numeric(slices$mcc))
cat(jsonlite::toJSON(slices, digits = NA, na = "null"))
"""
PARQUET = """
slices <- nanoparquet::read_parquet(commandArgs(TRUE)[1])
stopifnot(is.character(slices$site), inherits(slices$day, "Date"), is.numeric(slices$mcc))
worst <- slices[order(slices$mcc, na.last = NA), ][1, ]
cat(jsonlite::toJSON(list(slices = slices, worst = worst), digits = NA, na = "null"))
"""
READ = """
report <- jsonlite::fromJSON(commandArgs(TRUE)[1])
cat(report[["0"]]$recall, report$accuracy)
"""


def said_by_r(script, text, folder):
    """Return what a script says that is given a file of JSON."""
    path = folder / "given.json"
    path.write_text(text, encoding="utf-8")
    return ran_by_r(script, path)


def ran_by_r(script, path):
    command = ["Rscript", "--vanilla", "-e", script, str(path)]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_slices(tmp_path):
    e = cm.evaluate(LOG, y_true="y", y_pred="p", by="site")
    slices = e.slices(["accuracy", "mcc"])
    assert 0 < slices["mcc"].null_count() < 4
    back = pl.read_json(said_by_r(ECHO, slices.write_json(), tmp_path).encode())
    assert back.drop("accuracy", "mcc").rows() == slices.drop("accuracy", "mcc").rows()
    for name in ("accuracy", "mcc"):
        assert back[name].is_null().to_list() == slices[name].is_null().to_list()
        assert back[name].drop_nulls().to_list() == pytest.approx(slices[name].drop_nulls())


def has(package):
    """Return whether R has a package."""
    command = ["Rscript", "--vanilla", "-e", f'quit(status = !requireNamespace("{package}"))']
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_slices_as_parquet(tmp_path):
    if not has("nanoparquet"):
        pytest.skip("nanoparquet is not here")
    log = LOG.with_columns(day=pl.date(2026, 11, 1 + pl.int_range(pl.len()) % 4))
    slices = cm.evaluate(log, y_true="y", y_pred="p", by=["site", "day"]).slices(["mcc"])
    assert 0 < slices["mcc"].null_count() < slices.height
    path = tmp_path / "slices.parquet"
    slices.write_parquet(path)
    said = json.loads(ran_by_r(PARQUET, path))
    back = pl.DataFrame(said["slices"], infer_schema_length=None)
    assert back["site"].to_list() == slices["site"].to_list()
    assert back["day"].to_list() == [str(day) for day in slices["day"]]
    assert back["n"].to_list() == slices["n"].to_list()
    assert back["mcc"].is_null().to_list() == slices["mcc"].is_null().to_list()
    assert back["mcc"].drop_nulls().to_list() == pytest.approx(slices["mcc"].drop_nulls())
    worst = slices.drop_nulls("mcc").sort("mcc", maintain_order=True).row(0, named=True)
    assert said["worst"][0]["mcc"] == pytest.approx(worst["mcc"])


def test_report(tmp_path):
    m = cm.confusion_matrix(LOG["y"], LOG["p"])
    said = said_by_r(READ, m.classification_report(format="json"), tmp_path)
    wanted = m.value("recall", pos_label=0), m.accuracy
    assert tuple(map(float, said.split())) == pytest.approx(wanted, rel=1e-6)
