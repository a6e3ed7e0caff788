"""The operations that a CUDA kernel chooses by number: the lists of the library and of kernels_src
are the same, and the CUDA kernel has a case for each of them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LISTS = [
    ("Unary", "src/tensor/core/kernels.hpp", "kernels_src/tensor_elementwise.cu"),
    ("Binary", "src/tensor/core/kernels.hpp", "kernels_src/tensor_elementwise.cu"),
    ("Activation", "include/lanes/tensor/ops.hpp", "kernels_src/tensor_reduce.cu"),
]


def enumerators(name, text):
    body = re.search(rf"enum class {name} {{(.*?)}};", text, re.S)[1]
    return re.findall(r"\w+", re.sub(r"//[^\n]*", "", body))


def cases(name, text):
    return re.findall(rf"case {name}::(\w+):", text)


def missing(name, library, cuda):
    """What a reader has to add to the .cu, as a list of words."""
    known = enumerators(name, library)
    there = enumerators(name, cuda)
    if there != known:
        return [f"the list is {there}, the library's {known}"]
    return [f"case {name}::{one}" for one in known if one not in cases(name, cuda)]


@pytest.mark.parametrize("name, library, cuda", LISTS)
def test_the_lists_agree_and_every_operation_has_a_case(name, library, cuda):
    assert not missing(name, (ROOT / library).read_text(), (ROOT / cuda).read_text()), cuda


def test_a_forgotten_operation_is_found():
    library = "enum class Unary { exp, gelu };  // gelu: new"
    switch = "case Unary::exp:"
    assert missing("Unary", library, f"enum class Unary {{ exp }}; {switch}")
    assert missing("Unary", library, f"enum class Unary {{ gelu, exp }}; {switch} case Unary::gelu:")
    assert missing("Unary", library, f"enum class Unary {{ exp, gelu }}; {switch}") == ["case Unary::gelu"]
    assert not missing("Unary", library, f"enum class Unary {{ exp, gelu }}; {switch} case Unary::gelu:")


def test_no_other_cuda_kernel_chooses_by_a_bare_number():
    for path in (ROOT / "kernels_src").glob("tensor_*.cu"):
        found = re.search(r"case \d+:|default:", path.read_text())
        assert not found, f"{path.name}: '{found[0]}'. Write an enum class, and add it to LISTS."
