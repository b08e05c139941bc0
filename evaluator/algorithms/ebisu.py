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
STEPS = 100  #: the most steps of the search for the half-life; 10 do as a rule
CLOSE = 1e-11


class Ebisu(Recurrent):
    """Ebisu v2 with the benchmark's prior, any passing grade counting as a success."""

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

        e = _where_one_half(lambda e: moment(1, e), 1 / delta)
        mean = moment(1, e)
        variance = moment(2, e) - mean**2
        strength = mean * (1 - mean) / variance - 1
        return mean * strength, (1 - mean) * strength, e * t

    def recall(self, w: Sequence[Array], state: State, elapsed: Array) -> Array:
        alpha, beta, days = state
        return np.exp(log_beta_but_b(alpha + elapsed / days, beta) - log_beta_but_b(alpha, beta))


def _where_one_half(falling: Callable[[Array], Array], start: Array) -> Array:
    """Return the positive x at which a function falling from 1 to 0 is 1/2, by bisection of log x."""
    low, high = np.log(start), np.log(start)
    reach = 1.0
    while (too_low := falling(np.exp(high)) > 0.5).any():
        high = np.where(too_low, high + reach, high)
        reach *= 2
    reach = 1.0
    while (too_high := falling(np.exp(low)) < 0.5).any():
        low = np.where(too_high, low - reach, low)
        reach *= 2
    above, below = falling(np.exp(low)) - 0.5, falling(np.exp(high)) - 0.5
    middle = low
    for _ in range(STEPS):  # regula falsi, the end that stays put counting half (Illinois)
        flat = above == below
        middle = np.where(flat, low, (low * below - high * above) / np.where(flat, 1.0, below - above))
        value = falling(np.exp(middle)) - 0.5
        if (np.abs(value) < CLOSE).all():
            break
        left = value > 0
        above, below = np.where(left, value, above / 2), np.where(left, below / 2, value)
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return np.exp(middle)


def log_beta_but_b(a: Array, b: Array) -> Array:
    """ln B(a, b) - ln Gamma(b) = ln Gamma(a) - ln Gamma(a + b), for a, b > 0."""
    return log_gamma(a) - log_gamma(a + b)


#: The terms of Stirling's series, B_2k / (2k (2k - 1)): Abramowitz & Stegun (1964), 6.1.41.
_STIRLING: Tuple[float, ...] = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
_SHIFT = 10


def log_gamma(x: Array) -> Array:
    """ln Gamma(x) for x > 0, to about 14 digits: Stirling's series at x + 10, and back by the recurrence."""
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
