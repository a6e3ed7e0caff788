#!/usr/bin/env python3
"""How long products, training steps, copies and the GPU versions of ops take, as ratios to
PyTorch's time, all in fp32 without TF32, in one run on one GPU. A ratio below 1 means that the
library is faster.

    LANES_BENCH=build/try-gpu/tensor python3 bench/tensor.py     see tools/try-gpu
    … bench/tensor.py products steps                             only these groups
    … bench/tensor.py --cores 2 cpu_steps                        training steps on two cores

Groups: products, steps, cpu_steps, copies, operations. Only cpu_steps needs no GPU.

PyTorch's captured steps are CUDA graphs; both sides copy each batch into the graph's inputs. The
operations take arrays of the host and return one; copies and operations of PyTorch start from
pageable tensors, as a user has them.

Seen on an NVIDIA H200 with PyTorch 2.11: products 0.87 to 0.95 at 512, 1.01 to 1.03 at 1024, 1.08
(nn) and 1.02 to 1.05 (nt, tn) at 2048 and 4096: 46 to 51 of 64 TFLOP/s that FFMA alone reaches;
kernels_src/tensor_matmul.cu says what separates it from cuBLAS. Captured steps 0.30 to 0.85, but
1.05 for the large network with a batch of 1024, which consists of such products.

Training steps on its host, a Xeon (clang++ 19, OpenBLAS 0.3.29, batches 16 to 1024, the present
thresholds for threads, one run whose figures differ by up to a third when repeated): 0.22 to 1.08 on
16 cores, 0.48 to 1.11 on 8, above 1 only with a batch of 1024. With OpenBLAS 0.3.21: 0.29 to 1.11 on 16
cores; on two cores, other programs on the others, 0.26 to 1.13, but 1.55 for the medium network with a
batch of 1024 (0.38 to 6.46 with the library of before it told OpenBLAS the CPU). With lower thresholds
(32768 steps, 500,000 multiplications) the small network with a batch of 1 took twice as long on two cores
as on one.
Beside a busy process on the same cores steps took 1.0 to 2.6 times as long as alone. A ratio to PyTorch
says little there: its own steps took 3 to 148 times as long.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

try:
    import torch
except ImportError:
    torch = None

NETWORKS = {
    "small": [784, 128, 10],
    "medium": [784, 1024, 1024, 10],
    "large": [784, 4096, 4096, 4096, 10],
}


def wait():
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def seconds_per_call(calls, work):
    for _ in range(3):
        work()
    wait()
    turns = []
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        wait()
        turns.append((time.perf_counter() - begin) / calls)
    return statistics.median(turns)


def products(figures):
    for n in (512, 1024, 2048, 4096):
        a, b = torch.randn(n, n, device="cuda"), torch.randn(n, n, device="cuda")
        calls = 200 if n <= 1024 else 50 if n == 2048 else 10
        figures[f"matmul_nn_{n}"] = seconds_per_call(calls, lambda: a @ b)
        figures[f"matmul_nt_{n}"] = seconds_per_call(calls, lambda: a @ b.T)
        figures[f"matmul_tn_{n}"] = seconds_per_call(calls, lambda: a.T @ b)


def network(widths):
    layers = []
    for i in range(len(widths) - 1):
        layers += [torch.nn.Linear(widths[i], widths[i + 1]), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def training_step(widths, batch, device):
    """A function of x and labels that trains once, and examples of both."""
    model = network(widths).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss = torch.nn.CrossEntropyLoss()

    def step(x, labels):
        optimizer.zero_grad(set_to_none=True)
        loss(model(x), labels).backward()
        optimizer.step()

    x = torch.rand(batch, 784, device=device)
    return step, x, torch.arange(batch, device=device) % 10


def captured(step, x, labels):
    """The same step as a CUDA graph, and its inputs."""
    fixed_x, fixed_labels = x.clone(), labels.clone()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            step(fixed_x, fixed_labels)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step(fixed_x, fixed_labels)

    def replay():
        fixed_x.copy_(x)
        fixed_labels.copy_(labels)
        graph.replay()

    return replay


def steps(figures):
    for name, widths in NETWORKS.items():
        for batch in (16, 128, 1024):
            step, x, labels = training_step(widths, batch, "cuda")
            calls = 20 if name == "large" else 100
            figures[f"eager_{name}_{batch}"] = seconds_per_call(calls, lambda: step(x, labels))
            replay = captured(step, x, labels)
            figures[f"captured_{name}_{batch}"] = seconds_per_call(calls, replay)


def cpu_steps(figures):
    for name, widths in NETWORKS.items():
        for batch in (16, 128, 1024):
            step, x, labels = training_step(widths, batch, "cpu")
            if name == "large" and batch == 1024:
                continue  # takes seconds
            calls = 1 if name == "large" else 20
            figures[f"cpu_{name}_{batch}"] = seconds_per_call(calls, lambda: step(x, labels))


def copies(figures):
    for megabytes in (4, 256):
        count = megabytes << 18
        calls = 50 if megabytes == 4 else 3
        pageable, pinned = torch.ones(count), torch.ones(count).pin_memory()
        there = torch.ones(count, device="cuda")
        for name, host in (("", pageable), ("pinned_", pinned)):
            figures[f"upload_{name}{megabytes}"] = seconds_per_call(
                calls, lambda: (there.copy_(host), torch.cuda.synchronize()))
            figures[f"download_{name}{megabytes}"] = seconds_per_call(
                calls, lambda: (host.copy_(there), torch.cuda.synchronize()))


def operations(figures):
    for n in (1000, 8192):
        a = torch.randint(0, 255, (n, n), dtype=torch.int32)
        b = a + 1
        figures[f"max_{n}"] = seconds_per_call(
            20 if n == 1000 else 2, lambda: torch.maximum(a.cuda(), b.cuda()).cpu())
    for rows, columns in ((784, 128), (4096, 4096)):
        x = torch.rand(rows, columns)

        def product():
            on_gpu = x.cuda()
            return (on_gpu @ on_gpu.T).cpu()

        figures[f"product_{rows}"] = seconds_per_call(50 if rows == 784 else 3, product)
    weight = torch.rand(1, 1, 5, 5)
    for n in (215, 4096):
        image = torch.rand(1, 1, n, n)
        figures[f"correlation_{n}"] = seconds_per_call(
            50 if n == 215 else 3,
            lambda: torch.nn.functional.conv2d(image.cuda(), weight.cuda(), padding=2).cpu())


GROUPS = {"products": products, "steps": steps, "cpu_steps": cpu_steps, "copies": copies,
          "operations": operations}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("groups", nargs="*", metavar="group", help=", ".join(GROUPS))
    parser.add_argument("--cores", type=int, help="use only so many")
    options = parser.parse_known_args()[0]
    groups = options.groups or list(GROUPS)
    unknown = [group for group in groups if group not in GROUPS]
    if unknown:
        parser.error(f"no such group: {', '.join(unknown)}. There are {', '.join(GROUPS)}.")
    program = os.environ.get("LANES_BENCH")
    if torch is None or program is None or (groups != ["cpu_steps"]
                                            and not torch.cuda.is_available()):
        print("tensor: left out, it needs PyTorch, an NVIDIA GPU and LANES_BENCH")
        return
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.cores])
        torch.set_num_threads(options.cores)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    print(f"{gpu}, {len(os.sched_getaffinity(0))} cores, PyTorch {torch.__version__}")
    print(f"{'':<24} {'lanes ms':>10} {'PyTorch ms':>10} {'ratio':>6}")
    for group in groups:
        lines = subprocess.run([program, group], check=True, stdout=subprocess.PIPE,
                               text=True).stdout
        theirs = {}
        GROUPS[group](theirs)
        for name, seconds in map(str.split, lines.splitlines()):
            ours = float(seconds)
            print(f"{name:<24} {1e3 * ours:>10.4f} {1e3 * theirs[name]:>10.4f} "
                  f"{ours / theirs[name]:>6.2f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
