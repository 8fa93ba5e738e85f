// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the order of results, and that none is missing or late.

use std::convert::Infallible;
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::time::Duration;

use rayon::ThreadPoolBuilder;

use super::*;

/// Doubles numbers, one at a time.
struct Doubling;

impl Worker<u64, u64> for Doubling {
    fn take<E>(
        &mut self,
        place: Place,
        work: u64,
        deliver: &mut Deliver<'_, u64, E>,
    ) -> Result<bool, E> {
        deliver(vec![(place, 2 * work)]).map(|()| false)
    }

    fn finish<E>(&mut self, _: &mut Deliver<'_, u64, E>) -> Result<(), E> {
        Ok(())
    }
}

/// Collects results, and tells each to another thread.
struct Results(Vec<u64>, Option<Sender<u64>>);

impl Sink<u64> for Results {
    type Error = Infallible;

    fn take(&mut self, result: u64) -> Result<(), Infallible> {
        self.0.push(result);
        if let Some(told) = &self.1 {
            let _ = told.send(result);
        }
        Ok(())
    }
}

fn workers(threads: usize, in_turn: bool, window: u64) -> Workers {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Workers {
        pool: Some(pool.expect("there are threads")),
        turn: in_turn.then(Arc::default),
        window,
    }
}

fn run(
    workers: &Workers,
    found: impl Iterator<Item = WorkItem<u64, u64>> + Send + 'static,
    told: Option<Sender<u64>>,
) -> Vec<u64> {
    let mut results = Results(Vec::new(), told);
    let Ok(()) = workers.run(found, || Doubling, &mut results);
    results.0
}

#[test]
fn all_results_come_in_order() {
    let item = |number| match number % 7 {
        1 => WorkItem::InOrder(number),
        3 => WorkItem::Done(2 * number),
        5 => WorkItem::Pause,
        _ => WorkItem::Work(number),
    };
    let expected: Vec<_> = (0..100)
        .filter(|each| each % 7 != 5)
        .map(|each| 2 * each)
        .collect();
    for threads in 1..4 {
        for (in_turn, window) in [(false, 1), (true, 1), (false, 9), (true, 1000)] {
            let workers = workers(threads, in_turn, window);
            assert_eq!(run(&workers, (0..100).map(item), None), expected);
        }
    }
    assert_eq!(
        run(
            &Workers::new(Threads::One, false, 1),
            (0..100).map(item),
            None
        ),
        expected
    );
}

/// Looking for the next item may take long, and the result of the last does not wait for that.
#[test]
fn a_result_does_not_wait_for_the_next_item() {
    for threads in 1..4 {
        let (told, results) = channel();
        let mut last = 0;
        let found = iter::from_fn(move || {
            let in_time = || results.recv_timeout(Duration::from_secs(20));
            if last != 0 && in_time() != Ok(2 * last) {
                return None;
            }
            // All workers wait by then.
            thread::sleep(Duration::from_millis(5));
            last += 1;
            (last < 10).then_some(WorkItem::Work(last))
        });
        let found = run(&workers(threads, false, 100), found, Some(told));
        assert_eq!(found, (1..10).map(|each| 2 * each).collect::<Vec<_>>());
    }
}

/// Fails after a thousand results, or if many more items have been found.
struct Failing {
    results: u64,
    found: Arc<AtomicU64>,
}

const WINDOW: u64 = 10;

impl Sink<u64> for Failing {
    type Error = &'static str;

    fn take(&mut self, _: u64) -> Result<(), &'static str> {
        thread::yield_now();
        self.results += 1;
        let ahead = self.found.load(Ordering::SeqCst) - self.results;
        match self.results {
            _ if ahead > 2 * WINDOW => Err("too many items are found"),
            1000.. => Err("enough"),
            _ => Ok(()),
        }
    }
}

/// Then the search ends, too. Before, it keeps within the window.
#[test]
fn items_are_found_as_they_are_needed() {
    for threads in 1..4 {
        let (end, ended) = channel::<()>();
        let found = Arc::new(AtomicU64::new(0));
        let results = 0;
        let mut sink = Failing {
            results,
            found: found.clone(),
        };
        let found = iter::repeat_with(move || {
            // Dropped with the search.
            let _ = &end;
            WorkItem::Work(found.fetch_add(1, Ordering::SeqCst))
        });
        let workers = workers(threads, false, WINDOW);
        assert_eq!(workers.run(found, || Doubling, &mut sink), Err("enough"));
        let ended = ended.recv_timeout(Duration::from_secs(20));
        assert_eq!(ended, Err(RecvTimeoutError::Disconnected));
    }
}
