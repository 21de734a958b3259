"""What the values of a log are, as the command line is told."""

from __future__ import annotations

from enum import Enum


class Task(str, Enum):
    """What true and predicted values are, where they are no classes."""

    REGRESSION = "regression"
