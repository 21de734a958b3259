"""What an installation must do that has nothing but confmat, Polars and NumPy."""

import sys
from importlib.metadata import distributions, version
from importlib.resources import files

import confmat as cm

assert cm.__version__ == version("confmat"), "the version stands in one place"
extra = {"pandas", "pyarrow", "scipy", "sklearn", "altair", "rich", "typer", "IPython", "mlflow"}
assert not extra & set(sys.modules), extra & set(sys.modules)
names = {(found.metadata["Name"] or "").lower().replace("_", "-") for found in distributions()}
assert names <= {"confmat", "polars", "polars-runtime-32", "numpy", "pip", "setuptools"}, names

import polars as pl  # noqa: E402  (after the check of what confmat alone loads)

for file in ("py.typed", "_core.pyi", "functions.pyi"):
    assert (files("confmat") / file).is_file(), file
flights = pl.read_parquet(files("confmat") / "data" / "flights.parquet")
m = cm.confusion_matrix(flights["delay_class"], flights["delay_class_pred"])
assert m.n == 336_776
assert round(m.mcc, 4) == 0.3144
assert cm.from_bytes(m.to_bytes()) == m
late = flights.drop_nulls("late")
assert round(cm.sweep(late["late"], late["late_score"]).roc_auc, 4) == 0.7677
table = flights.group_by("carrier").agg(cm.metrics("late", "late_pred", ["mcc"]))
assert table.height == 16
assert "weighted avg" in m.classification_report()
for missing, ask in (("mlflow", lambda: cm.mlflow.log(m)), ("plot", m.plot)):
    said = ""
    try:
        ask()
    except cm.ConfmatError as error:
        said = str(error)
    assert f"confmat[{missing}]" in said, missing
print("confmat", cm.__version__, "on Python", sys.version.split()[0], "works alone")
