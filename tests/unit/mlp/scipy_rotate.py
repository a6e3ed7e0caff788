#!/usr/bin/env python3
"""Writes scipy_rotate.inc: results of scipy.ndimage.rotate for small images, for augment_test.cpp.
Run by hand, with SciPy installed; the values were made with 1.17.1.

    python3 scipy_rotate.py > scipy_rotate.inc"""

import numpy as np
from scipy import ndimage


def image(rows, columns):
    y, x = np.mgrid[0:rows, 0:columns]
    return ((7 * y + 13 * x + y * x) % 17).astype(np.float32) / 16


print("// Made by scipy_rotate.py: rows, columns, degrees, then the rotated image row by row.")
for rows, columns, degrees in [(28, 28, 10), (28, 28, -37.5), (28, 28, 90), (9, 6, 270),
                               (6, 9, -90), (7, 7, 45), (5, 12, 30), (1, 5, 20), (3, 1, 90),
                               (4, 70, 3.25), (70, 5, 94)]:
    rotated = ndimage.rotate(image(rows, columns),
                             degrees,
                             reshape=False,
                             order=1,
                             mode="constant",
                             cval=0)
    numbers = [
        "0" if abs(v) < 5e-7 else f"{v:.6f}".rstrip("0").rstrip(".") for v in rotated.ravel()
    ]
    print(f"{{{rows}, {columns}, {degrees}, {{")
    for begin in range(0, len(numbers), 24):
        print(", ".join(numbers[begin:begin + 24]) + ",")
    print("}},")
