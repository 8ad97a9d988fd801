#!/usr/bin/env python3
"""Plots of the bench's CSV: throughput over n, a panel a type, CUB and the copy beside ours; the works side by side at a large n; and
segmented sums over the length of segments.

usage: bench/plot.py [CSV] [--output FOLDER] [--format png|svg]...   (needs matplotlib: bench/requirements.txt)
       bench/plot.py --thesis [CSV] ...        figures 6 to 10 of THESIS.md, from segmented_thesis
       bench/plot.py --strategies [CSV] ...    time an element by strategy, from strategies
"""
import argparse
import collections
import csv
import math
import pathlib
import sys

try:
    import matplotlib
except ModuleNotFoundError:
    sys.exit("plot.py: matplotlib is missing: pip install -r bench/requirements.txt")
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "scan"
import matplotlib.pyplot as pyplot  # noqa: E402  (after the choice of what it draws on)

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
BYTES = {"i8": 1, "i16": 2, "f16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8,
         "b3": 3, "b8": 8, "b12": 12, "b16": 16, "b32": 32, "b64": 64}
TYPES = list(BYTES)
LINES = {"ours": dict(color="#0060b0", linewidth=1.8, label="scan"),
         "cub": dict(color="#e07000", linewidth=1.2, label="CUB"),
         "copy": dict(color="#808080", linewidth=1.2, linestyle="--", label="copy")}
LENGTHS = ["1", "2", "10", "100", "10000", "1000000", "none", "geometric", "power"]
ENCODINGS = {"segmented_flags32": "#0060b0", "segmented_flags8": "#3090e0", "segmented_bits": "#00a0a0",
             "segmented_offsets": "#208020", "segmented_regular": "#80b000", "segmented_lifted": "#a03090"}

# The contenders of segmented_thesis; the others are set against the first.
THESIS = {"three_pass_lifted": dict(color="#808080", linewidth=1.2, label="three passes, lifted"),
          "look_back_lifted": dict(color="#e07000", linewidth=1.2, label="one pass, look-back, lifted"),
          "default_lifted": dict(color="#60a0d0", linewidth=1.2, label="scan, lifted"),
          "look_back_specialised": dict(color="#a03090", linewidth=1.2, label="one pass, look-back, specialised"),
          "specialised": dict(color="#0060b0", linewidth=1.8, label="scan, specialised")}


def read(path):
    """The rows, with GB/s of useful bytes in place of times; None where there is none."""
    rows = []
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            n = int(row["n"])
            moved = n * BYTES[row["type"]] * (1 if row["work"] == "reduce_add" else 2)
            speeds = {who: moved / float(row[who + "_us"]) * 1e-3 if row[who + "_us"] else None for who in LINES}
            rows.append(dict(row, n=n, **speeds))
    if not rows:
        sys.exit(f"plot.py: no rows in {path}")
    return rows


def draw(axes, rows):
    """Throughput over n, of rows that differ in n alone."""
    rows = sorted(rows, key=lambda row: row["n"])
    for who, look in LINES.items():
        points = [(row["n"], row[who]) for row in rows if row[who] is not None]
        if points:
            axes.plot(*zip(*points), marker=".", markersize=4, **look)
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)


def plot_sizes(rows, works, mode, title):
    """A panel a type of each work that was measured at several sizes; None if there is none."""
    panels = collections.defaultdict(list)
    for row in rows:
        if row["work"] in works and row["mode"] == mode:
            panels[works.index(row["work"]), TYPES.index(row["type"])].append(row)
    panels = {key: panel for key, panel in sorted(panels.items()) if len(panel) > 2}
    if not panels:
        return None
    columns = min(4, len(panels))
    lines = math.ceil(len(panels) / columns)
    figure, grid = pyplot.subplots(lines, columns, figsize=(3.4 * columns, 2.5 * lines + 0.8), squeeze=False)
    for axes in grid.flat[len(panels):]:
        axes.axis("off")
    for axes, ((work, kind), panel) in zip(grid.flat, panels.items()):
        draw(axes, panel)
        axes.set_title(f"{works[work]} {TYPES[kind]}", fontsize=9)
        axes.tick_params(labelsize=8)
    for axes in grid[:, 0]:
        axes.set_ylabel("GB/s", fontsize=8)
    for axes in grid[-1]:
        axes.set_xlabel("elements", fontsize=8)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="lower center", ncol=3, frameon=False)
    figure.suptitle(title, fontsize=11)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    return figure


