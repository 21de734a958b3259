"""Write ``docs/demo.svg``: what ``confmat demo`` prints for each airline, as a picture."""

from __future__ import annotations

import io
import re
from importlib.resources import files
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.terminal_theme import MONOKAI

import confmat as cm
from confmat.table import print_slices

METRICS = ["accuracy", "balanced_accuracy", "f1_macro", "mcc", "gmcc", "eve"]


def main() -> None:
    """Draw the table of slices without reading anything from a terminal."""
    console = Console(record=True, width=70, file=io.StringIO(), force_terminal=True)
    log = pl.scan_parquet(str(files("confmat") / "data" / "flights.parquet"))
    slices = log.cm.evaluate("delay_class", "delay_class_pred", by="carrier", metrics=METRICS)
    print_slices(console, slices.collect(), ["carrier"], METRICS)
    title = f"confmat {cm.__version__}: 336,776 flights by airline"
    svg = console.export_svg(title=title, theme=MONOKAI, unique_id="confmat")
    # The page that shows the picture has a monospaced font; nothing is fetched.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    Path(__file__).with_name("demo.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
