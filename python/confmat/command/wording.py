"""Messages of the library in the words of the command line: options in place of arguments.

Messages name arguments as Python writes them, in whole sentences. Who types a command has options,
so sentences are translated, by their words and for the reader alone: nothing is decided by them.
Messages made of typed parts, one for each argument, would be more than that is worth. Each rule is
of a message that a command can give, and has a test.
"""

from __future__ import annotations

import re

_ONE_OF_MORE = "write a column that is true where it is one of them"
_OPTIONS = (
    "y_true|y_pred|y_score|sample_weight|pos_label|labels|metrics|other|nan|task|by|files|force|on"
    "|cluster|level|max_memory|ci|baseline|checkpoint"
)
_RULES = (
    (r"give them to cm\.sweep, or compare them with a threshold", "give them as `--y-score`"),
    (r"compare `y_true == label`, or use cm\.multiclass_sweep", _ONE_OF_MORE),
    (r"wanted scores of each class, \{model: \[columns\]\}", "wanted columns of lists of scores"),
    (r'with nan="drop" cm\.sweep and evaluate leave', "`--nan drop` leaves"),
    (r"`cm\.list_metrics\([^`]*\)` lists them", "`confmat metrics` lists them"),
    (r"(?<![\w'\"`-])labels=(?=[\s,;]|$)", "`--labels`"),
    (r"out by `where`", "out of the file"),
    (r"`bins` is None; wanted .*", "`--exact` is not of scores of many classes; leave it out"),
    (r"outside `source`", "that are not named"),
    (rf'`?\b({_OPTIONS})="(\w+)"`?', r"`--\1 \2`"),
    (rf"`?\b({_OPTIONS})=\.\.\.`?", r"`--\1`"),
    (rf"`({_OPTIONS})`", r"`--\1`"),
    (r"(?<![\w'\"`-])pos_label(?![\w'\"`])", "`--pos-label`"),
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
