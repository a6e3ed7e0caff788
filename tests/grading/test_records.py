"""What a probe writes in C++ can be read in Python, type by type, whatever the answer does to its
streams; and both sides draw the same random numbers."""

import os
import struct
import subprocess

import numpy as np
import pytest
from conftest import ROOT
from grading import probes, records

SEED = 20240611
PROGRAM = """
#include "%s/exercises/probe.hpp"
#include <xtensor/xtensor.hpp>
#include <iomanip>
#include <iostream>

void lanes_probe(lanes::grading::Probe& probe) {
    std::cout << std::hex << std::setprecision(2) << std::fixed << 255 << " a debug line\\n";
    std::cout.setstate(std::ios::failbit);
    std::cerr << "a warning\\n";
    probe.put(probe.integer(-5, 5));
    probe.put(probe.uniform(-2, 3));
    probe.put(probe.random<xt::xtensor<int, 2>>({3, 4}, -9, 9));
    probe.put(probe.random<xt::xtensor<float, 2>>({2, 5}, 0, 1));
    probe.put(xt::xtensor<double, 1>::from_shape({0}));
    probe.put(std::string("a\\0b", 3));
    probe.put(std::vector<std::size_t>{7, 8});
    probe.put(true);
    probe.put(1.0f / 3);
}

int main(int, char** arguments) { lanes::grading::run_probe(lanes_probe, %du, arguments[1]); }
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The file of a probe whose answer prints, sets flags of std::cout and writes to std::cerr."""
    folder = tmp_path_factory.mktemp("probe")
    (folder / "probe.cpp").write_text(PROGRAM % (ROOT, SEED))
    subprocess.run([
        "clang++-19", "-std=c++17", "-Wall", "-Wextra", "-Werror",
        "-fno-relaxed-template-template-args", "-Wno-deprecated-no-relaxed-template-template-args",
        folder / "probe.cpp", "-o", folder / "probe"
    ], check=True)
    (folder / "values").touch()
    subprocess.run([folder / "probe", folder / "values"], check=True, capture_output=True)
    return folder / "values"


def test_values_come_back_with_type_and_shape(written):
    found = records.read(written)
    draw = records.Draws(SEED)
    assert found[0] == draw.integer(-5, 5) and found[0].dtype == np.int64 and found[0].shape == ()
    assert found[1] == pytest.approx(draw.uniform(-2, 3))
    assert found[2].tolist() == [[draw.integer(-9, 9) for _ in range(4)] for _ in range(3)]
    assert found[2].dtype == np.int32
    assert np.allclose(found[3], draw.random((2, 5), 0, 1)) and found[3].dtype == np.float32
    assert found[4].shape == (0, ) and found[4].dtype == np.float64
    assert found[5].tobytes() == b"a\0b"
    assert found[6].tolist() == [7, 8] and found[6].dtype == np.uint64
    assert found[7].dtype == bool and found[7]
    assert found[8] == np.float32(1 / 3)
    assert len(found) == 9


DAMAGED = {
    "nothing": b"",
    "text": b"passed, 9 cases",
    "no end": b"lanesprb",
    "cut off": b"lanesprb<f4\0" + struct.pack("<IQ", 1, 3) + b"1234",
    "an absurd length": b"lanesprb<f4\0" + struct.pack("<IQQ", 2, 2**63, 2**63),
    "another type": b"lanesprb|O8\0" + struct.pack("<I", 0) + b"12345678end\0",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_refused(damage):
    with pytest.raises(records.Unreadable):
        records.parse(DAMAGED[damage])


def test_only_a_plain_file_is_read(tmp_path, written):
    os.symlink(written, tmp_path / "link")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "missing"):
        with pytest.raises(records.Unreadable):
            records.read(tmp_path / name)


def test_integers_are_compared_exactly_and_floats_with_a_tolerance():
    floats, integers = np.float32([[1, 2.5], [-3e-3, 4]]), np.int32([70000, -1])
    differ = lambda *got: probes.difference_of_values(got, [floats, integers])
    assert differ(floats + np.float32(1e-6), integers) is None
    assert differ(floats + np.float32([[0, 0], [0, 1]]), integers) == (
        "1 of 6 numbers differ: at (1, 1) 5, expected 4")
    assert differ(floats * np.nan, integers).startswith("4 of 6 numbers differ: at (0, 0) nan, ")
    assert differ(floats, integers + 1).startswith("2 of 6 numbers differ")
    assert differ(floats.T[:1], integers) == "the shape is (1, 2), expected (2, 2)"
    assert differ(floats) == "1 values, expected 2"


def test_an_answer_that_failed_has_no_values():
    assert probes.difference(probes.Probed(problem="Crash: gone"), probes.Probed(), "max_plain",
                             SEED) == "Crash: gone"
