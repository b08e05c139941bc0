"""Damaged bytes, and unexpected values."""

from __future__ import annotations

from random import Random

#: Numbers at and behind the ends of what programs keep numbers in.
NUMBERS = (
    0, 1, -1, 2, 255, 65_536, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64, 10**18,
    10**19, 10**30, 1_700_000_000, 1_700_000_000_000,
)  # fmt: skip
REALS = (0.5, -0.0, 1e-320, 1e15, 1e19, 1e300, -1e300, float("inf"), float("-inf"), float("nan"))
#: Names that a terminal, a file, a page or a spreadsheet might obey, and such as are no text.
NAMES = (
    "", " ", "\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "a\rb", "a\nb", "a\tb", "\x00", "\x7f\x9b1m", "\u202egnirts",
    "\u2028", "\u200b", "=1+1", "@SUM(A1)", "<script>alert(1)</script>", "'; drop table revlog; --", "%s%n{0}",
    "$HOME", "日本語", "e\u0301" * 60, "👩‍👩‍👧", "x" * 5_000, "\x1f".join(["a"] * 50), "::", "a::b", "\ud800", "\ufeff",
    "*", "_", '"', "\\", "nan", "None", "-", "--help", "deck:*", "(", "tag:re:(((", "rated:99999999999",
    "prop:ivl>1e999", "or or",
)  # fmt: skip

MOST_DAMAGES = 4


def damaged(random: Random, content: bytes) -> bytes:
    """Change the bytes in one to some places."""
    data = bytearray(content)
    for _ in range(random.randint(1, MOST_DAMAGES)):
        _damage(random, data)
    return bytes(data)


def _damage(random: Random, data: bytearray) -> None:
    # As often near the beginning, where the headers are.
    place = random.randrange(random.choice((min(len(data), 120), len(data))) + 1)
    length = random.choice((1, 2, 8, 100, 4096))
    kind = random.randrange(8)
    if kind == 0:
        del data[place:]
    elif kind == 1:
        del data[place : place + length]
    elif kind == 2:
        data[place:place] = random.randbytes(length)
    elif kind == 3:
        data[place : place + length] = bytes([random.choice((0, 0xFF, 7))]) * length
    elif kind == 4:
        other = random.randrange(len(data) + 1)
        data[place : place + length] = data[other : other + length]
    elif kind == 5:
        number = random.choice(NUMBERS) & 0xFFFFFFFF
        data[place : place + 4] = number.to_bytes(4, random.choice(("big", "little")))
    elif place < len(data):
        data[place] ^= 1 << random.randrange(8)


def typed_name(random: Random) -> str:
    """A random name that can be typed: no shell passes on a NUL."""
    return random.choice(NAMES).replace("\0", "").encode("utf-8", "replace").decode()


def value(random: Random) -> object:
    """A value of any type that a database can hold, unexpected in any column or key."""
    kind = random.randrange(5)
    if kind == 0:
        return random.choice([number for number in NUMBERS if -(2**63) <= number < 2**63])
    if kind == 1:
        return random.choice(REALS)
    if kind == 2:
        return random.choice(NAMES).encode("utf-8", "replace").decode()
    return None if kind == 3 else random.randbytes(random.choice((0, 3, 300)))
