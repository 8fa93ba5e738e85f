// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests reading and opening files.

use super::open::FILES_BEFORE;
#[cfg(unix)]
use super::open::patiently;
use super::*;
use crate::progress::Silent;
use std::fs;

/// Returns few bytes at a time and counts the calls.
struct Slow(&'static [u8], usize);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        let bytes = buffer.len().min(4);
        (&mut self.0).read(&mut buffer[..bytes])
    }
}

#[test]
fn a_known_length_saves_asking_for_more() {
    for (length, space, asked, bytes) in [
        (None, 20, 4, 10),
        (Some(0), 20, 4, 10),
        (Some(10), 20, 3, 10),
        (Some(5), 20, 4, 10),
        (Some(8), 20, 2, 8),
        (Some(11), 20, 4, 10),
        // Nor is more asked for without space.
        (None, 8, 2, 8),
    ] {
        let mut reader = Slow(b"0123456789", 0);
        let mut buffer = vec![0; space];
        let filled = fill_to(length, &mut reader, &mut buffer);
        let filled = filled.expect("the reader does not fail");
        assert_eq!((filled, reader.1), (bytes, asked), "{length:?}");
        assert_eq!(buffer[..bytes], b"0123456789"[..bytes]);
    }
}

#[test]
#[cfg_attr(windows, ignore = "directories are not opened there")]
fn files_are_found_relative_to_their_directory() {
    let temporary = tempfile::tempdir().expect("there is a place");
    let (one, other) = (temporary.path().join("one"), temporary.path().join("other"));
    for (directory, content) in [(&one, "one"), (&other, "other")] {
        fs::create_dir(directory).expect("it is not there");
        for index in 0..2 * FILES_BEFORE {
            let content = format!("{content}{index}");
            fs::write(directory.join(index.to_string()), content).expect("written");
        }
    }
    let mut opener = Opener::default();
    let mut content = |name: &Path| {
        let mut text = String::new();
        let location = Location { root: None, name };
        opener.open(location)?.read_to_string(&mut text)?;
        io::Result::Ok((text, opener.directory.is_some()))
    };
    for (directory, name) in [(&one, "one"), (&other, "other"), (&one, "one")] {
        for index in 0..2 * FILES_BEFORE {
            let found = content(&directory.join(index.to_string())).expect("it is there");
            assert_eq!(found, (format!("{name}{index}"), index >= FILES_BEFORE));
        }
    }
    // It does not wait for the other file to be closed.
    let other = Opened::new(&one.join("0")).expect("it is there");
    let missing = content(&one.join("missing")).expect_err("it is not there");
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    drop(other);
    // The new directory of this name is used; the open one has no such file.
    content(&one.join("0")).expect("it is there");
    fs::rename(&one, temporary.path().join("away")).expect("renamed");
    fs::create_dir(&one).expect("it is not there");
    fs::write(one.join("later"), "later").expect("written");
    let later = content(&one.join("later")).expect("it is there");
    assert_eq!(later, ("later".to_owned(), false));
}

/// Another thread may take the last descriptor and give it back.
#[test]
#[cfg(unix)]
fn a_file_is_opened_again_if_others_were_open_meanwhile() {
    const EMFILE: i32 = 24;
    let file = tempfile::NamedTempFile::new().expect("there is a place");
    let calls = std::cell::Cell::new(0);
    let opened = patiently(|| {
        calls.set(calls.get() + 1);
        drop(Opened::new(file.path())?);
        match calls.get() {
            1 => Err(io::Error::from_raw_os_error(EMFILE)),
            _ => Ok(()),
        }
    });
    assert!(opened.is_ok());
    assert_eq!(calls.get(), 2);
}

/// Announces a length that is not the file's.
fn claim(file: &Opened, bytes: u64) -> Stat {
    let stat = file.stat().expect("it is open");
    Stat { bytes, ..stat }
}

/// A file of 5 bytes now: what was read matters, if it had more when it was opened.
#[test]
fn a_file_that_shrinks_after_it_was_read_is_whole() {
    let temporary = tempfile::tempdir().expect("there is a place");
    let name = temporary.path().join("file");
    fs::write(&name, "12345").expect("written");
    let file = Opened::new(&name).expect("it is there");
    for (claimed, read, is_whole) in [(10, 10, true), (10, 9, false), (6, 5, false), (5, 4, true)] {
        let found = check_whole(&file, &claim(&file, claimed), read);
        assert_eq!(found.is_ok(), is_whole, "{read} of {claimed} bytes");
    }
}

