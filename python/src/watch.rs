// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs work on another thread, while Python's thread checks signals and reports progress.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use finalist_files::platform::bytes_of;
use finalist_files::progress::Progress;
use finalist_manifest::{Difference, Error, Observer, Row};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::manifest::failure;
use crate::memory::take_refusal;

/// The time between two checks of Python's thread.
const INTERVAL: Duration = Duration::from_millis(50);
/// The longest time to wait for stopped work.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of the work, and whether it should stop.
#[derive(Default)]
pub struct Watch {
    stopped: AtomicBool,
    files: AtomicU64,
    files_found: AtomicU64,
    bytes: AtomicU64,
    bytes_found: AtomicU64,
    current: Mutex<PathBuf>,
}

impl Progress for Watch {
    fn found(&self, bytes: u64) {
        self.files_found.fetch_add(1, Ordering::Relaxed);
        self.bytes_found.fetch_add(bytes, Ordering::Relaxed);
    }

    fn reading(&self, name: &Path) {
        self.files.fetch_add(1, Ordering::Relaxed);
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        name.clone_into(&mut current);
    }

    fn hashed(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Watch {
    /// Calls a function with the numbers of files and bytes begun and found, and the last file.
    fn tell(&self, callback: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(callback) = callback else {
            return Ok(());
        };
        let number = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let current = {
            let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            bytes_of(&current).into_owned()
        };
        let (files, bytes) = (number(&self.files), number(&self.bytes));
        let (files_found, bytes_found) = (number(&self.files_found), number(&self.bytes_found));
        callback.call1((files, files_found, bytes, bytes_found, current))?;
        Ok(())
    }

    /// Does the work. `files`: the manifests that it reads.
    ///
    /// A signal, or an error of the callback, stops the work. If it has not ended after PATIENCE,
    /// its thread keeps running.
    pub fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        files: &[PathBuf],
        callback: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let (sender, mut receiver) = channel();
        thread::Builder::new().spawn(move || sender.send(work()))?;
        loop {
            let received;
            (receiver, received) = py.detach(move || {
                let received = receiver.recv_timeout(INTERVAL);
                (receiver, received)
            });
            match received {
                Ok(Ok(done)) => {
                    self.tell(callback)?;
                    return Ok(done);
                }
                Ok(Err(error)) => return Err(failure(error)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the thread of the work has ended"));
                }
                Err(RecvTimeoutError::Timeout) => (),
            }
            if let Some(file) = files.iter().find(|file| take_refusal(file)) {
                let reason = "damaged: it claims to need more memory than there is".to_owned();
                let file = file.clone();
                return Err(failure(Error::Refused { file, reason }));
            }
            if let Err(error) = py.check_signals().and_then(|()| self.tell(callback)) {
                self.stopped.store(true, Ordering::Relaxed);
                let _ = py.detach(move || receiver.recv_timeout(PATIENCE));
                return Err(error);
            }
        }
    }
}

/// Collects reports of the work until it is stopped.
pub struct Collector {
    watch: Arc<Watch>,
    pub differences: Vec<Difference>,
    /// Files that cannot be read.
    pub unread: Vec<Row>,
}

impl Collector {
    pub fn new(watch: &Arc<Watch>) -> Collector {
        Collector {
            watch: watch.clone(),
            differences: Vec::new(),
            unread: Vec::new(),
        }
    }
}

impl Observer for Collector {
    fn message(&mut self, _: &[u8]) -> io::Result<()> {
        self.idle()
    }

    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        self.differences.push(difference.clone());
        self.idle()
    }

    fn unread(&mut self, row: &Row) -> io::Result<()> {
        self.unread.push(row.clone());
        Ok(())
    }

    fn idle(&mut self) -> io::Result<()> {
        match self.watch.is_stopped() {
            true => Err(io::Error::other("stopped")),
            false => Ok(()),
        }
    }
}