def plot_large(rows, title):
    """What CUB does too, at the n that has a goal: bars of ours and CUB, as a share of the copy."""
    chosen = [row for row in rows if row["mode"] == "graph" and row["copy"] and row["cub"] and
              row["work"] not in ENCODINGS and
              row["n"] == (1 << 26 if BYTES[row["type"]] >= 16 else 1 << 28)]
    if not chosen:
        return None
    names = [f"{row['work']} {row['type']}" for row in chosen]
    figure, axes = pyplot.subplots(figsize=(7.5, 0.19 * len(chosen) + 1.5))
    places = list(range(len(chosen)))
    axes.barh([y - 0.2 for y in places], [row["ours"] / row["copy"] for row in chosen], 0.4,
              color=LINES["ours"]["color"], label="scan")
    axes.barh([y + 0.2 for y in places], [row["cub"] / row["copy"] for row in chosen], 0.4,
              color=LINES["cub"]["color"], label="CUB")
    axes.axvline(1.0, color=LINES["copy"]["color"], linestyle="--", label="copy")
    axes.set_yticks(places, names, fontsize=7)
    axes.set_ylim(len(chosen), -1)
    axes.set_xlabel("share of the copy's throughput")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.06), ncol=3, fontsize=8, frameon=False)
    axes.set_title(title, fontsize=10)
    figure.tight_layout()
    return figure


def plot_segments(rows, title):
    """Floats in segments of each length: a line an encoding, as a share of the copy of the same bytes."""
    chosen = [row for row in rows if row["work"] in ENCODINGS and row["type"] == "f32" and
              row["mode"] == "graph" and row["n"] == 1 << 28 and row["copy"]]
    if not chosen:
        return None
    figure, axes = pyplot.subplots(figsize=(7.5, 4.2))

    def line(work, who, **look):
        shares = {row["detail"]: row[who] / row["copy"] for row in chosen if row["work"] == work and row[who]}
        places = [LENGTHS.index(length) for length in LENGTHS if length in shares]
        if places:
            axes.plot(places, [shares[LENGTHS[place]] for place in places], marker=".", **look)

    for work, color in ENCODINGS.items():
        line(work, "ours", color=color, linewidth=1.5, label=work.replace("segmented_", ""))
    # CUB's keys have the bytes of 32-bit flags.
    line("segmented_flags32", "cub", color=LINES["cub"]["color"], linewidth=1.5, label="CUB by key")
    axes.axhline(1.0, color=LINES["copy"]["color"], linestyle="--", label="copy")
    axes.set_xticks(range(len(LENGTHS)), LENGTHS, fontsize=8)
    axes.set_xlabel("length of segments (geometric, power law: mean about 100)")
    axes.set_ylabel("share of the copy's throughput")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=4, fontsize=8, frameon=False)
    axes.set_title(title, fontsize=10)
    figure.tight_layout()
    return figure


