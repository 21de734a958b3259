"""Two partitions compared, as scikit-learn's clustering metrics."""

import numpy as np
import pytest
from oracle.columns import SEEDS, columns
from sklearn.metrics import cluster as sk

import confmat as cm

SCORES = {
    "rand": sk.rand_score,
    "adjusted_rand": sk.adjusted_rand_score,
    "pair_fowlkes_mallows": sk.fowlkes_mallows_score,
    "nmi_min": lambda y, p: sk.normalized_mutual_info_score(y, p, average_method="min"),
    "nmi_max": lambda y, p: sk.normalized_mutual_info_score(y, p, average_method="max"),
    "nmi_arithmetic": sk.normalized_mutual_info_score,
    "nmi_geometric": lambda y, p: sk.normalized_mutual_info_score(y, p, average_method="geometric"),
    "v_measure": sk.v_measure_score,
    "mutual_information": lambda y, p: sk.mutual_info_score(y, p) / np.log(2),
}


@pytest.mark.parametrize("name", SCORES)
def test_score(name):
    compared = 0
    for seed in SEEDS:
        c = columns(seed)
        m = cm.confusion_matrix(c.y, c.p)
        value = m.value(name)
        if np.isnan(value):
            assert m.reason(name)
            continue
        compared += 1
        assert np.isclose(value, SCORES[name](c.y, c.p), rtol=1e-11, atol=1e-12), seed
    assert compared > 30


def test_pair_counts():
    for seed in SEEDS:
        c = columns(seed)
        got = cm.confusion_matrix(c.y, c.p).pair_counts().counts
        # scikit-learn counts ordered pairs, and confmat each pair once.
        assert np.array_equal(2 * got, sk.pair_confusion_matrix(c.y, c.p))
