#!/usr/bin/env python3
"""What SciPy computes from the pictures in this folder, for the lessons 06_correlation and 07_sobel
and for tests/unit/ops. Run by hand, with SciPy and Pillow installed; the files were made with SciPy
1.17.1 and NumPy 2.4.6.

    correlation.npz   cat.png in grey: its correlation with sharpen (3x3), blur (5x5), edge (7x7)
                      and Sobel's 5x3 filter
    sobel.npz         coffee.png in grey: sqrt(gx^2 + gy^2) for four filters, and the correlation
                      with the ring of ones

Both hold float32, one array for each filter. Results are computed in double precision and rounded
to 15 binary digits, a relative error of at most 3.1e-5: a third of what the comparison allows. So
they can be compressed to half the size.
"""

import pathlib

import numpy as np
from PIL import Image
from scipy.signal import convolve2d

HERE = pathlib.Path(__file__).resolve().parent

SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
BLUR = np.full((5, 5), 1 / 25)
EDGE = np.array([[x / (x * x + y * y) if x else 0 for x in range(-3, 4)] for y in range(-3, 4)])
SOBEL_3X3 = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]])
SCHARR_3X3 = np.array([[3, 0, -3], [10, 0, -10], [3, 0, -3]])
SOBEL_5X3 = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1], [2, 0, -2], [1, 0, -1]])
SOBEL_5X5 = np.array([[1, 0, 0, 0, -1], [2, 0, 0, 0, -2], [1, 0, 0, 0, -1], [2, 0, 0, 0, -2],
                      [1, 0, 0, 0, -1]])
RING = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])


def grey(name):
    """As lanes::to_grey: from 0 to 1."""
    return np.asarray(Image.open(HERE / name).convert("RGB"),
                      dtype=np.float64) @ [0.299, 0.587, 0.114] / 255


def correlation(filter, image):
    return convolve2d(image, np.rot90(filter, 2), mode="same")


def sobel(filter, image):
    return np.sqrt(correlation(filter, image)**2 + correlation(filter.T, image)**2)


def shortened(values, digits=15):
    """Rounded to so many binary digits."""
    fraction, exponent = np.frexp(values)
    return np.ldexp(np.round(np.ldexp(fraction, digits)), exponent - digits)


def write(name, results):
    np.savez_compressed(
        HERE / name, **{key: shortened(values).astype("<f4")
                        for key, values in results.items()})


cat, coffee = grey("cat.png"), grey("coffee.png")
write(
    "correlation.npz", {
        "sharpen": correlation(SHARPEN, cat),
        "blur": correlation(BLUR, cat),
        "edge": correlation(EDGE, cat),
        "sobel_5x3": correlation(SOBEL_5X3, cat)
    })
write(
    "sobel.npz", {
        "sobel_3x3": sobel(SOBEL_3X3, coffee),
        "scharr_3x3": sobel(SCHARR_3X3, coffee),
        "sobel_5x3": sobel(SOBEL_5X3, coffee),
        "sobel_5x5": sobel(SOBEL_5X5, coffee),
        "ring": correlation(RING, coffee)
    })
