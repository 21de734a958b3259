"""Sets of label numbers as tables of rows by labels."""

import numpy as np
import scipy.sparse


def sparse(sets, width):
    ends = np.cumsum([0, *map(len, sets)])
    codes = np.array([label for row in sets for label in row], dtype=np.int64)
    return scipy.sparse.csr_array(
        (np.ones(len(codes), dtype=np.int8), codes, ends), (len(sets), width)
    )


def table(sets, width):
    return sparse(sets, width).toarray() == 1
