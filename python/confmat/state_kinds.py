"""The kinds of states by their numbers in saved bytes, named as in the core (`state/kinds.hpp`)."""

from enum import IntEnum


class StateKind(IntEnum):
    """What a state is of."""

    COUNTS = 1
    CURVE = 2
    BINS = 3
    CLASSES = 4  # scores of many
    SETS = 5
    TABLE = 6  # slices, whose states are of the other kinds
    SET_SCORES = 7
    JOINT = 8
    MOMENTS = 9
    JOINT_SCORES = 10


SWEEPS = frozenset({StateKind.CURVE, StateKind.BINS})
JOINTS = frozenset({StateKind.JOINT, StateKind.JOINT_SCORES})
