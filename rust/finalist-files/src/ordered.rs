// SPDX-License-Identifier: MIT OR Apache-2.0
//! Distributes work over several threads and delivers the results in the order of the work.
//!
//! One thread finds the work (walks directories, reads lists), workers fetch as much of it as they
//! process at once, and the caller's thread puts the results in order. At most a window of items is
//! found but not delivered, which bounds the memory.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::ThreadPool;

use crate::threads::Threads;

/// The index of a work item, from 0.
pub type Place = u64;

/// Result of looking for work.
pub enum WorkItem<W, T> {
    /// An item for any thread.
    Work(W),
    /// An item for the caller's thread once all earlier results are delivered: for items that
    /// cannot be distributed, such as standard input.
    InOrder(W),
    /// A finished result that needs no work.
    Done(T),
    /// The next item may take a while.
    Pause,
}

/// Receives results; fails if no more are needed.
pub type Deliver<'a, T, E> = dyn FnMut(Vec<(Place, T)>) -> Result<(), E> + 'a;

/// Processes work items in a thread.
pub trait Worker<W, T> {
    /// Receives true when the search for items begins, and false when it has found all of them.
    fn may_find_more(&self, _more: bool) {}

    /// Takes an item. Delivers its result now or with those of later items. Returns true if
    /// `finish` should be called now.
    ///
    /// # Errors
    /// Those of `deliver`.
    fn take<E>(
        &mut self,
        place: Place,
        work: W,
        deliver: &mut Deliver<'_, T, E>,
    ) -> Result<bool, E>;

    /// Delivers the results of all items taken so far.
    ///
    /// # Errors
    /// Those of `deliver`.
    fn finish<E>(&mut self, deliver: &mut Deliver<'_, T, E>) -> Result<(), E>;
}

/// Takes results in order.
pub trait Sink<T> {
    /// The reason for refusing further results.
    type Error;

    /// Takes the next result.
    ///
    /// # Errors
    /// No further results are needed.
    fn take(&mut self, result: T) -> Result<(), Self::Error>;

