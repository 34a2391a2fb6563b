"""How many times dearer the second of two things is than the first, from rounds in which both were measured.

The smaller of two estimates, since other work and a changing clock disturb each in its own way: the least of the
second over the least of the first, and the median of the rounds' own ratios.
"""
import statistics


def estimate(first, second):
    """Both are lists of seconds, a value for each round."""
    return min(min(second) / min(first), statistics.median(b / a for a, b in zip(first, second)))
