"""Reads or writes the files of tensor_files_test.cpp with Python's packages.

    python_files.py write FOLDER    numpy.npz, compressed.npz and safetensors.safetensors
    python_files.py read FOLDER     checks the lanes.npz and lanes.safetensors that the test wrote
"""

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file


def arrays():
    grid = np.arange(6, dtype=np.float32).reshape(2, 3)
    return {
        "0.weight": grid,
        "columns": np.asfortranarray(grid + 1),
        "half": np.array([1.5, -0.25, 6e-8, 65504, np.inf], dtype=np.float16),
        "wide": np.array([0.1, -3], dtype=np.float64),
        "labels": np.array([3, -1, 2**31 - 1], dtype=np.int64),
        "bytes": np.array([[0, 255]], dtype=np.uint8),
        "small": np.array([-128, 127], dtype=np.int8),
        "flags": np.array([True, False]),
        "number": np.array(7, dtype=np.int32),
        "nothing": np.zeros((0, 4), dtype=np.float32),
        "zeros": np.zeros((100, 100), dtype=np.float32),  # is compressed well
    }


def write(folder):
    np.savez(folder / "numpy.npz", **arrays())
    np.savez_compressed(folder / "compressed.npz", **arrays())
    save_file({name: np.ascontiguousarray(array) for name, array in arrays().items()},
              folder / "safetensors.safetensors")


def read(folder):
    packed = np.load(folder / "lanes.npz")
    for tensors in ({name: packed[name] for name in packed.files},
                    load_file(folder / "lanes.safetensors")):
        assert set(tensors) == {"0.weight", "labels", "number", "nothing"}, set(tensors)
        assert tensors["0.weight"].dtype == np.float32
        np.testing.assert_array_equal(tensors["0.weight"], [[1, 2, 3], [4, 5, 6.5]])
        assert tensors["labels"].dtype == np.int32
        np.testing.assert_array_equal(tensors["labels"], [3, -1])
        assert tensors["number"].shape == () and tensors["number"] == 0.5
        assert tensors["nothing"].shape == (0, 4)


{"read": read, "write": write}[sys.argv[1]](Path(sys.argv[2]))
