#!/usr/bin/env python3
"""How fast lesson 09 trains: ResNet-18, frozen but for a new last layer, 32 drawn plates for
training and 8 for validation, batches of 8. Prints ratios to the time of PyTorch, torchvision and
Pillow on the same files, in fp32 without TF32, in one run; below 1 the library is faster.

    LANES_BENCH=build/try-gpu/resnet python3 bench/resnet.py     see tools/try-gpu
    … bench/resnet.py --cores 2     forward pass and pictures on two cores; needs no GPU

PyTorch's loader starts its workers in each epoch, as the project does, or keeps them
(persistent_workers=True). Ours always keeps them.

Seen on an NVIDIA H200 with PyTorch 2.11: forward pass 0.40, 0.70 and 0.87 with batches of 1, 8 and
32 (29 of 67 TFLOP/s), an epoch 0.60 with the pictures on the GPU, 0.16 and 0.04 with workers. On two
cores of its host, a Xeon, with OpenBLAS 0.3.21: one JPEG 0.50; forward pass 1.00, and 4.72 in the
same run with the library of before it told OpenBLAS the CPU and shared one pool of threads.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import torch
    import torchvision
except ImportError:
    torch = None

MEAN, DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


def training_transform():
    from torchvision import transforms
    return transforms.Compose([
        transforms.RandomResizedCrop(224),
        transforms.RandomHorizontalFlip(),
        transforms.ToTensor(),
        transforms.Normalize(MEAN, DEVIATION)
    ])


def validation_transform():
    from torchvision import transforms
    return transforms.Compose([
        transforms.Resize((224, 224)),
        transforms.ToTensor(),
        transforms.Normalize(MEAN, DEVIATION)
    ])


def datasets(folder):
    return (torchvision.datasets.ImageFolder(f"{folder}/split/train", training_transform()),
            torchvision.datasets.ImageFolder(f"{folder}/split/val", validation_transform()))


def loaders(folder, workers, persistent):
    train, val = datasets(folder)
    common = {"batch_size": 8, "num_workers": workers, "persistent_workers": persistent}
    return (torch.utils.data.DataLoader(train, shuffle=True, **common),
            torch.utils.data.DataLoader(val, **common))


def epoch_seconds(train, val, device, epochs):
    """The median time of an epoch; the first is not counted."""
    model = torchvision.models.resnet18(weights=None)
    for parameter in model.parameters():
        parameter.requires_grad = False
    model.fc = torch.nn.Linear(512, 2)
    model.to(device)
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.fc.parameters(), lr=1e-3)
    seconds = []
    for _ in range(epochs):
        begin = time.perf_counter()
        for phase, batches in (("train", train), ("val", val)):
            model.train(phase == "train")
            for x, y in batches:
                x, y = x.to(device), y.to(device)
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    predicted = model(x)
                    loss = loss_of(predicted, y)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                loss.item()
                (predicted.argmax(dim=1) == y).float().mean().item()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds[1:])


def resident_seconds(folder, device):
    train, val = datasets(folder)
    train.transform = validation_transform()
    batches = []
    for dataset in (train, val):
        loader = torch.utils.data.DataLoader(dataset, batch_size=8)
        batches.append([(x.to(device), y.to(device)) for x, y in loader])
    return epoch_seconds(*batches, device, 20)


def forward_seconds(batch, device):
    model = torchvision.models.resnet18(weights=None).to(device).eval()
    x = torch.randn(batch, 3, 224, 224, device=device)
    calls = 1 if device == "cpu" else 20
    seconds = []
    with torch.no_grad():
        for _ in range(9):
            begin = time.perf_counter()
            for _ in range(calls):
                model(x)
            if device != "cpu":
                torch.cuda.synchronize()
            seconds.append((time.perf_counter() - begin) / calls)
    return statistics.median(seconds[1:])


def decode_seconds(folder):
    train, _ = datasets(folder)
    seconds = []
    for _ in range(9):
        begin = time.perf_counter()
        for _ in range(5):
            for i in range(len(train)):
                train[i]
        seconds.append((time.perf_counter() - begin) / 5 / len(train))
    return statistics.median(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cores", type=int, help="measure the CPU, with so many cores")
    options = parser.parse_known_args()[0]
    program = os.environ.get("LANES_BENCH")
    if torch is None or program is None or not (options.cores or torch.cuda.is_available()):
        print("resnet: left out, it needs PyTorch, torchvision, an NVIDIA GPU and LANES_BENCH")
        return
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.cores])
        torch.set_num_threads(options.cores)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False

    def ours(*arguments):
        words = [program, *map(str, arguments)]
        return float(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
                     or "0")

    def row(name, own, peer, target):
        print(f"{name:<58} {1e3 * own:>9.3f} {1e3 * peer:>9.3f} {own / peer:>6.2f} {target:>8g}",
              flush=True)

    gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU"
    print(f"{gpu}, {len(os.sched_getaffinity(0))} cores, PyTorch {torch.__version__}")
    print(f"{'':<58} {'lanes ms':>9} {'peer ms':>9} {'ratio':>6} {'at most':>8}")
    with tempfile.TemporaryDirectory() as folder:
        ours("plates", folder)
        if options.cores:
            row("forward pass, CPU, batch 8", ours("forward", 8, "cpu"), forward_seconds(8, "cpu"),
                1.3)
            row("one JPEG: decode, crop, resize, normalize", ours("decode", folder),
                decode_seconds(folder), 0.7)
            return
        for batch in (1, 8, 32):
            row(f"forward pass, GPU, batch {batch}", ours("forward", batch, "cuda:0"),
                forward_seconds(batch, "cuda"), 1.0)
        row("epoch, pictures on the GPU", ours("resident", folder, "cuda:0"),
            resident_seconds(folder, "cuda"), 1.0)
        own = ours("workers", folder, "cuda:0", 8)
        row("epoch, 8 workers, PyTorch's persist", own,
            epoch_seconds(*loaders(folder, 8, True), "cuda", 20), 0.6)
        row("epoch, 8 workers, PyTorch's start in each epoch", own,
            epoch_seconds(*loaders(folder, 8, False), "cuda", 8), 0.1)


if __name__ == "__main__":
    sys.exit(main())
