// SPDX-License-Identifier: MIT OR Apache-2.0
//! The progress line: on standard error if that is a terminal, once the work has taken a moment.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{
    BinaryBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use terminal_size::terminal_size_of;

use finalist_files::platform::{bytes_of, stat};
use finalist_files::progress::Progress;
use finalist_files::quote::shown;

const SHOWN_AFTER: Duration = Duration::from_millis(200);
const REDRAWN_AFTER: Duration = Duration::from_millis(100);
/// The message is the file's name, which is cut to the rest of the line.
const TEMPLATE: &str = "{numbers}  {wide_msg}";
/// Columns for a name: numbers are left out before fewer remain.
const NAME_COLUMNS: usize = 10;
/// The width of a terminal that does not state its own.
const COLUMNS: usize = 80;

/// A line with the files and bytes read, and those of all files once they are found.
pub struct ProgressLine(Option<Arc<CountedBar>>);

struct CountedBar {
    /// Counts the bytes that this run hashes: its speed excludes those skipped.
    bar: ProgressBar,
    counts: Arc<Counts>,
    state: Mutex<State>,
}

/// Numbers of files and bytes.
#[derive(Default)]
struct Counts {
    found: AtomicU64,
    begun: AtomicU64,
    /// Bytes of the files found.
    total: AtomicU64,
    /// Bytes that an earlier run hashed.
    skipped: AtomicU64,
    may_find_more: AtomicBool,
    /// True if the files are counted apart from the search for them.
    are_counted: AtomicBool,
}

/// The bytes that this run has hashed, its speed, and the time that the rest will take.
struct Pace {
    bytes: u64,
    per_second: f64,
    left: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Hidden,
    Shown,
    Finished,
}

impl ProgressLine {
    /// Returns a line that is shown only if it is `wanted` and standard error is a terminal.
    pub fn new(wanted: bool) -> ProgressLine {
        if !wanted || !stderr().is_terminal() {
            return ProgressLine(None);
        }
        let line = Arc::new(CountedBar {
            bar: ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()),
            counts: Arc::default(),
            state: Mutex::new(State::Hidden),
        });
        let weak = Arc::downgrade(&line);
        // The thread shows the line even if no file can be read. If it cannot be started, no line
        // is shown.
        let _ = thread::Builder::new().spawn(move || {
            thread::sleep(SHOWN_AFTER);
            weak.upgrade().inspect(|line| line.show());
        });
        ProgressLine(Some(line))
    }

    /// Counts the files of a command line in a thread of its own, since one thread that hashes them
    /// would find the last of them last.
    pub fn count(&self, names: &[PathBuf]) {
        let Some(line) = self.0.clone() else {
            return;
        };
        self.may_find_more(true);
        line.counts.are_counted.store(true, Ordering::Relaxed);
        let names = names.to_vec();
        // If the thread cannot be started, no total is shown.
        let _ = thread::Builder::new().spawn(move || {
            names.iter().for_each(|name| line.add_named(name));
            line.counts.may_find_more.store(false, Ordering::Relaxed);
        });
    }

    /// Hides the line while a function writes to the terminal.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        let Some(line) = &self.0 else {
            return write();
        };
        // The lock is held meanwhile: the line does not appear in the middle of other text.
        match *line.state() {
            State::Shown => line.bar.suspend(write),
            _ => write(),
        }
    }
}

impl Progress for ProgressLine {
    fn found(&self, bytes: u64) {
        if let Some(line) = &self.0 {
            line.add_file(Some(bytes));
        }
    }

    fn found_file(&self, name: &Path) {
        let line = self.0.as_ref();
        if let Some(line) = line.filter(|line| !line.are_counted()) {
            line.add_named(name);
        }
    }

    fn may_find_more(&self, more: bool) {
        let line = self.0.as_ref();
        if let Some(line) = line.filter(|line| !line.are_counted()) {
            line.counts.may_find_more.store(more, Ordering::Relaxed);
        }
    }

    fn reading(&self, name: &Path) {
        if let Some(line) = &self.0 {
            line.counts.begun.fetch_add(1, Ordering::Relaxed);
            line.bar.set_message(shown(&bytes_of(name)));
        }
    }

    fn hashed(&self, bytes: u64) {
        if let Some(line) = &self.0 {
            line.bar.inc(bytes);
        }
    }

    fn skipped(&self, bytes: u64) {
        if let Some(line) = &self.0 {
            line.counts.skipped.fetch_add(bytes, Ordering::Relaxed);
            line.bar.dec_length(bytes);
        }
    }

    fn finish(&self) {
        if let Some(line) = &self.0 {
            *line.state() = State::Finished;
            line.bar.finish_and_clear();
        }
    }
}

impl CountedBar {
    fn are_counted(&self) -> bool {
        self.counts.are_counted.load(Ordering::Relaxed)
    }

    /// Adds a file that will be read if it exists.
    fn add_named(&self, name: &Path) {
        let stat = stat(name).ok().filter(|stat| stat.is_file());
        self.add_file(stat.map(|stat| stat.bytes));
    }

