// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work done by several threads whose results are taken in the order in which it was given.
//!
//! One thread finds the jobs (walks directories, reads lists), a pool does them, and the caller's
//! thread takes the results. At most a window of jobs is under way or waiting to be taken, so that
//! memory stays bounded however many there are.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

type Work<T> = Box<dyn FnOnce() -> T + Send>;

pub enum Job<T> {
    /// Nothing is left to do.
    Done(T),
    /// Done by the caller's thread, when everything before it has been taken. For what cannot be
    /// shared, such as standard input.
    InTurn(Work<T>),
    /// Done by any thread.
    Any(Work<T>),
}

impl<T> Job<T> {
    fn run(self) -> T {
        match self {
            Job::Done(result) => result,
            Job::InTurn(work) | Job::Any(work) => work(),
        }
    }
}

pub trait Sink<T> {
    fn take(&mut self, result: T) -> Result<(), Failure>;

    /// Called before waiting for a result that is not there yet.
    fn idle(&mut self) -> Result<(), Failure>;
}

/// A job whose turn is to come.
enum Pending<T> {
    Here(Job<T>),
    There(Receiver<T>),
}

/// The threads that do the jobs.
pub struct Crew {
    /// `None`: the caller's thread does everything.
    pool: Option<Arc<ThreadPool>>,
    window: usize,
}

impl Crew {
    pub fn new(threads: usize, window: usize) -> Result<Crew, Failure> {
        let build = || ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = (threads > 1).then(build).transpose().map_err(|error| {
            Failure::message(format!(
                "cannot start {threads} threads: {error}; ask for fewer with -j"
            ))
        })?;
        Ok(Crew {
            pool: pool.map(Arc::new),
            window,
        })
    }

    /// Does the jobs; the sink takes their results in order. Ends early if the sink fails: what is
    /// under way is then left to end with the process.
    pub fn run<T: Send + 'static>(
        &self,
        jobs: impl Iterator<Item = Job<T>> + Send + 'static,
        sink: &mut impl Sink<T>,
    ) -> Result<(), Failure> {
        let Some(pool) = self.pool.clone() else {
            for job in jobs {
                sink.take(job.run())?;
                sink.idle()?;
            }
            return Ok(());
        };
        let (queue, pending) = sync_channel(self.window);
        thread::spawn(move || hand_out(&pool, jobs, &queue));
        while let Some(next) = receive(&pending, sink)? {
            let result = match next {
                Pending::There(result) => receive(&result, sink)?,
                Pending::Here(job) => {
                    if !matches!(job, Job::Done(_)) {
                        sink.idle()?;
                    }
                    Some(job.run())
                }
            };
            sink.take(result.expect("a job that panics ends the process"))?;
        }
        Ok(())
    }
}

/// Gives the jobs to the pool, and their places in the order to the queue, until nobody listens.
fn hand_out<T: Send + 'static>(
    pool: &ThreadPool,
    jobs: impl Iterator<Item = Job<T>>,
    queue: &SyncSender<Pending<T>>,
) {
    for job in jobs {
        let pending = match job {
            Job::Any(work) => {
                let (done, result) = sync_channel(1);
                pool.spawn(move || {
                    let _ = done.send(work());
                });
                Pending::There(result)
            }
            here => Pending::Here(here),
        };
        if queue.send(pending).is_err() {
            return;
        }
    }
}

/// The channel's next value; `None` if there is none left.
fn receive<V, T>(channel: &Receiver<V>, sink: &mut impl Sink<T>) -> Result<Option<V>, Failure> {
    match channel.try_recv() {
        Ok(value) => Ok(Some(value)),
        Err(TryRecvError::Disconnected) => Ok(None),
        Err(TryRecvError::Empty) => {
            sink.idle()?;
            Ok(channel.recv().ok())
        }
    }
}
