"""NVRTC of the wheel nvidia-cuda-nvrtc, called by ctypes: compiles CUDA C++ to machine code of any
architecture, without a GPU."""

import ctypes
import importlib.util
import re
from pathlib import Path


def library():
    """libnvrtc of the running environment; an error names the package that brings it."""
    places = [
        Path(place) for place in importlib.util.find_spec("nvidia").submodule_search_locations
    ] if importlib.util.find_spec("nvidia") else []
    found = sorted(path for place in places for path in place.glob("*/lib/libnvrtc.so.*"))
    if not found:
        raise FileNotFoundError(
            "no libnvrtc in this environment: `pip install -r requirements.txt` brings it "
            "(nvidia-cuda-nvrtc)"
        )
    return ctypes.CDLL(str(found[-1]))


NVRTC = library()


def check(result, call):
    NVRTC.nvrtcGetErrorString.restype = ctypes.c_char_p
    if result != 0:
        raise RuntimeError(f"{call}: {NVRTC.nvrtcGetErrorString(result).decode()}")


def architectures():
    """What this NVRTC compiles for, as numbers: [75, 80, …]."""
    count = ctypes.c_int()
    check(NVRTC.nvrtcGetNumSupportedArchs(ctypes.byref(count)), "nvrtcGetNumSupportedArchs")
    numbers = (ctypes.c_int * count.value)()
    check(NVRTC.nvrtcGetSupportedArchs(numbers), "nvrtcGetSupportedArchs")
    return list(numbers)


class Compiled:
    """Machine code, or why there is none. resources maps each CUDA kernel to its registers and its
    bytes of stack, spills and shared memory."""
    def __init__(self, text, name, architecture, expressions=()):
        program = ctypes.c_void_p()
        check(
            NVRTC.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None,
                                     None), "nvrtcCreateProgram")
        for expression in expressions:
            check(NVRTC.nvrtcAddNameExpression(program, expression.encode()),
                  f"nvrtcAddNameExpression {expression}")
        options = [
            f"--gpu-architecture=sm_{architecture}".encode(), b"--std=c++17", b"--ptxas-options=-v",
            b"--no-cache"
        ]
        self.ok = NVRTC.nvrtcCompileProgram(program, len(options),
                                            (ctypes.c_char_p * len(options))(*options)) == 0
        self.log = self._text(program, "ProgramLog")
        self.code = self._text(program, "CUBIN", raw=True) if self.ok else b""
        NVRTC.nvrtcDestroyProgram(ctypes.byref(program))
        self.resources = {}
        for part in re.split(r"Compiling entry function ", self.log)[1:]:
            number = lambda pattern: int((re.search(pattern, part) or [0, 0])[1])
            self.resources[re.match(r"'(\w+)'", part)[1]] = {
                "registers": number(r"Used (\d+) registers"),
                "stack": number(r"(\d+) bytes stack frame"),
                "spills": number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads"),
                "shared": number(r"(\d+) bytes smem")
            }

    @staticmethod
    def _text(program, what, raw=False):
        size = ctypes.c_size_t()
        check(
            getattr(NVRTC, f"nvrtcGet{what}Size")(program, ctypes.byref(size)),
            f"nvrtcGet{what}Size")
        buffer = ctypes.create_string_buffer(size.value)
        check(getattr(NVRTC, f"nvrtcGet{what}")(program, buffer), f"nvrtcGet{what}")
        return buffer.raw if raw else buffer.value.decode()
