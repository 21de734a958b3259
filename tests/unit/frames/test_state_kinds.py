"""The kinds of states are numbered and named as in the core: golden states have them."""

from pathlib import Path

import pytest

from confmat import _core
from confmat.state_kinds import StateKind

GOLDEN = Path(__file__).parents[2] / "state" / "v1"


@pytest.mark.parametrize("kind", StateKind)
def test_golden_states_are_of_the_kind_of_their_name(kind):
    name = kind.name.lower()
    longer = [k.name.lower() for k in StateKind if k.name.startswith(f"{kind.name}_")]
    files = [
        file
        for file in GOLDEN.glob(f"{name}_*.bin")
        if not any(file.name.startswith(f"{other}_") for other in longer)
    ]
    assert files
    assert {_core.state_kind(file.read_bytes()) for file in files} == {kind}
