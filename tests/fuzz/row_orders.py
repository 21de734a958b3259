"""Rows with float weights in random orders: `row_orders.py COUNT [SEED] [ROWS]`.

Every order must give the bits of the first one: exact and binned sweeps with their metrics, and the
matrix; every 50th order also through the slower doors of tests/unit/weights/test_weight_order.py.
"""

import sys
from pathlib import Path

import numpy as np

import confmat as cm

sys.path.insert(0, str(Path(__file__).parent.parent))
from unit.weights.test_weight_order import DOORS, drawn, exact, in_bins, lopsided, matrix, mixed

ASKED = ["roc_auc", "average_precision", "ks", "brier", "log_loss", "ece"]
SLOW = 50


def values(y, s, w):
    return cm.sweep(y, s, sample_weight=w).values(ASKED)


def main(count, seed=0, rows=100_000):
    rng = np.random.default_rng(seed)
    quick = (exact, in_bins, matrix, values)
    rows_of = [drawn(weights, seed, rows) for weights in (mixed, lopsided)]
    wanted = [{door: door(*drawn_rows) for door in (*quick, *DOORS)} for drawn_rows in rows_of]
    for at in range(count):
        order = rng.permutation(rows)
        of = at % len(rows_of)
        mixed_up = [column[order] for column in rows_of[of]]
        for door in quick if at % SLOW else (*quick, *DOORS):
            if door(*mixed_up) != wanted[of][door]:
                sys.exit(f"order {at} of seed {seed}: {door.__name__} differs")
    print(f"{count:,} orders of {rows:,} rows: the same bits")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
