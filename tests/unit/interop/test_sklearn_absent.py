"""Where scikit-learn is not there, or is an older one, the error says what is needed."""

import sys

import pytest

import confmat as cm


@pytest.mark.parametrize("gone", ["sklearn", "sklearn.utils._array_api"])
def test_what_is_needed_is_said(monkeypatch, gone):
    for name in list(sys.modules):
        if name.startswith("confmat.sklearn"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, gone, None)
    told = r"scikit-learn 1\.9, which is for Python 3\.11 or later \(.*\): pip install 'confmat\[sk"
    with pytest.raises(cm.ConfmatError, match=told):
        __import__("confmat.sklearn")
