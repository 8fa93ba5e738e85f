// SPDX-License-Identifier: MIT OR Apache-2.0
//! The progress of measurements: on standard error if that is a terminal.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Few redraws, since they disturb measurements.
const REDRAWN_AFTER: Duration = Duration::from_millis(500);
const REDRAWN_HZ: u8 = 2;

/// A line with the part that is done, what is being measured and the time left.
pub(super) struct Progress {
    bar: ProgressBar,
    time: Arc<Time>,
}

struct Time {
    started: Instant,
    /// Planned durations of all measurements and of the rows, which are the last of them.
    all: Duration,
    rows: Duration,
    rows_started: OnceLock<Instant>,
}

impl Progress {
    /// Shows the line.
    pub fn new(all: Duration, rows: Duration) -> Progress {
        let time = Arc::new(Time {
            started: Instant::now(),
            all,
            rows,
            rows_started: OnceLock::new(),
        });
        let target = ProgressDrawTarget::stderr_with_hz(REDRAWN_HZ);
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{percentage} {msg}, about {time_left} left");
        let style = style.expect("the template is well formed");
        let (percentage, left) = (time.clone(), time.clone());
        let percentage = move |_: &ProgressState, text: &mut dyn fmt::Write| {
            // A failure to format the line cannot be reported.
            let _ = write!(text, "{:.0} %", percentage.percentage());
        };
        let left = move |_: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{:#}", HumanDuration(left.left()));
        };
        bar.set_style(
            style
                .with_key("percentage", percentage)
                .with_key("time_left", left),
        );
        if !bar.is_hidden() {
            bar.enable_steady_tick(REDRAWN_AFTER);
        }
        Progress { bar, time }
    }

    /// Names what is measured from now on.
    pub fn begin(&self, what: String) {
        self.bar.set_message(what);
    }

    /// Notes that rows are measured from now on.
    pub fn begin_rows(&self) {
        self.time.rows_started.get_or_init(Instant::now);
    }

    /// Hides the line while a function writes to the terminal.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Time {
    fn left(&self) -> Duration {
        match self.rows_started.get() {
            Some(started) => self.rows.saturating_sub(started.elapsed()),
            None => self
                .all
                .saturating_sub(self.started.elapsed())
                .max(self.rows),
        }
    }

    fn percentage(&self) -> f64 {
        let done = self.started.elapsed().as_secs_f64();
        100.0 * done / (done + self.left().as_secs_f64())
    }
}
