"""Reads the values that a probe wrote to its file, and computes the random numbers that it drew:
the counterpart of exercises/probe.hpp, which describes the format of the file."""

import os
import stat

import numpy as np

MOST_BYTES = 64 << 20
TYPES = {"<f4", "<f8", "<i4", "<i8", "<u4", "<u8", "|u1", "|i1", "|b1"}
MASK = 2**64 - 1


class Unreadable(Exception):
    """The file is not what a probe writes."""


class Part(str):
    """The name of a part, after its values."""


def read(path, whole=True):
    """The values of a probe's file, as arrays and Parts. The student's session can write to that
    folder: a link, a pipe or a huge file there is not followed. whole=False: it may lack its end,
    as after an exception."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Unreadable(f"the values are missing ({error.strerror})") from None
    with os.fdopen(file, "rb") as opened:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
            raise Unreadable("the values are not in a file of at most 64 MB")
        return parse(opened.read(MOST_BYTES + 1), whole)


def parse(data, whole=True):
    place = 0

    def take(count):
        nonlocal place
        if count > len(data) - place:
            raise Unreadable("the values end early")
        place += count
        return data[place - count:place]

    if take(8) != b"lanesprb":
        raise Unreadable("the values do not begin as a probe's do")
    values = []
    while (whole or place < len(data)) and (kind := take(4)) != b"end\0":
        if kind == b"part":
            values.append(Part(take(int.from_bytes(take(4), "little")).decode("utf-8", "replace")))
            continue
        name = kind.rstrip(b"\0").decode("ascii", "replace")
        axes = int.from_bytes(take(4), "little")
        if name not in TYPES or axes > 8:
            raise Unreadable("the values are damaged")
        shape = [int.from_bytes(take(8), "little") for _ in range(axes)]
        count = 1
        for length in shape:  # Python's integers do not overflow
            count *= length
        raw = take(count * np.dtype(name).itemsize)
        values.append(np.frombuffer(raw, name).reshape(shape))
    return values


class Draws:
    """The random numbers of a Probe with the same seed, call by call."""
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def integer(self, low, high):
        return low + self.next() % (high - low + 1)

    def uniform(self, low, high):
        return low + (high - low) * ((self.next() >> 11) * 2.0**-53)

    def random(self, shape, low, high):
        """An array of floats."""
        count = int(np.prod(shape))
        return np.array([self.uniform(low, high) for _ in range(count)]).reshape(shape)
