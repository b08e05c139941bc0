"""Ebisu v2: Bayesian belief about the half-life of a memory.

State: the belief that recall after T days is Beta(alpha, beta) distributed. A review after t days updates it by Bayes'
rule; the result is described again as a Beta distribution, at the time T' at which mean recall is 1/2. With
delta = t / T and B the beta function, the moments of the recall at time e t are, given the outcome,
  passed: M_n(e) = B(alpha + delta + n delta e, beta) / B(alpha + delta, beta),
  failed: M_n(e) = (B(alpha + n delta e, beta) - B(alpha + delta + n delta e, beta))
                   / (B(alpha, beta) - B(alpha + delta, beta)).

Reference: A. Fasih, Ebisu 2 (fasiha.github.io/ebisu), "Updating the posterior with quiz results" and "Rebalancing";
prior (0.2, 0.2, 512 days) as in the benchmark.
"""

from __future__ import annotations

from typing import Callable, Sequence, Tuple

import numpy as np

from .algorithm import Array, Recurrent, State

ALPHA, BETA, DAYS = 0.2, 0.2, 512.0
MIN_ELAPSED = 0.001
STEPS = 100  #: maximum number of steps of the search for the half-life, which mostly takes 10
CLOSE = 1e-11


class Ebisu(Recurrent):
    """Ebisu v2 with the benchmark's prior. Any passing grade counts as a success."""

    family = "Half-life and activation"

    def first(self, w: Sequence[Array], rating: Array) -> State:
        blank = 0.0 * rating
        return self.step(w, (blank + ALPHA, blank + BETA, blank + DAYS), blank, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        alpha, beta, days = state
        t = np.maximum(elapsed, MIN_ELAPSED)
        delta = t / days
        passed = rating > 1

        # B(a, b) is taken without Gamma(b), which cancels in every ratio.
        log_now, log_later = log_beta_but_b(alpha, beta), log_beta_but_b(alpha + delta, beta)
        least_failure = np.expm1(log_later - log_now)

        def moment(n: int, e: Array) -> Array:
            now = log_beta_but_b(alpha + n * delta * e, beta)
            later = log_beta_but_b(alpha + delta + n * delta * e, beta)
            failure = np.exp(now - log_now) * np.expm1(later - now) / least_failure
            return np.where(passed, np.exp(later - log_later), failure)

        e = _solve_for_half(lambda e: moment(1, e), 1 / delta)
        mean = moment(1, e)
        variance = moment(2, e) - mean**2
        strength = mean * (1 - mean) / variance - 1
        return mean * strength, (1 - mean) * strength, e * t

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        alpha, beta, days = state
        return np.exp(log_beta_but_b(alpha + elapsed / days, beta) - log_beta_but_b(alpha, beta))


def _solve_for_half(falling: Callable[[Array], Array], start: Array) -> Array:
    """Return the positive x at which a function falling from 1 to 0 is 1/2.

    The search in log x is regula falsi with the Illinois rule, which halves the value at the end that stays in place.
    """
    low, high = np.log(start), np.log(start)
    distance = 1.0
    while (too_low := falling(np.exp(high)) > 0.5).any():
        high = np.where(too_low, high + distance, high)
        distance *= 2
    distance = 1.0
    while (too_high := falling(np.exp(low)) < 0.5).any():
        low = np.where(too_high, low - distance, low)
        distance *= 2
    value_at_low, value_at_high = falling(np.exp(low)) - 0.5, falling(np.exp(high)) - 0.5
    middle = low
    for _ in range(STEPS):
        flat = value_at_low == value_at_high
        middle = np.where(
            flat, low, (low * value_at_high - high * value_at_low) / np.where(flat, 1.0, value_at_high - value_at_low)
        )
        value = falling(np.exp(middle)) - 0.5
        if (np.abs(value) < CLOSE).all():
            break
        is_above = value > 0
        value_at_low, value_at_high = (
            np.where(is_above, value, value_at_low / 2),
            np.where(is_above, value_at_high / 2, value),
        )
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return np.exp(middle)


def log_beta_but_b(a: Array, b: Array) -> Array:
    """Return ln B(a, b) - ln Gamma(b) = ln Gamma(a) - ln Gamma(a + b) for a, b > 0."""
    return log_gamma(a) - log_gamma(a + b)


#: The terms of Stirling's series, B_2k / (2k (2k - 1)): Abramowitz & Stegun (1964), 6.1.41.
_STIRLING: Tuple[float, ...] = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
_SHIFT = 10


def log_gamma(x: Array) -> Array:
    """Return ln Gamma(x) for x > 0 to about 14 digits, by Stirling's series at x + 10 and the recurrence."""
    product = x
    for k in range(1, _SHIFT):
        product = product * (x + k)
    y = x + _SHIFT
    inverse = 1 / y
    squared = inverse * inverse
    series: Array = 0.0
    for c in reversed(_STIRLING):
        series = series * squared + c
    series = series * inverse
    return (y - 0.5) * np.log(y) - y + 0.5 * np.log(2 * np.pi) + series - np.log(product)


ALGORITHMS = (Ebisu("Ebisu v2", "Bayesian belief about each card's half-life, not trained"),)
