"""Gates: what is expected of the metrics of states, and whether it holds."""
