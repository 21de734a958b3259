"""scikit-learn's metrics, counted by confmat: the same names, arguments, numbers and words."""

from confmat.errors import ConfmatError as _ConfmatError

try:
    from confmat.sklearn import agreement, averages, confusion, patching, reports
    from confmat.sklearn.agreement import *  # noqa: F403
    from confmat.sklearn.averages import *  # noqa: F403
    from confmat.sklearn.confusion import *  # noqa: F403
    from confmat.sklearn.patching import *  # noqa: F403
    from confmat.sklearn.reports import *  # noqa: F403
except ImportError as _error:
    raise _ConfmatError(
        f"confmat.sklearn needs scikit-learn 1.9 ({_error}): pip install 'confmat[sklearn]'"
    ) from _error

__all__: list[str] = []
for _module in (agreement, averages, confusion, patching, reports):
    __all__ += _module.__all__
