"""What the generators of this folder share: input values that C++ computes as well, and numbers as
JSON holds them."""

import math

import numpy as np
import torch

MOST_VALUES = 16  # of a tensor that are stored
SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e15, -1e15, 1e-15]


def hashed(seed, count):
    """`count` random words of 32 bits. programs.hpp has the same function."""
    with np.errstate(over="ignore"):
        h = np.arange(count, dtype=np.uint32) * np.uint32(0x85EBCA77)
        h += np.uint32(seed * 0x9E3779B1 & 0xFFFFFFFF)
        for shift, factor in (15, 0x2C1B3C6D), (12, 0x297A2D39):
            h ^= h >> np.uint32(shift)
            h *= np.uint32(factor)
        return h ^ (h >> np.uint32(15))


def filled(shape, fill, seed):
    """A tensor of float32, or of int64 for labels. fill: see programs.hpp. All numbers are exact."""
    h = hashed(seed, math.prod(shape))
    if fill.startswith("labels"):
        return torch.from_numpy((h % np.uint32(int(fill[6:]))).astype(np.int64)).reshape(shape)
    if fill == "ties":
        values = h % np.uint32(5) - 2.0
    elif fill == "positive":
        values = (h >> np.uint32(9)) / 2.0**22 + 0.5
    else:
        values = (h >> np.uint32(9)) / 2.0**21 - 2
        if fill == "special":
            chosen = np.array(SPECIAL)[(h >> np.uint32(8)) % np.uint32(8)]
            values = np.where(h % np.uint32(6) == 0, chosen, values)
    return torch.from_numpy(values.astype(np.float32)).reshape(shape)


def number(value):
    """Six digits; JSON has neither NaN nor infinities."""
    if not math.isfinite(value):
        return str(value)
    value = float(f"{value:.6g}")
    return int(value) if value == int(value) and abs(value) < 1e6 else value


def stored(tensor, most=None):
    """Shape and values; of a large tensor only every n-th value, to keep files small."""
    flat = tensor.detach().flatten().tolist()
    stride = max(1, -(-len(flat) // (most or MOST_VALUES)))
    entry = {"shape": list(tensor.shape), "values": [number(v) for v in flat[::stride]]}
    return entry | {"stride": stride} if stride > 1 else entry


def close(a, b, tolerance=2e-5):
    """Whether two tensors agree, element by element."""
    if a.shape != b.shape:
        return False
    a, b = a.detach().double(), b.detach().double()
    finite = torch.isfinite(a)
    if not torch.equal(finite, torch.isfinite(b)):
        return False
    if not torch.equal(a[~finite].nan_to_num(7), b[~finite].nan_to_num(7)):
        return False
    a, b = a[finite], b[finite]
    return bool(((a - b).abs() <= tolerance * (1 + b.abs())).all())
