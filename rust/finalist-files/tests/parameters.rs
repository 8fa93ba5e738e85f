// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the parameters of hash functions: no memory is given back that still holds a key.

use std::alloc::{GlobalAlloc, Layout, System};
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};

use finalist::{Algorithm, Error};
use finalist_files::function::{Function, Key, Parameters};

/// Far from what memory holds by chance.
const SECRET: [u8; 32] = *b"\xa7no other memory has these bytes";

/// The number of freed blocks with the secret.
static FOUND: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, which looks for the secret in what it frees.
struct Watching;

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // All of it is initialised, so that it can be read later.
        // SAFETY: the caller's contract is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: a block of this length, all of which is initialised.
        let bytes = unsafe { slice::from_raw_parts(block, layout.size()) };
        let is_found = bytes.windows(SECRET.len()).any(|part| part == SECRET);
        FOUND.fetch_add(usize::from(is_found), Ordering::Relaxed);
        // SAFETY: the caller's contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

#[test]
fn no_freed_memory_holds_a_key() {
    drop(SECRET.to_vec());
    assert_eq!(FOUND.swap(0, Ordering::Relaxed), 1, "it looks");
    let parameters = Parameters {
        key: Key::from(SECRET.to_vec()),
        ..Parameters::default()
    };
    for (algorithm, digest_bytes) in [(Algorithm::Blake2b, 64), (Algorithm::Blake3, 32)] {
        let function = Function {
            algorithm,
            digest_bytes,
        };
        let mut hasher = parameters.hasher(function).expect("it takes a key");
        hasher.update(b"message").expect("it is short");
        // One is dropped with its digest, the other without.
        drop(parameters.clone().hasher(function));
        hasher.finalize().expect("a digest");
    }
    drop(parameters);
    assert_eq!(FOUND.load(Ordering::Relaxed), 0);
}

#[test]
fn a_position_is_for_the_output_of_blake3() {
    for (algorithm, seek, expected) in [
        (Algorithm::Blake2b, 1, Some(Error::Algorithm)),
        (Algorithm::Blake2xb, 1, Some(Error::Algorithm)),
        (Algorithm::Blake3, 1 << 40, None),
        (Algorithm::Blake3, u64::MAX - 32, None),
        (Algorithm::Blake3, u64::MAX - 31, Some(Error::OutputLength)),
    ] {
        let function = Function {
            algorithm,
            digest_bytes: 32,
        };
        let parameters = Parameters {
            seek,
            ..Parameters::default()
        };
        assert_eq!(parameters.hasher(function).err(), expected, "{algorithm}");
    }
}
