#!/usr/bin/env python3
"""How fast the CUDA kernels of kernels_src are, as ratios against PyTorch, CuPy and a plain copy,
all measured in one run on one GPU. Every rung is compared with float64 on fresh random numbers
before anything is timed. The exit status says whether the results were right and could be
measured, not how fast it was.

    python3 bench/gpu_kernels.py            check, then measure; needs an NVIDIA GPU, CuPy and
                                            PyTorch, about a minute
    python3 bench/gpu_kernels.py --check    only compare with float64, on small sizes; needs no
                                            PyTorch, fit for compute-sanitizer
    python3 bench/gpu_kernels.py --compile  only how long the library takes to compile them, cold
                                            and from its cache; needs no GPU, but build/ or
                                            build/try-gpu

The text is compiled by NVRTC as it stands and started through CuPy, so that this measures the
CUDA kernels and not the library around them.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy as np
except ImportError:  # main() reports it, together with anything else that is missing
    np = None

SOURCES = Path(__file__).resolve().parents[1] / "kernels_src"
SMALL_FILTERS = [(1, 1), (3, 3), (5, 5), (7, 7), (5, 3), (3, 5), (15, 1), (1, 15), (15, 15), (9, 7)]
LARGE_FILTERS = [(3, 3), (5, 5), (7, 7), (5, 3), (3, 5), (9, 9), (15, 15)]
NAMES = {
    "max": [],
    "matmul_transpose": ["matmul_transpose_v4_tile<1>"],
    "correlation": [
        f"correlation_v3_sized<{rows}, {columns}>"
        for rows, columns in dict.fromkeys(SMALL_FILTERS + LARGE_FILTERS)
    ]
}


def missing():
    """What is missing to run this, as text; empty if nothing is."""
    absent = [] if np else ["NumPy"]
    for module, name in [("cupy", "CuPy"), ("torch", "PyTorch")]:
        if module == "torch" and "--check" in sys.argv:
            continue
        try:
            __import__(module)
        except ImportError:
            absent.append(name)
    if "CuPy" not in absent:
        import cupy
        try:
            cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            absent.append(f"an NVIDIA GPU ({error})")
    return absent


class Ladder:
    """One file of kernels_src, compiled for this machine's GPU."""
    def __init__(self, name, names=(), flags=()):
        from cupy_backends.cuda.libs import nvrtc
        import cupy
        text = (SOURCES / f"{name}.cu").read_text()
        arch = cupy.cuda.Device().compute_capability
        begin = time.perf_counter()
        program = nvrtc.createProgram(text, f"{name}.cu", [], [])
        for expression in names:
            nvrtc.addNameExpression(program, expression)
        try:
            nvrtc.compileProgram(
                program, [f"--gpu-architecture=sm_{arch}", "--std=c++17", "--no-cache", *flags])
        except nvrtc.NVRTCError:
            sys.exit(nvrtc.getProgramLog(program))
        self.seconds = time.perf_counter() - begin
        self.lowered = {
            expression: nvrtc.getLoweredName(program, expression)
            for expression in names
        }
        self.module = cupy.cuda.function.Module()
        self.module.load(nvrtc.getCUBIN(program))
        self.functions = {}

    def __call__(self, name, grid, block, *args):
        if name not in self.functions:
            self.functions[name] = self.module.get_function(self.lowered.get(name, name))
        scalars = [np.int32(arg) if isinstance(arg, int) else arg for arg in args]
        self.functions[name](grid, block, scalars)

    def set_constant(self, name, values):
        import cupy
        values = np.ascontiguousarray(values, np.float32)
        address = self.module.get_global_var(name)
        cupy.cuda.runtime.memcpy(address, values.ctypes.data, values.nbytes,
                                 cupy.cuda.runtime.memcpyHostToDevice)


def up(a, b):
    return (a + b - 1) // b


# Launch shapes as in the comments of kernels_src.


