// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests reading and opening files.

use super::*;
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
    for (length, asked, bytes) in [
        (None, 4, 10),
        (Some(0), 4, 10),
        (Some(10), 3, 10),
        (Some(5), 2, 8),
        (Some(11), 4, 10),
    ] {
        let mut reader = Slow(b"0123456789", 0);
        let mut buffer = [0; 20];
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
    let missing = content(&one.join("missing")).expect_err("it is not there");
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    // The new directory of this name is used; the open one has no such file.
    content(&one.join("0")).expect("it is there");
    fs::rename(&one, temporary.path().join("away")).expect("renamed");
    fs::create_dir(&one).expect("it is not there");
    fs::write(one.join("later"), "later").expect("written");
    let later = content(&one.join("later")).expect("it is there");
    assert_eq!(later, ("later".to_owned(), false));
}
