"""Random loaders: the batches of PyTorch's DataLoader, whose order is not compared if it is random.
Example i of a dataset is a tensor and a label, made of the seed + i."""

import torch
from torch.utils.data import DataLoader, Dataset

from programs import filled, stored


class Examples(Dataset):

    def __init__(self, made):
        self.made = made

    def __len__(self):
        return self.made["size"]

    def __getitem__(self, index):
        return filled(self.made["shape"], "normal", self.made["seed"] + index), index


def program(rng):
    made = {"size": rng.choice([0, 1, rng.randint(2, 30)]),
            "shape": [rng.randint(1, 3) for _ in range(rng.randint(0, 3))],
            "seed": rng.randrange(1 << 16),
            "batch_size": rng.choice([1, 2, 3, 5, 8, 40]),
            "drop_last": rng.random() < 0.4,
            "shuffle": rng.random() < 0.5,
            "num_workers": rng.choice([1, 2, 3])}
    loader = DataLoader(Examples(made), made["batch_size"], drop_last=made["drop_last"])
    batches = [[stored(x, 2), labels.tolist()] for x, labels in loader]
    assert len(loader) == len(batches)
    made["batches"] = batches
    return made
