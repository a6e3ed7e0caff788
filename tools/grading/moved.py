"""The operators of lesson 04 that move pixels, as the assignment defines them. An answer's images
are compared with theirs outside the sandbox."""

import numpy as np


def shifted(image, offset):
    """Moves the image dx to the left and dy up; black pixels come in."""
    (dx, dy), (rows, columns), out = offset, image.shape, np.zeros_like(image)
    if abs(dx) < columns and abs(dy) < rows:
        out[max(0, -dy):rows - max(0, dy),
            max(0, -dx):columns - max(0, dx)] = image[max(0, dy):rows + min(0, dy),
                                                      max(0, dx):columns + min(0, dx)]
    return out


def skewed(image, tilt):
    """out(y, x) = image(y, floor(x + y * tilt)), black outside."""
    return np.vstack(
        [shifted(row[None], (int(np.floor(y * tilt)), 0)) for y, row in enumerate(image)])


def skew_candidates(bound, rows):
    """One tilt for each image that a tilt up to the bound can give: the image changes when y * tilt
    becomes an integer for one of the rows."""
    edges = sorted(
        {-bound, bound}
        | {k / y
           for y in range(1, rows)
           for k in range(-rows, rows + 1)
           if abs(k / y) < bound})
    return [(low + high) / 2 for low, high in zip(edges, edges[1:])]


def rotated(image, degrees):
    """Rotates about the middle, counter-clockwise. Each pixel is interpolated from the four around
    the place that it comes from; black outside."""
    rows, columns = image.shape
    angle, middle_y, middle_x = np.radians(degrees), (rows - 1) / 2, (columns - 1) / 2
    y, x = np.mgrid[0:rows, 0:columns]
    row = middle_y + np.cos(angle) * (y - middle_y) + np.sin(angle) * (x - middle_x)
    column = middle_x - np.sin(angle) * (y - middle_y) + np.cos(angle) * (x - middle_x)
    inside = (row >= 0) & (row <= rows - 1) & (column >= 0) & (column <= columns - 1)
    row, column = np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)
    top, left = np.floor(row).astype(int), np.floor(column).astype(int)
    below, beside = np.minimum(top + 1, rows - 1), np.minimum(left + 1, columns - 1)
    down, right = row - top, column - left
    mixed = (1 - down) * ((1 - right) * image[top, left] + right * image[top, beside]) + down * (
        (1 - right) * image[below, left] + right * image[below, beside])
    return np.where(inside, mixed, 0)
