"""Probabilities of many classes."""
