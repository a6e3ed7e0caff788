#!/usr/bin/env python3
"""Writes torch_save.inc: files as torch.save writes them, byte by byte, for pth_test.cpp.

PyTorch is not needed: its names are put into a pickle that refers to them, as its own do.

    python3 torch_save.py > torch_save.inc
"""

import collections
import io
import os
import pickle
import struct
import sys
import types
import zipfile

torch = types.ModuleType("torch")
utils = types.ModuleType("torch._utils")
sys.modules.update({"torch": torch, "torch._utils": utils})


def _rebuild_tensor_v2(*arguments):
    raise NotImplementedError


_rebuild_tensor_v2.__module__ = "torch._utils"
_rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
utils._rebuild_tensor_v2 = _rebuild_tensor_v2
for storage_name in ("FloatStorage", "LongStorage", "HalfStorage"):
    storage_type = type(storage_name, (), {"__module__": "torch"})
    setattr(torch, storage_name, storage_type)


class Storage:

    def __init__(self, kind, key, layout, values):
        self.kind, self.key, self.count = kind, key, len(values)
        self.bytes = struct.pack(f"<{len(values)}{layout}", *values)


class Tensor:

    def __init__(self, storage, offset, shape, strides):
        self.arguments = (storage, offset, shape, strides, False, collections.OrderedDict())

    def __reduce__(self):
        return utils._rebuild_tensor_v2, self.arguments


class Pickler(pickle.Pickler):

    def persistent_id(self, value):
        if isinstance(value, Storage):
            return "storage", getattr(torch, value.kind), value.key, "cpu", value.count
        return None


class Command:

    def __reduce__(self):
        return os.system, ("touch executed",)


def archive(value, storages, method=zipfile.ZIP_STORED):
    program = io.BytesIO()
    Pickler(program, protocol=2).dump(value)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as out:
        out.writestr(zipfile.ZipInfo("archive/data.pkl"), program.getvalue())
        out.writestr(zipfile.ZipInfo("archive/byteorder"), "little")
        for storage in storages:
            out.writestr(zipfile.ZipInfo(f"archive/data/{storage.key}"), storage.bytes, method, 9)
        out.writestr(zipfile.ZipInfo("archive/version"), "3\n")
    return file.getvalue()


def show(name, data):
    print(f"const std::vector<unsigned char> {name}{{")
    for begin in range(0, len(data), 24):
        print(", ".join(str(byte) for byte in data[begin:begin + 24]) + ",")
    print("};")


floats = Storage("FloatStorage", "0", "f", [0, 1, 2, 3, 4, 5, 6, 7])
longs = Storage("LongStorage", "1", "q", [-5])
halves = Storage("HalfStorage", "2", "e", [0.5, -2])
state = collections.OrderedDict()
state["fc.weight"] = Tensor(floats, 2, (2, 3), (3, 1))
state["fc.transposed"] = Tensor(floats, 0, (2, 3), (1, 2))
state["bn.num_batches_tracked"] = Tensor(longs, 0, (), ())
state["half"] = Tensor(halves, 0, (2, ), (1, ))
state._metadata = collections.OrderedDict({"": {"version": 1}})
print("// Made by torch_save.py.")
show("weights", archive(state, [floats, longs, halves]))
show("inside", archive({"epoch": 3, "loss": 0.5, "state_dict": state}, [floats, longs, halves]))
show("command", archive({"fc.weight": Command()}, []))
show("outside", archive({"w": Tensor(floats, 3, (2, 3), (3, 1))}, [floats]))
# 80 tensors of one compressed storage of 4 MiB
flat = Storage("FloatStorage", "0", "f", [0] * (1 << 20))
parts = {f"{i}": Tensor(flat, i, (1, ), (1, )) for i in range(80)}
show("flat", archive(parts, [flat], zipfile.ZIP_DEFLATED))
# one element, 2^30 times
show("repeated", archive({"w": Tensor(floats, 0, (1 << 15, 1 << 15), (0, 0))}, [floats]))