def read_thesis(path):
    """The rows of segmented_thesis."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if "contender" not in (reader.fieldnames or []):
            sys.exit(f"plot.py: not of segmented_thesis: {path}")
        rows = [dict(row, figure=int(row["figure"]), n=int(row["n"]), length=int(row["length"]), share=float(row["share"]),
                     us=float(row["us"])) for row in reader]
    if not rows:
        sys.exit(f"plot.py: no rows in {path}")
    return rows


def plot_thesis(rows, number, x, label, title, relative=False):
    """A line a contender over row[x], of the rows of a figure; relative: over the time of the first contender."""
    rows = [row for row in rows if row["figure"] == number]
    if not rows:
        return None
    base = {row[x]: row["us"] for row in rows if row["contender"] == next(iter(THESIS))}
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2))
    for contender, look in THESIS.items():
        points = sorted((row[x], row["us"] / (base[row[x]] if relative else 1)) for row in rows if row["contender"] == contender)
        if points:
            axes.plot(*zip(*points), marker=".", markersize=4, **look)
    if x == "share":  # none, then the smallest and its doubles
        axes.set_xscale("symlog", base=2, linthresh=min((share for share in base if share > 0), default=1))
    else:
        axes.set_xscale("log")
    if number == 6 and not relative:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(label)
    axes.set_ylabel("time over three passes, lifted" if relative else "us")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False)
    axes.set_title(title, fontsize=10)
    figure.tight_layout()
    return figure


def plot_strategies(path):
    """Time an element over n: a panel a type of the device-wide strategies, and one an `items` of the block strategies in one."""
    inside, block_device = "warps_then_bases", "hierarchical"
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        sys.exit(f"plot.py: no rows in {path}")
    coarsest = max(int(row["items"]) for row in rows)
    panels = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        point = int(row["n"]), float(row["us"]) * 1e3 / int(row["n"])
        peer = row["device"] in ("cub", "thrust")
        if row["device"] != block_device or (row["block"] == inside and int(row["items"]) == coarsest):
            name = f"{row['device']} ({row['block']})" if peer else row["device"]
            kind, _, told = row["type"].partition("_")
            if told == "lifted":
                name += ", lifted"
            work = {"": "of the device", "reduced": "reduced"}.get(told, "segmented")
            panels[f"{kind}, {work}"][name].append(point)
        if row["device"] == block_device and row["type"] == "f32":
            panels[f"{row['type']}, in {block_device}, items {row['items']}"][row["block"]].append(point)
    columns = 2
    lines = math.ceil(len(panels) / columns)
    figure, grid = pyplot.subplots(lines, columns, figsize=(7.6 * columns, 4.2 * lines), squeeze=False)
    for axes in grid.flat[len(panels):]:
        axes.axis("off")
    for axes, (title, strategies) in zip(grid.flat, sorted(panels.items())):
        for index, (name, points) in enumerate(strategies.items()):
            axes.plot(*zip(*sorted(points)), marker=".", linewidth=1.2, color=f"C{index % 10}",
                      linestyle="-" if index < 10 else "--", label=name)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("elements", fontsize=8)
        axes.set_ylabel("ns an element", fontsize=8)
        axes.tick_params(labelsize=8)
        axes.grid(alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7, frameon=False)
    figure.suptitle(f"Inclusive sums by strategy ({place(rows[0])})", fontsize=11)
    figure.tight_layout()
    return figure


def place(row):
    """Where a row was measured."""
    return row["gpu"] + (f", {row['commit']}" if row["commit"] else "")


def plots_of_thesis(path):
    """Figures 6 to 10, by name."""
    rows = read_thesis(path)
    where = place(rows[0])
    many = max(row["n"] for row in rows if row["figure"] != 6)
    sizes = f"Segmented sums, a start every 10,000 elements ({where})"
    return {
        "figure_6": plot_thesis(rows, 6, "n", "elements", sizes),
        "figure_7": plot_thesis(rows, 6, "n", "elements", sizes, relative=True),
        "figure_8": plot_thesis(rows, 8, "length", "elements a segment", f"Segmented sums of {many:,} ({where})"),
        "figure_9": plot_thesis(rows, 9, "share", "share of tiles that hold a start", f"Segmented sums of {many:,} ({where})"),
        "figure_10": plot_thesis(rows, 10, "share", "share of look-back's blocks that hold a start", f"Segmented sums of {many:,} ({where})"),
    }


def plots_of_bench(path):
    """What the bench's CSV shows, by name."""
    rows = read(path)
    where = place(rows[0])
    operators = ["inclusive_max", "inclusive_affine", "inclusive_pair"]
    return {
        "sums": plot_sizes(rows, ["inclusive_add"], "graph", f"Inclusive sums, in a graph ({where})"),
        "operators": plot_sizes(rows, operators, "graph", f"Other operators, in a graph ({where})"),
        "stream": plot_sizes(rows, ["inclusive_add"], "stream", f"Inclusive sums, back to back in a stream ({where})"),
        "large": plot_large(rows, f"2^28 elements, 2^26 from 16 bytes on ({where})"),
        "segmented": plot_segments(rows, f"Segmented sums of 2^28 floats, in a graph ({where})"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("csv", nargs="?", type=pathlib.Path)
    parser.add_argument("--thesis", action="store_true", help="the CSV is that of segmented_thesis")
    parser.add_argument("--strategies", action="store_true", help="the CSV is that of strategies")
    parser.add_argument("--output", type=pathlib.Path, default=RESULTS)
    parser.add_argument("--format", action="append", choices=["png", "svg"])
    arguments = parser.parse_args()
    kind_of = "_thesis" if arguments.thesis else "_strategies" if arguments.strategies else ""
    path = arguments.csv or RESULTS / f"h200{kind_of}.csv"
    if not path.is_file():
        sys.exit(f"plot.py: no such file: {path}")
    if arguments.strategies:
        figures = {"lines": plot_strategies(path)}
    else:
        figures = plots_of_thesis(path) if arguments.thesis else plots_of_bench(path)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        if figure is None:
            continue
        for kind in arguments.format or ["svg"]:
            plot = arguments.output / f"{path.stem}_{name}.{kind}"
            metadata = {"Date": None} if kind == "svg" else None
            figure.savefig(plot, dpi=120, metadata=metadata)
            print(plot)


if __name__ == "__main__":
    main()
