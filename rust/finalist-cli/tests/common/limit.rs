// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ends a test program that hangs: tests wait for pipes and for programs that may never end.

use std::io::Write;
use std::process::{Command, exit, id};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, io, thread};

/// Sets the limit in seconds instead of `SECONDS`.
pub const VARIABLE: &str = "FINALIST_TEST_SECONDS";

/// No test takes this long after starting a program.
const SECONDS: u64 = 600;

static LAST: Mutex<Option<Instant>> = Mutex::new(None);

/// Notes that a test starts a program: the time limit runs from the last start.
pub fn begin() {
    let mut last = LAST.lock().expect("no thread panics with it");
    if last.replace(Instant::now()).is_none() {
        let seconds = env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
        let limit = Duration::from_secs(seconds.unwrap_or(SECONDS));
        thread::spawn(move || watch(limit));
    }
}

fn watch(limit: Duration) {
    loop {
        thread::sleep(Duration::from_millis(500));
        let last = LAST.lock().expect("no thread panics with it");
        if last.is_some_and(|last| last.elapsed() > limit) {
            // Do not use eprintln: a test withholds its text until it ends.
            let text = "a test hangs: no program was started for";
            let _ = writeln!(io::stderr(), "{text} {} s", limit.as_secs());
            let _ = Command::new("pkill")
                .args(["-KILL", "-P", &id().to_string()])
                .status();
            exit(1);
        }
    }
}
