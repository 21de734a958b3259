"""What a call gives, in a form that two calls are compared by: value, error, warnings."""

import warnings

import numpy as np


def outcome(function, *args, **kwargs):
    """Return the value, or the type and words of the error, and those of the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            value = error
    return value, [(one.category, str(one.message)) for one in caught]


def assert_same_outcome(ours, theirs):
    """Fail where two outcomes differ in more than the last digits."""
    (value, warned), (expected, also) = ours, theirs
    if isinstance(expected, Exception):
        assert isinstance(value, type(expected)), (value, expected)
        assert str(value) == str(expected)
    else:
        assert_same_value(value, expected)
    assert warned == also


def assert_same_value(value, expected):
    """Fail where two values differ in type, or in more than the last digits."""
    if isinstance(expected, np.ndarray):
        assert (type(value), value.dtype.kind) == (type(expected), expected.dtype.kind)
        np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-14)
    elif isinstance(expected, (tuple, list)):
        assert len(value) == len(expected)
        for one, other in zip(value, expected, strict=True):
            assert_same_value(one, other)
    elif isinstance(expected, dict):
        assert list(value) == list(expected)
        assert_same_value(list(value.values()), list(expected.values()))
    elif isinstance(expected, (float, np.floating)):
        assert isinstance(value, float)
        rtol = 1e-5 if isinstance(expected, np.float32) else 1e-12
        np.testing.assert_allclose(value, expected, rtol=rtol, atol=1e-14)
    else:
        assert value == expected
