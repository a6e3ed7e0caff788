"""Random networks that are trained for some steps: layers, losses, optimizers, schedules, and what
must not change a training, such as a checkpoint in the middle."""

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models.resnet import BasicBlock

from programs import close, filled, number, stored


def random_layers(rng, shape, depth=0):
    """Layers for inputs of `shape`, without the batch, and the shape of their result. A layer is a
    list: its class and the arguments; ["Shared", i] is layer i of the same Sequential once more."""
    layers = []
    for _ in range(rng.randint(1, 3 if depth else 5)):
        flat = len(shape) == 1
        choices = ["ReLU", "Sigmoid", "Tanh", "Dropout", "BatchNorm2d"]
        choices += ["Linear"] * 4 if flat else [
            "Conv2d", "Conv2d", "Conv2d", "MaxPool2d", "AvgPool2d", "AdaptiveAvgPool2d", "Flatten",
            "BasicBlock"]
        choices += ["Sequential"] if depth < 2 else []
        kind = rng.choice(choices)
        shared = [i for i, layer in enumerate(layers)
                  if layer[0] in ("Linear", "BatchNorm2d") and layer[1] == layer[2 if layer[0] ==
                                                                                  "Linear" else 1]
                  and layer[1] == shape[0]]
        if shared and rng.random() < 0.3:
            layers.append(["Shared", rng.choice(shared)])
            continue
        layer = [kind]
        if kind == "Linear":
            layer += [shape[0], rng.choice([shape[0], rng.randint(1, 6)]), rng.random() < 0.8]
            shape = [layer[2]]
        elif kind == "Conv2d":
            kernel = rng.randint(1, min(3, *shape[1:]))
            stride, padding = rng.randint(1, 2), rng.randint(0, 1)
            layer += [shape[0], rng.randint(1, 4), kernel, stride, padding, rng.random() < 0.7]
            shape = [layer[2], *((n + 2 * padding - kernel) // stride + 1 for n in shape[1:])]
        elif kind == "BatchNorm2d":
            layer += [shape[0], rng.choice([1e-5, 0.1]), rng.choice([0.1, 0.3])]
        elif kind == "Dropout":
            layer += [0]
        elif kind in ("MaxPool2d", "AvgPool2d"):
            kernel = rng.randint(1, min(3, *shape[1:]))
            stride, padding = rng.randint(0, 2), rng.randint(0, kernel // 2)
            layer += [kernel, stride, padding]
            stride = stride or kernel
            shape = [shape[0], *((n + 2 * padding - kernel) // stride + 1 for n in shape[1:])]
        elif kind == "AdaptiveAvgPool2d":
            layer += [rng.randint(1, 3), rng.randint(1, 3)]
            shape = [shape[0], *layer[1:]]
        elif kind == "Flatten":
            shape = [shape[0] * shape[1] * shape[2]]
        elif kind == "BasicBlock":
            stride = rng.randint(1, 2)
            layer += [shape[0], rng.choice([shape[0], rng.randint(1, 3)]), stride]
            shape = [layer[2], *((n - 1) // stride + 1 for n in shape[1:])]
        elif kind == "Sequential":
            inner, shape = random_layers(rng, shape, depth + 1)
            layer += [inner]
        layers.append(layer)
    return layers, shape


def batch_norm(features, eps, momentum):
    """For (batch, channels) as well as for images."""
    layer = nn.BatchNorm1d(features, eps, momentum)
    layer._check_input_dim = lambda x: None
    return layer


def basic_block(inside, outside, stride):
    change = None
    if stride != 1 or inside != outside:
        change = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False),
                               nn.BatchNorm2d(outside))
    return BasicBlock(inside, outside, stride, change)


MAKERS = {
    "Linear": nn.Linear,
    "Conv2d": lambda i, o, k, s, p, bias: nn.Conv2d(i, o, k, s, p, bias=bias),
    "BatchNorm2d": batch_norm,
    "ReLU": nn.ReLU,
    "Sigmoid": nn.Sigmoid,
    "Tanh": nn.Tanh,
    "Dropout": nn.Dropout,
    "Flatten": nn.Flatten,
    "MaxPool2d": lambda k, s, p: nn.MaxPool2d(k, s or None, p),
    "AvgPool2d": lambda k, s, p: nn.AvgPool2d(k, s or None, p),
    "AdaptiveAvgPool2d": lambda h, w: nn.AdaptiveAvgPool2d((h, w)),
    "BasicBlock": basic_block,
    "Sequential": lambda layers: build(layers),
}


def build(layers):
    made = []
    for kind, *arguments in layers:
        made.append(made[arguments[0]] if kind == "Shared" else MAKERS[kind](*arguments))
    return nn.Sequential(*made)


def state_of(model):
    """By the names of the library: PyTorch's batch norm also counts batches."""
    return {name: x for name, x in model.state_dict().items() if "num_batches" not in name}


def set_state(model, seed):
    """Tensor i gets the seed + i; of tensors with two names the last one counts."""
    for i, (name, x) in enumerate(state_of(model).items()):
        fill = "positive" if "running_var" in name else "normal"
        with torch.no_grad():
            x.copy_(0.5 * filled(list(x.shape), fill, seed + i))


class Training:

    def __init__(self, program, dtype, changed=0):
        """changed: not 0: all parameters are changed by about the rounding error of float32."""
        self.program, self.dtype = program, dtype
        self.model = build(program["layers"])
        set_state(self.model, program["seed"])
        self.model = self.model.to(dtype)
        for i, x in enumerate(self.model.parameters() if changed else []):
            with torch.no_grad():
                x.mul_(1 + 2.0**-24 * filled(list(x.shape), "normal", 100 * changed + i).to(dtype))
        kind, rate, options = program["optimizer"]
        self.optimizer = {"SGD": torch.optim.SGD, "Adam": torch.optim.Adam}[kind](
            self.model.parameters(), rate, **self.torch_options(options))
        self.scheduler = None
        if program["scheduler"]:
            kind, *arguments = program["scheduler"]
            self.scheduler = getattr(torch.optim.lr_scheduler, kind)(self.optimizer, *arguments)
        self.results = []

    @staticmethod
    def torch_options(options):
        options = dict(options)
        if "beta1" in options:
            options["betas"] = (options.pop("beta1"), options.pop("beta2"))
        return options

    def batch(self, seed, size):
        return filled([size, *self.program["shape"]], "normal", seed).to(self.dtype)

    def loss(self, seed, size):
        y = self.model(self.batch(seed, size))
        y = y.flatten(1)
        if self.program["loss"] == "cross_entropy":
            return F.cross_entropy(y, filled([size], f"labels{y.shape[1]}", seed + 1))
        return F.mse_loss(y, filled(list(y.shape), "normal", seed + 1).to(self.dtype))

    def step(self, step):
        name, *arguments = step
        if name == "forward":
            with torch.no_grad():
                self.results.append(self.model(self.batch(*arguments)))
        elif name == "loss":
            loss = self.loss(*arguments)
            if loss.requires_grad:
                loss.backward()
            self.results.append(loss.detach())
        elif name == "step":
            self.optimizer.step()
        elif name == "zero_grad":
            self.optimizer.zero_grad(set_to_none=True)
        elif name == "clear":  # one parameter without a gradient
            dict(self.model.named_parameters())[arguments[0]].grad = None
        elif name == "freeze":
            dict(self.model.named_parameters())[arguments[0]].requires_grad_(arguments[1])
        elif name == "schedule":
            self.scheduler.step()
            self.results.append(torch.tensor(self.optimizer.param_groups[0]["lr"]))
        elif name == "rate":
            self.optimizer.param_groups[0]["lr"] = arguments[0]
        elif name in ("train", "eval"):
            getattr(self.model, name)()


# What must not change a training. The library does them, PyTorch nothing.
NEUTRAL = ["checkpoint .npz", "checkpoint .safetensors", "weights .npz", "weights .safetensors",
           "state_dict", "copy", "assign", "optimizer_state"]


def random_program(rng):
    shape = rng.choice([[rng.randint(1, 6)], [rng.randint(1, 3), rng.randint(3, 7), rng.randint(3, 7)]])
    layers, last = random_layers(rng, shape)
    optimizer = rng.choice(["SGD", "SGD", "Adam"])
    if optimizer == "SGD":
        momentum = rng.choice([0, 0.9, 0.5])
        options = {"momentum": momentum, "weight_decay": rng.choice([0, 0.1]),
                   "nesterov": momentum > 0 and rng.random() < 0.5}
    else:
        options = {"beta1": rng.choice([0.9, 0.5, 0]), "beta2": rng.choice([0.999, 0.9]),
                   "eps": rng.choice([1e-8, 1e-3]), "weight_decay": rng.choice([0, 0.1])}
    scheduler = rng.choice([None, None, ["StepLR", rng.randint(1, 3), rng.choice([0.1, 0.5])],
                            ["CosineAnnealingLR", rng.randint(1, 4), rng.choice([0, 0.01])]])
    program = {"shape": shape, "layers": layers, "seed": rng.randrange(1 << 16),
               "optimizer": [optimizer, rng.choice([0.1, 0.03]), options], "scheduler": scheduler,
               "loss": rng.choice(["cross_entropy", "mse"]), "steps": []}
    names = [name for name, _ in build(layers).named_parameters()]
    for _ in range(rng.randint(3, 14)):
        size = rng.randint(2, 4)
        kind = rng.random()
        if kind < 0.45:
            step = [["zero_grad"]] * (rng.random() < 0.8)
            step += [["loss", rng.randrange(1 << 16), size], ["step"]]
        elif kind < 0.5 and names:
            step = [["clear", rng.choice(names)]]
        elif kind < 0.56 and names:
            # Cleared, too: PyTorch's optimizers use a gradient that is there even if the parameter
            # requires none any more; the library's leave such a parameter as it is.
            name, on = rng.choice(names), rng.random() < 0.4
            step = [["freeze", name, on], ["clear", name]]
        elif kind < 0.64:
            step = [["schedule"]] if scheduler else [["rate", rng.choice([0.2, 0.01])]]
        elif kind < 0.74:
            step = [["forward", rng.randrange(1 << 16), size]]
        elif kind < 0.84:
            step = [[rng.choice(["train", "eval"])]]
        else:
            step = [rng.choice(NEUTRAL).split()]
        program["steps"] += step
    return program


def program(rng):
    """None if rounding errors decide about its results, as when batch norm divides by the standard
    deviation of a few values that are nearly equal: then PyTorch itself gives other results if
    its weights change in their last bit."""
    made = random_program(rng)
    try:
        runs = [Training(made, torch.float32), Training(made, torch.float64)]
        runs += [Training(made, torch.float64, changed) for changed in (1, 2, 3)]
        for run in runs:
            for step in made["steps"]:
                run.step(step)
    except (ValueError, RuntimeError):  # batch norm of one value, windows larger than the image
        return None
    results = [run.results + list(state_of(run.model).values()) for run in runs]
    if not all(torch.isfinite(x).all() for x in results[1]):
        return None
    if not all(close(x, y) for other in results for x, y in zip(other, results[1])):
        return None
    made["results"] = [stored(x) for x in runs[1].results]
    made["state"] = {name: stored(x, 6) for name, x in state_of(runs[1].model).items()}
    return made
