"""Labels of many classes, most of them predicted right."""

import numpy as np

K = 20_000


def rows_of(k: int = K, n: int = 60_000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    y = np.arange(n) % k
    return y, np.where(random.random(n) < 0.6, y, random.integers(0, k, n))
