"""scikit-learn's metrics, counted by confmat: the same names, arguments, numbers and words."""

from confmat.errors import ConfmatError as _ConfmatError

try:
    from confmat.sklearn import (
        agreement,
        areas,
        averages,
        calibration,
        confusion,
        curve_displays,
        curves,
        deviances,
        displays,
        hinge,
        patching,
        probabilities,
        ranking,
        regression_losses,
        regression_scores,
        reports,
    )
    from confmat.sklearn.agreement import *  # noqa: F403
    from confmat.sklearn.areas import *  # noqa: F403
    from confmat.sklearn.averages import *  # noqa: F403
    from confmat.sklearn.calibration import *  # noqa: F403
    from confmat.sklearn.confusion import *  # noqa: F403
    from confmat.sklearn.curve_displays import *  # noqa: F403
    from confmat.sklearn.curves import *  # noqa: F403
    from confmat.sklearn.deviances import *  # noqa: F403
    from confmat.sklearn.displays import *  # noqa: F403
    from confmat.sklearn.hinge import *  # noqa: F403
    from confmat.sklearn.patching import *  # noqa: F403
    from confmat.sklearn.probabilities import *  # noqa: F403
    from confmat.sklearn.ranking import *  # noqa: F403
    from confmat.sklearn.regression_losses import *  # noqa: F403
    from confmat.sklearn.regression_scores import *  # noqa: F403
    from confmat.sklearn.reports import *  # noqa: F403
except ImportError as _error:
    raise _ConfmatError(
        "confmat.sklearn needs scikit-learn 1.9, which is for Python 3.11 or later "
        f"({_error}): pip install 'confmat[sklearn]'"
    ) from _error

__all__: list[str] = []
for _module in (
    agreement,
    areas,
    averages,
    calibration,
    confusion,
    curve_displays,
    curves,
    deviances,
    displays,
    hinge,
    patching,
    probabilities,
    ranking,
    regression_losses,
    regression_scores,
    reports,
):
    __all__ += _module.__all__
