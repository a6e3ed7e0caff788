#!/usr/bin/env python3
"""Writes pillow_values.inc: what Pillow's crop and resize (BILINEAR) give, for picture_test.cpp.
Run by hand, with Pillow and NumPy installed; the values were made with Pillow 13.0.0.

    python3 pillow_values.py > pillow_values.inc
"""

import numpy as np
from PIL import Image

# rows and columns of the picture; top, left, rows and columns of the box; rows and columns after it
CASES = [
    ((37, 53), (0, 0, 37, 53), (16, 20)),
    ((300, 200), (17, 31, 200, 150), (12, 9)),
    ((10, 12), (0, 0, 10, 12), (23, 31)),
    ((64, 48), (5, 0, 32, 48), (32, 7)),
    ((9, 9), (2, 3, 1, 5), (4, 4)),
    ((40, 40), (7, 9, 13, 30), (20, 20)),
]


def image(rows, columns):
    y, x = np.mgrid[0:rows, 0:columns]
    channels = [(7 * y + 13 * x + y * x) % 256, (31 * y * y + 5 * x) % 256, 255 * ((y + x) % 2)]
    return np.stack(channels, axis=2).astype(np.uint8)


print("// Made by pillow_values.py: size, box, size of the result, then its bytes.")
for (rows, columns), (top, left, height, width), (out_rows, out_columns) in CASES:
    box = (left, top, left + width, top + height)
    picture = Image.fromarray(image(rows, columns)).crop(box)
    result = np.asarray(picture.resize((out_columns, out_rows), Image.Resampling.BILINEAR))
    print(f"{{{rows}, {columns}, {{{top}, {left}, {height}, {width}}}, "
          f"{out_rows}, {out_columns}, {{")
    numbers = [str(value) for value in result.ravel()]
    for begin in range(0, len(numbers), 24):
        print(", ".join(numbers[begin:begin + 24]) + ",")
    print("}},")
