"""Random chains of image transforms. What torchvision draws at random is not compared; what it
computes is: sizes, boxes, pixels and normalised numbers. Its pictures are those of Pillow."""

import numpy as np
import torch
from PIL import Image
from torchvision.transforms import functional as F
from torchvision.transforms import CenterCrop, Normalize, RandomHorizontalFlip
from torchvision.transforms import RandomResizedCrop, Resize, ToTensor

from programs import hashed, stored


def picture(rows, columns, seed):
    """(rows, columns, 3): a slope with noise. programs of transforms_test.cpp have the same one."""
    noise = hashed(seed, rows * columns * 3).reshape(rows, columns, 3) % np.uint32(90)
    y, x, channel = np.mgrid[0:rows, 0:columns, 0:3]
    return ((7 * y + 5 * x + 40 * channel) % 160 + noise).astype(np.uint8)


def fallback(rng, rows, columns):
    """A RandomResizedCrop that finds no box, and takes one at the centre in place of it: the box
    has the area of the whole picture and another ratio. Of one row or column torchvision takes
    a third, which is none, and makes it black; the library takes one."""
    own = columns / rows
    ratio = rng.choice([[own / 6, own / 3], [own * 3, own * 6]])
    return ["RandomResizedCrop", rng.randint(1, 12), [1, 1], ratio]


def random_steps(rng, rows, columns):
    steps = []
    for _ in range(rng.randint(1, 4)):
        kind = rng.choice(["Resize", "ResizeTo", "CenterCrop", "Flip", "Crop", "CropAndResize",
                           "RandomResizedCrop"])
        top, left = rng.randint(0, rows - 1), rng.randint(0, columns - 1)
        box = [top, left, rng.randint(1, rows - top), rng.randint(1, columns - left)]
        if kind == "Resize":
            side = rng.randint(1, 30)
            steps.append([kind, side])
            shorter, longer = min(rows, columns), max(rows, columns)
            other = side * longer // shorter
            rows, columns = (side, other) if rows <= columns else (other, side)
        elif kind == "ResizeTo":
            rows, columns = rng.randint(1, 30), rng.randint(1, 30)
            steps.append([kind, rows, columns])
        elif kind == "CenterCrop":
            rows, columns = rng.randint(1, rows), rng.randint(1, columns)
            steps.append([kind, rows, columns])
        elif kind == "Flip":
            steps.append([kind, rng.choice([0, 1, 1])])
        elif kind == "Crop":
            steps.append([kind, *box])
            rows, columns = box[2:]
        elif kind == "CropAndResize":
            rows, columns = rng.randint(1, 30), rng.randint(1, 30)
            steps.append([kind, *box, rows, columns])
        elif min(rows, columns) > 1:
            steps.append(fallback(rng, rows, columns))
            rows = columns = steps[-1][1]
    return steps


def applied(step, image):
    kind, *a = step
    if kind == "Resize":
        return Resize(a[0])(image)
    if kind == "ResizeTo":
        return Resize(a)(image)
    if kind == "CenterCrop":
        return CenterCrop(a)(image)
    if kind == "Flip":
        return RandomHorizontalFlip(a[0])(image)
    if kind == "Crop":
        return F.crop(image, *a)
    if kind == "CropAndResize":
        return F.resized_crop(image, *a[:4], a[4:])
    return RandomResizedCrop(a[0], a[1], a[2])(image)


def program(rng):
    rows, columns, seed = rng.randint(1, 40), rng.randint(1, 40), rng.randrange(1 << 16)
    made = {"size": [rows, columns], "seed": seed, "steps": random_steps(rng, rows, columns)}
    image = Image.fromarray(picture(rows, columns, seed))
    for step in made["steps"]:
        image = applied(step, image)
    made["image"] = stored(torch.from_numpy(np.asarray(image).astype(np.int64)), 24)
    made["mean"] = [rng.choice([0, 0.25, 0.485]) for _ in range(3)]
    made["deviation"] = [rng.choice([1, 0.5, 0.225]) for _ in range(3)]
    made["tensor"] = stored(Normalize(made["mean"], made["deviation"])(ToTensor()(image)), 12)
    return made
