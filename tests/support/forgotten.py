"""States of sweeps that tests make."""


def forgotten(s):
    """Return a binned sweep without the scores of its bins, as if one of these had held two."""
    return type(s)._of(s._state()._replace(scores=None))
