"""The names of the registry that are rates, as the core finds them."""

from confmat.intervals.proportions import proportion_of
from confmat.registry import names

_RATES = {
    name: found for name in names("overall", "class", "average") if (found := proportion_of(name))
}

OF_ALL_ROWS = sorted(name for name, rate in _RATES.items() if rate.is_of_all_rows)
OF_ONE_CLASS = sorted(set(_RATES) - set(OF_ALL_ROWS))
