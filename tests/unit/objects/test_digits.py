"""Numbers as they are printed: decimals, digits near zero, what is undefined."""

import math

import pytest

import confmat as cm
from confmat.render.figures import figure


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (0.5, "0.5000"),
        (1, "1.0000"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (-0.25, "-0.2500"),
        (0.001, "0.0010"),
        (0.00099, "0.00099"),
        (1.2345e-5, "1.2e-05"),
        (-1.2345e-5, "-1.2e-05"),
        (5e-324, "4.9e-324"),
        (1234.5, "1234.5000"),
        (1.5e9, "1.5e+09"),
        (math.inf, "inf"),
        (math.nan, "-"),
        (None, "-"),
    ],
)
def test_four_decimals_or_two_digits(value, wanted):
    assert figure(value) == wanted


def test_other_decimals():
    assert [figure(value, 0) for value in (1234567.8, 0.4, 0.6, 0.0, -2.0)] == [
        "1,234,568", "0.4", "1", "0", "-2"
    ]  # fmt: skip
    assert [figure(value, 2) for value in (0.5, 0.05, 0.1)] == ["0.50", "0.05", "0.10"]


def test_sweeps_and_their_pages_have_digits_near_zero():
    s = cm.sweep([0, 1] * 5_000 + [1], [0.5] * 10_000 + [0.6])
    assert 0 < s.ks < 0.001
    for text in (str(s), s._repr_html_()):
        assert f"{s.ks:.2g}" in text
    table = s.calibration(4)
    assert 0 < table.ece < 0.001
    for text in (str(table), table._repr_html_()):
        assert f"{table.ece:.2g}" in text
