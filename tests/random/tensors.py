"""Random programs of tensor operations. A program is a list of steps; most append a tensor to the
list of variables, and refer to variables by their numbers."""

import contextlib

import torch
import torch.nn.functional as F

from programs import close, filled, stored


def plain(tensor):
    """A copy in row-major order: the library has no transposed views."""
    return tensor.clone(memory_format=torch.contiguous_format)


def overlap(a, b):
    if a.untyped_storage().data_ptr() != b.untyped_storage().data_ptr():
        return False
    begin = [x.storage_offset() for x in (a, b)]
    return begin[0] < begin[1] + b.numel() and begin[1] < begin[0] + a.numel()


class Unknown(Exception):
    """Nothing is promised about this step."""


def require(fits):
    """The library wants certain numbers of axes if PyTorch allows several."""
    if not fits:
        raise ValueError


def with_rank(function, *ranks):
    """The function, if its first tensors have these numbers of axes (None: at least one)."""

    def checked(*arguments):
        for x, rank in zip(arguments, ranks):
            require(x is None or (x.dim() == rank if rank is not None else x.dim() > 0))
        return function(*arguments)

    return checked


def linear(x, w, b, activation):
    require(b is None or b.shape == w.shape[:1])
    y = F.linear(x, w, b)
    return {"none": lambda t: t, "relu": torch.relu, "sigmoid": torch.sigmoid}[activation](y)


def conv2d(x, w, b, stride, padding):
    require(x.shape[1] > 0 and w.shape[0] > 0)
    return F.conv2d(x, w, b, stride, padding)


def cross_entropy(logits, labels):
    require(logits.numel() > 0)
    return F.cross_entropy(logits, labels)


def mse_loss(a, b):
    require(a.shape == b.shape)
    return F.mse_loss(a, b)


def batch_norm(x, weight, bias, mean, var, training, momentum, eps):
    for tensor in (weight, bias, mean, var):
        require(tensor.shape == x.shape[1:2])
    changed = [mean, var] if training else []
    for buffer in changed:
        others = [x, weight, bias, var if buffer is mean else mean]
        if any(overlap(buffer, other) for other in others):
            raise Unknown
    if mean.requires_grad or var.requires_grad:
        raise Unknown
    return F.batch_norm(x, mean, var, weight, bias, training, momentum, eps)


# Operations that append their result. Arguments "v0", "v1" stand for variables.
OPERATIONS = {
    "neg": lambda x: -x,
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "square": torch.square,
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "add_number": lambda x, c: x + c,
    "number_sub": lambda x, c: c - x,
    "mul_number": lambda x, c: x * c,
    "div_number": lambda x, c: x / c,
    # A tensor, because PyTorch saves something else for a number and so misses changes of x.
    "number_div": lambda x, c: torch.full_like(x, c, requires_grad=False) / x,
    "sum": lambda x, axes, keep: x.sum() if axes is None else x.sum(axes, keep),
    "mean": lambda x, axes, keep: x.mean() if axes is None else x.mean(axes, keep),
    "max": with_rank(lambda x, axis, keep: x.max(axis, keep).values, None),
    # PyTorch's x.max() divides the gradient among equal elements, the library gives it to the first.
    "max_all": lambda x: x.flatten().max(0).values,
    "argmax": with_rank(lambda x, axis: x.argmax(axis), None),
    "matmul": with_rank(lambda a, b, ta, tb: (a.t() if ta else a) @ (b.t() if tb else b), 2, 2),
    "linear": with_rank(linear, 2, 2, 1),
    "transpose": with_rank(lambda x, a, b: plain(x.transpose(a, b)), None),
    "permute": lambda x, axes: plain(x.permute(axes)),
    "pad": lambda x, l, r, t, b, value: F.pad(x, (l, r, t, b), value=value),
    "index_select": with_rank(lambda x, rows: x.index_select(0, rows), None, 1),
    "softmax": with_rank(torch.softmax, None),
    "log_softmax": with_rank(torch.log_softmax, None),
    "cross_entropy": with_rank(cross_entropy, 2, 1),
    "mse_loss": mse_loss,
    "conv2d": with_rank(conv2d, 4, 4, 1),
    "max_pool2d": with_rank(F.max_pool2d, 4),
    "avg_pool2d": with_rank(F.avg_pool2d, 4),
    "adaptive_avg_pool2d": with_rank(lambda x, h, w: F.adaptive_avg_pool2d(x, (h, w)), 4),
    "batch_norm": batch_norm,
    "dropout_off": lambda x, p, training: F.dropout(x, p, training),
    "clone": plain,
    "detach": lambda x: x.detach(),
    "reshape": lambda x, shape: x.reshape(shape),
    "slice": lambda x, first, last: x[first:last],
    "row": lambda x, row: x[row],
}
VIEWS = ("reshape", "slice", "row")
SHARING = (*VIEWS, "detach", "dropout_off")
# Steps that append nothing. Those with a "!" must throw an Error in the library, although PyTorch
# may allow them; they change nothing.
CHANGES = {
    "fill_": lambda x, value: x.fill_(value),
    "copy_": lambda x, y: x.copy_(y),
    "add_": lambda x, y, scale: x.add_(y, alpha=scale),
    "mul_": lambda x, factor: x.mul_(factor),
    "zero_grad": lambda x: setattr(x, "grad", None),
    "requires_grad_": lambda x, on: x.requires_grad_(on),
}


