"""Errors too near 0 for a bin of their own."""

import pytest

import confmat as cm


@pytest.mark.parametrize("error", [1e-312, -1e-312, 5e-324, -5e-324])
def test_errors_of_almost_nothing_are_kept(error):
    r = cm.regression([0.0, 0.5, 1.0], [error, 0.5, 0.9], metrics=["median_absolute_error"])
    assert cm.from_bytes(r.to_bytes()) == r
    assert r.median_absolute_error == 0
