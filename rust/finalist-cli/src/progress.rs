// SPDX-License-Identifier: MIT OR Apache-2.0
//! The progress bar: on standard error, if that is a terminal, once the work has taken a while.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const SHOWN_AFTER: Duration = Duration::from_secs(2);
const TEMPLATE: &str = "{bar:30} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec}";
/// For standard input, whose length is not known.
const TEMPLATE_ENDLESS: &str = "{spinner} {binary_bytes} {binary_bytes_per_sec}";

/// Bytes hashed, of those in the files opened so far.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    wanted: bool,
    shown: AtomicBool,
}

impl Progress {
    /// Nothing is shown unless it is `wanted` and standard error is a terminal.
    pub fn new(wanted: bool) -> Progress {
        Progress {
            bar: ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()),
            started: Instant::now(),
            wanted: wanted && stderr().is_terminal(),
            shown: AtomicBool::new(false),
        }
    }

    /// A file of that length was opened.
    pub fn opened(&self, bytes: u64) {
        if self.wanted {
            self.bar.inc_length(bytes);
        }
    }

    /// That many more bytes were hashed.
    pub fn hashed(&self, bytes: u64) {
        if !self.wanted {
            return;
        }
        self.bar.inc(bytes);
        if self.started.elapsed() >= SHOWN_AFTER && !self.shown.swap(true, Ordering::Relaxed) {
            let endless = self.bar.length() == Some(0);
            let template = if endless { TEMPLATE_ENDLESS } else { TEMPLATE };
            let style = ProgressStyle::with_template(template);
            let style = style.expect("the templates are well formed");
            self.bar.set_style(style);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Does something that writes to the terminal, with the bar out of the way.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        if self.shown.load(Ordering::Relaxed) {
            self.bar.suspend(write)
        } else {
            write()
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