    /// Adds a file that will be read, and its length if it is known.
    fn add_file(&self, bytes: Option<u64>) {
        self.counts.found.fetch_add(1, Ordering::Relaxed);
        if let Some(bytes) = bytes {
            self.counts.total.fetch_add(bytes, Ordering::Relaxed);
            self.bar.inc_length(bytes);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self) {
        let mut state = self.state();
        if *state == State::Hidden {
            let style = ProgressStyle::with_template(TEMPLATE);
            let style = style.expect("the template is well formed");
            let counts = self.counts.clone();
            let numbers = move |state: &ProgressState, text: &mut dyn fmt::Write| {
                let columns =
                    terminal_size_of(stderr()).map_or(COLUMNS, |(width, _)| width.0.into());
                let pace = Pace {
                    bytes: state.pos(),
                    per_second: state.per_sec(),
                    left: state.eta(),
                };
                // A failure to format the line cannot be reported.
                let _ = text.write_str(&counts.numbers(&pace, columns));
            };
            self.bar.set_style(style.with_key("numbers", numbers));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(REDRAWN_AFTER);
            *state = State::Shown;
        }
    }
}

impl Counts {
    /// Formats as many numbers as leave space for a name in a line of `columns`.
    fn numbers(&self, pace: &Pace, columns: usize) -> String {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let [begun, found] = [&self.begun, &self.found].map(get);
        let [total, skipped] = [&self.total, &self.skipped].map(get);
        let may_find_more = self.may_find_more.load(Ordering::Relaxed);
        let done = pace.bytes + skipped;
        let speed = format!("{}/s", BinaryBytes(pace.per_second as u64));
        let total = Some(total).filter(|&total| total != 0 && !may_find_more);
        let bytes = total.map_or(BinaryBytes(done).to_string(), |total| {
            format!("{} of {}", BinaryBytes(done), BinaryBytes(total))
        });
        let percentage = total.map(|total| {
            let part = done as f64 / total as f64;
            format!("{:.0} %", 100.0 * part.min(1.0))
        });
        let left = total.filter(|_| pace.bytes != 0);
        let left = left.map(|_| format!("{:#} left", HumanDuration(pace.left)));
        let files = match (found, may_find_more) {
            (_, true) => Some(format!("file {begun}")),
            (2.., false) => Some(format!("file {begun} of {found}")),
            _ => None,
        };
        let all = [files, Some(bytes), percentage, Some(speed), left];
        fitted(all, columns.saturating_sub(NAME_COLUMNS))
    }
}

/// Joins the parts of a line, without those of the least use if it would be too long: the speed,
/// then the bytes, the time left and the files.
fn fitted(mut parts: [Option<String>; 5], columns: usize) -> String {
    let join = |parts: &[Option<String>; 5]| -> String {
        let shown: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
        shown.join("  ")
    };
    for index in [3, 1, 4, 0] {
        if join(&parts).len() <= columns {
            break;
        }
        // Without a total, the bytes are all that is known.
        if index != 1 || parts[2].is_some() {
            parts[index] = None;
        }
    }
    join(&parts)
}

#[cfg(test)]
mod tests {
    use super::{Counts, Pace, fitted};
    use std::sync::atomic::{AtomicBool, AtomicU64};
    use std::time::Duration;

    #[test]
    fn numbers_are_those_that_are_known() {
        let numbers = |found: u64, total: u64, skipped: u64, may_find_more, bytes| {
            let counts = Counts {
                found: AtomicU64::new(found),
                begun: AtomicU64::new(2),
                total: AtomicU64::new(total),
                skipped: AtomicU64::new(skipped),
                may_find_more: AtomicBool::new(may_find_more),
                ..Counts::default()
            };
            let pace = Pace {
                bytes,
                per_second: 1536.0,
                left: Duration::from_secs(90),
            };
            counts.numbers(&pace, 80)
        };
        for (shown, expected) in [
            (
                numbers(3, 4096, 0, false, 1024),
                "file 2 of 3  1.00 KiB of 4.00 KiB  25 %  1.50 KiB/s  2m left",
            ),
            // The search goes on: the total may grow.
            (
                numbers(3, 4096, 0, true, 1024),
                "file 2  1.00 KiB  1.50 KiB/s",
            ),
            // An earlier run hashed half.
            (
                numbers(1, 4096, 2048, false, 1024),
                "3.00 KiB of 4.00 KiB  75 %  1.50 KiB/s  2m left",
            ),
            // Nothing was hashed yet: no time is known.
            (
                numbers(2, 4096, 2048, false, 0),
                "file 2 of 2  2.00 KiB of 4.00 KiB  50 %  1.50 KiB/s",
            ),
            (
                numbers(2, 4096, 0, false, 1),
                "file 2 of 2  1 B of 4.00 KiB  0 %  1.50 KiB/s  2m left",
            ),
            // A pipe has no length, and a file may have grown.
            (numbers(1, 0, 0, false, 1024), "1.00 KiB  1.50 KiB/s"),
            (
                numbers(1, 1, 0, false, 2),
                "2 B of 1 B  100 %  1.50 KiB/s  2m left",
            ),
        ] {
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn a_narrow_line_keeps_what_is_of_most_use() {
        let parts = [
            "file 12 of 304",
            "1.23 GiB of 4.56 GiB",
            "27 %",
            "1.20 GiB/s",
            "2m left",
        ];
        let known = parts.map(|part| Some(part.to_owned()));
        let mut unknown = known.clone();
        (unknown[0], unknown[1]) = (Some("file 12".to_owned()), Some("1.23 GiB".to_owned()));
        (unknown[2], unknown[4]) = (None, None);
        let all = parts.join("  ");
        for (columns, shown) in [
            (all.len(), all.as_str()),
            (
                all.len() - 1,
                "file 12 of 304  1.23 GiB of 4.56 GiB  27 %  2m left",
            ),
            (30, "file 12 of 304  27 %  2m left"),
            (20, "file 12 of 304  27 %"),
            (10, "27 %"),
            (0, "27 %"),
        ] {
            assert_eq!(fitted(known.clone(), columns), shown, "{columns}");
        }
        for (columns, shown) in [
            (30, "file 12  1.23 GiB  1.20 GiB/s"),
            (20, "file 12  1.23 GiB"),
            (10, "1.23 GiB"),
        ] {
            assert_eq!(fitted(unknown.clone(), columns), shown, "{columns}");
        }
    }
}
