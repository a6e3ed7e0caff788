"""Writes pytorch_values.json: results and gradients of PyTorch in float64, with which
pytorch_values_test.cpp compares the tensor operations. Run it where PyTorch is installed:

    python3 tests/unit/tensor/pytorch_values.py

Each entry holds the inputs, the result y and the gradient of sum(y * weights) for each input; all
arrays are flat, with their shapes."""

import json
from pathlib import Path

import torch
import torch.nn.functional as F

torch.manual_seed(20)
LABELS = [4, 0, 2, 2]

# name: (shapes of the inputs, function); the names and the arguments are those of the C++ test
CASES = {
    "matmul": ([(3, 4), (4, 5)], torch.matmul),
    "linear": ([(5, 4), (3, 4), (3,)], F.linear),
    "broadcast": ([(2, 3, 4), (3, 1)], lambda a, b: a * b - a / (b * b + 1)),
    "tanh": ([(3, 4)], torch.tanh),
    "sigmoid": ([(3, 4)], torch.sigmoid),
    "softmax": ([(4, 5)], lambda x: torch.softmax(x, 1)),
    "log_softmax": ([(2, 5, 3)], lambda x: torch.log_softmax(x, 1)),
    "cross_entropy": ([(4, 5)], lambda x: F.cross_entropy(x, torch.tensor(LABELS))),
    "mean": ([(2, 3, 4)], lambda x: x.mean((0, 2))),
    "max": ([(3, 4, 2)], lambda x: x.max(1).values),
    "conv2d": ([(2, 3, 7, 6), (4, 3, 3, 3), (4,)],
               lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1)),
    "max_pool2d": ([(2, 3, 7, 8)], lambda x: F.max_pool2d(x, 3, 2, 1)),
    "avg_pool2d": ([(2, 3, 7, 8)], lambda x: F.avg_pool2d(x, 3, 2, 1)),
    "adaptive_avg_pool2d": ([(2, 3, 7, 8)], lambda x: F.adaptive_avg_pool2d(x, (3, 5))),
    "batch_norm": ([(3, 2, 4, 5), (2,), (2,)],
                   lambda x, w, b: F.batch_norm(x, torch.zeros(2).double(), torch.ones(2).double(),
                                                w, b, training=True)),
    "batch_norm_eval": ([(3, 2, 4, 5), (2,), (2,)],
                        lambda x, w, b: F.batch_norm(x, torch.full((2,), 0.5).double(),
                                                     torch.full((2,), 2.0).double(), w, b)),
}


def flat(tensor):
    return {"shape": list(tensor.shape), "values": tensor.detach().float().flatten().tolist()}


def entry(shapes, function):
    inputs = [torch.randn(shape).double().requires_grad_() for shape in shapes]
    y = function(*inputs)
    weights = torch.rand(y.shape).add(0.5).double()
    y.backward(weights)
    return {
        "inputs": [flat(x) for x in inputs],
        "y": flat(y),
        "weights": flat(weights),
        "gradients": [flat(x.grad) for x in inputs],
    }


if __name__ == "__main__":
    values = {name: entry(*case) for name, case in CASES.items()}
    path = Path(__file__).with_suffix(".json")
    path.write_text(json.dumps({"torch": torch.__version__, "cases": values}) + "\n")
    print(f"{path}: {len(values)} cases")
