"""Average precisions of rows drawn again, against sweeps of rows that weigh what was drawn."""

import numpy as np
import pytest

import confmat as cm
from confmat.multiclass.counted_rows import rows_of
from confmat.multiclass.drawn_precisions import drawn_precisions


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize(("n", "count"), [(9, 2_000), (5_000, 3)])
def test_each_draw_is_a_sweep(average, n, count):
    """Of few rows many are valued at once, of many one by one; in some a class has no row."""
    rng = np.random.default_rng(21)
    y, w = np.arange(n) % 3, rng.exponential(size=n)
    scores = np.round(rng.random((n, 3)), 1)  # with ties
    rows = rows_of(cm.multiclass_sweep(y, scores, sample_weight=w))
    found, _, _ = drawn_precisions(rows, average, count, np.random.default_rng(4))
    times = np.random.default_rng(4).multinomial(n, np.full(n, 1 / n), count)
    assert found.shape == (count,)
    lacks = [at for at, row in enumerate(times) if len(set(y[row > 0])) < 3]
    assert bool(lacks) == (n == 9)
    for at in (0, 1, count // 2, count - 1, *lacks[:3]):
        used = np.repeat(np.arange(n), times[at])
        k = cm.multiclass_sweep(y[used], scores[used], sample_weight=w[used], labels=[0, 1, 2])
        wanted = k.value("average_precision", average=average)
        assert found[at] == pytest.approx(wanted, rel=1e-12)
    assert not np.isnan(found).any()
