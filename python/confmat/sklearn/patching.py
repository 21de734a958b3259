"""Our functions in place of scikit-learn's, wherever these were imported, and back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import sklearn
from sklearn.metrics import _scorer

from confmat.errors import ConfmatError
from confmat.sklearn.drop_in import REPLACED

__all__ = ["patch", "unpatch"]

TESTED = (1, 9)

Function = Callable[..., Any]


class _Place(NamedTuple):
    """Where a function is held: a module and a name in it, or a scorer."""

    holder: Any
    name: str
    original: Function

    def put(self, function: Function) -> None:
        setattr(self.holder, self.name, function)

    def holds(self, function: Function | None) -> bool:
        return getattr(self.holder, self.name, None) is function


_places: list[_Place] = []


def patch(*, force: bool = False) -> None:
    """Replace scikit-learn's functions by those of `confmat.sklearn`, and print which.

    Names that modules have imported before are replaced, too, and the functions that scorers
    call: `cross_validate(scoring="f1")`, `GridSearchCV` and `estimator.score` count with confmat.

    Parameters
    ----------
    force : bool, default False
        Replace them also in a release of scikit-learn that was not tested.

    Raises
    ------
    ConfmatError
        Another release than 1.9.

    See Also
    --------
    unpatch : Put scikit-learn's functions back.

    Notes
    -----
    Only names of modules and scikit-learn's own scorers are seen: a function that a class, a
    container or a scorer of yours holds stays as it is.

    Examples
    --------
    >>> import confmat.sklearn
    >>> confmat.sklearn.patch()  # doctest: +ELLIPSIS
    confmat.sklearn replaces ... functions of scikit-learn 1.9...: accuracy_score, ...
    >>> from sklearn.metrics import accuracy_score
    >>> accuracy_score.__module__.partition(".")[0]
    'confmat'
    >>> confmat.sklearn.unpatch()
    """
    found = tuple(map(int, sklearn.__version__.split(".")[:2]))
    if found != TESTED and not force:
        raise ConfmatError(
            f"confmat.sklearn is tested with scikit-learn {TESTED[0]}.{TESTED[1]}, and this is "
            f"{sklearn.__version__}; patch(force=True) replaces its functions nonetheless"
        )
    for place in list(_held(REPLACED)):
        place.put(REPLACED[place.original])
        _places.append(place)
    names = sorted(original.__name__ for original in REPLACED)
    print(
        f"confmat.sklearn replaces {len(names)} functions of scikit-learn {sklearn.__version__}: "
        f"{', '.join(names)}"
    )


def unpatch() -> None:
    """Put scikit-learn's functions back where `patch` replaced them.

    A name that a module has imported from scikit-learn since then keeps ours.

    See Also
    --------
    patch : Replace scikit-learn's functions.

    Examples
    --------
    >>> import confmat.sklearn
    >>> confmat.sklearn.unpatch()  # nothing is replaced: nothing happens
    """
    while _places:
        place = _places.pop()
        if place.holds(REPLACED.get(place.original)):
            place.put(place.original)
    ours = {function: original for original, function in REPLACED.items()}
    for place in list(_held(ours, "sklearn")):  # of modules that were imported since
        place.put(ours[place.original])


def _held(functions: Mapping[Function, Function], within: str = "") -> Iterator[_Place]:
    """Yield where functions are held, in modules of one package or of all but this one."""
    wanted = {id(function): function for function in functions}
    for module_name, module in list(sys.modules.items()):
        package = module_name.partition(".")[0]
        if package == "confmat" or (within and package != within):
            continue
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if id(value) in wanted:
                yield _Place(module, name, wanted[id(value)])
    for scorer in _scorer._SCORERS.values():
        if id(scorer._score_func) in wanted:
            yield _Place(scorer, "_score_func", wanted[id(scorer._score_func)])
