# SPDX-License-Identifier: MIT OR Apache-2.0
"""Plants many faults at once. An environment variable switches one of them on when a program runs,
so that all are built in the time of one."""

import json
import re

VARIABLE = "MUTANT"  # the number of the fault to switch on
RECORD = "MUTANTS_REACHED"  # a file in which each evaluated switch sets the byte of its number
RECORD_BYTES = 1 << 16

# Appended to each crate. A fault is "(if crate::mutant_is_on(7) { a <= b } else { a < b })".
FUNCTION = b"""
#[allow(unsafe_code)]
pub(crate) fn mutant_is_on(number: u32) -> bool {
    unsafe extern "C" {
        fn mmap(at: *mut u8, size: usize, access: i32, kind: i32, file: i32, from: i64) -> *mut u8;
    }
    fn record() -> Option<usize> {
        let name = ::std::env::var_os("MUTANTS_REACHED")?;
        let file = ::std::fs::OpenOptions::new().read(true).write(true).open(name).ok()?;
        let file = ::std::os::fd::AsRawFd::as_raw_fd(&file);
        // Readable, writable, shared.
        Some(unsafe { mmap(::std::ptr::null_mut(), 1 << 16, 3, 1, file, 0) } as usize)
    }
    static ON: ::std::sync::OnceLock<(Option<u32>, Option<usize>)> = ::std::sync::OnceLock::new();
    ::std::thread_local! {
        static IS_READING: ::std::cell::Cell<bool> = const { ::std::cell::Cell::new(false) };
    }
    // Reading the variable allocates, and an allocator may have a switch, too.
    if IS_READING.replace(true) {
        return false;
    }
    let &(on, reached) = ON.get_or_init(|| {
        (::std::env::var("MUTANT").ok().and_then(|number| number.parse().ok()), record())
    });
    IS_READING.set(false);
    if let Some(start) = reached {
        unsafe { *(start as *mut u8).add(number as usize) = 1 };
    }
    on == Some(number)
}
"""
SWITCH = re.compile(rb"mutant_is_on\((\d+)\)")
LINES_AROUND = 2  # of an error, in which its switch is


class Switches:
    """The faults in a copy of sources in Rust."""

    on, off = b"if crate::mutant_is_on(%d) { %b } else ", b"{ %b }"
    function = FUNCTION

    def __init__(self, source):
        self.source = source
        self.clean = {}  # the files' text without faults
        self.numbers = {}  # by the faults' keys

    def plant(self, mutants, build):
        """Plants the faults that are in no constant, and builds. build returns success and cargo's
        messages; faults that do not compile are taken out."""
        chosen = {}
        for mutant in mutants:
            if not mutant.constant:
                chosen.setdefault(mutant.file, []).append(mutant)
                self.numbers[mutant.key] = len(self.numbers) + 1
        roots = {file: self.root_of(file) for file in chosen}
        self.clean = {file: (self.source / file).read_bytes()
                      for file in {*chosen, *roots.values()}}
        while self.numbers:
            for file in self.clean:
                text = self.with_switches(self.clean[file], chosen.get(file, [])) \
                    + self.function * (file in roots.values())
                # The function writes to a mapped file.
                text = text.replace(b"#![forbid(unsafe_code)]", b"")
                if (self.source / file).read_bytes() != text:
                    (self.source / file).write_bytes(text)
            built, messages = build()
            if built:
                return
            wrong = self.switches_at(messages)
            if not wrong:
                break
            self.numbers = {key: number for key, number in self.numbers.items()
                            if number not in wrong}
        self.restore()

    def root_of(self, file):
        """Returns the file to append the function to: the crate's root."""
        if not self.function:
            return file
        folder = file[:file.index("src/") + len("src/")]
        return next(folder + name for name in ("lib.rs", "main.rs")
                    if (self.source / folder / name).exists())

    def with_switches(self, text, mutants):
        """Returns the text with the switches of faults; those inside an expression are in its
        branch without a fault."""
        wanted = [mutant for mutant in mutants if mutant.key in self.numbers]

        def between(first, last, inside):
            parts = []
            while inside:
                start, end = inside[0].first, inside[0].last
                own = [mutant for mutant in inside if (mutant.first, mutant.last) == (start, end)]
                deeper = [mutant for mutant in inside if mutant.last <= end and mutant not in own]
                inside = [mutant for mutant in inside if mutant.first >= end]
                parts += [text[first:start], b"("]
                parts += [self.switch(self.numbers[mutant.key], text[start:mutant.start]
                                      + mutant.text + text[mutant.end:end]) for mutant in own]
                parts.append(self.off % between(start, end, deeper) + b")")
                first = end
            return b"".join([*parts, text[first:last]])

        return between(0, len(text), sorted(wanted, key=lambda each: (each.first, -each.last)))

    def switch(self, number, text):
        """Returns the start of a choice: a fault's text, if it is on."""
        return self.on % (number, text)

    def switches_at(self, messages):
        """Returns the switches in the lines that the compiler's errors name."""
        found = set()
        for name, line_start, line_end in self.errors(messages):
            # Cargo's names are relative to the workspace, which may be a folder of the sources.
            files = map(self.source.joinpath, self.clean)
            for file in [file for file in files if file.match(name)]:
                lines = file.read_bytes().splitlines()
                first = max(0, line_start - 1 - LINES_AROUND)
                near = b"\n".join(lines[first:line_end + LINES_AROUND])
                found |= {int(number) for number in SWITCH.findall(near)}
        return found & set(self.numbers.values())

    def errors(self, messages):
        """Yields the file and the first and last line of each error."""
        for line in filter(lambda line: line.startswith("{"), messages.splitlines()):
            message = json.loads(line).get("message") or {}
            for span in message["spans"] if message.get("level") == "error" else []:
                yield span["file_name"], span["line_start"], span["line_end"]

    def restore(self):
        """Takes all faults out."""
        for file, text in self.clean.items():
            (self.source / file).write_bytes(text)
        self.clean, self.numbers = {}, {}


class PythonSwitches(Switches):
    """The faults in a copy of a Python package. Its first import defines the function."""

    on, off = b"%b if mutant_is_on(%d) else ", b"(%b)"
    function = b""
    module = """
import builtins
import mmap
import os

if name := os.environ.get("MUTANTS_REACHED"):
    with open(name, "r+b") as file:
        reached = mmap.mmap(file.fileno(), 0)
on = int(os.environ.get("MUTANT", 0))


def mutant_is_on(number):
    if name:
        reached[number] = 1
    return number == on


builtins.mutant_is_on = mutant_is_on
"""

    def switch(self, number, text):
        return self.on % (text, number)

    def errors(self, messages):
        for name, line in re.findall(r"^(\S+):(\d+)$", messages, re.M):
            yield name, int(line), int(line)


class CSwitches(Switches):
    """The faults in a copy of sources in C. Each is compiled with -include of the header."""

    on, off = b"mutant_is_on(%d) ? (%b) : ", b"(%b)"
    function = b""
    header = """
char *getenv(const char *);
int atoi(const char *);
static int mutant_number;
__attribute__((constructor)) static void mutant_read(void)
{
    mutant_number = getenv("MUTANT") ? atoi(getenv("MUTANT")) : 0;
}
#define mutant_is_on(number) (mutant_number == (number))
"""

    def errors(self, messages):
        for name, line in re.findall(r"^([^\s:]+):(\d+):\d+: (?:error|note: in expansion)",
                                     messages, re.M):
            yield name, int(line), int(line)