class Run:
    """Executes steps in one precision. With `functional`, what operations save for the backward
    pass is copied: the gradients are then right even after changes in place."""

    def __init__(self, inputs, dtype, functional):
        self.dtype, self.functional = dtype, functional
        self.variables, self.nodes = [], []
        for shape, fill, seed, requires_grad in inputs:
            x = filled(shape, fill, seed)
            x = x if fill.startswith("labels") else x.to(dtype)
            self.variables.append(x.requires_grad_() if requires_grad else x)
        self.grad_mode = True

    def saving(self):
        if not self.functional:
            return contextlib.nullcontext()
        return torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t)

    def value(self, argument):
        if isinstance(argument, str) and argument[:1] == "v" and argument[1:].isdigit():
            return self.variables[int(argument[1:])]
        return argument

    def step(self, step):
        name, *arguments = step
        if name.startswith("!"):
            return
        if name == "no_grad":
            self.grad_mode = not arguments[0]
            return
        values = [self.value(a) for a in arguments]
        with torch.set_grad_enabled(self.grad_mode), self.saving():
            if name == "backward":
                y, seed, retain = values
                y.backward(filled(list(y.shape), "normal", seed).to(self.dtype), retain_graph=retain)
            elif name in CHANGES:
                CHANGES[name](*values)
            elif name in VIEWS and not self.grad_mode:
                # PyTorch forbids most uses of a view that was made while gradients were off. In the
                # library it is a view of the detached tensor.
                with torch.enable_grad():
                    self.variables.append(OPERATIONS[name](values[0].detach(), *values[1:]))
            else:
                self.variables.append(OPERATIONS[name](*values))
            for x in self.variables[len(self.nodes):]:
                # Now, because PyTorch makes new nodes for a view after a change in place.
                self.nodes.append(nodes_of(x))

    def results(self):
        return [(x, x.grad if x.is_leaf and x.dtype != torch.int64 else None)
                for x in self.variables]


def nodes_of(tensor):
    """The operations that led to a tensor."""
    found, waiting = {}, [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in found:
            continue
        found[node] = True
        waiting += [following for following, _ in node.next_functions]
    return {node for node in found if type(node).__name__ != "AccumulateGrad"}


def shape_of(rng, rank=None):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 4]) if rank is None else rank
    return [rng.choice([1, 2, 3, 3, 4, 5]) if rng.random() > 0.02 else 0 for _ in range(rank)]


