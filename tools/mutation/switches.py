# SPDX-License-Identifier: MIT OR Apache-2.0
"""Plants many faults at once. An environment variable switches one of them on when a program runs,
so that all are built in the time of one."""

import json
import re

VARIABLE = "MUTANT"

# Appended to each crate. A fault is "(if crate::mutant_is_on(7) { a <= b } else { a < b })".
FUNCTION = b"""
pub(crate) fn mutant_is_on(number: u32) -> bool {
    static ON: ::std::sync::OnceLock<Option<u32>> = ::std::sync::OnceLock::new();
    ::std::thread_local! {
        static IS_READING: ::std::cell::Cell<bool> = const { ::std::cell::Cell::new(false) };
    }
    // Reading the variable allocates, and an allocator may have a switch, too.
    if IS_READING.replace(true) {
        return false;
    }
    let on = *ON.get_or_init(|| ::std::env::var("MUTANT").ok()?.parse().ok());
    IS_READING.set(false);
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
        """Returns the file of the crate's root."""
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
                parts += [self.on % (
                    self.numbers[mutant.key],
                    text[start:mutant.start] + mutant.text + text[mutant.end:end])
                    for mutant in own]
                parts.append(self.off % between(start, end, deeper) + b")")
                first = end
            return b"".join([*parts, text[first:last]])

        return between(0, len(text), sorted(wanted, key=lambda each: (each.first, -each.last)))

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

    def root_of(self, file):
        return file

    def errors(self, messages):
        for name, line in re.findall(r"^([^\s:]+):(\d+):\d+: (?:error|note: in expansion)",
                                     messages, re.M):
            yield name, int(line), int(line)