#[test]
fn pieces_are_hashed_as_the_whole() {
    let temporary = tempfile::tempdir().expect("there is a place");
    let name = temporary.path().join("file");
    let content: Vec<u8> = (0..3_u32 << 20)
        .map(|at| (at.wrapping_mul(at) % 251) as u8)
        .collect();
    let key = [7; 32];
    let modes = [
        Params::new(),
        Params::new().key(&key),
        Params::new().derive_key_context(b"finalist 2026-11-25 test of pieces"),
    ];
    let (piece, alone) = (PIECE_BYTES as usize, ALONE_BYTES as usize);
    for (index, length) in [
        0,
        1,
        alone,
        alone + 1,
        alone + piece - 1,
        alone + piece,
        alone + piece + 1,
    ]
    .into_iter()
    .chain((0..4).map(|more| 2 * alone + more * piece + more))
    .enumerate()
    {
        let params = modes[index % modes.len()];
        let whole = finalist::hash(Algorithm::Blake3, &params, &content[..length]);
        fs::write(&name, &content[..length]).expect("written");
        for start in [0, 5, piece, piece + 1, length] {
            let start = start.min(length);
            // The file may have another length than it had when it was opened.
            for claimed in [length, length + 3 * piece, length / 2] {
                let file = Opened::new(&name).expect("it is there");
                file.seek(start as u64).expect("it is a file");
                let mut hasher = Hasher::new(Algorithm::Blake3, &params).expect("a mode");
                hasher.update(&content[..start]).expect("the start");
                let mut context = ReadContext {
                    buffer: &mut vec![0; 1000],
                    progress: &Silent,
                    threads: Threads::Jobs(Some(3)),
                    params,
                    reached: None,
                };
                let claimed = claim(&file, claimed as u64);
                let bytes = hash_pieces(&file, &claimed, &mut hasher, &mut context);
                let bytes = bytes.expect("it can be read");
                assert_eq!(file.position().expect("a file"), start as u64 + bytes);
                let rest = hash_reader(&file, &mut hasher, context).expect("it can be read");
                assert_eq!(start as u64 + bytes + rest, length as u64);
                assert_eq!(hasher.finalize(), whole, "{length} bytes from {start} on");
            }
        }
    }
}

/// The threads wait for each other after a part of a long file, and go on.
#[test]
fn pieces_of_several_rounds_are_hashed_as_the_whole() {
    let file = tempfile::NamedTempFile::new().expect("there is a place");
    let bytes = ROUND_BYTES + PIECE_BYTES + 1;
    file.as_file().set_len(bytes).expect("it is long");
    let params = Params::new();
    let mut hasher = Hasher::new(Algorithm::Blake3, &params).expect("a mode");
    let context = ReadContext {
        buffer: &mut vec![0; READ_BYTES],
        progress: &Silent,
        threads: Threads::Jobs(Some(2)),
        params,
        reached: None,
    };
    let hashed = hash_file(file.path(), &mut hasher, context);
    assert_eq!(hashed.expect("it can be read"), bytes);
    let whole = finalist::hash(Algorithm::Blake3, &params, &vec![0; bytes as usize]);
    assert_eq!(hasher.finalize(), whole);
}

/// A pipe holds 64 KiB at first, and more when it is hashed. A file is no pipe.
#[test]
#[cfg(any(target_os = "linux", target_os = "android"))]
fn a_pipe_is_widened() {
    use std::os::fd::AsRawFd;

    let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
    let bytes = || rustix::pipe::fcntl_getpipe_size(&reader).expect("it is a pipe");
    let narrow = bytes();
    let name = format!("/proc/self/fd/{}", reader.as_raw_fd());
    let opened = Opened::new(Path::new(&name)).expect("it has a writer");
    drop(writer);
    let params = Params::new();
    let mut hasher = Hasher::new(Algorithm::Blake3, &params).expect("a mode");
    let context = ReadContext {
        buffer: &mut [0; 1000],
        progress: &Silent,
        threads: Threads::One,
        params,
        reached: None,
    };
    let hashed = hash_rest(&opened, 0..0, &mut hasher, context);
    assert_eq!(hashed.expect("it can be read"), 0);
    assert!(bytes() > narrow, "{narrow}");
    assert!(widen_pipe(&reader));
    let file = tempfile::tempfile().expect("a file");
    assert!(!widen_pipe(&file));
}

#[test]
fn one_thread_hashes_blake3_from_a_pipe_unless_more_are_requested() {
    let one = |threads: Threads| matches!(threads, Threads::One);
    assert!(one(Threads::Jobs(None).for_pipe(Algorithm::Blake3)));
    assert!(!one(Threads::Jobs(None).for_pipe(Algorithm::Blake2b)));
    assert!(!one(Threads::Jobs(Some(2)).for_pipe(Algorithm::Blake3)));
}

/// The system, not this crate, resolves names of directories.
#[test]
#[cfg(unix)]
fn names_of_files_are_split() {
    for (name, directory) in [
        ("a/b", Some("a")),
        ("/a/b/c", Some("/a/b")),
        ("a", None),
        ("/a", None),
        ("a/", None),
        ("a/.", None),
        ("a/..", None),
    ] {
        let found = crate::platform::split(Path::new(name));
        assert_eq!(
            found.map(|parts| parts.0),
            directory.map(Path::new),
            "{name}"
        );
    }
}
