"""Ebisu v2, a Bayesian belief about the half-life of a memory.

The state is the belief that recall after T days is Beta(alpha, beta) distributed. A review after t days updates it by
Bayes' rule. The result is approximated by a Beta distribution at the time T' at which mean recall is 1/2. With
delta = t / T and B the beta function, the moments of the recall at time e t are, given the outcome,
  passed: M_n(e) = B(alpha + delta + n delta e, beta) / B(alpha + delta, beta),
  failed: M_n(e) = (B(alpha + n delta e, beta) - B(alpha + delta + n delta e, beta))
                   / (B(alpha, beta) - B(alpha + delta, beta)).

Reference: A. Fasih, Ebisu 2 (fasiha.github.io/ebisu), "Updating the posterior with quiz results" and "Rebalancing";
prior (0.2, 0.2, 512 days) as in the benchmark.
"""

from __future__ import annotations

from typing import Callable, Sequence

import numpy as np

from .algorithm import Array, Recurrent, State

#: The prior, with T in days.
ALPHA = 0.2
BETA = 0.2
DAYS = 512.0
MIN_ELAPSED = 0.001  #: smallest time between reviews, in days
STEPS = 100  #: maximum number of steps of the search for the half-life, which usually takes 10
TOLERANCE = 1e-11  #: largest distance from 1/2 at which the search ends

#: The terms of Stirling's series, B_2k / (2k (2k - 1)), the last one first: Abramowitz & Stegun (1964), 6.1.41.
_STIRLING = (1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
#: Number by which x is raised, because Stirling's series is more exact for a larger x.
_SHIFT = 10


class Ebisu(Recurrent):
    """Ebisu v2 with the benchmark's prior. Any passing grade counts as a success."""

    family = "Half-life and activation"

    def first(self, w: Sequence[Array], rating: Array) -> State:
        zeros = 0.0 * rating
        return self.step(w, (zeros + ALPHA, zeros + BETA, zeros + DAYS), zeros, rating)

    def step(self, w: Sequence[Array], state: State, elapsed: Array, rating: Array) -> State:
        alpha, beta, days = state
        t = np.maximum(elapsed, MIN_ELAPSED)
        delta = t / days
        passed = rating > 1

        # Gamma(b) cancels in every ratio of beta functions, so it is left out.
        log_now = _log_beta_ratio(alpha, beta)
        log_later = _log_beta_ratio(alpha + delta, beta)
        failure_scale = np.expm1(log_later - log_now)

        def moment(n: int, e: Array) -> Array:
            """Return M_n(e)."""
            now = _log_beta_ratio(alpha + n * delta * e, beta)
            later = _log_beta_ratio(alpha + delta + n * delta * e, beta)
            failure = np.exp(now - log_now) * np.expm1(later - now) / failure_scale
            return np.where(passed, np.exp(later - log_later), failure)

        e = _solve_for_half(lambda e: moment(1, e), 1 / delta)
        mean = moment(1, e)
        variance = moment(2, e) - mean**2
        strength = mean * (1 - mean) / variance - 1
        return mean * strength, (1 - mean) * strength, e * t

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        alpha, beta, days = state
        return np.exp(_log_beta_ratio(alpha + elapsed / days, beta) - _log_beta_ratio(alpha, beta))


def _solve_for_half(function: Callable[[Array], Array], start: Array) -> Array:
    """Return the positive x at which a function falling from 1 to 0 is 1/2.

    The search in log x is regula falsi with the Illinois rule, which halves the value at the end that stays in place.
    """
    low = high = np.log(start)
    distance = 1.0
    while (too_low := function(np.exp(high)) > 0.5).any():
        high = np.where(too_low, high + distance, high)
        distance *= 2
    distance = 1.0
    while (too_high := function(np.exp(low)) < 0.5).any():
        low = np.where(too_high, low - distance, low)
        distance *= 2
    low_value = function(np.exp(low)) - 0.5
    high_value = function(np.exp(high)) - 0.5
    middle = low
    for _ in range(STEPS):
        is_flat = low_value == high_value
        middle = np.where(
            is_flat, low, (low * high_value - high * low_value) / np.where(is_flat, 1.0, high_value - low_value)
        )
        value = function(np.exp(middle)) - 0.5
        if (np.abs(value) < TOLERANCE).all():
            break
        is_above = value > 0
        low_value = np.where(is_above, value, low_value / 2)
        high_value = np.where(is_above, high_value / 2, value)
        low = np.where(is_above, middle, low)
        high = np.where(is_above, high, middle)
    return np.exp(middle)


def _log_beta_ratio(a: Array, b: Array) -> Array:
    """Return ln(B(a, b) / Gamma(b)) = ln(Gamma(a) / Gamma(a + b)) for a, b > 0."""
    return _log_gamma(a) - _log_gamma(a + b)


def _log_gamma(x: Array) -> Array:
    """Return ln Gamma(x) for x > 0 to about 14 digits, by Stirling's series at x + 10 and the recurrence."""
    product = x
    for k in range(1, _SHIFT):
        product = product * (x + k)
    y = x + _SHIFT
    inverse = 1 / y
    series = np.polyval(_STIRLING, inverse * inverse) * inverse
    return (y - 0.5) * np.log(y) - y + 0.5 * np.log(2 * np.pi) + series - np.log(product)


ALGORITHMS = (Ebisu("Ebisu v2", "Bayesian belief about each card's half-life, not trained"),)
