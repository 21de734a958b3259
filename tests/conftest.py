"""Settings of all tests: how hypothesis searches, and where `laws` and `oracle` are found."""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

# The laws share their rows and tables; tests themselves are imported by path.
sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile(
    "default",
    max_examples=50,
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("nightly", parent=settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
