"""A log of payments of any size, made up from a seed: to try things on, and to measure them."""
