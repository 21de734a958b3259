"""Evaluations on many machines: tasks that count, tables that merge, whichever engine runs them."""
