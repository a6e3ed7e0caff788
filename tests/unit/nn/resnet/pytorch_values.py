#!/usr/bin/env python3
"""Writes pytorch_values.npz: what torchvision's ResNet-18 gives, for pytorch_values_test.cpp. Run by
hand, with PyTorch and torchvision installed; the values were made with 2.4.1 and 0.19.1.

    python3 pytorch_values.py

Tensors are named BLOCK.state.NAME for the weights, and BLOCK.x, BLOCK.eval, BLOCK.train (results in
both modes), BLOCK.gradient (of x, of the sum of squares in train mode) and BLOCK.after.NAME (the
running statistics after the training step). net.x, net.eval and net.train are images and logits of
the whole network with the weights of data/resnet18.
"""

import pathlib

import numpy as np
import torch
from torch import nn
from torchvision.models import resnet18
from torchvision.models.resnet import BasicBlock

WEIGHTS = pathlib.Path(__file__).parents[4] / "data/resnet18/resnet18.npz"


def block(inputs, outputs, stride):
    downsample = None
    if stride != 1 or inputs != outputs:
        downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                   nn.BatchNorm2d(outputs))
    return BasicBlock(inputs, outputs, stride, downsample)


def randomize(module):
    """Statistics and factors that differ between channels, so that a mix-up is seen."""
    for part in module.modules():
        if isinstance(part, nn.BatchNorm2d):
            nn.init.uniform_(part.weight, 0.5, 1.5)
            nn.init.normal_(part.bias, 0, 0.1)
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)


torch.manual_seed(1)
values = {}
for name, (inputs, outputs, stride) in {"same": (4, 4, 1), "down": (4, 6, 2)}.items():
    module = block(inputs, outputs, stride)
    randomize(module)
    x = torch.randn(3, inputs, 9, 8, requires_grad=True)
    for key, tensor in module.state_dict().items():
        if "num_batches" not in key:
            values[f"{name}.state.{key}"] = tensor.clone()
    values[f"{name}.x"] = x
    values[f"{name}.eval"] = module.eval()(x)
    y = module.train()(x)
    values[f"{name}.train"] = y
    (y * y).sum().backward()
    values[f"{name}.gradient"] = x.grad
    for key, tensor in module.state_dict().items():
        if "running" in key:
            values[f"{name}.after.{key}"] = tensor


def pretrained():
    file = np.load(WEIGHTS)
    state = {}
    for key in file.files:
        if key.endswith(".scale"):
            continue
        value = file[key].astype(np.float32)
        if key + ".scale" in file.files:
            value *= file[key + ".scale"].reshape(-1, *[1] * (value.ndim - 1))
        state[key] = torch.from_numpy(value)
    net = resnet18(num_classes=200)
    unused = net.load_state_dict(state, strict=False).missing_keys
    assert all("num_batches" in key for key in unused)
    return net


network = pretrained()
values["net.x"] = torch.randn(4, 3, 48, 40)
with torch.no_grad():
    values["net.eval"] = network.eval()(values["net.x"])
    values["net.train"] = network.train()(values["net.x"])
np.savez(pathlib.Path(__file__).with_suffix(".npz"),
         **{key: tensor.detach().numpy() for key, tensor in values.items()})
