"""These tests need the release of scikit-learn that confmat.sklearn stands for."""

import sklearn

if not sklearn.__version__.startswith("1.9."):
    collect_ignore_glob = ["test_*.py"]
