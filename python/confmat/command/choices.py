"""What options that several commands have may be."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Task(str, Enum):
    """What true and predicted values are, where they are no classes."""

    REGRESSION = "regression"


class Other(str, Enum):
    """What to do with a label outside ``--labels``."""

    RAISE = "raise"
    BUCKET = "bucket"


class Nan(str, Enum):
    """What to do with a score that is nan."""

    RAISE = "raise"
    DROP = "drop"


OtherOption = Annotated[
    Other, typer.Option(help="Labels outside --labels: an error, or counted apart.")
]
NanOption = Annotated[
    Nan, typer.Option(help="Scores that are nan: an error, or left out and counted.")
]


class Sides(str, Enum):
    """Which ends intervals have."""

    BOTH = "both"
    LOWER = "lower"
    UPPER = "upper"
