"""The state of one slice, or of all rows, as an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.state_queries import JOINT, SCORED, STATE
from confmat.labels import listing
from confmat.logs.joint_states import PAIR
from confmat.objects.states import from_bytes
from confmat.slices.lattice import MODEL


def object_of(parts: pl.DataFrame, column: str, given: Any, named: Mapping[str, Any]) -> Any:
    """Return the object of the slices that the values of keys name, merged.

    Raises
    ------
    InputError
        A key or value that is not there, or there are no such states.
    """
    keys = [name for name in parts.columns if name not in (STATE, SCORED, JOINT)]
    wanted = wanted_keys(keys, given, named)
    if MODEL in keys and MODEL not in wanted and parts[MODEL].n_unique() > 1:
        models = listing(parts[MODEL].unique(maintain_order=True).to_list())
        raise InputError(f"there are several models, {models}; name one, as model=...")
    found = parts
    for name, value in wanted.items():
        try:
            found = found.filter(pl.col(name).eq_missing(pl.lit(value)))
        except pl.exceptions.PolarsError:
            found = found.clear()
    if found.is_empty() and wanted:
        shown = ", ".join(f"{name} = {value!r}" for name, value in wanted.items())
        name = next(iter(wanted))
        there = parts[name].unique(maintain_order=True).to_list()
        raise InputError(f"no slice has {shown}; values of {name!r} are {listing(there)}")
    state = found.select(pl.col(column).cm.merge_states())  # type: ignore[attr-defined]
    if state.item() is None:
        raise InputError("no row was counted: there is nothing of it")
    return from_bytes(state.item())


def of_model(parts: pl.DataFrame, models: Sequence[str], model: str | None) -> pl.DataFrame:
    """Return the states of one model. Raises InputError: there are several and none is named."""
    if not models:
        if model is not None:
            raise InputError(f"`model` is {model!r}; there is one model, and it has no name")
        return parts
    if model not in models:
        raise InputError(f"`model` is {model!r}; wanted one of {listing(list(models))}")
    return parts.filter(pl.col(MODEL) == model).drop(MODEL)


def pair_of(joints: pl.DataFrame | None, model_a: str, model_b: str) -> pl.DataFrame:
    """Return the joint counts of two models, in the order in which they were given."""
    if joints is None:
        raise InputError("there are no two models that predict classes: no joint counts were kept")
    for a, b in ((model_a, model_b), (model_b, model_a)):
        found = joints.filter((pl.col(PAIR[0]) == a) & (pl.col(PAIR[1]) == b)).drop(PAIR)
        if found.height:
            if (a, b) == (model_a, model_b):
                return found
            raise InputError(f"joint counts are kept in the other order: joint({a!r}, {b!r})")
    names = joints.select(PAIR).unique(maintain_order=True).rows()
    raise InputError(f"there are no joint counts of {model_a!r} and {model_b!r}; there are {names}")


def total_of(parts: pl.DataFrame, name: str) -> float:
    """Return a number of rows of the first of some slices: that of predictions, or of scores."""
    for column in (STATE, SCORED):
        if column in parts.columns and parts.height and parts[column][0] is not None:
            of = from_bytes(parts[column][0])
            if hasattr(type(of), name):  # not of itself, which would look for what was meant
                total: float = getattr(of, name)
                return total
    return 0


def wanted_keys(keys: list[str], given: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of keys that name slices. Raises InputError: no such key."""
    if isinstance(given, Mapping):
        wanted = dict(given)
    elif given is None:
        wanted = {}
    elif isinstance(given, tuple) and len(given) == len(keys):
        wanted = dict(zip(keys, given, strict=True))
    elif len(keys) == 1:
        wanted = {keys[0]: given}
    else:
        example = ", ".join(f"{key!r}: ..." for key in keys)
        raise InputError(f"`slice` is {given!r}; wanted values by key, as {{{example}}}")
    wanted |= named
    for name in wanted:
        if name not in keys:
            raise InputError(f"`slice` has the key {name!r}; the keys are {listing(keys)}")
    return wanted
