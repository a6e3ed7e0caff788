"""Every CUDA kernel of kernels_src compiles to machine code for every architecture that NVRTC
knows, and keeps its numbers in registers. Nothing is run here: the other tests compare the results
of the CUDA kernels with plain C++."""

import re
from pathlib import Path

import nvrtc
import pytest

SOURCES = Path(__file__).resolve().parents[2] / "kernels_src"
ARCHITECTURES = nvrtc.architectures()
LADDERS = {
    "max": ["max_v1", "max_v2"],
    "matmul_transpose":
    ["matmul_transpose_v1", "matmul_transpose_v2", "matmul_transpose_v3", "matmul_transpose_v4"],
    "correlation": ["correlation_v1", "correlation_v2", "correlation_v3"],
}
# Instantiations that only a name expression compiles.
EXPRESSIONS = {
    "max": [],
    "matmul_transpose": ["matmul_transpose_v4_tile<1>"],
    "correlation": [
        f"correlation_v3_sized<{size}>" for size in ("3, 3", "5, 5", "7, 7", "5, 3", "3, 5",
                                                     "15, 1", "1, 15")
    ],
}
# Started after a rung.
HELPERS = {"max": [], "matmul_transpose": ["matmul_transpose_sum"], "correlation": []}

# The operations of the module tensor: one CUDA kernel each, all of them extern "C".
TENSOR = sorted(path.stem for path in SOURCES.glob("tensor_*.cu"))


def text(name):
    return (SOURCES / f"{name}.cu").read_text()


def test_every_file_is_a_ladder_or_belongs_to_tensor():
    assert {path.stem for path in SOURCES.glob("*.cu")} == {*LADDERS, *TENSOR}


@pytest.mark.parametrize("name", LADDERS)
def test_the_list_at_the_top_names_every_rung(name):
    listed = re.match(r"(?://[^\n]*\n)+", text(name)).group()
    for rung in LADDERS[name]:
        assert re.search(rf"^//   {rung}\s", listed, re.M), f"{name}.cu does not list {rung}"


@pytest.mark.parametrize("name", LADDERS)
def test_every_rung_says_how_it_is_launched(name):
    parts = re.split(r"__global__", text(name))
    assert len(parts) - 1 >= len(LADDERS[name])
    for before, after in zip(parts, parts[1:]):
        rung = re.search(r"(\w+)\(const", after)[1]
        comment = re.search(r"((?:^//[^\n]*\n)+)(?:template[^\n]*\n)?[^\n]*\Z", before, re.M)
        assert comment and "Launch" in comment[1], f"{rung} does not say how it is launched"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", LADDERS)
def test_compiles_and_spills_nothing(name, architecture):
    compiled = nvrtc.Compiled(text(name), f"{name}.cu", architecture, EXPRESSIONS[name])
    assert compiled.ok, compiled.log
    assert compiled.code.startswith(b"\x7fELF")
    assert "warning" not in compiled.log, compiled.log
    assert set(LADDERS[name]) <= set(compiled.resources), "plain names are not mangled"
    assert len(compiled.resources) == sum(len(kernels[name]) for kernels in (LADDERS, EXPRESSIONS, HELPERS))
    for rung, used in compiled.resources.items():
        assert 0 < used["registers"] <= 255
        assert used["spills"] == 0 and used["stack"] == 0, f"{rung} on sm_{architecture}: {used}"
        assert used["shared"] <= 48 * 1024


@pytest.mark.parametrize("architecture", sorted({ARCHITECTURES[0], 90, ARCHITECTURES[-1]}))
@pytest.mark.parametrize("name", TENSOR)
def test_tensor_operations_compile_and_spill_nothing(name, architecture):
    compiled = nvrtc.Compiled(text(name), f"{name}.cu", architecture)
    assert compiled.ok, compiled.log
    assert "warning" not in compiled.log, compiled.log
    for cuda_kernel, used in compiled.resources.items():
        assert cuda_kernel.startswith("tensor_"), "plain names are not mangled"
        assert used["spills"] == 0, f"{cuda_kernel} on sm_{architecture}: {used}"
        assert used["shared"] <= 48 * 1024


def test_what_does_not_compile_is_told():
    broken = nvrtc.Compiled(text("max").replace("int n)", "int m)", 1), "max.cu", ARCHITECTURES[0])
    assert not broken.ok and 'identifier "n" is undefined' in broken.log and not broken.code


def test_spills_are_seen():
    hungry = """extern "C" __global__ void __launch_bounds__(1024) hungry(float* a) {
        float values[200];
        for (int i = 0; i < 200; ++i) values[i] = a[i];
        __syncthreads();
        for (int i = 0; i < 200; ++i) a[i + threadIdx.x] = values[i] * values[199 - i];
    }"""
    assert nvrtc.Compiled(hungry, "hungry.cu", ARCHITECTURES[-1]).resources["hungry"]["spills"] > 0
