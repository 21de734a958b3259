"""What `import confmat` loads, and what waits until it is asked for."""

import subprocess
import sys

import polars as pl
import pytest

import confmat as cm


def printed(code):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()


def test_an_import_loads_what_names_metrics_and_no_more():
    code = "import sys, confmat; print(*(m for m in sys.modules if m.startswith('confmat.')))"
    parts = {module.split(".")[1] for module in printed(code)}
    assert parts <= {
        "_core",
        "errors",
        "frames",
        "functions",
        "name_calls",
        "name_hints",
        "own_definitions",
        "registry",
        "suffixes",
    }


@pytest.mark.parametrize(
    "code",
    [
        "pl.DataFrame({'y': [1, 0], 'p': [1, 1]}).cm.evaluate('y', 'p')['accuracy'].item()",
        "pl.LazyFrame({'y': [1, 0], 'p': [1, 1]}).cm.evaluate('y', 'p').collect()['accuracy'][0]",
        "pl.select(pl.Series('y', [1, 0]).alias('y')).select(pl.col('y').cm.accuracy('y'))[0, 0]/2",
        "cm.accuracy([1, 0], [1, 1])",
        "cm.confusion_matrix([1, 0], [1, 1]).accuracy",
    ],
)
def test_every_door_opens_first(code):
    assert printed(f"import polars as pl, confmat as cm; print({code})") == ["0.5"]


def test_saved_bytes_of_slices_are_read_before_anything_else(tmp_path):
    frame = pl.DataFrame({"g": [1, 2], "y": [0, 1], "p": [0, 0]})
    e = cm.evaluate(frame, y_true="y", y_pred="p", by="g")
    (tmp_path / "e.cms").write_bytes(e.to_bytes())
    code = f"""
import pathlib, confmat as cm
e = cm.from_bytes(pathlib.Path({str(tmp_path / "e.cms")!r}).read_bytes())
print(type(e).__name__, e.n)
"""
    assert printed(code) == ["Evaluation", "2"]


def test_every_public_name_is_found_and_listed():
    code = """
import confmat as cm
from confmat import *
for name in cm.__all__: assert globals()[name] is getattr(cm, name) and name in dir(cm), name
"""
    assert printed(code) == []
