"""Laws run over a parameter of a new name, too: at values around the default of its fact."""

import pytest
from support import value_names


@pytest.mark.parametrize(
    ("default", "wanted"),
    [
        (-1.0, ("gmcc_mean(-0.5)", "gmcc_mean(-1)", "gmcc_mean(-2)")),
        (0.0, ("gmcc_mean(0)",)),
        (1.0, ("gmcc_mean(0.5)", "gmcc_mean(1)")),  # at most 1
    ],
)
def test_a_parameter_of_a_new_name(default, wanted, monkeypatch):
    fact = {"base": "new", "params": [{"name": "new", "value": default}]}
    monkeypatch.setitem(value_names.FACTS, "gmcc_mean", fact)
    assert value_names.variants("gmcc_mean") == ("gmcc_mean", *wanted)
