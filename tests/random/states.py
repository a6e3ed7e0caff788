"""Random state dicts as files of PyTorch, NumPy and safetensors, with the bits of their elements.
`--check FOLDER` reads the files that the library has written to the folder with
LANES_RANDOM_FILES=FOLDER, and compares their elements with those of the programs."""

import base64
import collections
import io
import math
import pathlib

import numpy as np
import safetensors.torch
import torch

from programs import hashed

TYPES = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "int64": 8, "int32": 4, "int16": 2,
         "int8": 1, "uint8": 1, "bool": 1}


def tensor_of(spec):
    """Of random bits, so that NaN, infinities, denormal numbers and both zeros are among them."""
    _, kind, shape, seed = spec
    count = math.prod(shape)
    if kind == "bool":
        return torch.from_numpy((hashed(seed, count) % 2).astype(bool)).reshape(shape)
    if kind == "int64":  # the library holds integers of 32 bits
        return torch.from_numpy(hashed(seed, count).astype(np.int32).astype(np.int64)).reshape(shape)
    if count == 0:
        return torch.zeros(shape, dtype=getattr(torch, kind))
    words = hashed(seed, -(-count * TYPES[kind] // 4))
    if kind in ("float32", "float16", "bfloat16", "float64") and seed % 3:
        words = words & np.uint32(0x3FFF3FFF)  # numbers of a usual size
    tensor = torch.from_numpy(words.view(np.uint8)[:count * TYPES[kind]].copy())
    return tensor.view(getattr(torch, kind)).reshape(shape)


def random_name(rng, number):
    parts = [rng.choice(["layer", "fc", "0", "bias", "weight", "größe", "a-b", "x y"])
             for _ in range(rng.randint(1, 3))]
    return ".".join([*parts, str(number)])


def elements(tensor):
    """As the library holds it: the bits of float32, or the values of int32. A NaN of another
    type is any NaN."""
    if not tensor.is_floating_point():
        return tensor.long().flatten().tolist()
    words = tensor.float().contiguous().view(torch.int32).flatten().tolist()
    if tensor.dtype == torch.float32:
        return words
    return ["nan" if n else w for w, n in zip(words, torch.isnan(tensor).flatten().tolist())]


def files(state):
    """Name of the ending: bytes. NumPy has no bfloat16."""
    made = {}
    out = io.BytesIO()
    torch.save(state, out)
    made[".pth"] = out.getvalue()
    made[".safetensors"] = safetensors.torch.save({n: x.contiguous() for n, x in state.items()})
    if not any(x.dtype == torch.bfloat16 for x in state.values()):
        out = io.BytesIO()
        np.savez_compressed(out, **{n: x.numpy() for n, x in state.items()})
        made[".npz"] = out.getvalue()
    return made


def state_of(specs):
    state = collections.OrderedDict()
    for spec in specs:
        x = tensor_of(spec)
        # Every second matrix is stored with other strides.
        state[spec[0]] = x.t().contiguous().t() if x.dim() == 2 and spec[3] % 2 else x
    return state


def program(rng):
    specs = []
    for number in range(rng.randint(0, 5)):
        shape = [rng.randint(0, 4) if rng.random() < 0.1 else rng.randint(1, 4)
                 for _ in range(rng.randint(0, 4))]
        kind = rng.choice(["float32"] * 4 + [kind for kind in TYPES if kind != "float32"])
        specs.append([random_name(rng, number), kind, shape, rng.randrange(1 << 16)])
    state = state_of(specs)
    packed = {ending: base64.b64encode(data).decode()
              for ending, data in files(state).items()}
    return {"tensors": [[*spec, elements(state[spec[0]])] for spec in specs], "files": packed}


def check(path, found):
    """Whether files that the library has written have the elements of the programs."""
    for number, made in enumerate(found):
        wanted = {name: (shape, values) for name, _, shape, _, values in made["tensors"]}
        for ending in ".npz", ".safetensors":
            file = pathlib.Path(path, f"{number}{ending}")
            if ending == ".npz":
                with np.load(file) as arrays:
                    read = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
            else:
                read = safetensors.torch.load_file(file)
            assert list(sorted(read)) == sorted(wanted), (file, list(read))
            for name, (shape, values) in wanted.items():
                x = read[name]
                assert list(x.shape) == shape, (file, name, x.shape)
                assert x.dtype in (torch.float32, torch.int32), (file, name, x.dtype)
                same = [w in (v, "nan") for v, w in zip(elements(x), values)]
                assert all(same), (file, name, elements(x), values)
    print(f"states: the files of {len(found)} programs have the same elements")
