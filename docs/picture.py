"""Write the pictures of the README.

``docs/demo.svg`` is what ``confmat demo`` prints for each airline, ``docs/thresholds.png`` is drawn
by ``s.plot.metrics``, ``docs/quarters.png`` from states of months; ``docs/fairness.png`` is that of
``docs/fairness.md``, ``docs/comparison.png`` that of ``docs/uncertainty.md``,
``docs/residuals.png`` and ``docs/predictions.png`` those of ``docs/regression.md``, and
``docs/report.png`` the top of a report, for which Chromium and the extra ``browser`` are needed.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
from rich.console import Console
from rich.terminal_theme import MONOKAI

import confmat as cm
from confmat.command.table import print_slices
from confmat.fairness.from_parts import fairness
from confmat.frames.states import merge_states
from confmat.logs.shown_intervals import first_ends

METRICS = ["accuracy", "balanced_accuracy", "f1_macro", "mcc", "gmcc", "eve"]


FOLDER = Path(__file__).parent
LOG = str(files("confmat") / "data" / "flights.parquet")


def draw_demo() -> None:
    """Draw the table of slices without reading anything from a terminal."""
    console = Console(record=True, width=88, file=io.StringIO(), force_terminal=True)
    log = pl.scan_parquet(LOG)
    e = cm.evaluate(log, "delay_class", "delay_class_pred", by="carrier", metrics=METRICS)
    slices = e.slices()
    print_slices(console, slices, ["carrier"], METRICS, first_ends(e, slices, METRICS))
    title = f"confmat {cm.__version__}: 336,776 flights by airline"
    svg = console.export_svg(title=title, theme=MONOKAI, unique_id="confmat")
    # The page that shows the picture has a monospaced font; nothing is fetched.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    (FOLDER / "demo.svg").write_text(svg, encoding="utf-8")


def draw_thresholds() -> None:
    """Draw metrics of the late flights at every threshold."""
    flights = pl.read_parquet(LOG)
    s = cm.sweep(flights["late"], flights["late_score"])
    chart = s.plot.metrics(["mcc", "f1", "precision", "recall"])
    chart.save(FOLDER / "thresholds.png", ppi=100)


def draw_quarters() -> None:
    """Draw the curves of four quarters from the states of their months."""
    months = pl.scan_parquet(LOG).group_by("month").agg(cm.state("late", y_score="late_score"))
    quarters = (
        months.group_by(quarter=(pl.col("month") + 2) // 3)
        .agg(merge_states())
        .sort("quarter")
        .collect()
    )
    sweeps = {f"Q{quarter}": cm.from_bytes(state) for quarter, state in quarters.rows()}
    cm.plot(sweeps).roc(width=380).save(FOLDER / "quarters.png", ppi=100)


def draw_fairness() -> None:
    """Draw the warnings of late flights by airport, within parts of the day."""
    hour = pl.col("hour")
    parts_of_day = (
        pl.when(hour < 12).then(pl.lit("morning"))
        .when(hour < 17).then(pl.lit("afternoon"))
        .otherwise(pl.lit("evening"))
    )  # fmt: skip
    flights = pl.read_parquet(LOG).with_columns(part=parts_of_day)
    parts = cm.partial(flights, y_true="late", y_pred="late_pred", by=["origin", "part"])
    chart = fairness(parts, "origin", "part").plot(["tpr", "fpr", "precision"], width=220)
    chart.save(FOLDER / "fairness.png", ppi=100)


def draw_comparison() -> None:
    """Draw how the accuracy of the four-class model differs from that of the other, by carrier."""
    flights = pl.read_parquet(LOG)
    late = (pl.col("p_short") + pl.col("p_long")) / (1 - pl.col("p_cancelled"))
    both = flights.with_columns(four=late.fill_nan(0.0) >= 0.5)
    models = {"two": "late_pred", "four": "four"}
    cm.compare(both, "late", models, by="carrier").plot().save(FOLDER / "comparison.png", ppi=100)


def draw_regression() -> None:
    """Draw how errors, and how pairs of numbers are spread, of the deliveries of that page."""
    rng = np.random.default_rng(7)
    took = rng.gamma(6, 5, 20_000)
    promised = 4 + 0.9 * took + rng.standard_t(5, 20_000) * 2.5
    r = cm.regression(took, promised, metrics=["median_absolute_error", "density"])
    r.plot.residuals().save(FOLDER / "residuals.png", ppi=100)
    pictures = r.plot.calibration() | r.plot.density()
    pictures.save(FOLDER / "predictions.png", ppi=100)


def draw_report() -> None:
    """Draw the top of the report of ``docs/report.md``."""
    from playwright.sync_api import sync_playwright

    of = {"y_true": "late", "y_pred": "late_pred", "y_score": "late_score"}
    e = cm.evaluate(LOG, **of, by=["origin", "carrier"])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = e.report(Path(folder) / "report.html", title="Late flights from New York")
        executable = os.environ.get("CONFMAT_BROWSER") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1240}, color_scheme="light")
        page.goto(path.as_uri())
        page.screenshot(path=FOLDER / "report.png")
        browser.close()


if __name__ == "__main__":
    draw_demo()
    draw_thresholds()
    draw_quarters()
    draw_fairness()
    draw_comparison()
    draw_regression()
    draw_report()
