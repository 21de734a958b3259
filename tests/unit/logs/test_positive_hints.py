"""Metrics of one class, asked of evaluations of many: who takes the positive class."""

import re

import polars as pl
import pytest

import confmat as cm

LOG = pl.DataFrame(
    {"y": ["a", "b", "c"] * 20, "p": ["a", "c"] * 30, "q": list("abcba") * 12, "k": ["u", "v"] * 30}
)
CALLS = {
    "cm.evaluate": {
        "overall": lambda e: e.overall("f1"),
        "slices": lambda e: e.slices(["f1"], ci=0.9),
        "worst": lambda e: e.worst("f1"),
        "test_slices": lambda e: e.test_slices("f1"),
        "fairness": lambda e: e.fairness("k", metrics=["f1"]),
    },
    "cm.compare": {
        "overall": lambda c: c.overall(["f1"]),
        "slices": lambda c: c.slices("f1"),
        "difference": lambda c: c.difference("f1"),
        "plot": lambda c: c.plot("f1"),
    },
}
MADE = {
    "cm.evaluate": lambda **asked: cm.evaluate(LOG, "y", "p", by="k", **asked),
    "cm.compare": lambda **asked: cm.compare(LOG, "y", ["p", "q"], by="k", **asked),
}


@pytest.mark.parametrize(
    ("maker", "name"), [(maker, name) for maker, names in CALLS.items() for name in names]
)
def test_the_hint_says_who_takes_the_positive_class(maker, name):
    call = CALLS[maker][name]
    told = f"; give pos_label to {maker} or ask for 'f1_macro'"
    with pytest.raises(cm.InputError, match=f"{re.escape(told)}$"):
        call(MADE[maker]())
    assert call(MADE[maker](pos_label="a")) is not None
    assert call(MADE[maker](pos_label="c")) is not None


def test_who_takes_it_is_not_sent_away():
    for call in (
        lambda: cm.evaluate(LOG, "y", "p").matrix().value("f1"),
        lambda: MADE["cm.evaluate"]().plot.slices("f1"),
        lambda: LOG.cm.evaluate("y", "p", metrics=["f1"]),
    ):
        with pytest.raises(cm.InputError, match=r"; give pos_label or ask for 'f1_macro'$"):
            call()


def test_words_of_data_are_left_alone():
    """A class that is called as the hint reads stays what it is called."""
    odd = LOG.with_columns(pl.col("y", "p").replace("a", "x; give pos_label"))
    with pytest.raises(cm.InputError) as error:
        cm.evaluate(odd, "y", "p", by="k").slices(["f1"])
    assert "classes are b, c, x; give pos_label; give pos_label to cm.evaluate or" in str(
        error.value
    )
