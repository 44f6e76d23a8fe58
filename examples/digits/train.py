"""Trains a small convolutional network on scikit-learn's digits, and exports it with its test images.

The data: 1,797 handwritten digits scanned at 8x8 (UCI, "Optical Recognition of Handwritten Digits").
One seeded, stratified split keeps 360 of them aside. They are used once, at the end, to state the
accuracy; nothing is chosen by them. The number of epochs and the network were fixed beforehand.

    python3 -m pip install torch==2.13.0 numpy scikit-learn
    python3 train.py            # writes digits.pt2 and digits.npz beside this file
"""

import argparse
import pathlib
import re

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F

SEED = 7
HELD_OUT = 360
EPOCHS = 60
HERE = pathlib.Path(__file__).resolve().parent


class DigitNet(nn.Module):
    """Two convolution stages and a linear layer: float32 [1, 1, 8, 8] in 0..1 -> scores [1, 10]."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(32)
        self.conv3 = nn.Conv2d(32, 64, 3, padding=1)
        self.norm3 = nn.BatchNorm2d(64)
        self.dropout = nn.Dropout(0.3)
        self.classify = nn.Linear(64 * 2 * 2, 10)

    def forward(self, image):
        x = F.relu(self.norm1(self.conv1(image)))
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        x = F.max_pool2d(F.relu(self.norm3(self.conv3(x))), 2)
        return self.classify(self.dropout(torch.flatten(x, 1)))


def shifted(images, generator):
    """Each image moved by up to one pixel in both directions, the gap filled with paper."""
    padded = F.pad(images, (1, 1, 1, 1))
    rows = torch.randint(0, 3, (len(images),), generator=generator)
    columns = torch.randint(0, 3, (len(images),), generator=generator)
    return torch.stack([p[:, r:r + 8, c:c + 8] for p, r, c in zip(padded, rows, columns)])


def train(images, labels):
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    model = DigitNet().train()
    batch = 64
    steps = EPOCHS * (len(images) // batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(EPOCHS):
        order = torch.randperm(len(images), generator=generator)
        for chosen in order[:len(order) // batch * batch].split(batch):
            loss = F.cross_entropy(model(shifted(images[chosen], generator)), labels[chosen],
                                   label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    out = parser.parse_args().out
    torch.set_num_threads(1)

    digits = load_digits()
    pixels = (digits.images / 16).astype(np.float32)[:, None]
    labels = digits.target.astype(np.int64)
    train_x, test_x, train_y, test_y = train_test_split(
        pixels, labels, test_size=HELD_OUT, random_state=SEED, stratify=labels)

    model = train(torch.from_numpy(train_x), torch.from_numpy(train_y))
    with torch.no_grad():
        scores = torch.cat([model(x[None]) for x in torch.from_numpy(test_x)])
    right = int((scores.argmax(1).numpy() == test_y).sum())
    print(f"held-out accuracy: {right}/{len(test_y)} = {100 * right / len(test_y):.2f} %")

    exported = torch.export.export(model, (torch.from_numpy(test_x[:1]),))
    for node in exported.graph.nodes:  # source lines without the folders of this machine
        if "stack_trace" in node.meta:
            node.meta["stack_trace"] = re.sub(r'File "[^"]*/(?=torch/|[^/"]+")', 'File "',
                                              node.meta["stack_trace"])
    torch.export.save(exported, out / "digits.pt2")
    # uint8 keeps the scans exact (0..16) and small; scores let the C++ side check itself.
    np.savez_compressed(out / "digits.npz", images=np.rint(test_x[:, 0] * 16).astype(np.uint8),
                        labels=test_y.astype(np.uint8), scores=scores.numpy())


if __name__ == "__main__":
    main()
