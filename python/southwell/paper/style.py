"""How the figures look: at print size, in colours that differ in tone as well, and in line style.

The report recolours them for dark screens, so a colour stands for one thing only: see TINTS.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

INK = "#1b1f24"
FAINT = "#8b949e"
HAIR = "#d8dee4"


@dataclass(frozen=True)
class Look:
    colour: str
    line: Any
    marker: str


# Lightness 33, 55 and 75: still three greys on paper.
ALGORITHM = {
    "gcd": Look("#1a4f8b", "-", "o"),
    "cd": Look("#d55e00", (0, (5, 2)), "s"),
    "sgd": Look("#e3b23c", (0, (4, 1.5, 1, 1.5)), "^"),
}
RULE = {
    "gs_s": Look("#1a4f8b", "-", "o"),
    "gs_r": Look("#009e73", (0, (5, 2)), "D"),
    "gs_q": Look("#cc79a7", (0, (1, 1.5)), "v"),
}
MODE = {"paper": Look("#cc79a7", "-", "s"), "certified": Look("#117a65", "-", "o")}
PURPLE = "#7b3fa0"

# Colour in a figure -> custom property of the page.
TINTS = {
    INK: "--ink",
    FAINT: "--faint",
    HAIR: "--hair",
    "#1a4f8b": "--blue",
    "#d55e00": "--vermilion",
    "#e3b23c": "--amber",
    "#009e73": "--green",
    "#cc79a7": "--pink",
    "#117a65": "--teal",
    PURPLE: "--purple",
}

WIDTH = 7.2  # inches: the text width of a page, so that points in a figure are points on paper
SETTINGS: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlepad": 14,
    "axes.labelsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": HAIR,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.6,
    "savefig.dpi": 220,
    # The same bytes for the same numbers.
    "svg.hashsalt": "southwell",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


@contextmanager
def styled() -> Iterator[None]:
    """The style for what is drawn inside; the caller's own matplotlib stays as it was."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


@dataclass(frozen=True)
class Drawn:
    """A figure with the words that go with it."""

    name: str
    title: str
    caption: str
    figure: Figure
    svg: str

    @classmethod
    def finish(cls, name: str, title: str, caption: str, figure: Figure) -> Drawn:
        """Lays the figure out, once for all formats, and keeps its drawing without a background."""
        buffer = io.StringIO()
        with styled():
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        return cls(name, title, caption, figure, buffer.getvalue())


def panels(count: int, columns: int, height: float) -> tuple[Figure, list[Axes]]:
    """As many axes as there is something to show: none stays empty."""
    columns = min(columns, count)
    rows = -(-count // columns)
    width = WIDTH if columns > 1 else WIDTH / 2
    layout = ConstrainedLayoutEngine(w_pad=0.03, h_pad=0.04, hspace=0.03)
    figure = Figure(figsize=(width, rows * height + 0.35), layout=layout)
    return figure, [figure.add_subplot(rows, columns, i + 1) for i in range(count)]


def title(axes: Axes, head: str, below: str = "") -> None:
    axes.set_title(head, loc="left")
    if below:
        place = {"xy": (0, 1), "xytext": (0, 4), "textcoords": "offset points"}
        axes.annotate(below, xycoords="axes fraction", fontsize=6.5, color=FAINT, **place)  # type: ignore[arg-type]


def _round_values(low: float, high: float) -> list[float]:
    """Values for a logarithmic axis that people would write: 1, 2, 5, or fewer, or finer."""
    decades = np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    span = np.log10(high / low)
    if span < 0.75:
        return [v for v in MaxNLocator(4).tick_values(low, high) if low <= v <= high and v > 0]
    finest = {1.15: (1, 2, 3, 5), 1.6: (1, 2, 5), 2.6: (1, 3)}
    steps = next((steps for limit, steps in finest.items() if span < limit), (1,))
    values = [s * 10.0**d for d in decades for s in steps]
    values = [v for v in values if low <= v <= high]
    return values[:: max(1, -(-len(values) // 6))]


def plain(value: float, _: object = None) -> str:
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e4:
        return f"{value:.10g}" if abs(value) >= 1 else f"{value:.6g}".lstrip("0")
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def log_axis(
    axis: Any, low: float, high: float, room: float = 0.08, zero: Literal["mask", "clip"] = "mask"
) -> None:
    """A logarithmic axis from `low` to `high` with a little room and plain numbers.

    Zeros are left out of a line ("mask"), but bars stand on them ("clip").
    """
    span = max(np.log10(high / low), 0.1)
    low, high = low / 10 ** (room * span), high * 10 ** (room * span)
    name = axis.axis_name
    getattr(axis.axes, f"set_{name}scale")("log", nonpositive=zero)
    getattr(axis.axes, f"set_{name}lim")(low, high)
    axis.set_major_locator(FixedLocator(_round_values(low, high)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(plain))


def positive(values: Iterable[float]) -> list[float]:
    """Those that a logarithmic axis can show; what is beyond is beyond the axis."""
    return [float(value) for value in values if 1e-100 < value < 1e100]


def key(label: str, look: Look, marker: bool = True) -> Line2D:
    return Line2D(
        [], [], color=look.colour, linestyle=look.line, marker=look.marker if marker else "",
        label=label,
    )  # fmt: skip


def legend_below(figure: Figure, handles: Sequence[Any]) -> None:
    figure.legend(
        handles=handles, loc="outside lower center", ncols=min(len(handles), 6), handlelength=3.2
    )


def save(drawn: Drawn, folder: Path) -> None:
    """As PNG, SVG and PDF."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{drawn.name}.svg").write_text(drawn.svg, encoding="utf-8")
    with styled():
        drawn.figure.savefig(folder / f"{drawn.name}.png")
        drawn.figure.savefig(folder / f"{drawn.name}.pdf", metadata={"CreationDate": None})
