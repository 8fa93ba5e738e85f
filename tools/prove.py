#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the proofs of tests/proofs with CBMC, and shows that each can fail.

    tools/prove.py [--jobs N] [--only NAME] [--directory DIR]
    tools/prove.py --faults          also plants the faults that each proof names

A proof is a program tests/proofs/NAME.c. CBMC considers all values of its undetermined variables at
once, and proves that no access is out of bounds, no signed sum overflows, no shift is too wide, and
every assertion holds. The program's head says:

    Proves: PROPERTY, in one line       Bounds: LENGTHS AND VALUES
    Runs: DEFINITIONS | DEFINITIONS     one run for each; default: one run without any
    Options: OPTION ...                 additional options of CBMC, such as a loop bound
    Faults: NAME ...                    patches of tests/faults with which a run must fail

Ends with 1 if a proof fails, does not end in ten minutes, or misses its fault.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROOFS = ROOT / "tests" / "proofs"
FAULTS = ROOT / "tests" / "faults"
CHECKS = ["--bounds-check", "--pointer-check", "--div-by-zero-check", "--signed-overflow-check",
          "--undefined-shift-check", "--unwinding-assertions", "--drop-unused-functions"]
SECONDS_MAX = 600


class Proof:
    """A program and the fields of its head."""

    def __init__(self, path):
        self.path = path
        self.name = path.stem
        head = path.read_text(encoding="utf-8").partition("*/\n#")[0]
        said = dict.fromkeys(("Proves", "Bounds", "Runs", "Options", "Faults"), "")
        for word, rest in re.findall(r"^ \* (\w+): (.*)$", head, re.M):
            if word not in said:
                sys.exit(f"{path}: '{word}:' is none of {', '.join(said)}")
            said[word] += ("| " if said[word] and word == "Runs" else " ") + rest
        if not said["Proves"] or not said["Bounds"] or not said["Faults"]:
            sys.exit(f"{path}: say what it Proves, for which Bounds, and its Faults")
        self.proves, self.bounds = said["Proves"].strip(), said["Bounds"].strip()
        self.runs = [run.split() for run in said["Runs"].split("|")]
        self.options = said["Options"].split()
        self.faults = said["Faults"].split()

    def run(self, definitions, core):
        """Runs CBMC; returns success, or CBMC's messages."""
        command = ["cbmc", str(self.path), *CHECKS, *self.options, "-I", str(PROOFS / "stand_in"),
                   "-I", str(PROOFS), "-I", str(core), "-I", str(ROOT / "include")]
        command += [word for definition in definitions for word in ("-D", definition)]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False, text=True, errors="replace", timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            return None, f"no end after {SECONDS_MAX} seconds"
        if done.returncode in (0, 10):
            failed = [line for line in done.stdout.splitlines() if line.endswith(": FAILURE")]
            return done.returncode == 0, "\n".join(failed)
        return None, "\n".join(done.stdout.splitlines()[-10:])


def prove(proof, definitions):
    """Runs a proof on the unchanged sources; returns success and a line for the report."""
    begin = time.monotonic()
    proved, text = proof.run(definitions, ROOT / "core")
    title = " ".join([proof.name, *definitions])
    if proved:
        return True, f"{title}: proved, {time.monotonic() - begin:.0f} s"
    return False, f"WRONG  {title}: {'does not hold' if text else 'not run'}\n{text}"


def plant(proof, fault, directory):
    """Runs a proof on sources with a fault; returns whether it sees the fault, and a line."""
    copy = directory / f"{proof.name}-{fault}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "core", copy / "core")
    shutil.copytree(ROOT / "include", copy / "include")
    patch = ["patch", "-p1", "--batch", "--fuzz=0", "--input", str(FAULTS / f"{fault}.patch")]
    done = subprocess.run(patch, cwd=copy, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        return False, f"WRONG  {proof.name}: {fault} does not apply:\n{done.stdout}{done.stderr}"
    for definitions in proof.runs:
        proved, text = proof.run(definitions, copy / "core")
        if proved is None:
            return False, f"WRONG  {proof.name} with {fault}: not run:\n{text}"
        if not proved:
            shutil.rmtree(copy)
            return True, f"{proof.name}: sees {fault}: {text.splitlines()[0]}"
    return False, f"WRONG  {proof.name}: does NOT see {fault}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="proofs whose names contain this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "build" / "proofs")
    parser.add_argument("--faults", action="store_true", help="plant each proof's faults, too")
    arguments = parser.parse_args()
    if not shutil.which("cbmc"):
        sys.exit("prove.py: needs cbmc: tools/install_needs.sh proofs")
    proofs = [Proof(path) for path in sorted(PROOFS.glob("*.c")) if arguments.only in path.stem]
    if not proofs:
        sys.exit(f"prove.py: no proof's name contains '{arguments.only}'")
    good = True
    with concurrent.futures.ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        jobs = [pool.submit(prove, proof, run) for proof in proofs for run in proof.runs]
        if arguments.faults:
            jobs += [pool.submit(plant, proof, fault, arguments.directory.resolve())
                     for proof in proofs for fault in proof.faults]
        for job in jobs:
            as_said, text = job.result()
            good = good and as_said
            print(text, flush=True)
    return good


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
