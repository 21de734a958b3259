"""Models in use: rates over time with ends that hold at every look, and what has drifted."""