    /// Runs before the caller waits for the next result.
    ///
    /// # Errors
    /// No further results are needed.
    fn idle(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// State of an item whose result was not delivered.
enum Slot<W, T> {
    Result(T),
    InOrder(W),
}

type Slots<W, T> = Vec<(Place, Slot<W, T>)>;

/// The threads that process the items.
pub struct Workers {
    /// `None`: the caller's thread does everything.
    pool: Option<ThreadPool>,
    /// Held while an item is fetched and taken, if only one worker may do so at a time.
    turn: Option<Arc<Mutex<()>>>,
    window: u64,
}

impl Workers {
    /// Prepares the threads. `in_turn`: workers take items one at a time, in order.
    pub fn new(threads: Threads, in_turn: bool, window: u64) -> Workers {
        // If no threads can be started, the caller's thread does the work.
        let pool = (threads.count() > 1).then(|| threads.start().ok());
        Workers {
            pool: pool.flatten(),
            turn: in_turn.then(Arc::default),
            window,
        }
    }

    /// Processes all items with one worker per thread and passes the results to the sink in order.
    /// Ends early if the sink fails: the remaining work then ends with the process.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn run<W, T, K, S>(
        &self,
        found: impl Iterator<Item = WorkItem<W, T>> + Send + 'static,
        worker: impl Fn() -> K,
        sink: &mut S,
    ) -> Result<(), S::Error>
    where
        S: Sink<T>,
        W: Send + 'static,
        T: Send + 'static,
        K: Worker<W, T> + Send + 'static,
    {
        let Some(pool) = &self.pool else {
            return do_all(found, worker(), sink);
        };
        let (results, incoming) = channel();
        let queue = Arc::new(Queue::new(self.window));
        for _ in 0..pool.current_num_threads() {
            let (queue, turn) = (queue.clone(), self.turn.clone());
            let (results, worker) = (results.clone(), worker());
            pool.spawn(move || work(&queue, turn.as_deref(), worker, &results));
        }
        let ending = Ending(queue.clone());
        let observer = worker();
        observer.may_find_more(true);
        let finder = thread::spawn(move || {
            find(found, &ending.0, &results);
            observer.may_find_more(false);
        });
        let taken = put_in_order(&incoming, &queue, worker(), sink);
        if taken.is_err() {
            queue.abandon();
        }
        taken?;
        finder.join().expect("the thread has said what is wrong");
        Ok(())
    }
}

/// Processes all items in one thread.
fn do_all<W, T, S: Sink<T>>(
    mut found: impl Iterator<Item = WorkItem<W, T>>,
    mut worker: impl Worker<W, T>,
    sink: &mut S,
) -> Result<(), S::Error> {
    let deliver = &mut |results: Vec<(Place, T)>| {
        results
            .into_iter()
            .try_for_each(|(_, result)| sink.take(result))?;
        sink.idle()
    };
    worker.may_find_more(true);
    let mut place = 0;
    while let Some(item) = found.next() {
        // The last of the names on a command line is known to be the last one.
        if found.size_hint().1 == Some(0) {
            worker.may_find_more(false);
        }
        let full = match item {
            WorkItem::Work(work) | WorkItem::InOrder(work) => worker.take(place, work, deliver)?,
            WorkItem::Pause => true,
            WorkItem::Done(result) => {
                worker.finish(deliver)?;
                deliver(vec![(place, result)])?;
                false
            }
        };
        if full {
            worker.finish(deliver)?;
        }
        place += 1;
    }
    worker.may_find_more(false);
    worker.finish(deliver)
}

/// Finds work until no more results are needed.
fn find<W, T>(
    found: impl Iterator<Item = WorkItem<W, T>>,
    queue: &Queue<W>,
    results: &Sender<Slots<W, T>>,
) {
    let mut place = 0;
    for found in found {
        if !queue.wait_for_space(place) {
            return;
        }
        let slot = match found {
            // Workers do not wait for work while they hold items.
            WorkItem::Pause => continue,
            WorkItem::Work(work) => {
                queue.put(place, work);
                place += 1;
                continue;
            }
            WorkItem::InOrder(work) => Slot::InOrder(work),
            WorkItem::Done(result) => Slot::Result(result),
        };
        if results.send(vec![(place, slot)]).is_err() {
            return;
        }
        place += 1;
    }
}

/// Processes items until none are left or no more results are needed.
fn work<W, T>(
    queue: &Queue<W>,
    turn: Option<&Mutex<()>>,
    mut worker: impl Worker<W, T>,
    results: &Sender<Slots<W, T>>,
) {
    let deliver = &mut |done: Vec<(Place, T)>| {
        let slots = done.into_iter();
        let slots = slots.map(|(place, result)| (place, Slot::Result(result)));
        results.send(slots.collect())
    };
    loop {
        let holding = turn.map(lock);
        let mut next = queue.wait();
        if next.is_none() {
            return;
        }
        while let Some((place, work)) = next {
            match worker.take(place, work, deliver) {
                Ok(false) => next = queue.fetch(),
                Ok(true) => break,
                Err(_) => return,
            }
        }
        drop(holding);
        if worker.finish(deliver).is_err() {
            return;
        }
    }
}

/// Delivers the results in order.
fn put_in_order<W, T, S: Sink<T>>(
    incoming: &Receiver<Slots<W, T>>,
    queue: &Queue<W>,
    mut worker: impl Worker<W, T>,
    sink: &mut S,
) -> Result<(), S::Error> {
    let mut first = 0;
    let mut waiting: VecDeque<Option<Slot<W, T>>> = VecDeque::new();
    while let Some(slots) = receive(incoming, sink)? {
        for (place, slot) in slots {
            let index = (place - first) as usize;
            if waiting.len() <= index {
                waiting.resize_with(index + 1, || None);
            }
            waiting[index] = Some(slot);
        }
        while let Some(slot) = waiting.front_mut().and_then(Option::take) {
            waiting.pop_front();
            match slot {
                Slot::Result(result) => sink.take(result)?,
                Slot::InOrder(work) => {
                    sink.idle()?;
                    let deliver = &mut |results: Vec<(Place, T)>| {
                        let mut results = results.into_iter();
                        results.try_for_each(|(_, result)| sink.take(result))
                    };
                    worker.take(first, work, deliver)?;
                    worker.finish(deliver)?;
                }
            }
            first += 1;
        }
        queue.advance(first);
    }
    Ok(())
}

/// Returns the channel's next value; `None` if it is closed.
fn receive<V, T, S: Sink<T>>(channel: &Receiver<V>, sink: &mut S) -> Result<Option<V>, S::Error> {
    match channel.try_recv() {
        Ok(value) => Ok(Some(value)),
        Err(TryRecvError::Disconnected) => Ok(None),
        Err(TryRecvError::Empty) => {
            sink.idle()?;
            Ok(channel.recv().ok())
        }
    }
}

/// Items that no worker has fetched yet.
struct Queue<W> {
    state: Mutex<State<W>>,
    more: Condvar,
    space: Condvar,
    window: u64,
}

struct State<W> {
    work: VecDeque<(Place, W)>,
    ended: bool,
    /// True if no more results are needed.
    abandoned: bool,
    /// Number of workers that wait.
    waiting: usize,
    /// Index of the next result to deliver.
    first: Place,
}

impl<W> Queue<W> {
    fn new(window: u64) -> Queue<W> {
        Queue {
            state: Mutex::new(State {
                work: VecDeque::new(),
                ended: false,
                abandoned: false,
                waiting: 0,
                first: 0,
            }),
            more: Condvar::new(),
            space: Condvar::new(),
            window,
        }
    }

    /// Waits until there is space for the item with this index. Returns true if results are still
    /// needed.
    fn wait_for_space(&self, place: Place) -> bool {
        let full = |state: &mut State<W>| !state.abandoned && place - state.first >= self.window;
        let state = self.space.wait_while(lock(&self.state), full);
        !state.unwrap_or_else(PoisonError::into_inner).abandoned
    }

    /// Drops the items that no worker has fetched, and ends the thread that finds more.
    fn abandon(&self) {
        let mut state = lock(&self.state);
        state.abandoned = true;
        state.work.clear();
        self.space.notify_all();
    }

    fn advance(&self, first: Place) {
        lock(&self.state).first = first;
        self.space.notify_one();
    }

    fn put(&self, place: Place, work: W) {
        let mut state = lock(&self.state);
        state.work.push_back((place, work));
        // Waking takes a system call even if no thread sleeps.
        if state.waiting != 0 {
            self.more.notify_one();
        }
    }

    fn end(&self) {
        lock(&self.state).ended = true;
        self.more.notify_all();
    }

    /// Returns the next item if one is ready.
    fn fetch(&self) -> Option<(Place, W)> {
        lock(&self.state).work.pop_front()
    }

    /// Waits for the next item; returns `None` if no more will come.
    fn wait(&self) -> Option<(Place, W)> {
        let nothing = |state: &mut State<W>| state.work.is_empty() && !state.ended;
        let mut state = lock(&self.state);
        state.waiting += 1;
        let state = self.more.wait_while(state, nothing);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state.work.pop_front()
    }
}

/// Ends the queue when the thread that fills it ends, even by a panic.
struct Ending<W>(Arc<Queue<W>>);

impl<W> Drop for Ending<W> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Locks a mutex. A thread that panicked ends the process, at the latest when it is joined.
fn lock<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
