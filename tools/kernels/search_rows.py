#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Searches for the orders of instructions in orders/rows_*.toml, on the machine that it runs on.

    tools/kernels/search_rows.py BUILD VARIANT SECONDS [--natural] [--seed SEED] [--run COMMAND]

BUILD is a build of the library, whose portable kernel every candidate is compared with. Starts from
the existing order, or from the natural one, and climbs: it changes members of a pool of the best
orders at random and times them, forty at a time beside the first order; apparent improvements are
timed again. At the end it writes the best order of five more runs.
"""

import argparse
import copy
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from kernels import rows  # noqa: E402
from kernels.rounds import VARIANTS, Variant  # noqa: E402
from kernels.row_orders import Order, read_order, write_order  # noqa: E402

BATCH = 40
POOL = 16
SAMPLES = 150
PARTS = ("xor", "sum", "early", "right", "left")


def natural_cycles(variant: Variant) -> dict[str, float]:
    """Returns a cycle for every name that an order can have, as in an unscheduled chain."""
    cycles = {}
    for h in range(4):
        cycles |= {f"load{h}": 6.0 * h - 8, f"word{h}": 6 * h - 1.5, f"a{h}": 6.0 * h,
                   f"c{h}": 6.0 * h + 3}
        for row, start in (("d", 6.0 * h + 1), ("b", 6.0 * h + 4)):
            for part, offset in zip(PARTS, (0, 1, -4, 0, 0.1), strict=True):
                cycles[f"{row}_{part}{h}"] = start + offset
    for h in (0, 2):
        cycles |= {f"{row}_rotate{h}": 6.0 * h - offset for row, offset in zip("adc", (5, 3, 2),
                                                                             strict=True)}
    for i in range(2 if variant.word_bits == 64 else 1):
        start = 11.0 * i
        cycles |= {f"index{i}": start + 2, f"permute{i}": start + 4, f"store{i}": start + 6,
                   f"next{i}": i - 8.0}
        if variant.has_constants:
            cycles |= {f"constants{i}": start + 5, f"reverse{i}": i - 5.0}
    if variant.has_constants:
        cycles |= {"salt0": 0.0, "salt1": 0.5}
    return cycles


def natural_order(variant: Variant) -> Order:
    # vpshufd rotates 64-bit words by 32 in one cycle.
    return Order(apart=[variant.word_bits == 32, True, True, True], overwrites=["left"] * 4,
                 loads=False, word_to_b=True, pace=1.0, nops=[], cycles=natural_cycles(variant))


def changed(order: Order, natural: dict[str, float]) -> Order:
    order = copy.deepcopy(order)
    order.cycles = natural | order.cycles
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        change(order)
    return order


def change(order: Order) -> None:
    what, cycles = random.random(), order.cycles
    if what < 0.70:
        name = random.choice(list(cycles))
        cycles[name] = round(cycles[name] + random.gauss(0, random.choice((1, 4))), 2)
    elif what < 0.76:  # the same move in every half
        name, by = random.choice(list(cycles)), random.gauss(0, 2)
        for other in cycles:
            if other[:-1] == name[:-1]:
                cycles[other] = round(cycles[other] + by, 2)
    elif what < 0.82:
        order.overwrites[random.randrange(4)] = random.choice(("left", "right", "early"))
    elif what < 0.85:
        which = random.randrange(4)
        order.apart[which] = not order.apart[which]
    elif what < 0.92:
        if order.nops and (random.random() < 0.5 or len(order.nops) > 4):
            order.nops.pop(random.randrange(len(order.nops)))
        else:
            order.nops.append(round(24 * random.random(), 2))
    elif what < 0.95:
        order.word_to_b = not order.word_to_b
    elif what < 0.97:
        order.loads = not order.loads
    else:
        order.pace = random.choice((1, 0.5, 0.33, 0.2, 0.12, 0.06))


def used(order: Order) -> Order:
    """Removes the names that the order's choices do not use."""
    unused = set()
    for which, apart in enumerate(order.apart):
        row, halves = "db"[which % 2], (which // 2, which // 2 + 2)
        left_out = ("xor",) if apart else ("early", "right", "left")
        unused |= {f"{row}_{part}{h}" for part in left_out for h in halves}
    if not order.loads:
        unused |= {f"load{h}" for h in range(4)}
    order.cycles = {name: cycle for name, cycle in order.cycles.items() if name not in unused}
    return order


class Bench:
    """Builds candidates and times them."""

    def __init__(self, build: Path, variant: Variant, prefix: list[str], folder: Path) -> None:
        self.variant, self.prefix, self.folder = variant, prefix, folder
        self.program = folder / "search_rows"
        self.include = ["-I", str(ROOT / "core"), "-I", str(ROOT / "include")]
        subprocess.run(["cc", "-O2", *self.include, "-o", str(self.program),
                        str(Path(__file__).with_suffix(".c")), str(build / "libfinalist.a")],
                       check=True)

    def time(self, orders: list[Order]) -> list[float]:
        """Returns the cycles of a block for each order."""
        asm = rows.start_file()
        for i, order in enumerate(orders):
            asm.scope = f"order{i}"
            rows.Kernel(asm, self.variant, order).write(f"order{i}")
        asm.line('        .section .data.rel.ro, "aw"\n        .globl kernels, kernels_count')
        asm.line("kernels:")
        asm.ops(f".quad order{i}" for i in range(len(orders)))
        asm.line(f"kernels_count: .quad {len(orders)}")
        source, shared = self.folder / "orders.S", self.folder / "orders.so"
        source.write_text(asm.finish())
        subprocess.run(["cc", "-shared", *self.include, "-o", str(shared), str(source)], check=True)
        variant = self.variant
        command = [*self.prefix, str(self.program), str(shared), variant.name,
                   str(variant.block_bytes), str(variant.rounds), str(SAMPLES)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        results = [line.split() for line in text.splitlines()]
        wrong = [order for order, (right, _) in zip(orders, results, strict=True) if right == "0"]
        if wrong:
            raise SystemExit(f"search_rows: a wrong kernel: {wrong[0]}")
        return [float(cycles) for _, cycles in results]


def climb(bench: Bench, first: Order, seconds: float) -> Order:
    """Returns the best order found; all times are relative to the first order in the same run."""
    natural = natural_cycles(bench.variant)
    pool: list[tuple[float, Order]] = [(1.0, first)]
    end, tried = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        parents = [pool[min(int(random.expovariate(0.25)), len(pool) - 1)][1] for _ in range(BATCH)]
        found = [used(changed(parent, natural)) for parent in parents]
        tried += len(found)
        base, *times = bench.time([first, *found])
        worst = pool[-1][0] if len(pool) == POOL else 2.0
        better = [order for order, cycles in zip(found, times, strict=True)
                  if cycles / base < worst]
        if better:
            base, *times = bench.time([first, *better])
            pool += [(cycles / base, order) for order, cycles in zip(better, times, strict=True)
                     if cycles / base < worst]
        pool = sorted(pool, key=lambda each: each[0])[:POOL]
        print(f"{tried} orders, best {pool[0][0]:.3f} of {base:.1f} cycles", flush=True)
    return best_of(bench, [first] + [order for _, order in pool])


def best_of(bench: Bench, orders: list[Order]) -> Order:
    """Returns the best order by the median of five runs; the first one on a tie."""
    runs = [bench.time(orders) for _ in range(5)]
    medians = [statistics.median(times) for times in zip(*runs, strict=True)]
    print("medians:", *(f"{median:.1f}" for median in medians))
    return orders[medians.index(min(medians))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--natural", action="store_true", help="start from the natural order")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", default="", help="runs the candidates: \"taskset -c 1\"")
    options = parser.parse_args()
    random.seed(options.seed)
    variant = VARIANTS[options.variant]
    first = used(natural_order(variant)) if options.natural else read_order(variant.name)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build, variant, options.run.split(), Path(folder))
        best = climb(bench, first, options.seconds)
    write_order(variant.name, best)


if __name__ == "__main__":
    main()