def run_max(ladder, version, a, b, c):
    n = c.size
    grid = up(n, 256) if version == 1 else min(up(n, 1024), 1 << 20)
    ladder(f"max_v{version}", (grid, ), (256, ), a, b, c, n)


MATMUL_TILES = {"v2": 32, "v3": 64, "v4": 128, "v4_tile<1>": 64}


def run_matmul(ladder, version, x, c):
    import cupy
    rows, columns = x.shape
    if version == "v1":
        grid, block = (1, ), (1024, )
    else:
        tiles = up(rows, MATMUL_TILES[version])
        grid, block = (tiles * (tiles + 1) // 2, ), (16, 16) if version == "v3" else (128, )
        if version == "v2":
            grid, block = (tiles, tiles), (32, 32)
    multiprocessors = cupy.cuda.Device().attributes["MultiProcessorCount"]
    parts = min(4 * multiprocessors // grid[0], columns // 128) if version == "v4_tile<1>" else 1
    if parts <= 1:
        ladder(f"matmul_transpose_{version}", grid, block, x, c, rows, columns)
        return
    matrices = cupy.empty(parts * rows * rows, dtype=np.float32)  # from CuPy's pool
    ladder(f"matmul_transpose_{version}", (*grid, parts), block, x, matrices, rows, columns)
    ladder("matmul_transpose_sum", (up(rows * rows, 256), ), (256, ), matrices, c,
           np.uint32(rows * rows), parts)


def run_correlation(ladder, version, filter_, image, result):
    rows, columns = image.shape
    if version == "v1":
        ladder("correlation_v1", (rows, ), (columns, ), filter_, image, result, rows, columns,
               *filter_.shape)
    elif version == "v2":
        ladder("correlation_v2", (up(columns, 32), up(rows, 16)), (32, 16), filter_, image, result,
               rows, columns, *filter_.shape)
    elif version == "v3":  # the host has set correlation_filter
        ladder("correlation_v3", (up(columns, 32), up(rows, 64)), (32, 8), image, result, rows,
               columns, *filter_.shape)
    else:
        block, height = (128, 32) if rows * columns >= 1 << 24 else (32, 8)
        ladder(f"correlation_v3_sized<{filter_.shape[0]}, {filter_.shape[1]}>",
               (up(columns, 4 * block), up(rows, height)), (block, ), image, result, rows, columns)


# Right on small sizes, against float64 on the CPU


def correlate64(filter_, image):
    """The definition, by shifted copies; float64."""
    (rows, columns), (filter_rows, filter_columns) = image.shape, filter_.shape
    padded = np.zeros((rows + filter_rows - 1, columns + filter_columns - 1))
    padded[filter_rows // 2:filter_rows // 2 + rows,
           filter_columns // 2:filter_columns // 2 + columns] = image
    return sum(
        float(filter_[i, j]) * padded[i:i + rows, j:j + columns]
        for i in range(filter_rows)
        for j in range(filter_columns))


def relative_error(result, reference):
    """‖result - reference‖ / ‖reference‖; NaN if an element was not written."""
    return float(np.linalg.norm(result - reference) / np.linalg.norm(reference))


def check(what, error, limit=1e-6):
    if not error <= limit:
        sys.exit(
            f"{what}: relative error {error:.3g} against float64, at most {limit:.0e} is right")


def check_small(rng, ladders):
    import cupy
    cupy.cuda.set_allocator(
        None
    )  # separate buffers, so that an access past the end does not hit another buffer
    count = 0

    def device(array):
        out = cupy.empty(array.shape, array.dtype)
        out.set(array)
        return out

    def poisoned(shape, dtype=np.float32):
        return device(np.full(shape, np.nan if dtype == np.float32 else -1, dtype))

    for n in (1, 3, 255, 1000, 4099, 1_000_000):
        a, b = (rng.integers(0, 256, n, dtype=np.int32) for _ in range(2))
        for version in (1, 2):
            c = poisoned(n, np.int32)
            run_max(ladders["max"], version, device(a), device(b), c)
            check(f"max_v{version}, n = {n}", float((c.get() != np.maximum(a, b)).sum()), 0)
            count += 1
    for rows, columns in ((1, 1), (33, 17), (64, 64), (127, 40), (130, 12), (129, 7), (257, 130),
                          (300, 21)):
        x = rng.standard_normal((rows, columns), np.float32)
        for version in ("v1", *MATMUL_TILES):
            c = poisoned((rows, rows))
            run_matmul(ladders["matmul_transpose"], version, device(x), c)
            check(f"matmul_transpose_{version}, {rows}x{columns}",
                  relative_error(c.get(),
                                 x.astype(np.float64) @ x.astype(np.float64).T))
            count += 1
    for rows, columns in ((1, 1), (20, 41), (37, 300), (150, 132), (129, 1024), (215, 215)):
        image = rng.standard_normal((rows, columns), np.float32)
        for shape in SMALL_FILTERS:
            filter_ = rng.standard_normal(shape, np.float32)
            ladders["correlation"].set_constant("correlation_filter", filter_)
            for version in ("v1", "v2", "v3", "sized"):
                result = poisoned(image.shape)
                run_correlation(ladders["correlation"], version, device(filter_), device(image),
                                result)
                check(f"correlation {version}, {rows}x{columns}, filter {shape[0]}x{shape[1]}",
                      relative_error(result.get(), correlate64(filter_, image)))
                count += 1
    cupy.cuda.set_allocator(cupy.get_default_memory_pool().malloc)
    print(f"{count} small cases agree with float64")


# Fast on large ones


def milliseconds(call, repeats=60, warm_up=6):
    """Median over single calls between two events; call(i) may pick the i-th of several inputs."""
    import cupy
    for i in range(warm_up):
        call(i)
    events = [(cupy.cuda.Event(), cupy.cuda.Event()) for _ in range(repeats)]
    for i, (begin, end) in enumerate(events):
        begin.record()
        call(i)
        end.record()
    cupy.cuda.Device().synchronize()
    return statistics.median(cupy.cuda.get_elapsed_time(begin, end) for begin, end in events)


def row(name, ms, note, value=None, limit=None, at_least=True):
    verdict = "" if limit is None else (
        f"{value:6.3f}  {'at least' if at_least else 'at most'} {limit:5.3f}  "
        f"{'pass' if (value >= limit) == at_least else 'FAIL'}")
    print(f"{name:<44} {ms:8.4f} ms  {note:<34} {verdict}", flush=True)


def measure_max(torch, ladder):
    n = 16384 * 16384
    a, b = (torch.randint(0, 256, (n, ), dtype=torch.int32, device="cuda") for _ in range(2))
    c = torch.empty_like(a)
    import cupy
    arrays = [cupy.asarray(t) for t in (a, b, c)]
    rate = lambda ms: f"{12 * n / ms / 1e9:.2f} TB/s"
    peer = milliseconds(lambda i: torch.maximum(a, b, out=c))
    row("max 16384² int32, PyTorch", peer, rate(peer))
    for version in (1, 2):
        c.fill_(-1)
        run_max(ladder, version, *arrays)
        check(f"max_v{version} 16384²", float((c != torch.maximum(a, b)).sum()), 0)
        ms = milliseconds(lambda i: run_max(ladder, version, *arrays))
        row(f"max_v{version}", ms, rate(ms), *((peer / ms, 0.95) if version == 2 else ()))


def measure_matmul(torch, ladder):
    import cupy
    torch.backends.cuda.matmul.allow_tf32 = False
    device = cupy.cuda.Device().attributes
    peak = device["MultiProcessorCount"] * 128 * 2 * device[
        "ClockRate"] / 1e9  # fp32 TFLOP/s at the highest clock
    for rows, columns, versions in ((784, 128, ("v3", "v4", "v4_tile<1>")),
                                    (400, 512, ("v3", "v4", "v4_tile<1>")),
                                    *((rows, 1024, ("v3", "v4", "v4_tile<1>"))
                                      for rows in (400, 512, 784, 1000)),
                                    (4095, 4095, ("v4", )), (4096, 4096, ("v2", "v3", "v4"))):
        inputs = [torch.randn(rows, columns, device="cuda") for _ in range(3)]
        out = torch.empty(rows, rows, device="cuda")
        arrays, result = [cupy.asarray(x) for x in inputs], cupy.asarray(out)
        peer = milliseconds(lambda i: torch.matmul(inputs[i % 3], inputs[i % 3].T, out=out))
        flop = 2 * rows * rows * columns
        row(f"x * transpose(x) {rows}x{columns}, PyTorch", peer,
            f"{flop / peer / 1e9:.1f} TFLOP/s, peak {peak:.1f}")
        reference = inputs[0].double() @ inputs[0].double().T
        for version in versions:
            out.fill_(float("nan"))
            run_matmul(ladder, version, arrays[0], result)
            check(f"matmul_transpose_{version} {rows}x{columns}",
                  float((out - reference).norm() / reference.norm()), 1e-5)
            ms = milliseconds(lambda i: run_matmul(ladder, version, arrays[i % 3], result),
                              repeats=30)
            tiles = up(rows, MATMUL_TILES[version])
            done = flop if version == "v2" else (tiles + 1) / tiles * flop / 2
            limit = (peer / ms, 1.6) if version == "v4" and rows == 4096 else ()
            row(f"matmul_transpose_{version}", ms,
                f"{done / ms / 1e9:.1f} TFLOP/s computed, {peer / ms:.2f} times", *limit)


def correlate64_torch(torch, filter_, image):
    pad = (filter_.shape[1] // 2, ) * 2 + (filter_.shape[0] // 2, ) * 2
    padded, (rows, columns) = torch.nn.functional.pad(image.double(), pad), image.shape
    return sum(
        float(filter_[i, j]) * padded[i:i + rows, j:j + columns]
        for i in range(filter_.shape[0])
        for j in range(filter_.shape[1]))


def measure_correlation(torch, ladder):
    import cupy
    from cupyx.scipy import ndimage
    torch.backends.cudnn.allow_tf32 = False
    size, limits = 8192, {(3, 3): 1 / 0.75, (5, 5): 1.7, (7, 7): 2.6}
    image = torch.randn(size, size, device="cuda")
    out = torch.empty_like(image)
    source, result = cupy.asarray(image), cupy.asarray(out)
    copy = milliseconds(lambda i: out.copy_(image))
    row("copy 8192² fp32", copy, f"{8 * size * size / copy / 1e9:.2f} TB/s")
    for shape in LARGE_FILTERS:
        filter_ = torch.randn(shape)
        coefficients = cupy.asarray(filter_.numpy())
        name = f"{shape[0]}x{shape[1]}"
        if shape in limits:
            peer = milliseconds(
                lambda i: ndimage.correlate(source, coefficients, output=result, mode="constant"),
                repeats=20)
            row(f"correlation {name}, CuPy", peer, f"{peer / copy:.2f} copies")
            weight = filter_.cuda()[None, None]
            peer = milliseconds(
                lambda i: torch.nn.functional.conv2d(image[None, None], weight, padding="same"),
                repeats=10)
            row(f"correlation {name}, PyTorch conv2d", peer, f"{peer / copy:.2f} copies")
        ladder.set_constant("correlation_filter", filter_.numpy())
        reference = correlate64_torch(torch, filter_, image)
        for version in ("v2", "v3", "sized"):
            out.fill_(float("nan"))
            run_correlation(ladder, version, coefficients, source, result)
            check(f"correlation {version} {name}", float(
                (out - reference).norm() / reference.norm()))
            ms = milliseconds(lambda i: run_correlation(ladder, version, coefficients, source,
                                                        result))
            limit = (ms / copy, limits[shape],
                     False) if version == "sized" and shape in limits else ()
            row(f"correlation_{'v3_sized' if version == 'sized' else version} {name}", ms,
                f"{ms / copy:.2f} copies, {copy / ms:.0%} of its bandwidth", *limit)
        del reference


def measure_compilation(arch="sm_90"):
    """How long the library takes to compile through NVRTC, cold and from the cache on disk. It must
    have been built, by `make` or by tools/try-gpu."""
    root = SOURCES.parent
    library = root / "build/lib/liblanes.so"
    parts = [
        str(file)
        for module in ("base", "array", "gpu")
        for file in sorted((root / "build/try-gpu/objects").glob(f"src_{module}_*.o"))
    ]
    if not parts and not library.exists():
        print(
            "compilation by the library: not measured, neither build/lib/liblanes.so nor "
            "build/try-gpu is there (make build, or tools/try-gpu)"
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "nvrtc"
        command = [
            "-std=c++17", "-O2", f"-I{root / 'include'}", f"-I{root / 'src'}",
            str(root / "bench/nvrtc.cpp"), "-o",
            str(program)
        ]
        if library.exists():
            command = [
                "clang++-19", *command, f"-L{library.parent}", "-llanes",
                f"-Wl,-rpath,{library.parent}"
            ]
        else:  # built with g++, without a library: all objects that are not tests
            packed = root / ".cache/try-gpu"
            command = [
                "g++", "-fopenmp", f"-I{packed / 'include'}", *command, *parts,
                *map(str, (packed / "lib").glob("*.a")),
                *map(str, (packed / "lib").glob("libopenblas.so")),
                f"-Wl,-rpath,{packed / 'lib'}", "-pthread", "-ldl"
            ]
        subprocess.run(command, check=True)
        lines = subprocess.run([program, arch],
                               check=True,
                               capture_output=True,
                               text=True,
                               cwd=root).stdout.split("\n")
    for name, cold, cpu, kept in (line.split() for line in lines if line):
        row(f"the library compiles {name}", float(cold), f"{cpu} ms of the CPU",
            float(cold) / 1e3, 0.5, False)
        row(f"the library finds {name} in its cache", float(kept), "", float(kept), 5, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check",
                        action="store_true",
                        help="compare with float64 on small sizes, measure nothing")
    parser.add_argument("--seed",
                        type=int,
                        default=None,
                        help="of the random inputs; a fresh one each run unless given")
    parser.add_argument("--compile",
                        action="store_true",
                        help="measure compilation by the library alone")
    arguments = parser.parse_args()
    if arguments.compile:
        measure_compilation()
        return
    if absent := missing():
        sys.exit(f"bench/gpu_kernels.py cannot measure here, it needs: {', '.join(absent)}")
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 2**32
    print(f"seed {seed}")
    ladders = {name: Ladder(name, names) for name, names in NAMES.items()}
    check_small(np.random.default_rng(seed), ladders)
    if arguments.check:
        return
    import torch
    torch.manual_seed(seed)
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__)
    for name, names, flags in (("max", [], []), ("matmul_transpose", [],
                                                 ["-DRUNG=4"]), ("correlation", [], []),
                               ("correlation", ["correlation_v3_sized<3, 3>"],
                                []), ("correlation", ["correlation_v3_sized<7, 7>"], [])):
        seconds = min(Ladder(name, names, flags).seconds
                      for _ in range(3))  # NVRTC is loaded, its own cache is off
        row(f"NVRTC, {name}.cu{' with ' + names[0][-6:] if names else ''}", seconds * 1e3,
            flags[0] if flags else "all rungs", seconds, 0.5, False)
    measure_compilation()
    measure_max(torch, ladders["max"])
    measure_matmul(torch, ladders["matmul_transpose"])
    measure_correlation(torch, ladders["correlation"])


if __name__ == "__main__":
    main()
