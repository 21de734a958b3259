"""Pictures of compared models: what `Comparison.plot` asks for.

Altair draws them; it is imported on the first picture only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confmat.plots.framing import framing
from confmat.plots.pictures import drawing

if TYPE_CHECKING:
    import altair as alt

    from confmat.paired.comparison import Comparison


def forest(c: Comparison, metric: str | None, title: Any, width: Any) -> alt.LayerChart:
    """Draw differences with their intervals; `Comparison.plot` says more."""
    return drawing("differences").forest(c, metric, framing(title, width))
