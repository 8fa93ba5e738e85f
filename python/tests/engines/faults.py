# SPDX-License-Identifier: MIT OR Apache-2.0
"""Injects faults into workers and files of a running job."""

import os
import pathlib
import signal
import threading
import time

from finalist import _parts


def writers(folder):
    """Yields the processes that have a file open in this folder, with its name."""
    for link in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        try:
            target = os.readlink(link)
        except OSError:  # The process or the file is gone.
            continue
        if target.startswith(f"{folder}/") and not target.endswith("(deleted)"):
            yield int(link.parts[2]), target


class Killer(threading.Thread):
    """Kills the first worker that it sees writing into a folder, in the middle of its work."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder = str(folder)
        self.killed = None
        self.start()

    def run(self):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.killed is None:
            for process, path in writers(self.folder):
                if process != os.getpid() and os.path.basename(path).startswith(".part-"):
                    os.kill(process, signal.SIGKILL)
                    self.killed = process
                    return
            time.sleep(0.002)


def meddle(monkeypatch, *actions):
    """Runs actions on files between the job that lists them and the one that hashes them."""
    tasks = _parts.tasks

    def tasks_and_then(files):
        made = tasks(files)
        for action in actions:
            action()
        return made

    monkeypatch.setattr(_parts, "tasks", tasks_and_then)
