// SPDX-License-Identifier: MIT OR Apache-2.0
//! The progress line: on standard error if that is a terminal, once the work has taken a moment.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{
    BinaryBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use finalist_files::platform::{bytes_of, stat};
use finalist_files::progress::Progress;
use finalist_files::quote::shown;

const SHOWN_AFTER: Duration = Duration::from_millis(200);
const REDRAWN_AFTER: Duration = Duration::from_millis(100);
const TEMPLATE: &str = "{files}{done}  {binary_bytes_per_sec}{left}  {wide_msg}";

/// A line with the files and bytes read, and those of all files found so far.
pub struct ProgressLine(Option<Arc<Line>>);

struct Line {
    bar: ProgressBar,
    /// Bytes of the files found; 0 while no file's length is known.
    total: AtomicU64,
    files: Arc<Files>,
    state: Mutex<State>,
}

/// Numbers of files.
#[derive(Default)]
struct Files {
    found: AtomicU64,
    begun: AtomicU64,
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
        let line = Arc::new(Line {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            total: AtomicU64::new(0),
            files: Arc::default(),
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
        if let Some(line) = &self.0 {
            let stat = stat(name).ok().filter(|stat| stat.is_file());
            line.add_file(stat.map(|stat| stat.bytes));
        }
    }

    fn reading(&self, name: &Path) {
        if let Some(line) = &self.0 {
            line.files.begun.fetch_add(1, Ordering::Relaxed);
            line.bar.set_message(shown(&bytes_of(name)));
        }
    }

    fn hashed(&self, bytes: u64) {
        if let Some(line) = &self.0 {
            line.bar.inc(bytes);
        }
    }

    fn finish(&self) {
        if let Some(line) = &self.0 {
            *line.state() = State::Finished;
            line.bar.finish_and_clear();
        }
    }
}

impl Line {
    /// Adds a file that will be read, and its length if it is known.
    fn add_file(&self, bytes: Option<u64>) {
        self.files.found.fetch_add(1, Ordering::Relaxed);
        if let Some(bytes) = bytes {
            let before = self.total.fetch_add(bytes, Ordering::Relaxed);
            self.bar.set_length(before + bytes);
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
            let files = self.files.clone();
            self.bar.set_style(
                style
                    .with_key(
                        "files",
                        move |_: &ProgressState, text: &mut dyn fmt::Write| {
                            write_files(&files, text);
                        },
                    )
                    .with_key("done", write_done)
                    .with_key("left", write_left),
            );
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(REDRAWN_AFTER);
            *state = State::Shown;
        }
    }
}

/// Writes the number of the file that is read, unless there is only one.
fn write_files(files: &Files, text: &mut dyn fmt::Write) {
    let [begun, found] = [&files.begun, &files.found].map(|count| count.load(Ordering::Relaxed));
    if found > 1 {
        // A failure to format the line cannot be reported.
        let _ = write!(text, "file {begun} of {found}  ");
    }
}

/// Writes the number of hashed bytes and, if known, of all bytes.
fn write_done(state: &ProgressState, text: &mut dyn fmt::Write) {
    let done = BinaryBytes(state.pos());
    // A failure to format the line cannot be reported.
    let _ = match state.len() {
        Some(total) => write!(
            text,
            "{done} of {} ({:.0} %)",
            BinaryBytes(total),
            100.0 * state.fraction()
        ),
        None => write!(text, "{done}"),
    };
}

/// Writes the remaining time, if known.
fn write_left(state: &ProgressState, text: &mut dyn fmt::Write) {
    if state.len().is_some() && state.pos() != 0 {
        let _ = write!(text, "  {:#} left", HumanDuration(state.eta()));
    }
}
