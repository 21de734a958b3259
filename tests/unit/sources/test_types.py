"""What a type checker says of a user's file."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import confmat as cm
from confmat import attributes

ROOT = Path(__file__).parents[3]
# Of other packages nothing is wanted here, and reading them takes long.
CONFIG = """[mypy]
strict = true
python_version = 3.11
follow_imports = silent
[mypy-numpy.*,polars.*,altair.*,scipy.*,pandas.*,pyarrow.*]
follow_imports = skip
ignore_missing_imports = true
"""
OBJECTS = """
import confmat as cm

m = cm.confusion_matrix([0, 1], [0, 1])
s = cm.sweep([0, 1], [0.1, 0.9])
k = cm.multiclass_sweep([0, 1], [[0.9, 0.1], [0.2, 0.8]])
sets = cm.multilabel([["a"]], [["a"]])
swept = cm.multilabel_sweep([["a"], []], [[0.9], [0.1]])
c = s.calibration()
numbers: list[float] = [
    m.mcc, m.f1_macro, m.precision, s.roc_auc, s.ece, k.roc_auc_ovo, k.log_loss,
    sets.f1_samples, sets.exact_match, swept.roc_auc_micro, c.slope,
    m.value("fbeta", beta=2, average="macro"), s.value("partial_auc", max_fpr=0.1),
    cm.f1([0, 1], [0, 1]), cm.accuracy([0, 1], [0, 1]),
]  # fmt: skip
array = cm.f1([0, 1], [0, 1], average=None).tolist()
"""
MISSPELT = (
    "m.presicion",
    "s.roc_ac",
    "k.log_los",
    "sets.f1_sample",
    "swept.roc_acu",
    "c.slop",
    "cm.f1_score",
)


def checked(text, folder):
    pytest.importorskip("mypy")
    (folder / "mypy.ini").write_text(CONFIG)
    (folder / "used.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "used.py"]
    package = Path(cm.__file__).parents[1]
    run = subprocess.run(
        command,
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(package), "PATH": "", "MYPY_CACHE_DIR": str(folder / "cache")},
    )
    return re.findall(r"^used\.py:(\d+): error: (.*)$", run.stdout, re.MULTILINE), run.stdout


def test_attributes_are_typed_and_misspelt_ones_are_errors(tmp_path):
    text = OBJECTS + "\n".join(MISSPELT) + "\n"
    first = OBJECTS.count("\n") + 1
    page = (ROOT / "docs" / "typing.md").read_text("utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    errors, said = checked(text + blocks, tmp_path)
    found = {int(line): message for line, message in errors}
    for at, name in enumerate(MISSPELT):
        assert "has no attribute" in found.pop(first + at, ""), f"{name}\n{said}"
    wrong = (text + blocks).split("\n").index(next(b for b in blocks.split("\n") if "error:" in b))
    assert '"ConfusionMatrix" has no attribute "presicion"' in found.pop(wrong + 1, ""), said
    assert not found, said


def test_every_declared_attribute_is_there():
    objects = {
        attributes.MatrixAttributes: cm.ConfusionMatrix([[5, 2], [1, 7]]),
        attributes.ScoreAttributes: cm.sweep([0, 1, 1], [0.1, 0.3, 0.9]),
        attributes.MultilabelAttributes: cm.multilabel([[0, 1], [1, 1]], [[0, 1], [1, 0]]),
        cm.MulticlassSweep: cm.multiclass_sweep([0, 1], [[0.9, 0.1], [0.2, 0.8]]),
        cm.MultilabelSweep: cm.multilabel_sweep([[0, 1], [1, 1]], [[0.1, 0.7], [0.3, 0.2]]),
    }
    for declares, made in objects.items():
        declared = [
            n
            for c in declares.__mro__
            for n, of in vars(c).get("__annotations__", {}).items()
            if of == "float"
        ]
        assert declared
        for name in declared:
            assert isinstance(getattr(made, name), (int, float)), name
