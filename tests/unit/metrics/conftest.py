"""Metrics that a test registers are gone after it."""

import pytest

import confmat as cm
from confmat.own_definitions import own


@pytest.fixture
def register():
    """Return `cm.register_metric`; what is registered with it is taken back after the test."""
    names = []

    def registered(name, formula, **options):
        made = cm.register_metric(name, formula, **options)
        names.append(name)
        return made

    yield registered
    for name in names:
        if own(name) is not None:
            cm.unregister_metric(name)
