"""Messages of the library in the words of the command line: options in place of arguments."""

from __future__ import annotations

import re

_ONE_OF_MORE = "write a column that is true where it is one of them"
_OPTIONS = (
    "y_true|y_pred|y_score|sample_weight|pos_label|labels|metrics|other|nan|min_n|by"
    "|rows|files|format|force|on|cluster|level|side|max_memory|ci|baseline|checkpoint|on_error"
)
_RULES = (
    (r"give them to cm\.sweep, or compare them with a threshold", "give them as `--y-score`"),
    (r"(?:compare `y_true == label`, or )?use `?cm\.multiclass_sweep`?", _ONE_OF_MORE),
    (r"wanted scores of each class, \{model: \[columns\]\}", "wanted columns of lists of scores"),
    (r'with nan="drop" cm\.sweep and evaluate leave', "`--nan drop` leaves"),
    (r"`?cm\.list_metrics\(\)`? lists (?:them|the metrics)", "`confmat metrics` lists them"),
    (r"(?<![\w'\"`-])labels=(?=[\s,;]|$)", "`--labels`"),
    (r"give pos_label to cm\.(?:evaluate|compare)", "give pos_label"),
    (r"outside `source`", "that are not named"),
    (r"give every label, or", "give every label in `--labels`, or"),
    (rf'`?\b({_OPTIONS})="(\w+)"`?', r"`--\1 \2`"),
    (rf"`?\b({_OPTIONS})=\.\.\.`?", r"`--\1`"),
    (rf"`({_OPTIONS})`", r"`--\1`"),
    (r"(?<![\w'\"`-])(pos_label|sample_weight)(?![\w'\"`])", r"`--\1`"),
)


def worded(message: str) -> str:
    """Return a message that names the options of the command line.

    Examples
    --------
    >>> worded('`y_score` is nan: wanted a number, or nan="drop"')
    '`--y-score` is nan: wanted a number, or `--nan drop`'
    >>> worded("the classes are a, b; pass pos_label=..., one of them")
    'the classes are a, b; pass `--pos-label`, one of them'
    """
    for found, wanted in _RULES:
        message = re.sub(found, wanted, message)
    return re.sub(r"`--\w+", lambda option: option[0].replace("_", "-"), message)
