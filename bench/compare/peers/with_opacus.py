"""DP-SGD by Opacus, run in its own environment by `python -m bench.compare.peers`.

A linear layer, batches of 1024 by Poisson sampling, 10 epochs, gradients clipped at norm 1 (the
values of its tutorials). Opacus names no learning rate: 0.5 is taken as its default, and the grid
is over rates and epochs. Protects who is added or removed, delta = 1/n^2.
"""

import sys
import warnings

import numpy as np
import torch
from opacus import PrivacyEngine

SETTINGS = {
    "default": (0.5, 10),
    "rate 2": (2.0, 10),
    "rate 8": (8.0, 10),
    "rate 2, 3 epochs": (2.0, 3),
}


def fitted(
    x: torch.Tensor, y: torch.Tensor, epsilon: float, rate: float, epochs: int
) -> torch.nn.Module:
    model = torch.nn.Linear(x.shape[1], 1)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.zeros_(model.bias)
    records = torch.utils.data.TensorDataset(x, y)
    model, steps, loader = PrivacyEngine().make_private_with_epsilon(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=rate),
        data_loader=torch.utils.data.DataLoader(records, batch_size=1024),
        target_epsilon=epsilon,
        target_delta=1 / len(y) ** 2,
        epochs=epochs,
        max_grad_norm=1.0,
    )
    loss = torch.nn.BCEWithLogitsLoss()
    for _ in range(epochs):
        for batch, labels in loader:
            steps.zero_grad()
            loss(model(batch)[:, 0], labels).backward()
            steps.step()
    return model


def main() -> None:
    file, out, epsilon, fits = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with np.load(file) as data:
        x, y, x_test = (torch.from_numpy(data[name]).float() for name in ("x", "y", "x_test"))
    found = {}
    for name, (rate, epochs) in SETTINGS.items():
        runs = [fitted(x, y, epsilon, rate, epochs) for _ in range(fits)]
        with torch.no_grad():
            found[name] = np.array([torch.sigmoid(model(x_test)[:, 0]).numpy() for model in runs])
    np.savez(out, **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