class Chooser:
    """Random arguments of a step for the variables that are there. They need not fit: a step that
    PyTorch refuses is left out, or kept as one that the library must refuse."""

    def __init__(self, rng, run):
        self.rng, self.run = rng, run

    def floats(self, wanted=lambda x: True):
        numbers = [i for i, x in enumerate(self.run.variables)
                   if x.dtype != torch.int64 and wanted(x)]
        return numbers or [0]

    def any(self, wanted=lambda x: True):
        return f"v{self.rng.choice(self.floats(wanted))}"

    def image(self):
        return self.any(lambda x: x.dim() == 4)

    def ints(self):
        numbers = [i for i, x in enumerate(self.run.variables) if x.dtype == torch.int64]
        return f"v{self.rng.choice(numbers or [0])}"

    def like(self, name, more=lambda x: True):
        shape = self.run.value(name).shape
        return self.any(lambda x: x.shape == shape and more(x))

    def axes(self, x):
        axes = list(range(self.run.value(x).dim()))
        axes = self.rng.sample(axes, self.rng.randint(min(1, len(axes)), len(axes)))
        return [a - (self.run.value(x).dim() if self.rng.random() < 0.3 else 0)
                for a in axes] or None

    def axis(self, x):
        return self.rng.randint(-max(1, self.run.value(x).dim()),
                                max(1, self.run.value(x).dim()) - 1)

    def arguments(self, name):
        rng = self.rng
        boolean = rng.random() < 0.5
        number = rng.choice([0.5, -1, 2, 3, -0.25, 0])
        if name in ("add", "sub", "mul", "div"):
            a = self.any()
            return [a, self.any() if boolean else self.like(a)]
        if name in ("add_number", "number_sub", "mul_number", "div_number", "number_div"):
            return [self.any(), number]
        if name in ("sum", "mean"):
            x = self.any()
            axes = None if rng.random() < 0.3 else self.axes(x)
            return [x, axes, boolean and axes is not None]
        if name == "max":
            x = self.any()
            return [x, self.axis(x), boolean]
        if name in ("argmax", "softmax", "log_softmax"):
            x = self.any(lambda x: x.dim() > 0)
            return [x, self.axis(x)]
        if name == "matmul":
            matrix = lambda x: x.dim() == 2
            a, transpose = self.any(matrix), rng.random() < 0.5
            inner = self.run.value(a).shape[0 if transpose else -1:][:1]
            b = self.any(lambda x: matrix(x) and list(inner) == [x.shape[1 if boolean else 0]])
            return [a, b, transpose, boolean]
        if name == "linear":
            x = self.any(lambda x: x.dim() == 2)
            last = self.run.value(x).shape[-1:]
            w = self.any(lambda w: w.dim() == 2 and w.shape[1:] == last)
            b = self.any(lambda b: b.shape == self.run.value(w).shape[:1]) if boolean else None
            return [x, w, b, rng.choice(["none", "relu", "sigmoid"])]
        if name == "transpose":
            x = self.any(lambda x: x.dim() > 1)
            return [x, self.axis(x), self.axis(x)]
        if name == "permute":
            x = self.any()
            axes = list(range(self.run.value(x).dim()))
            return [x, rng.sample(axes, len(axes))]
        if name == "pad":
            return [self.any(lambda x: x.dim() >= 2), *(rng.randint(0, 2) for _ in range(4)), number]
        if name == "index_select":
            return [self.any(lambda x: x.dim() > 0), self.ints()]
        if name == "cross_entropy":
            labels = self.ints()
            return [self.any(lambda x: x.dim() == 2 and x.shape[:1] == self.run.value(labels).shape),
                    labels]
        if name == "mse_loss":
            a = self.any()
            return [a, self.like(a)]
        if name == "conv2d":
            x = self.image()
            channels = self.run.value(x).shape[1:2]
            w = self.any(lambda w: w.dim() == 4 and w.shape[1:2] == channels)
            b = self.any(lambda b: b.shape == self.run.value(w).shape[:1]) if boolean else None
            return [x, w, b, rng.randint(1, 2), rng.randint(0, 2)]
        if name in ("max_pool2d", "avg_pool2d"):
            kernel = rng.randint(1, 3)
            return [self.image(), kernel, rng.randint(1, 3), rng.randint(0, kernel // 2)]
        if name == "adaptive_avg_pool2d":
            return [self.image(), rng.randint(1, 4), rng.randint(1, 4)]
        if name == "batch_norm":
            x = self.any(lambda x: x.dim() in (2, 4))
            channels = self.run.value(x).shape[1:2]
            row = lambda x: x.shape == channels
            buffer = lambda x: x.shape == channels and not x.requires_grad
            return [x, self.any(row), self.any(row), self.any(buffer), self.any(buffer), boolean,
                    rng.choice([0.1, 0.5]), rng.choice([1e-5, 0.1])]
        if name == "dropout_off":
            return [self.any(), *rng.choice([(0, True), (0.5, False)])]
        if name == "reshape":
            x = self.any()
            count = self.run.value(x).numel()
            shapes = [[count], [-1], [1, count], [count, 1], list(self.run.value(x).shape)[::-1]]
            shapes += [[n, -1] for n in (2, 3, 4) if count % n == 0 and count]
            return [x, rng.choice(shapes)]
        if name == "slice":
            x = self.any(lambda x: x.dim() > 0)
            bounds = sorted(rng.randint(0, (self.run.value(x).shape or [1])[0]) for _ in range(2))
            return [x, *bounds]
        if name == "row":
            x = self.any(lambda x: x.dim() > 0)
            return [x, rng.randint(0, max(1, (self.run.value(x).shape or [1])[0]) - 1)]
        if name in ("fill_", "mul_"):
            return [self.any(), number]
        if name == "copy_":
            x = self.any()
            return [x, self.like(x)]
        if name == "add_":
            x = self.any()
            return [x, self.like(x), number]
        if name == "zero_grad":
            return [self.any(lambda x: x.is_leaf and x.requires_grad)]
        if name == "requires_grad_":  # not of tensors with views: PyTorch's would require them, too
            own = lambda x: x.is_leaf and not any(
                overlap(x, y) for y in self.run.variables if y is not x)
            return [self.any(own), rng.random() < 0.7]
        return [self.any()]  # one tensor


def refused(run, name, values):
    """Changes in place that the library documents as errors: they would need a gradient."""
    if name not in ("fill_", "copy_", "add_", "mul_") or not run.grad_mode:
        return False
    return any(torch.is_tensor(v) and v.requires_grad for v in values)


class Generator:

    def __init__(self, rng):
        self.rng = rng
        fills = [rng.choice(["normal", "normal", "positive", "ties"])]
        if rng.random() < 0.15:
            fills.append("special")
        self.inputs = []
        for _ in range(rng.randint(2, 5)):
            seed = rng.randrange(1 << 16)
            self.inputs.append([shape_of(rng), rng.choice(fills), seed, rng.random() < 0.6])
        self.inputs.append([[rng.randint(1, 4)], f"labels{rng.randint(1, 4)}", rng.randrange(99),
                            False])
        if rng.random() < 0.3:  # a small image, a filter, numbers per channel
            c, o = rng.randint(1, 3), rng.randint(1, 3)
            for shape in [shape_of(rng, 1) + [c, rng.randint(1, 6), rng.randint(1, 6)],
                          [o, c, rng.randint(1, 3), rng.randint(1, 3)], [c], [c], [c], [o]]:
                self.inputs.append([shape, "positive" if shape == [c] else rng.choice(fills),
                                    rng.randrange(1 << 16), len(shape) == 4 or rng.random() < 0.4])
        self.main = Run(self.inputs, torch.float32, True)
        self.double = Run(self.inputs, torch.float64, True)
        self.plain = Run(self.inputs, torch.float32, False)
        self.chooser = Chooser(rng, self.main)
        self.steps, self.freed, self.broken, self.ended = [], set(), False, False
        self.unknown = False

    def execute(self, step):
        """Whether PyTorch accepted it."""
        for run in self.plain, self.main, self.double:
            try:
                run.step(step)
            except (RuntimeError, IndexError, ValueError, TypeError):
                return False
        return True

    def add_noise(self, variable):
        """Changes the last digits of what is not exact, in double precision only: programs whose
        results depend on them, as by an argmax, are left out."""
        x, y = self.main.variables[variable], self.double.variables[variable].data
        if x.dtype != torch.int64:
            sign = filled(list(x.shape), "ties", variable).double()
            y.mul_(torch.where(y == x.double(), 1, 1 + 2e-7 * sign))

    def backward(self):
        y = self.chooser.any(lambda x: x.grad_fn is not None)
        if self.main.value(y).grad_fn is None:
            return
        retain = self.rng.random() < 0.4
        step = ["backward", y, self.rng.randrange(99), retain]
        nodes = self.main.nodes[int(y[1:])]
        if nodes & self.freed:  # PyTorch only notices it if the operation has saved something
            self.steps.append(["!backward", *step[1:]])
            self.ended = True
            return
        try:
            self.plain.step(step)
        except RuntimeError:
            self.broken = True
        try:
            self.main.step(step)
            self.double.step(step)
        except RuntimeError:  # PyTorch cannot differentiate some operations on empty tensors
            self.unknown = True
            return
        # The library may refuse what PyTorch refuses; otherwise its gradients must be right.
        self.steps.append(["?" * self.broken + "backward", *step[1:]])
        if not retain:
            self.freed |= nodes

    def add_step(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.07:
            self.backward()
            return
        if kind < 0.11:
            step = ["no_grad", self.main.grad_mode]
            self.execute(step)
            self.steps.append(step)
            return
        name = rng.choice(list(CHANGES) if kind < 0.27 else list(OPERATIONS))
        arguments = self.chooser.arguments(name)
        values = [self.main.value(a) for a in arguments]
        if sum(torch.is_tensor(v) and v.numel() for v in values) > 600:
            return
        if name in ("copy_", "add_") and overlap(*values[:2]):
            return
        if refused(self.main, name, values):
            if rng.random() < 0.2 and values[0].numel():
                self.steps.append(["!" + name, *arguments])
            return
        before = len(self.main.variables)
        try:
            accepted = self.execute([name, *arguments])
        except Unknown:
            return
        if accepted:
            self.steps.append([name, *arguments])
            if name in OPERATIONS and name not in SHARING:
                self.add_noise(before)
        else:
            for run in self.plain, self.main, self.double:
                del run.variables[before:], run.nodes[before:]
            if rng.random() < 0.03 and name not in CHANGES:
                self.steps.append(["!" + name, *arguments])

    def program(self):
        """None if the results depend on rounding errors."""
        for _ in range(self.rng.randint(4, 24)):
            self.add_step()
            if self.ended:
                break
        else:
            self.backward()
        if not self.steps or self.unknown:
            return None
        expected = []
        for (x, gx), (y, gy) in zip(self.main.results(), self.double.results()):
            if not close(x, y) or (gx is None) != (gy is None) or gx is not None and not close(gx, gy):
                return None
            number = len(expected)
            same = number < len(self.inputs) and close(x, filled(*self.inputs[number][:3]))
            entry = {} if same else stored(y)
            entry["requires_grad"] = x.requires_grad
            if gy is not None and not self.ended:
                entry["grad"] = stored(gy)
            expected.append(entry)
        return {"inputs": self.inputs, "steps": self.steps, "expected": expected}


def program(rng):
    return Generator(rng).program()
