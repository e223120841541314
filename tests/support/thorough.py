"""Choose what `make test` tries of an exhaustive or random test; `make test-thorough` tries all."""

import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings

# The share of random examples that a run tries. `make test-thorough` sets it to 1.
FACTOR = float(os.environ.get("ORGCTX_TEST_EXAMPLES", "0.2"))


def count(whole: int) -> int:
    """Return how many of so many examples this run tries: at least five."""
    return max(min(5, whole), round(whole * FACTOR))


def examples(whole: int) -> settings:
    """Try `count(whole)` examples."""
    return settings(max_examples=count(whole))


def sampled(values: Iterable[Any], is_sample: Callable[[Any], object]) -> list[Any]:
    """Return parameters of a test; those outside the sample run in `make test-thorough` only."""
    return [
        value if is_sample(value) else pytest.param(value, marks=pytest.mark.thorough)
        for value in values
    ]
