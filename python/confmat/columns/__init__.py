"""Columns of values as the core reads them, by what they are made of."""
