"""What R reads of a table: JSON, by jsonlite. Run where R is, as in `.ci/long`."""

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
READ = """
report <- jsonlite::fromJSON(commandArgs(TRUE)[1])
cat(report[["0"]]$recall, report$accuracy)
"""


def said_by_r(script, text, folder):
    """Return what a script says that is given a file of JSON."""
    path = folder / "given.json"
    path.write_text(text, encoding="utf-8")
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


def test_report(tmp_path):
    m = cm.confusion_matrix(LOG["y"], LOG["p"])
    said = said_by_r(READ, m.classification_report(format="json"), tmp_path)
    wanted = m.value("recall", pos_label=0), m.accuracy
    assert tuple(map(float, said.split())) == pytest.approx(wanted, rel=1e-6)
