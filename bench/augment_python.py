#!/usr/bin/env python3
"""Assignment 2 as one writes it in Python: NumPy for the network, SciPy for the operators, one
process per core, batches made by the workers before each epoch. What bench/augment.py measures
against; prints one number.

    augment_python.py image          microseconds for one image, all four operators
    augment_python.py train EPOCHS   seconds per epoch, training and validation, with a
                                     fifteenth of the workers' start and stop
    augment_python.py                nothing
"""

import gzip
import multiprocessing
import os
import sys
import time
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "data" / "mnist"
Y, X = np.mgrid[0:28, 0:28]
BATCHES, BATCH_SIZE = 300, 16


def shift(image, dx, dy):
    out = np.zeros_like(image)
    out[max(0, -dy):28 - max(0, dy),
        max(0, -dx):28 - max(0, dx)] = image[max(0, dy):28 - max(0, -dy),
                                             max(0, dx):28 - max(0, -dx)]
    return out


def skew(image, tilt):
    column = np.floor(X + Y * tilt).astype(int)
    return np.where((column >= 0) & (column < 28), image[Y, np.clip(column, 0, 27)], 0)


def add_noise(image, noise, rng):
    return np.clip(image + rng.uniform(-noise, noise, image.shape), 0, 1)


def process_image(image, rng):
    from scipy import ndimage

    image = ndimage.rotate(image.reshape(28, 28), rng.uniform(-15, 15), reshape=False, order=1)
    image = skew(shift(image, rng.integers(-1, 2), rng.integers(-1, 2)), rng.uniform(-0.1, 0.1))
    return add_noise(image, 0.02, rng).ravel()


class Worker(multiprocessing.Process):
    def __init__(self, jobs, result):
        super().__init__()
        self.jobs, self.result = jobs, result

    def run(self):
        rng = np.random.default_rng(os.getpid())
        while (job := self.jobs.get()) is not None:
            images, labels = job
            self.result.put((np.stack([process_image(image, rng) for image in images]), labels))


class Network:
    def __init__(self, sizes, learning_rate):
        rng = np.random.default_rng(1)
        self.weights = [rng.uniform(-m**-0.5, m**-0.5, (m, n)) for m, n in zip(sizes, sizes[1:])]
        self.biases = [np.zeros(n) for n in sizes[1:]]
        self.learning_rate = learning_rate

    def forward(self, x):
        activations = [x]
        for w, b in zip(self.weights, self.biases):
            activations.append(1 / (1 + np.exp(-(activations[-1] @ w + b))))
        return activations

    def step(self, x, y):
        a = self.forward(x)
        error = (a[-1] - y) * a[-1] * (1 - a[-1])
        for layer in reversed(range(len(self.weights))):
            dw, db = a[layer].T @ error, error.sum(axis=0)
            if layer:
                error = (error @ self.weights[layer].T) * a[layer] * (1 - a[layer])
            self.weights[layer] -= self.learning_rate * dw
            self.biases[layer] -= self.learning_rate * db

    def validate(self, x, y):
        return (self.forward(x)[-1].argmax(axis=1) == y.argmax(axis=1)).mean()


def mnist():
    """500 images to train on, 10,000 to validate."""
    x = np.frombuffer(gzip.open(FOLDER / "train-images-idx3-ubyte.gz").read(), np.uint8,
                      offset=16).reshape(-1, 784) / 255
    y = np.eye(10)[np.frombuffer(gzip.open(FOLDER / "train-labels-idx1-ubyte.gz").read(),
                                 np.uint8,
                                 offset=8)]
    return (x[:500], y[:500]), (x[50000:], y[50000:])


def epoch(network, jobs, result, training, rng):
    x, y = training
    for _ in range(BATCHES):
        rows = rng.choice(len(x), BATCH_SIZE, replace=False)
        jobs.put((x[rows], y[rows]))
    batches = [result.get() for _ in range(BATCHES)]
    for batch in batches:
        network.step(*batch)


def seconds_an_epoch(epochs):
    training, validation = mnist()
    network, rng = Network([784, 128, 64, 10], 0.1), np.random.default_rng(1)
    begin = time.perf_counter()
    jobs, result = multiprocessing.Queue(), multiprocessing.Queue()
    workers = [Worker(jobs, result) for _ in range(max(2, os.cpu_count()))]
    for worker in workers:
        worker.start()
    around = time.perf_counter() - begin
    begin = time.perf_counter()
    for _ in range(epochs):
        epoch(network, jobs, result, training, rng)
        network.validate(*validation)
    each = (time.perf_counter() - begin) / epochs
    begin = time.perf_counter()
    for _ in workers:
        jobs.put(None)
    for worker in workers:
        worker.join()
    return each + (around + time.perf_counter() - begin) / 15


def microseconds_an_image(calls=50, repeats=20):
    rng = np.random.default_rng(1)
    image = mnist()[0][0][0]
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        for _ in range(calls):
            process_image(image, rng)
        best = min(best, (time.perf_counter() - begin) / calls)
    return 1e6 * best


def main():
    what = sys.argv[1:]
    if what == ["image"]:
        print(microseconds_an_image())
    elif len(what) == 2 and what[0] == "train":
        multiprocessing.set_start_method("fork")
        print(seconds_an_epoch(int(what[1])))


if __name__ == "__main__":
    main()
