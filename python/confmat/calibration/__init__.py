"""Whether probabilities are what they say, and maps that mend them."""
